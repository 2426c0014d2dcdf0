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

    /// Says how the store and its journal look from outside. What was committed looks different.
    pub(crate) fn stamp(&self) -> String {
        let look = |path: PathBuf| {
            let found = fs::metadata(path).ok().filter(|it| it.len() != 0)?;
            Some((found.len(), found.modified().ok()))
        };
        format!("{:?} {:?}", look(self.store()), look(self.journal()))
    }

    fn journal(&self) -> PathBuf {
        self.folder.join(format!("{}.sqlite-wal", self.session))
    }

    /// Returns whether everything committed is in the store itself, and nothing in its journal.
    pub(crate) fn journal_is_empty(&self) -> bool {
        fs::metadata(self.journal()).map_or_else(|error| is_missing(&error), |it| it.len() == 0)
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

    /// Moves the store, and what its journal may still hold, into another folder; returns where the
    /// store is now. At any moment one of the two folders has all of it.
    pub(crate) fn move_to(&self, folder: &Path) -> Result<PathBuf, SessionError> {
        let elsewhere = Self { folder: folder.to_owned(), session: self.session.clone() };
        elsewhere.make_folder()?;
        let name = elsewhere.free_name();
        let moved = || {
            if !self.journal_is_empty() {
                let journal = folder.join(format!("{name}-wal"));
                fs::copy(self.journal(), &journal)?;
                fs::File::options().write(true).open(journal)?.sync_all()?;
            }
            fs::rename(self.store(), folder.join(&name))?;
            sync_folder(folder)?;
            sync_folder(&self.folder)
        };
        moved().map_err(|source| {
            SessionError::of_writing(&self.session, "move", self.store(), source)
        })?;
        let memory = self.folder.join(format!("{}.sqlite-shm", self.session));
        for path in [self.journal(), memory, self.lock()] {
            fs::remove_file(path).unwrap_or_default();
        }
        Ok(folder.join(name))
    }

    /// Names a store that is not there yet: one of this session may have come here before.
    fn free_name(&self) -> String {
        let first = format!("{}.sqlite", self.session);
        let later = (2_u32..).map(|number| format!("{}.{number}.sqlite", self.session));
        let mut names = std::iter::once(first).chain(later);
        let is_free = |name: &String| !fs::exists(self.folder.join(name)).unwrap_or(false);
        names.find(is_free).expect("a folder holds fewer files than there are numbers")
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

/// Makes an empty file for the index, for nobody else to look into, if there is none.
pub(crate) fn make_index(path: &Path) -> Result<(), SessionError> {
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(path).map(|_| ());
    made.map_err(|source| SessionError::Io { verb: "make", path: path.to_owned(), source })
}

/// Deletes the index, and what a program that was killed left of a change to it.
pub(crate) fn remove_index(path: &Path) -> Result<(), SessionError> {
    let mut journal = path.as_os_str().to_owned();
    journal.push("-journal");
    for path in [PathBuf::from(journal), path.to_owned()] {
        match fs::remove_file(&path) {
            Err(source) if !is_missing(&source) => {
                return Err(SessionError::Io { verb: "delete", path, source });
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Returns the file that holds a session.
pub fn file_of(folder: &Path, session: &SessionId) -> PathBuf {
    Files::new(folder, session).store()
}

/// Returns how many bytes a file has, or the files of a folder have together; 0 where there is
/// none.
///
/// # Errors
///
/// [`SessionError::Io`] if it cannot be looked at.
pub fn size_of(path: &Path) -> Result<u64, SessionError> {
    let size = || {
        let found = fs::metadata(path)?;
        if !found.is_dir() {
            return Ok(found.len());
        }
        let mut bytes = 0;
        for entry in fs::read_dir(path)? {
            // One that is taken away meanwhile takes no room any more.
            bytes += entry?.metadata().map_or(0, |it| it.len());
        }
        Ok(bytes)
    };
    match size() {
        Err(error) if is_missing(&error) => Ok(0),
        Err(source) => Err(SessionError::Io { verb: "look at", path: path.to_owned(), source }),
        Ok(bytes) => Ok(bytes),
    }
}

/// Returns whether there is a file.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::exists(path).unwrap_or(true)
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
