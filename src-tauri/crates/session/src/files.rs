//! Where the files of a session lie, and how a new one comes to be there.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use protocol::SessionId;

use crate::SessionError;

/// Where the files of one session lie.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    pub(crate) folder: PathBuf,
    pub(crate) session: SessionId,
}

impl Files {
    pub(crate) fn new(folder: &Path, session: &SessionId) -> Self {
        Self { folder: folder.to_owned(), session: session.clone() }
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.folder.join(format!("{}.sqlite", self.session))
    }

    /// A store that is not whole yet; nobody looks for it under this name.
    pub(crate) fn unfinished(&self) -> PathBuf {
        self.folder.join(format!("{}.new", self.session))
    }

    pub(crate) fn lock(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.session))
    }

    /// Returns whether everything committed is in the store itself, and nothing in its journal.
    pub(crate) fn journal_is_empty(&self) -> bool {
        let journal = self.folder.join(format!("{}.sqlite-wal", self.session));
        fs::metadata(journal).map_or_else(|error| is_missing(&error), |it| it.len() == 0)
    }

    /// Makes the folder, for nobody else to look into.
    pub(crate) fn make_folder(&self) -> Result<(), SessionError> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(&self.folder).map_err(|source| {
            SessionError::of_writing(&self.session, "make", self.folder.clone(), source)
        })
    }

    /// Makes an empty file for a store to come, in place of one that was never finished.
    pub(crate) fn make_unfinished(&self) -> Result<PathBuf, SessionError> {
        let path = self.unfinished();
        let mut options = fs::OpenOptions::new();
        options.create(true).truncate(true).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(_) => Ok(path),
            Err(source) => Err(SessionError::of_writing(&self.session, "make", path, source)),
        }
    }

    /// Gives the finished store its name, and waits until the folder has it on the disk.
    pub(crate) fn finish(&self) -> Result<(), SessionError> {
        let path = self.store();
        fs::rename(self.unfinished(), &path)
            .and_then(|()| sync_folder(&self.folder))
            .map_err(|source| SessionError::of_writing(&self.session, "make", path, source))
    }

    /// Takes away what is there of a store that could not be finished, as far as it goes.
    pub(crate) fn discard(&self) {
        for path in [self.unfinished(), self.lock()] {
            fs::remove_file(path).unwrap_or_default();
        }
    }

    /// Returns [`SessionError::Exists`] if the store is there.
    pub(crate) fn must_be_free(&self) -> Result<(), SessionError> {
        match fs::metadata(self.store()) {
            Err(error) if is_missing(&error) => Ok(()),
            Ok(_) | Err(_) => Err(SessionError::Exists { session: self.session.clone() }),
        }
    }

    /// Returns [`SessionError::Missing`] if the store is not there.
    pub(crate) fn must_exist(&self) -> Result<(), SessionError> {
        match fs::metadata(self.store()) {
            Err(error) if is_missing(&error) => {
                Err(SessionError::Missing { session: self.session.clone() })
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// Windows keeps a renamed file's name without being asked.
#[cfg(windows)]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
