//! Folders and files on Unix. Every step is taken from an open folder and follows no link, so a
//! link that is put in the way meanwhile leads nowhere.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::fd::OwnedFd,
    path::{Component, Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::fs::{StatxAttributes, StatxFlags, statx};
use rustix::{
    fs::{
        Access, AtFlags, CWD, FileType, Gid, Mode, OFlags, RenameFlags, Uid, accessat, fchmod,
        fchown, fstat, mkdirat, openat, renameat, renameat_with, statat, unlinkat,
    },
    io::Errno,
};

use crate::follow::Kind;

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod attributes;
#[cfg(not(target_vendor = "apple"))]
mod case;
mod stale;
#[cfg(not(target_vendor = "apple"))]
pub(crate) use case::settled_name;

/// Passing through a folder needs no right to list it.
#[cfg(target_os = "linux")]
const PASS: OFlags = OFlags::PATH.union(FOLDER);
#[cfg(not(target_os = "linux"))]
const PASS: OFlags = FOLDER;
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
/// What file systems say that cannot rename without replacing.
const NO_SUCH_RENAME: [Errno; 4] = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];
/// How many names are tried for a file without its final name.
const TEMP_NAMES: u32 = 64;
/// Never waits, not even if a pipe took the file's place meanwhile.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// An open folder.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

/// Which file it is, whatever its name.
pub(crate) type Identity = (i128, i128);

/// What is known of a file without opening it. Two that are equal show the same content, as far
/// as the file system tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub kind: Kind,
    pub size_bytes: u64,
    pub mode: Option<u32>,
    pub links: u64,
    pub identity: Identity,
    owner: (u32, u32),
    changed: [i128; 4],
}

/// A file without its final name. It is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Temp<'a> {
    pub file: File,
    folder: &'a Folder,
    name: OsString,
}

impl Folder {
    /// Opens the folder at a canonical path.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut folder = Self(openat(CWD, "/", PASS, Mode::empty())?);
        for part in path.components() {
            if let Component::Normal(name) = part {
                folder = folder.enter(name)?;
            }
        }
        Ok(folder)
    }

    /// Opens a folder in this one.
    pub(crate) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, PASS, Mode::empty()).map_err(no_link)?))
    }

    /// Makes a folder in this one, and returns whether it was not there.
    pub(crate) fn create_folder(&self, name: &OsStr) -> io::Result<bool> {
        match mkdirat(&self.0, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }

    /// Removes an empty folder from this one.
    pub(crate) fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }

    /// Looks at what has this name; nothing if there is nothing.
    pub(crate) fn stat(&self, name: &OsStr) -> io::Result<Option<Stat>> {
        match statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Stat::new(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(other) => Err(other.into()),
        }
    }

    /// Opens a file for reading.
    pub(crate) fn open_file(&self, name: &OsStr) -> io::Result<File> {
        let opened = openat(&self.0, name, FILE | OFlags::RDONLY, Mode::empty());
        Ok(File::from(opened.map_err(no_link)?))
    }

    /// Makes a file and opens it for writing, unless something else has the name.
    pub(crate) fn create_file(&self, name: &OsStr) -> io::Result<File> {
        let flags = FILE | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        Ok(File::from(openat(&self.0, name, flags, Mode::from_raw_mode(0o666))?))
    }

    /// Returns whether names can be added to this folder and never be changed.
    pub(crate) fn is_append_only(&self) -> bool {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return statx(&self.0, "", AtFlags::EMPTY_PATH, StatxFlags::empty())
            .is_ok_and(|it| it.stx_attributes.contains(StatxAttributes::APPEND));
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        return false;
    }

    /// Opens a file for writing, as it is.
    pub(crate) fn open_in_place(&self, name: &OsStr) -> io::Result<File> {
        let opened = openat(&self.0, name, FILE | OFlags::WRONLY, Mode::empty());
        Ok(File::from(opened.map_err(no_link)?))
    }

    /// Fails if this user may not write the file, though the folder would let it be replaced.
    pub(crate) fn may_write(&self, name: &OsStr) -> io::Result<()> {
        Ok(accessat(&self.0, name, Access::WRITE_OK, AtFlags::empty())?)
    }

    /// Makes a file that will become a new one, with the mode that new files have.
    pub(crate) fn temp_for_new(&self) -> io::Result<Temp<'_>> {
        self.temp_with(Mode::from_raw_mode(0o666))
    }

    /// Makes a file that will take the place of another, closed to everybody else until then.
    /// Nothing if this folder takes no new file, or would keep it.
    pub(crate) fn temp_for_old(&self) -> io::Result<Option<Temp<'_>>> {
        if self.is_append_only() {
            return Ok(None);
        }
        match self.temp_with(Mode::from_raw_mode(0o600)) {
            Err(it) if it.kind() == io::ErrorKind::PermissionDenied => Ok(None),
            temp => temp.map(Some),
        }
    }

    fn temp_with(&self, mode: Mode) -> io::Result<Temp<'_>> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let flags = FILE | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        for _ in 0..TEMP_NAMES {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = stale::temp_name(count);
            match openat(&self.0, &name, flags, mode) {
                Ok(fd) => {
                    let temp = Temp { file: File::from(fd), folder: self, name };
                    stale::sweep(self, &Stat::of(&temp.file)?, COUNT.load(Ordering::Relaxed));
                    return Ok(temp);
                }
                // Left behind by a process that was killed.
                Err(Errno::EXIST) => {}
                Err(other) => return Err(other.into()),
            }
        }
        Err(io::Error::other("no free name for a temporary file"))
    }

    /// Makes names in this folder outlive a power cut, where the file system can.
    pub(crate) fn sync(&self) -> io::Result<()> {
        File::from(openat(&self.0, ".", FOLDER | OFlags::RDONLY, Mode::empty())?).sync_all()
    }
}

impl Temp<'_> {
    /// Gives the file the owner, the extended attributes and the mode of another, which has this
    /// name, and returns whether it has them. To be called when the contents are written: that may
    /// take some of them away.
    pub(crate) fn become_like(&self, name: &OsStr, other: &Stat) -> io::Result<bool> {
        let (uid, gid) = (Uid::from_raw(other.owner.0), Gid::from_raw(other.owner.1));
        let owned = Stat::of(&self.file)?.owner == other.owner
            || fchown(&self.file, Some(uid), Some(gid)).is_ok();
        if !owned || !self.has_attributes_of(&self.folder.open_file(name)?) {
            return Ok(false);
        }
        let mode = Mode::from_raw_mode(number(other.mode.unwrap_or(0o600)));
        let now = Stat::of(&self.file)?;
        Ok(now.mode == other.mode || fchmod(&self.file, mode).is_ok())
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn has_attributes_of(&self, other: &File) -> bool {
        attributes::carry_over(other, &self.file)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn has_attributes_of(&self, _: &File) -> bool {
        true
    }

    /// Gives the file its name, which something else has now.
    pub(crate) fn replace(self, name: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.folder.0, &self.name, &self.folder.0, name)?)
    }

    /// Gives the file its name, unless something else has it.
    pub(crate) fn create(self, name: &OsStr) -> io::Result<()> {
        let folder = &self.folder.0;
        match renameat_with(folder, &self.name, folder, name, RenameFlags::NOREPLACE) {
            Err(errno) if NO_SUCH_RENAME.contains(&errno) => self.claim(name),
            done => Ok(done?),
        }
    }

    /// Does the same in two steps: the name is taken by an empty file first.
    fn claim(&self, name: &OsStr) -> io::Result<()> {
        let folder = &self.folder.0;
        let flags = FILE | OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        drop(openat(folder, name, flags, Mode::from_raw_mode(0o600))?);
        renameat(folder, &self.name, folder, name).map_err(|failed| {
            // It is ours and empty; if it stays, the error is still the first one.
            let _ = unlinkat(folder, name, AtFlags::empty());
            failed.into()
        })
    }
}

impl Drop for Temp<'_> {
    fn drop(&mut self) {
        // It has its final name by now, or it is of no use.
        let _ = unlinkat(&self.folder.0, &self.name, AtFlags::empty());
    }
}

impl Stat {
    /// Looks at an open file.
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        Ok(Self::new(&fstat(file)?))
    }

    /// Returns all of it, as numbers.
    pub(crate) fn facts(&self) -> [i128; 12] {
        let Self { kind, size_bytes, mode, links, identity, owner, changed } = *self;
        let mode = mode.map_or(-1, i128::from);
        let [written, written_ns, changed, changed_ns] = changed;
        [
            kind as i128,
            size_bytes.into(),
            mode,
            links.into(),
            identity.0,
            identity.1,
            owner.0.into(),
            owner.1.into(),
            written,
            written_ns,
            changed,
            changed_ns,
        ]
    }

    fn new(stat: &rustix::fs::Stat) -> Self {
        let found = FileType::from_raw_mode(stat.st_mode);
        let kind = if found.is_file() {
            Kind::File
        } else if found.is_dir() {
            Kind::Folder
        } else if found.is_symlink() {
            Kind::Link
        } else {
            Kind::Special
        };
        Self {
            kind,
            size_bytes: number(stat.st_size),
            mode: Some(number(Mode::from_raw_mode(stat.st_mode).bits())),
            links: number(stat.st_nlink),
            identity: (stat.st_dev.into(), stat.st_ino.into()),
            owner: (stat.st_uid, stat.st_gid),
            changed: [
                stat.st_mtime.into(),
                stat.st_mtime_nsec.into(),
                stat.st_ctime.into(),
                stat.st_ctime_nsec.into(),
            ],
        }
    }
}

/// Says in one way what systems say in several of a link that is not to be followed.
fn no_link(errno: Errno) -> io::Error {
    let is_link = matches!(errno, Errno::LOOP | Errno::MLINK);
    if is_link { io::ErrorKind::NotADirectory.into() } else { errno.into() }
}

/// Converts between the integer types that systems choose differently.
fn number<T: TryFrom<i128> + Default>(it: impl Into<i128>) -> T {
    T::try_from(it.into()).unwrap_or_default()
}

/// Returns whether a file can have this name.
pub(crate) fn is_usable(_: &OsStr) -> bool {
    true
}

/// Returns a path in the form that other programs take.
pub(crate) fn plain(path: PathBuf) -> PathBuf {
    path
}

/// Returns the name as the folder has it, where the folder does not tell cases apart.
#[cfg(target_vendor = "apple")]
pub(crate) fn settled_name(folder: &Path, name: &OsStr) -> io::Result<OsString> {
    let settled = std::fs::canonicalize(folder.join(name))?;
    Ok(settled.file_name().unwrap_or(name).to_owned())
}

#[cfg(test)]
mod tests;
