//! Folders and files on Windows. The folders on the way to a file are held while it is used, so
//! that none of them can be renamed and a link put in its place.

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, Metadata, OpenOptions},
    io,
    os::windows::fs::{MetadataExt, OpenOptionsExt},
    path::{Component, Path, PathBuf, Prefix},
    sync::Arc,
};

use tempfile::TempPath;

use crate::follow::Kind;

// Names and values are those of the Windows API.
const FILE_SHARE_READ: u32 = 0x1;
const FILE_SHARE_WRITE: u32 = 0x2;
const FILE_READ_ATTRIBUTES: u32 = 0x80;
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;

/// Most UTF-16 units of a name.
const NAME_UNITS: usize = 255;
/// Names of devices, whatever folder and ending they are given.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// An open folder.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// It and the folders above it. Nobody can rename or delete them meanwhile.
    held: Vec<Arc<File>>,
}

/// Which file it is, whatever its name. Not known: the standard library does not tell.
pub(crate) type Identity = ();

/// What is known of a file without opening it. Two that are equal show the same content, as far
/// as the file system tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub kind: Kind,
    pub size_bytes: u64,
    pub mode: Option<u32>,
    /// Always 1: the standard library does not tell.
    pub links: u64,
    pub identity: Identity,
    created: u64,
    written: u64,
}

/// A file without its final name. It is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Temp<'a> {
    pub file: File,
    path: TempPath,
    folder: &'a Folder,
}

impl Folder {
    /// Opens the folder at a canonical path.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let start = path.ancestors().last().unwrap_or(path).to_owned();
        let mut folder = Self { path: start, held: Vec::new() };
        for part in path.components() {
            if let Component::Normal(name) = part {
                folder = folder.enter(name)?;
            }
        }
        Ok(folder)
    }

    /// Opens a folder in this one.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let path = self.path.join(name);
        let mut options = OpenOptions::new();
        options
            .read(true)
            .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
            .custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
        let opened = match options.open(&path) {
            // A folder above the workspace may be closed to this user.
            Err(it) if it.kind() == io::ErrorKind::PermissionDenied => {
                options.access_mode(FILE_READ_ATTRIBUTES).open(&path)?
            }
            opened => opened?,
        };
        let found = opened.metadata()?;
        if !found.is_dir() || found.is_symlink() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let mut held = self.held.clone();
        held.push(Arc::new(opened));
        Ok(Self { path, held })
    }

    /// Makes a folder in this one, and returns whether it was not there.
    pub(crate) fn create_folder(&self, name: &OsStr) -> io::Result<bool> {
        match fs::create_dir(self.path.join(name)) {
            Ok(()) => Ok(true),
            Err(it) if it.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(it) => Err(it),
        }
    }

    /// Removes an empty folder from this one.
    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_dir(self.path.join(name))
    }

    /// Looks at what has this name; nothing if there is nothing.
    pub(crate) fn stat(&self, name: &OsStr) -> io::Result<Option<Stat>> {
        match fs::symlink_metadata(self.path.join(name)) {
            Ok(found) => Ok(Some(Stat::new(&found))),
            Err(it) if it.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(it) => Err(it),
        }
    }

    /// Opens a file for reading.
    pub(crate) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        self.opened(OpenOptions::new().read(true), name)
    }

    /// Opens a file for writing, as it is.
    pub(crate) fn open_in_place(&self, name: &OsStr) -> io::Result<File> {
        self.opened(OpenOptions::new().write(true), name)
    }

    fn opened(&self, options: &mut OpenOptions, name: &OsStr) -> io::Result<File> {
        let file = options
            .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
            .custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
            .open(self.path.join(name))?;
        let is_link = file.metadata()?.is_symlink();
        if is_link { Err(io::ErrorKind::NotADirectory.into()) } else { Ok(file) }
    }

    /// Fails if this user may not write the file, though the folder would let it be replaced.
    pub(crate) fn may_write(&self, name: &OsStr) -> io::Result<()> {
        let found = fs::symlink_metadata(self.path.join(name))?;
        if found.permissions().readonly() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(())
    }

    /// Makes a file and opens it for writing, unless something else has the name.
    pub(crate) fn create_file(&self, name: &OsStr) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.path.join(name))
    }

    /// Returns whether names can be added to this folder and never be changed. There is no such
    /// folder here.
    pub(crate) fn is_append_only(&self) -> bool {
        false
    }

    /// Makes a file that will become a new one.
    pub(crate) fn temp_for_new(&self) -> io::Result<Temp<'_>> {
        let made =
            tempfile::Builder::new().prefix(".evident-").suffix(".tmp").tempfile_in(&self.path)?;
        let (file, path) = made.into_parts();
        Ok(Temp { file, path, folder: self })
    }

    /// Makes a file that will take the place of another. Nothing if this folder takes no new file.
    pub(crate) fn temp_for_old(&self) -> io::Result<Option<Temp<'_>>> {
        match self.temp_for_new() {
            Err(it) if it.kind() == io::ErrorKind::PermissionDenied => Ok(None),
            temp => temp.map(Some),
        }
    }

    /// Does nothing: the file system keeps a journal of names itself.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Temp<'_> {
    /// Does nothing: a file has the rights that its folder gives.
    pub(crate) fn become_like(&self, _: &OsStr, _: &Stat) -> io::Result<bool> {
        Ok(true)
    }

    /// Gives the file its name, which something else has now.
    pub(crate) fn replace(self, name: &OsStr) -> io::Result<()> {
        Ok(self.path.persist(self.folder.path.join(name))?)
    }

    /// Gives the file its name, unless something else has it.
    pub(crate) fn create(self, name: &OsStr) -> io::Result<()> {
        Ok(self.path.persist_noclobber(self.folder.path.join(name))?)
    }
}

impl Stat {
    /// Looks at an open file.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        Ok(Self::new(&file.metadata()?))
    }

    /// Returns all of it, as numbers.
    pub(crate) fn facts(&self) -> [i128; 6] {
        let Self { kind, size_bytes, mode, links, identity: (), created, written } = *self;
        let mode = mode.map_or(-1, i128::from);
        [kind as i128, size_bytes.into(), mode, links.into(), created.into(), written.into()]
    }

    fn new(found: &Metadata) -> Self {
        let kind = if found.is_symlink() {
            Kind::Link
        } else if found.is_dir() {
            Kind::Folder
        } else {
            Kind::File
        };
        Self {
            kind,
            size_bytes: found.file_size(),
            mode: None,
            links: 1,
            identity: (),
            created: found.creation_time(),
            written: found.last_write_time(),
        }
    }
}

/// Returns whether a file can have this name. A device, a stream of another file, and a name that
/// the system would change are none.
pub(crate) fn is_usable(name: &OsStr) -> bool {
    let Some(name) = name.to_str().filter(|it| it.encode_utf16().count() <= NAME_UNITS) else {
        return false;
    };
    let forbidden = |it: char| it.is_control() || r#"<>:"/\|?*"#.contains(it);
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let numbered = ["COM", "LPT"].iter().find_map(|it| stem.strip_prefix(it));
    let is_device = DEVICES.contains(&stem.as_str())
        || numbered
            .is_some_and(|it| it.chars().count() == 1 && !it.starts_with(char::is_alphabetic));
    !is_device && !name.contains(forbidden) && !name.ends_with(['.', ' '])
}

/// Returns a path in the form that other programs take: without `\\?\`.
pub(crate) fn plain(path: PathBuf) -> PathBuf {
    let Some(Component::Prefix(prefix)) = path.components().next() else { return path };
    let start = match prefix.kind() {
        Prefix::VerbatimDisk(letter) => OsString::from(format!(r"{}:\", char::from(letter))),
        Prefix::VerbatimUNC(server, share) => {
            let parts = [OsStr::new(r"\\"), server, OsStr::new(r"\"), share, OsStr::new(r"\")];
            parts.into_iter().collect()
        }
        Prefix::Verbatim(_) | Prefix::DeviceNS(_) | Prefix::UNC(..) | Prefix::Disk(_) => {
            return path;
        }
    };
    let rest = path.components().skip_while(|it| !matches!(it, Component::Normal(_)));
    PathBuf::from(start).join(rest.collect::<PathBuf>())
}

/// Returns the name as the folder has it: in its case, and long.
pub(crate) fn settled_name(folder: &Path, name: &OsStr) -> io::Result<OsString> {
    let settled = fs::canonicalize(folder.join(name))?;
    Ok(settled.file_name().unwrap_or(name).to_owned())
}

#[cfg(test)]
mod tests;
