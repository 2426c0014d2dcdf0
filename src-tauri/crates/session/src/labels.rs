//! What is said about a session as a whole: its title, whether it is put away, what it is a copy
//! of. Rows of their own beside the records; each is added, and none is changed.

use std::path::Path;

use protocol::{SessionId, SessionSummary, UnixSeconds};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{SessionError, SessionReader, db, files::Files, log};

/// Most characters of a title (AN-30).
const TITLE_CHARS: usize = 60;

/// Made by the first label, so that a session without one has what older programs know (SM-7). The
/// newest value of each column holds; an empty title is none.
const TABLE: &str = "
CREATE TABLE IF NOT EXISTS labels (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    title TEXT,
    archived INTEGER,
    copied_from TEXT
) STRICT";

/// Something to be said about a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// The first line of it counts, at most 60 characters. An empty one gives the title back to
    /// the first prompt.
    Title(String),
    Archived(bool),
    CopiedFrom(SessionId),
}

/// What was said about a session, the newest of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    pub(crate) title: Option<String>,
    pub(crate) archived: bool,
    pub(crate) copied_from: Option<SessionId>,
}

/// Labels a session that nobody writes, and returns it as it is listed now.
///
/// # Errors
///
/// - [`SessionError::Missing`] if there is none, [`SessionError::Busy`] if somebody writes it.
/// - [`SessionError::Damaged`], [`SessionError::NewerSchema`], [`SessionError::NotWritable`],
///   [`SessionError::DiskFull`], [`SessionError::Io`] or [`SessionError::Store`] as for a session
///   that is opened to be written.
pub fn label(
    folder: &Path,
    id: &SessionId,
    label: &Label,
    at: UnixSeconds,
) -> Result<SessionSummary, SessionError> {
    let files = Files::new(folder, id);
    files.must_exist()?;
    let _lease = log::lease(&files)?;
    labelled(files, label, at)
}

/// Labels a session that this process writes: it holds the lease already, and may commit meanwhile.
///
/// # Errors
///
/// As [`label`], but for [`SessionError::Busy`].
pub fn label_open(
    folder: &Path,
    id: &SessionId,
    label: &Label,
    at: UnixSeconds,
) -> Result<SessionSummary, SessionError> {
    let files = Files::new(folder, id);
    files.must_exist()?;
    labelled(files, label, at)
}

fn labelled(files: Files, label: &Label, at: UnixSeconds) -> Result<SessionSummary, SessionError> {
    let reader = SessionReader::over(db::open_writer(&files)?, files);
    reader.read(|connection| put(connection, label, at))?;
    reader.summary()
}

/// Adds a label.
pub(crate) fn put(connection: &Connection, label: &Label, at: UnixSeconds) -> rusqlite::Result<()> {
    connection.execute_batch(TABLE)?;
    let (title, archived, copied_from) = match label {
        Label::Title(text) => (Some(title_of(text)), None, None),
        Label::Archived(archived) => (None, Some(*archived), None),
        Label::CopiedFrom(session) => (None, None, Some(session.as_str())),
    };
    connection
        .execute(
            "INSERT INTO labels (at, title, archived, copied_from) VALUES (?, ?, ?, ?)",
            params![at.0, title, archived, copied_from],
        )
        .map(|_| ())
}

/// Returns what was said about a session.
pub(crate) fn read(connection: &Connection) -> rusqlite::Result<Labels> {
    let has_any = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'labels'";
    if connection.query_row(has_any, [], |row| row.get::<_, u32>(0))? == 0 {
        return Ok(Labels::default());
    }
    let title: Option<String> = newest(connection, "title")?;
    let archived: Option<bool> = newest(connection, "archived")?;
    let copied_from: Option<String> = newest(connection, "copied_from")?;
    Ok(Labels {
        title: title.filter(|it| !it.is_empty()),
        archived: archived.unwrap_or_default(),
        copied_from: copied_from.and_then(|it| SessionId::parse(&it).ok()),
    })
}

fn newest<T: rusqlite::types::FromSql>(
    connection: &Connection,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    let newest = format!(
        "SELECT {column} FROM labels WHERE {column} IS NOT NULL ORDER BY number DESC LIMIT 1"
    );
    connection.query_row(&newest, [], |row| row.get(0)).optional()
}

/// Returns what of a text is its title: the first line that is not empty, at most 60 characters.
pub(crate) fn title_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(TITLE_CHARS).collect()
}
