//! One connection to a session's file: how it is opened to be written, and to be read.

use std::{path::Path, time::Duration};

use rusqlite::{Connection, OpenFlags, config::DbConfig};

use crate::{SessionError, error, files::Files, lease::Lease, schema};

/// How long to wait for another program that has the file locked, such as a copy being made.
pub(crate) const BUSY_TIME: Duration = Duration::from_secs(5);
/// The journal beside the file is cut back to this once it was longer.
const JOURNAL_BYTES: u32 = 16 << 20;

/// A page of the store. Each one that a commit changes is written whole to the journal, and most
/// commits are small.
pub(crate) const PAGE_BYTES: u32 = 1 << 10;
/// The journal is moved into the store once it has so many pages: 4 MiB of them.
pub(crate) const JOURNAL_PAGES: u32 = (4 << 20) / PAGE_BYTES;

/// Makes a file of the store to come, for a session's first record.
pub(crate) fn open_unfinished(path: &Path) -> rusqlite::Result<Connection> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    make_careful(&connection)?;
    Ok(connection)
}

/// Opens the store to write what must last: a commit is on the disk when it returns.
pub(crate) fn open_writer(files: &Files) -> Result<Connection, SessionError> {
    let fault = |source| SessionError::of_opening(&files.session, source);
    let connection = open(&files.store(), OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(fault)?;
    schema::check(&connection, &files.session)?;
    make_careful(&connection).map_err(fault)?;
    Ok(connection)
}

fn make_careful(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", JOURNAL_PAGES)?;
    // macOS syncs only to the drive's own memory unless it is told otherwise.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    connection.pragma_update(None, "journal_size_limit", JOURNAL_BYTES)
}

/// Opens the store to write what may be lost with the power. Such a connection must never move
/// the journal into the store, since it would not wait for the disk between the two.
pub(crate) fn open_careless(files: &Files) -> Result<Connection, SessionError> {
    let careless = || {
        let connection = open(&files.store(), OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        Ok(connection)
    };
    careless().map_err(|source| SessionError::of_opening(&files.session, source))
}

/// Opens the store to read it, beside whoever writes it.
///
/// A folder that cannot be written has no place for the memory that readers and a writer share.
/// Where nobody writes, and the journal is empty, the file alone is read then. Of one that is cut
/// off, what is left can be read; what is wrong with it comes beside the connection.
pub(crate) fn open_reader(files: &Files) -> Result<(Connection, Option<String>), SessionError> {
    files.must_exist()?;
    let fault = |source| SessionError::of_store(&files.session, source);
    let first = open(&files.store(), OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(can_be_read);
    let (connection, damage) = match first {
        Ok(connection) => (connection, None),
        Err(error) if needs_shared_memory(&error) && stands_still(files) => {
            (open_still(files).map_err(fault)?, None)
        }
        Err(error) => match (error::damage(&error), open_cut_off(files)) {
            (Some(damage), Ok(connection)) => (connection, Some(damage)),
            _ => return Err(fault(error)),
        },
    };
    schema::check(&connection, &files.session)?;
    Ok((connection, damage))
}

fn can_be_read(connection: Connection) -> rusqlite::Result<Connection> {
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Opens a store that has fewer pages than it says, to read those that it has. SQLite does so only
/// for whoever may repair its schema, which a connection that only reads cannot.
fn open_cut_off(files: &Files) -> rusqlite::Result<Connection> {
    let connection = open(&files.store(), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    connection.pragma_update(None, "writable_schema", true)?;
    // Its schema is forgiven too, so a table may have gone with the pages.
    for table in ["records", "turns", "blobs"] {
        connection.prepare(&format!("SELECT 1 FROM {table}"))?;
    }
    Ok(connection)
}

fn needs_shared_memory(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as C;
    matches!(error.sqlite_error_code(), Some(C::CannotOpen | C::ReadOnly))
}

/// Returns whether nobody writes the store and nothing waits in its journal.
pub(crate) fn stands_still(files: &Files) -> bool {
    files.journal_is_empty() && !Lease::is_held(&files.lock())
}

/// Opens a store that nobody writes, and leaves no trace beside it. It is not seen to change.
pub(crate) fn open_still(files: &Files) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    open(Path::new(&still_uri(&files.store())), flags)
}

fn open(path: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIME)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    Ok(connection)
}

/// Spells a path as SQLite wants it where it takes options.
fn still_uri(path: &Path) -> String {
    let mut uri = "file:".to_owned();
    let text = path.as_os_str().as_encoded_bytes();
    if text.first() != Some(&b'/') {
        uri.push_str("///");
    }
    for &byte in text {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'/' | b'.' | b'_' | b'-' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}
