//! The index over all sessions of a folder: one file that can be deleted, and is made again from
//! the sessions (JR-4, SM-10).
//!
//! Whoever asks takes in first what changed, which is seen by the files alone. So it is right
//! whoever wrote, and only as slow as there is something new.

mod passages;
mod search;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use protocol::{Limits, Seq, SessionId, SessionSummary};
use rusqlite::{
    Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, params,
};

use thiserror::Error;

use crate::{
    SessionError, db,
    error::damage,
    files::{self, Files},
    list::{self, Entry},
};

/// Marks a file as an index of ours, of this form. One of another form is made anew.
const FORM: u32 = u32::from_be_bytes(*b"EVI1");

/// `texts` finds parts of words, since not every script has spaces between words; a row of it has
/// the number of its row in `places`.
const TABLES: &str = "
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    seq INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    summary TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE places (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    turn INTEGER,
    place TEXT NOT NULL
) STRICT;
CREATE INDEX places_of_session ON places (session, place);
CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'trigram');
";

/// Stands in place of how the files of a session look, and is never how they look.
const MOVING: &str = "";

/// Writes nothing where nothing is new.
const PUT: &str = "
INSERT INTO sessions VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET
    stamp = excluded.stamp, seq = excluded.seq, changed_at = excluded.changed_at,
    summary = excluded.summary
WHERE stamp <> excluded.stamp OR seq <> excluded.seq OR summary <> excluded.summary";

/// Why the index cannot answer.
#[derive(Debug, Error)]
pub enum IndexError {
    /// What it is made of cannot be reached.
    #[error(transparent)]
    Sessions(#[from] SessionError),
    /// The file cannot be used. The sessions can.
    #[error("the index of the sessions cannot be used; `evident doctor --reindex` makes it anew")]
    Unusable { source: rusqlite::Error },
}

/// The index of one folder. It holds nothing open; every method blocks.
#[derive(Clone, Debug)]
pub struct Index {
    file: PathBuf,
    folder: PathBuf,
    limits: Limits,
}

impl Index {
    /// Names the index `file` of the sessions in `folder`. Touches nothing.
    pub fn new(file: PathBuf, folder: PathBuf, limits: Limits) -> Self {
        Self { file, folder, limits }
    }

    /// Lists the sessions, as [`crate::list()`] does.
    ///
    /// # Errors
    ///
    /// [`IndexError::Sessions`] if the folder cannot be read; [`IndexError::Unusable`] if the index
    /// cannot be used now. The sessions can be listed without it.
    pub fn list(&self) -> Result<Vec<SessionSummary>, IndexError> {
        let entries = list::entries(&self.folder)?;
        if entries.is_empty() {
            return Ok(Vec::new());
        }
        let mut listed = self.with(|connection| {
            take_in_all(connection, &self.folder, &entries)?;
            let mut select = connection.prepare("SELECT summary FROM sessions ORDER BY id")?;
            let rows = select.query_map([], |row| summary(&row.get::<_, String>(0)?))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        list::sort(&mut listed, &entries);
        Ok(listed)
    }

    /// Takes in what is new of one session.
    ///
    /// # Errors
    ///
    /// [`IndexError::Unusable`] if it cannot be written now; the next question takes it in.
    pub fn take_in(&self, session: &SessionId) -> Result<(), IndexError> {
        let files = Files::new(&self.folder, session);
        self.with(|connection| {
            let transaction = begin(connection)?;
            take_in(&transaction, &files)?;
            transaction.commit()
        })
    }

    /// Deletes the index and makes it again; returns how many sessions are in it.
    ///
    /// # Errors
    ///
    /// [`IndexError::Sessions`] if it cannot be deleted, else as [`Self::list`].
    pub fn rebuild(&self) -> Result<usize, IndexError> {
        files::remove_index(&self.file)?;
        Ok(self.list()?.len())
    }

    /// Returns what is wrong with the index; `None` if nothing is, or there is none.
    pub fn damage(&self) -> Option<String> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if !files::is_there(&self.file) {
            return None;
        }
        let checked = Connection::open_with_flags(&self.file, flags).and_then(|connection| {
            connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0))
        });
        match checked {
            Ok(said) => (said != "ok").then_some(said),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Does something with the index. One that is damaged, or of another form, is made anew first.
    fn with<T>(&self, run: impl Fn(&Connection) -> rusqlite::Result<T>) -> Result<T, IndexError> {
        let fault = |source| IndexError::Unusable { source };
        if files::make_index(&self.file).is_err() {
            return in_memory(run).map_err(fault);
        }
        let first = open(&self.file).and_then(|found| found.as_ref().map(&run).transpose());
        match first {
            Ok(Some(done)) => return Ok(done),
            Err(error) if damage(&error).is_none() => return Err(fault(error)),
            // Another form, or damaged.
            Ok(None) | Err(_) => {}
        }
        let made = files::remove_index(&self.file).and_then(|()| files::make_index(&self.file));
        match (made, open(&self.file)) {
            (Ok(()), Ok(Some(connection))) => run(&connection).map_err(fault),
            (Err(_), _) | (Ok(()), Ok(None)) => in_memory(run).map_err(fault),
            (Ok(()), Err(error)) => Err(fault(error)),
        }
    }
}

/// Answers one question where nothing can be written.
fn in_memory<T>(run: impl Fn(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let connection = Connection::open_in_memory()?;
    run(&connection)
}

/// Opens the index; `None` if it is of another form.
fn open(file: &Path) -> rusqlite::Result<Option<Connection>> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(db::BUSY_TIME)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    if form(&connection)? == FORM {
        return Ok(Some(connection));
    }
    // Counts only where there is no page yet.
    connection.pragma_update(None, "page_size", db::PAGE_BYTES)?;
    let tables = "SELECT count(*) FROM sqlite_schema";
    let is_new = connection.query_row(tables, [], |row| row.get::<_, u32>(0))? == 0;
    // Another program may have made it meanwhile.
    Ok((is_new || form(&connection)? == FORM).then_some(connection))
}

fn form(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Begins to write. A new file gets its tables with what is written first, and so each page once.
fn begin(connection: &Connection) -> rusqlite::Result<Transaction<'_>> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
    if form(&transaction)? != FORM {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "user_version", FORM)?;
    }
    Ok(transaction)
}

/// Takes in what changed, and forgets what is gone. Writes nothing where nothing did.
fn take_in_all(connection: &Connection, folder: &Path, entries: &[Entry]) -> rusqlite::Result<()> {
    let is_unmade = form(connection)? != FORM;
    let known = if is_unmade { BTreeSet::new() } else { stamps(connection)? };
    let is_new = |it: &&Entry| !known.contains(&(it.session.to_string(), it.stamp.clone()));
    let changed: Vec<&Entry> = entries.iter().filter(is_new).collect();
    let is_gone = |id: &&String| !entries.iter().any(|it| it.session.as_str() == id.as_str());
    let gone: Vec<&String> = known.iter().map(|(id, _)| id).filter(is_gone).collect();
    if changed.is_empty() && gone.is_empty() && !is_unmade {
        return Ok(());
    }
    let transaction = begin(connection)?;
    for session in gone {
        forget(&transaction, session)?;
        transaction.execute("DELETE FROM sessions WHERE id = ?", [session])?;
    }
    // The oldest first, so that the newest texts have the highest numbers.
    for entry in changed.into_iter().rev() {
        take_in(&transaction, &Files::new(folder, &entry.session))?;
    }
    transaction.commit()
}

/// Returns the sessions that were taken in, each with how its files looked then.
fn stamps(connection: &Connection) -> rusqlite::Result<BTreeSet<(String, String)>> {
    let mut select = connection.prepare_cached("SELECT id, stamp FROM sessions")?;
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Takes in what is new of one session. One that cannot be read is kept with the reason alone.
fn take_in(index: &Connection, files: &Files) -> rusqlite::Result<()> {
    // Before it is read: what changes meanwhile is seen to have changed the next time. While
    // somebody writes it says nothing: a commit is in the files a moment before it can be read.
    let stamp = if db::stands_still(files) { files.stamp() } else { MOVING.to_owned() };
    let session = files.session.as_str();
    let mut known = index
        .prepare_cached("SELECT seq FROM sessions WHERE id = ?")?
        .query_row([session], |row| Ok(Seq(row.get(0)?)))
        .optional()?
        .unwrap_or_default();
    let summary = loop {
        let news = match list::look(files, |reader| passages::after(reader, known)) {
            Ok(news) => news,
            Err(SessionError::Missing { .. }) => return Ok(()),
            Err(error) => {
                forget(index, session)?;
                known = Seq(0);
                break list::unreadable(files, &error);
            }
        };
        // It is shorter than it was: another file of the same name.
        if news.last < known {
            forget(index, session)?;
            known = Seq(0);
            continue;
        }
        known = news.last;
        passages::put(index, session, &news)?;
        if !news.more {
            break news.summary;
        }
    };
    let text = crate::log::json(&summary)?;
    index
        .prepare_cached(PUT)?
        .execute(params![session, stamp, known.0, summary.changed_at.0, text])
        .map(|_| ())
}

/// Forgets the texts of a session.
fn forget(index: &Connection, session: &str) -> rusqlite::Result<()> {
    let of_session = "SELECT id FROM places WHERE session = ?";
    index.execute(&format!("DELETE FROM texts WHERE rowid IN ({of_session})"), [session])?;
    index.execute("DELETE FROM places WHERE session = ?", [session]).map(|_| ())
}

fn summary(text: &str) -> rusqlite::Result<SessionSummary> {
    crate::replay::parse(Seq(0), text)
}
