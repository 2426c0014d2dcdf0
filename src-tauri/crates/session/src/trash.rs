//! Taking a session away without losing it: its file goes into another folder, whole.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use protocol::SessionId;
use rusqlite::Connection;

use crate::{SessionError, db, files::Files, log};

/// Moves a session that nobody writes into a folder for what was deleted, and returns where its
/// file is now. Moved back under its name, with the journal where one lies beside it, it is a
/// session again.
///
/// # Errors
///
/// - [`SessionError::Missing`] if there is none, [`SessionError::Busy`] if somebody writes it.
/// - [`SessionError::NotWritable`] or [`SessionError::DiskFull`] if it cannot be moved now.
/// - [`SessionError::Io`] for what else the system says. The session is where it was.
pub fn discard(folder: &Path, trash: &Path, id: &SessionId) -> Result<PathBuf, SessionError> {
    let files = Files::new(folder, id);
    files.must_exist()?;
    let _lease = log::lease(&files)?;
    // Where it cannot be done, or somebody reads, the journal is moved too.
    if let Ok(connection) = db::open_writer(&files) {
        take_in_the_journal(&connection).unwrap_or_default();
    }
    files.move_to(trash)
}

fn take_in_the_journal(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::ZERO)?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}
