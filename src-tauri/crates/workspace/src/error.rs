//! What can go wrong with a file, and with opening a workspace.

use std::{io, path::PathBuf};

use thiserror::Error;

/// What went wrong with a file. `shown` is its path as a person sees it.
#[derive(Debug, Error)]
pub enum FileError {
    /// Nothing is there, and that is certain.
    #[error("there is no {shown}")]
    Missing { shown: String },
    /// A folder is needed, and a file is there.
    #[error("{shown} is a file, not a folder")]
    NotAFolder { shown: String },
    /// A file is needed, and a folder is there.
    #[error("{shown} is a folder, not a file")]
    IsFolder { shown: String },
    /// The path names something that is in none of the roots.
    #[error("{shown} is outside the workspace")]
    Outside { shown: String },
    /// The path names something in a root, and a link leads out from there.
    #[error("{shown} leads out of the workspace through a link")]
    LinkOutside { shown: String },
    /// The links on the way lead in a circle, or are more than any system follows.
    #[error("{shown} is behind links that lead in a circle")]
    LinkCircle { shown: String },
    /// The file, or what should become one, is over a limit.
    #[error("{shown} is over {limit_bytes} bytes")]
    TooLarge { shown: String, limit_bytes: u64 },
    /// The file is not the one that was looked at before, or changed while it was read.
    #[error("{shown} changed meanwhile")]
    Changed { shown: String },
    /// A write in place failed, and so did putting the old bytes back: what is there is neither.
    #[error("{shown} was written in part, and what it was could not be put back")]
    HalfWritten { shown: String, source: io::Error },
    /// The file that was to be written is gone.
    #[error("{shown} was deleted meanwhile")]
    Vanished { shown: String },
    /// Something is where a file was to be created.
    #[error("{shown} appeared meanwhile")]
    Appeared { shown: String },
    /// A pipe, a socket or a device; it was not opened.
    #[error("{shown} is a pipe, a socket or a device")]
    Special { shown: String },
    /// The operating system does not let this user.
    #[error("no permission for {shown}")]
    NoPermission { shown: String },
    /// The disk, or this user's share of it, is full.
    #[error("no space is left on the disk for {shown}")]
    DiskFull { shown: String },
    /// The file system cannot be written.
    #[error("{shown} is on a disk that can only be read")]
    ReadOnlyDisk { shown: String },
    /// The text cannot name a file.
    #[error("{shown} is not a usable path")]
    InvalidPath { shown: String },
    /// Anything else that the operating system said.
    #[error("cannot {verb} {shown}")]
    Io { verb: &'static str, shown: String, source: io::Error },
}

/// Why a folder cannot be a workspace, or a part of one.
#[derive(Debug, Error)]
pub enum OpenError {
    /// No folder was given.
    #[error("no folder was given")]
    NoFolder,
    /// It is no folder, or is not there.
    #[error("{} is not a folder", path.display())]
    NotAFolder { path: PathBuf },
    /// The root of a file system can never be granted (PM-2).
    #[error("{} is the root of a file system", path.display())]
    FilesystemRoot { path: PathBuf },
    /// Our own state can never be granted (PM-2).
    #[error("{} is where Evident keeps its own state, or holds it", path.display())]
    OwnState { path: PathBuf },
    /// Its path is not Unicode, so it could not be shown or stored.
    #[error("{} has a path that is not Unicode", path.display())]
    NotUnicode { path: PathBuf },
    /// The operating system said no.
    #[error("cannot open {}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl FileError {
    /// Says what the operating system said about a file.
    pub(crate) fn from_io(verb: &'static str, shown: &str, source: io::Error) -> Self {
        use io::ErrorKind as K;
        let shown = shown.to_owned();
        let kind = source.kind();
        if kind == K::NotFound {
            Self::Missing { shown }
        } else if kind == K::PermissionDenied {
            Self::NoPermission { shown }
        } else if matches!(kind, K::StorageFull | K::QuotaExceeded) {
            Self::DiskFull { shown }
        } else if kind == K::ReadOnlyFilesystem {
            Self::ReadOnlyDisk { shown }
        } else if kind == K::InvalidFilename {
            Self::InvalidPath { shown }
        } else if kind == K::NotADirectory {
            // A link, or a file, has taken a folder's place since the path was followed.
            Self::Changed { shown }
        } else {
            Self::Io { verb, shown, source }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::io::Errno;

    use super::*;

    /// What a person or a model can do something about has a variant of its own.
    #[test]
    fn what_the_system_says_is_told_apart_and_names_the_path() {
        let cases = [
            (Errno::NOSPC, "no space is left on the disk for a b"),
            (Errno::DQUOT, "no space is left on the disk for a b"),
            (Errno::ROFS, "a b is on a disk that can only be read"),
            (Errno::ACCESS, "no permission for a b"),
            (Errno::PERM, "no permission for a b"),
            (Errno::NAMETOOLONG, "a b is not a usable path"),
            (Errno::NOENT, "there is no a b"),
            (Errno::NOTDIR, "a b changed meanwhile"),
            (Errno::IO, "cannot write a b"),
        ];
        for (errno, sentence) in cases {
            assert_eq!(FileError::from_io("write", "a b", errno.into()).to_string(), sentence);
        }
    }
}
