//! Writing a file, once, as a permit allows.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Seek as _, Write as _},
    path::Path,
};

use evidence::{Version, WritePermit};
use protocol::{Fingerprint, WorkspacePath};

use crate::{
    FileError, FileState, Place, PlaceKind, Workspace,
    image::{fingerprint, open_folder_of, read_whole},
    lock::{Key, lock},
    system::{Folder, Stat},
};

/// A write that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a write that happened must be recorded"]
pub struct AppliedWrite {
    pub path: WorkspacePath,
    /// The path as a person sees it.
    pub shown: String,
    /// What was replaced.
    pub before: FileState,
    /// What the write left.
    pub after: FileState,
    /// The file has further names, and changed under all of them.
    pub hardlinked: bool,
}

/// A file as it was found, and where.
struct Found<'a> {
    folder: &'a Folder,
    name: &'a OsStr,
    stat: Stat,
    bytes: Vec<u8>,
}

impl Workspace {
    /// Writes a whole file, if what is there is still what the permit was given for. The folders
    /// that a new file lacks are made.
    ///
    /// Other programs see the old file or the new one. Only a file with several names, and one
    /// that this user may write and cannot replace by one like it, is written in place; and one in
    /// a folder that only takes names, also when it is new. What was
    /// written outlives a power cut. A program that writes the same file between the last look
    /// and the replacement is not noticed (WB-38).
    ///
    /// # Errors
    ///
    /// The file is left as it was; after a failed write in place, as far as the disk lets it.
    ///
    /// - [`FileError::Changed`], [`FileError::Vanished`], [`FileError::Appeared`] if what is there
    ///   is not what the permit was given for (WB-11, WB-36).
    /// - [`FileError::LinkOutside`] if a link has come to lead out of the roots,
    ///   [`FileError::NotAFolder`] if a file has taken a folder's place.
    /// - [`FileError::TooLarge`] for contents over `whole_file_bytes`.
    /// - [`FileError::HalfWritten`] if a write in place failed and could not be undone.
    /// - [`FileError::NoPermission`], [`FileError::DiskFull`], [`FileError::ReadOnlyDisk`] or
    ///   [`FileError::Io`] if the operating system does not do it, [`FileError::Missing`] if the
    ///   folder goes away meanwhile.
    pub fn write(&self, permit: WritePermit, contents: &[u8]) -> Result<AppliedWrite, FileError> {
        let _no_freeze = self.barrier().enter();
        let _no_rival = lock(Key::Path(self.absolute(permit.path())?));
        let place = self.place(permit.path()).map_err(|error| match (error, permit.expects()) {
            (FileError::Changed { shown } | FileError::Special { shown }, Version::Absent) => {
                FileError::Appeared { shown }
            }
            (FileError::Special { shown }, Version::Present(_)) => FileError::Changed { shown },
            (other, Version::Absent | Version::Present(_)) => other,
        })?;
        let limit_bytes = self.limits().whole_file_bytes;
        if limit_bytes < contents.len() as u64 {
            return Err(FileError::TooLarge { shown: place.shown().to_owned(), limit_bytes });
        }
        match permit.expects() {
            Version::Absent => self.create(&place, contents),
            Version::Present(expected) => self.replace(&place, expected, contents),
        }
    }

    fn create(&self, place: &Place, contents: &[u8]) -> Result<AppliedWrite, FileError> {
        let shown = place.shown();
        let appeared = || FileError::Appeared { shown: shown.to_owned() };
        if place.kind() != PlaceKind::Absent {
            return Err(appeared());
        }
        let mut made = Vec::new();
        let created = self
            .make_folders(place, &mut made)
            .map_err(PutError::from)
            .and_then(|folder| put_new(&folder, file_name(place), contents));
        for (parent, name) in made.iter().rev() {
            if created.is_ok() {
                outlive_power_cut(parent);
            } else {
                // It stays if somebody has put something into it meanwhile.
                drop(parent.remove_folder(name));
            }
        }
        let stat = created.map_err(|error| match error {
            PutError::Untouched(it) if it.kind() == io::ErrorKind::AlreadyExists => appeared(),
            PutError::Untouched(source) => FileError::from_io("create", shown, source),
            PutError::HalfWritten(source) => {
                FileError::HalfWritten { shown: shown.to_owned(), source }
            }
        })?;
        Ok(applied(place, FileState::ABSENT, contents, &stat))
    }

    /// Opens the folder of a new file; makes it, and those above it, where they are missing.
    fn make_folders(
        &self,
        place: &Place,
        made: &mut Vec<(Folder, OsString)>,
    ) -> io::Result<Folder> {
        let root = self.root(place.path().root()).ok_or(io::ErrorKind::NotFound)?;
        let mut folder = Folder::open(root)?;
        for name in Path::new(place.path().relative()).parent().into_iter().flatten() {
            match folder.enter(name) {
                Ok(inner) => folder = inner,
                Err(it) if it.kind() == io::ErrorKind::NotFound => {
                    let is_ours = folder.create_folder(name)?;
                    let inner = folder.enter(name);
                    if is_ours {
                        made.push((folder, name.to_owned()));
                    }
                    folder = inner?;
                }
                Err(it) => return Err(it),
            }
        }
        Ok(folder)
    }

    fn replace(
        &self,
        place: &Place,
        expected: Fingerprint,
        contents: &[u8],
    ) -> Result<AppliedWrite, FileError> {
        let shown = place.shown();
        let vanished = || FileError::Vanished { shown: shown.to_owned() };
        let changed = || FileError::Changed { shown: shown.to_owned() };
        let failed = |source| FileError::from_io("write", shown, source);
        let (folder, name) = open_folder_of(place)?.ok_or_else(vanished)?;
        let stat = folder.stat(name).map_err(failed)?.ok_or_else(vanished)?;
        let _no_rival = (1 < stat.links).then(|| lock(Key::File(stat.identity)));
        let whole = read_whole(&folder, name, self.limits().whole_file_bytes, shown);
        let (stat, bytes) = match whole {
            Ok(whole) => whole.ok_or_else(vanished)?,
            Err(FileError::IsFolder { .. } | FileError::TooLarge { .. }) => return Err(changed()),
            Err(other) => return Err(other),
        };
        if fingerprint(&bytes) != expected {
            return Err(changed());
        }
        folder.may_write(name).map_err(failed)?;
        let found = Found { folder: &folder, name, stat, bytes };
        let put = found.put(contents).map_err(|error| match error {
            PutError::Untouched(source) => failed(source),
            PutError::HalfWritten(source) => {
                FileError::HalfWritten { shown: shown.to_owned(), source }
            }
        })?;
        let stat = put.ok_or_else(|| match folder.stat(name) {
            Ok(None) => vanished(),
            Ok(Some(_)) | Err(_) => changed(),
        })?;
        let before = FileState { fingerprint: Some(expected), mode: found.stat.mode };
        Ok(applied(place, before, contents, &stat))
    }
}

/// Why a file that was found could not be written.
#[derive(Debug)]
enum PutError {
    /// It is as it was.
    Untouched(io::Error),
    HalfWritten(io::Error),
}

impl From<io::Error> for PutError {
    fn from(source: io::Error) -> Self {
        Self::Untouched(source)
    }
}

impl Found<'_> {
    /// Writes the contents, if the file is still the one that was found; else does nothing.
    fn put(&self, contents: &[u8]) -> Result<Option<Stat>, PutError> {
        if 1 < self.stat.links {
            return self.put_in_place(contents);
        }
        let Some(mut temp) = self.folder.temp_for_old()? else {
            return self.put_in_place(contents);
        };
        temp.file.write_all(contents)?;
        match temp.become_like(self.name, &self.stat) {
            Ok(true) => {}
            Ok(false) => return self.put_in_place(contents),
            Err(it) if it.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(it) => return Err(it.into()),
        }
        temp.file.sync_all()?;
        let stat = Stat::of(&temp.file)?;
        if self.folder.stat(self.name)? != Some(self.stat) || !self.has_its_bytes()? {
            return Ok(None);
        }
        match temp.replace(self.name) {
            Ok(()) => {}
            // Something is mounted on it.
            Err(it) if it.kind() == io::ErrorKind::ResourceBusy => {
                return self.put_in_place(contents);
            }
            Err(it) => return Err(it.into()),
        }
        outlive_power_cut(self.folder);
        Ok(Some(stat))
    }

    /// Returns whether the bytes are still those that were found. A write through shared memory
    /// shows in no time stamp until long after.
    fn has_its_bytes(&self) -> io::Result<bool> {
        let limit_bytes = self.bytes.len() as u64;
        match read_whole(self.folder, self.name, limit_bytes, "") {
            Ok(found) => Ok(found.is_some_and(|(_, bytes)| bytes == self.bytes)),
            Err(FileError::Io { source, .. }) => Err(source),
            Err(_) => Ok(false),
        }
    }

    fn put_in_place(&self, contents: &[u8]) -> Result<Option<Stat>, PutError> {
        let mut file = self.folder.open_in_place(self.name)?;
        if Stat::of(&file)? != self.stat {
            return Ok(None);
        }
        if let Err(failed) = overwrite(&mut file, contents) {
            // The blocks of the old bytes are still the file's own. The first failure is told.
            return Err(match overwrite(&mut file, &self.bytes) {
                Ok(()) => PutError::Untouched(failed),
                Err(_) => PutError::HalfWritten(failed),
            });
        }
        Ok(Some(Stat::of(&file)?))
    }
}

fn put_new(folder: &Folder, name: &OsStr, contents: &[u8]) -> Result<Stat, PutError> {
    if folder.is_append_only() {
        return put_new_for_good(folder, name, contents);
    }
    let mut temp = folder.temp_for_new()?;
    temp.file.write_all(contents)?;
    temp.file.sync_all()?;
    let stat = Stat::of(&temp.file)?;
    temp.create(name)?;
    outlive_power_cut(folder);
    Ok(stat)
}

/// Makes a file where it can be neither renamed nor removed: what is left of a failed write stays.
fn put_new_for_good(folder: &Folder, name: &OsStr, contents: &[u8]) -> Result<Stat, PutError> {
    let mut file = folder.create_file(name)?;
    let written = overwrite(&mut file, contents).and_then(|()| Stat::of(&file));
    outlive_power_cut(folder);
    written.map_err(PutError::HalfWritten)
}

fn overwrite(file: &mut File, contents: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(contents)?;
    file.set_len(contents.len() as u64)?;
    file.sync_all()
}

/// Makes the names in a folder safe against a power cut, where the file system can do that. If
/// it cannot, the write is a fact all the same.
fn outlive_power_cut(folder: &Folder) {
    drop(folder.sync());
}

fn file_name(place: &Place) -> &OsStr {
    place.absolute().file_name().unwrap_or_default()
}

fn applied(place: &Place, before: FileState, contents: &[u8], stat: &Stat) -> AppliedWrite {
    AppliedWrite {
        path: place.path().clone(),
        shown: place.shown().to_owned(),
        before,
        after: FileState { fingerprint: Some(fingerprint(contents)), mode: stat.mode },
        hardlinked: 1 < stat.links,
    }
}

#[cfg(test)]
mod tests;
