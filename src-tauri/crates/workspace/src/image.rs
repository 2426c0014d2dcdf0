//! A file's bytes, and what they are known by.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, ErrorKind, Read},
};

use evidence::Stamp;
use protocol::Fingerprint;
use sha2::{Digest, Sha256};

use crate::{
    FileError, Place, Workspace,
    follow::Kind,
    system::{Folder, Stat},
};

/// How much is read at once.
const CHUNK_BYTES: usize = 64 << 10;

/// The whole of a file as it was at one moment (SI-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileImage {
    bytes: Vec<u8>,
    fingerprint: Fingerprint,
    mode: Option<u32>,
    links: u64,
    stamp: Stamp,
}

/// What a path led to: nothing, or a file with these bytes and this mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Missing where there was no file.
    pub fingerprint: Option<Fingerprint>,
    /// The permission bits; missing where there was no file, and on Windows.
    pub mode: Option<u32>,
}

impl FileImage {
    /// Returns the bytes, all of them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the fingerprint of exactly these bytes.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Returns the permission bits; nothing on Windows.
    pub fn mode(&self) -> Option<u32> {
        self.mode
    }

    /// Returns how many names the file has: more than 1 if it is hard-linked.
    pub fn links(&self) -> u64 {
        self.links
    }

    /// Returns what the file system told of the file while it was read.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Returns what can be compared with what is there later.
    pub fn state(&self) -> FileState {
        FileState { fingerprint: Some(self.fingerprint), mode: self.mode }
    }
}

impl FileState {
    /// Nothing is there.
    pub const ABSENT: Self = Self { fingerprint: None, mode: None };
}

impl Workspace {
    /// Reads a whole file and fingerprints exactly the bytes it returns. Never holds more than
    /// `whole_file_bytes` and one chunk, even if the file grows meanwhile.
    ///
    /// # Errors
    ///
    /// - [`FileError::Missing`], [`FileError::IsFolder`], [`FileError::Special`] if there is no
    ///   file now; none of them is opened.
    /// - [`FileError::TooLarge`] over `whole_file_bytes`.
    /// - [`FileError::Changed`] if it changed while it was read, or is another file by now (SI-12).
    /// - [`FileError::NoPermission`], [`FileError::Io`] if it cannot be read.
    pub fn read(&self, place: &Place) -> Result<FileImage, FileError> {
        let missing = || FileError::Missing { shown: place.shown().to_owned() };
        let (folder, name) = open_folder_of(place)?.ok_or_else(missing)?;
        let whole = read_whole(&folder, name, self.limits().whole_file_bytes, place.shown())?;
        let (stat, bytes) = whole.ok_or_else(missing)?;
        let (fingerprint, stamp) = (fingerprint(&bytes), stamp(&stat));
        Ok(FileImage { bytes, fingerprint, mode: stat.mode, links: stat.links, stamp })
    }

    /// Fingerprints what is there now, or confirms that nothing is.
    ///
    /// # Errors
    ///
    /// Those of [`Workspace::read`] but [`FileError::Missing`]; [`FileError::TooLarge`] over
    /// `capture_file_bytes`.
    pub fn state(&self, place: &Place) -> Result<FileState, FileError> {
        let Some((folder, name)) = open_folder_of(place)? else { return Ok(FileState::ABSENT) };
        let mut hash = Sha256::new();
        let limit_bytes = self.limits().capture_file_bytes;
        let stat = read(&folder, name, limit_bytes, place.shown(), |chunk| hash.update(chunk))?;
        Ok(stat.map_or(FileState::ABSENT, |stat| FileState {
            fingerprint: Some(Fingerprint(hash.finalize().into())),
            mode: stat.mode,
        }))
    }
}

/// Fingerprints bytes.
pub(crate) fn fingerprint(bytes: &[u8]) -> Fingerprint {
    Fingerprint(Sha256::digest(bytes).into())
}

/// Makes one value of all that a file system tells of a file.
pub(crate) fn stamp(stat: &Stat) -> Stamp {
    let mut hash = Sha256::new();
    for fact in stat.facts() {
        hash.update(fact.to_le_bytes());
    }
    let digest = hash.finalize();
    Stamp(std::array::from_fn(|at| digest[at]))
}

/// Opens the folder that holds a place, unless it is gone.
pub(crate) fn open_folder_of(place: &Place) -> Result<Option<(Folder, &OsStr)>, FileError> {
    let absolute = place.absolute();
    let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name()) else {
        return Err(FileError::IsFolder { shown: place.shown().to_owned() });
    };
    match Folder::open(folder) {
        Ok(folder) => Ok(Some((folder, name))),
        Err(it) if it.kind() == ErrorKind::NotFound => Ok(None),
        Err(it) => Err(FileError::from_io("open", place.shown(), it)),
    }
}

/// Reads a whole file; nothing if there is none.
pub(crate) fn read_whole(
    folder: &Folder,
    name: &OsStr,
    limit_bytes: u64,
    shown: &str,
) -> Result<Option<(Stat, Vec<u8>)>, FileError> {
    let mut bytes = Vec::new();
    let stat = read(folder, name, limit_bytes, shown, |chunk| bytes.extend_from_slice(chunk))?;
    Ok(stat.map(|stat| (stat, bytes)))
}

/// Hands a file's bytes to `take`, chunk by chunk. Nothing if there is no file.
fn read(
    folder: &Folder,
    name: &OsStr,
    limit_bytes: u64,
    shown: &str,
    mut take: impl FnMut(&[u8]),
) -> Result<Option<Stat>, FileError> {
    let failed = |source| FileError::from_io("read", shown, source);
    let too_large = || FileError::TooLarge { shown: shown.to_owned(), limit_bytes };
    let read = steadily(folder, name, shown, |file, stat| {
        if limit_bytes < stat.size_bytes {
            return Err(too_large());
        }
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut total_bytes = 0;
        loop {
            let count = fill(file, &mut chunk).map_err(failed)?;
            if count == 0 {
                return Ok(());
            }
            total_bytes += count as u64;
            if limit_bytes < total_bytes {
                return Err(too_large());
            }
            take(&chunk[..count]);
        }
    })?;
    Ok(read.map(|(stat, ())| stat))
}

/// Reads until the buffer is full or the file ends, and returns how much that was.
pub(crate) fn fill(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while count < buffer.len() {
        match file.read(&mut buffer[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(it) if it.kind() == ErrorKind::Interrupted => {}
            Err(it) => return Err(it),
        }
    }
    Ok(count)
}

/// Opens a file and returns what `look` makes of it, if it is the same file afterwards and has not
/// changed (SI-12). Nothing if there is no file.
pub(crate) fn steadily<T>(
    folder: &Folder,
    name: &OsStr,
    shown: &str,
    look: impl FnOnce(&mut File, &Stat) -> Result<T, FileError>,
) -> Result<Option<(Stat, T)>, FileError> {
    let failed = |source| FileError::from_io("read", shown, source);
    let changed = || FileError::Changed { shown: shown.to_owned() };
    let Some(before) = folder.stat(name).map_err(failed)? else { return Ok(None) };
    match before.kind {
        Kind::File => {}
        Kind::Folder => return Err(FileError::IsFolder { shown: shown.to_owned() }),
        Kind::Link => return Err(changed()),
        Kind::Special => return Err(FileError::Special { shown: shown.to_owned() }),
    }
    let mut file = folder.open_file(name).map_err(failed)?;
    if Stat::of(&file).map_err(failed)? != before {
        return Err(changed());
    }
    let made = look(&mut file, &before)?;
    let same = Stat::of(&file).map_err(failed)? == before
        && folder.stat(name).map_err(failed)? == Some(before);
    if same { Ok(Some((before, made))) } else { Err(changed()) }
}

#[cfg(test)]
mod tests;
