//! The tables of a session's file, and the number that says which ones it has.

use protocol::SessionId;
use rusqlite::Connection;

use crate::SessionError;

/// Marks a file as a session of ours.
const APPLICATION: u32 = u32::from_be_bytes(*b"EVID");
/// The format this program writes. A file of a higher one is left alone (SM-12).
const FORMAT: u32 = 1;

/// The owner, where the file does not say who it is.
pub(crate) const NOT_KNOWN: &str = "another process";

/// `records` only ever grows at its end, and has no second index: a commit of a few small records
/// changes one page. `turns` gets a row when a turn's first record comes, so that a turn is found
/// without reading those before it. Turns only move forward, so each is one run of records.
/// `text_of` names the message or the call whose whole text a record holds. A body is a text in the
/// record, or the id of a blob.
const TABLES: &str = "
CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    text_of TEXT,
    body TEXT,
    blob BLOB
) STRICT;
CREATE TABLE turns (turn INTEGER PRIMARY KEY, first_seq INTEGER NOT NULL) STRICT;
CREATE TABLE blobs (
    id BLOB PRIMARY KEY,
    total_bytes INTEGER NOT NULL,
    packed BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE scratch (
    message TEXT NOT NULL,
    part INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    text TEXT NOT NULL,
    reasoning TEXT NOT NULL,
    PRIMARY KEY (message, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE owner (only INTEGER PRIMARY KEY CHECK (only = 1), name TEXT NOT NULL) STRICT;
";

/// Makes the tables of a new file.
pub(crate) fn create(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)
}

/// Checks that a file is a session that this program knows how to read.
pub(crate) fn check(connection: &Connection, session: &SessionId) -> Result<(), SessionError> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, u32>(0));
    let fault = |source| SessionError::of_store(session, source);
    let (application, found) =
        (number("application_id").map_err(fault)?, number("user_version").map_err(fault)?);
    if application != APPLICATION || found == 0 {
        let detail = "the file is no session".to_owned();
        return Err(SessionError::Damaged { session: session.clone(), detail });
    }
    if FORMAT < found {
        let session = session.clone();
        return Err(SessionError::NewerSchema { session, found, known: FORMAT });
    }
    Ok(())
}

/// Puts down who writes the session. Needs room and permission, so it shows what is missing.
pub(crate) fn claim(connection: &Connection, name: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO owner (only, name) VALUES (1, ?)")?
        .execute([name])
        .map(|_| ())
}

/// Returns who last wrote the session.
pub(crate) fn owner(connection: &Connection) -> String {
    connection
        .query_row("SELECT name FROM owner", [], |row| row.get(0))
        .unwrap_or_else(|_| NOT_KNOWN.to_owned())
}
