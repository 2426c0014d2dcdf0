//! Why a session cannot be opened, read or written.

use std::{io, path::PathBuf};

use protocol::{SessionId, TurnId};
use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

/// What went wrong with a session.
#[derive(Debug, Error)]
pub enum SessionError {
    /// There is no file of this session.
    #[error("there is no session {session}")]
    Missing { session: SessionId },
    /// A session of this name is there already.
    #[error("session {session} is there already")]
    Exists { session: SessionId },
    /// Another process writes this session. It can be read.
    #[error(
        "session {session} is written by {owner}; it can be read meanwhile, and written once it is closed there"
    )]
    Busy { session: SessionId, owner: String },
    /// The file holds something that cannot be read. It is kept as it is (JR-3).
    #[error("session {session} is damaged: {detail}")]
    Damaged { session: SessionId, detail: String },
    /// The system does not let the session be written. It may be readable.
    #[error("session {session} cannot be written")]
    NotWritable { session: SessionId, source: Box<dyn std::error::Error + Send + Sync> },
    /// There is no room for what was to be written; nothing of it was.
    #[error("no space is left for session {session}")]
    DiskFull { session: SessionId },
    /// A newer version of this program wrote the file.
    #[error("session {session} has format {found}, and this program knows {known}")]
    NewerSchema { session: SessionId, found: u32, known: u32 },
    /// Records of a turn came after those of a later one.
    #[error("session {session} is past turn {turn}: it is at {last}")]
    OlderTurn { session: SessionId, turn: TurnId, last: TurnId },
    /// The system said no about a file beside the session's own.
    #[error("cannot {verb} {}", path.display())]
    Io { verb: &'static str, path: PathBuf, source: io::Error },
    /// The store said no, for a reason of its own.
    #[error("session {session} cannot be used")]
    Store { session: SessionId, source: rusqlite::Error },
}

impl SessionError {
    /// Says what an error of the store means for a session.
    pub(crate) fn of_store(session: &SessionId, source: rusqlite::Error) -> Self {
        let session = session.clone();
        if let Some(detail) = damage(&source) {
            return Self::Damaged { session, detail };
        }
        if source.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_SHMSIZE) {
            return Self::DiskFull { session };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull { session },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::NotWritable { session, source: Box::new(source) }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::Busy { session, owner: "another program".to_owned() }
            }
            _ => Self::Store { session, source },
        }
    }

    /// Says what an error of the store means while the session is opened to be written.
    pub(crate) fn of_opening(session: &SessionId, source: rusqlite::Error) -> Self {
        if source.sqlite_error_code() == Some(ErrorCode::CannotOpen) {
            return Self::NotWritable { session: session.clone(), source: Box::new(source) };
        }
        Self::of_store(session, source)
    }

    /// Says what an error of the system means for a session that was to be written.
    pub(crate) fn of_writing(
        session: &SessionId,
        verb: &'static str,
        path: PathBuf,
        source: io::Error,
    ) -> Self {
        use io::ErrorKind as K;
        let session = session.clone();
        if matches!(source.kind(), K::StorageFull | K::QuotaExceeded) {
            return Self::DiskFull { session };
        }
        if matches!(source.kind(), K::PermissionDenied | K::ReadOnlyFilesystem) {
            return Self::NotWritable { session, source: Box::new(source) };
        }
        Self::Io { verb, path, source }
    }
}

/// Says what is damaged, where an error means that stored bytes are not what was stored.
pub(crate) fn damage(error: &rusqlite::Error) -> Option<String> {
    use rusqlite::Error as E;
    if let E::FromSqlConversionFailure(_, _, source) = error {
        return Some(source.to_string());
    }
    let is_no_answer = matches!(
        error,
        E::QueryReturnedNoRows
            | E::SqlInputError { .. }
            | E::IntegralValueOutOfRange(..)
            | E::InvalidColumnType(..)
            | E::Utf8Error(..)
    );
    let code = error.sqlite_error_code();
    let is_no_store = matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase));
    // A text that goes over several pages is read past the store's own look at what is there.
    if error.sqlite_extended_error_code() == Some(ffi::SQLITE_IOERR_SHORT_READ) {
        return Some("the file ends too early".to_owned());
    }
    (is_no_answer || is_no_store).then(|| error.to_string())
}
