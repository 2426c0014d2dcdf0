//! How long the details of a turn are kept: its before-images, its patches and what its commands
//! printed (TR-28). They go turn by turn, the oldest first. The records stay, and with them each
//! turn's result (TR-29).
//!
//! What is freed is used again by later turns, and the file is never rewritten to give it back: that
//! would take as long as the file is large, and twice its room.

use protocol::{Fingerprint, Limits, TurnId};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::{LocalRecord, SessionError, SessionLog, SessionReader, blobs, log, reader, replay};

/// Made when there is something to remove for the first time, so that other sessions have what older
/// programs know. Which bytes a turn names is taken from its records; that its details were removed
/// is known from here alone. `blobs` counts the details of a turn, once they are taken in.
/// `result_bytes` is missing where no result is frozen: it is still to be made of the details.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS details (
    turn INTEGER PRIMARY KEY,
    removed INTEGER NOT NULL DEFAULT 0,
    blobs INTEGER,
    result_bytes INTEGER
) STRICT;
CREATE TABLE IF NOT EXISTS uses (
    turn INTEGER NOT NULL,
    blob BLOB NOT NULL,
    is_detail INTEGER NOT NULL,
    PRIMARY KEY (turn, blob, is_detail)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS uses_by_blob ON uses (blob)";

/// The newest turn that has so many after it.
const PAST: &str = "SELECT turn FROM turns ORDER BY turn DESC LIMIT 1 OFFSET ?";

/// The next turns to be taken in: the last one again, which may have got more records since.
const NEXT: &str = "
SELECT turn FROM turns
WHERE turn >= (SELECT coalesce(max(turn), 0) FROM details WHERE blobs IS NOT NULL)
ORDER BY turn LIMIT ?";

const OLDEST: &str = "
SELECT turn FROM details
WHERE turn <= ? AND 0 < blobs AND result_bytes IS NOT NULL
ORDER BY turn LIMIT 1";

const KEPT_BYTES: &str = "
SELECT (SELECT coalesce(sum(result_bytes), 0) FROM details WHERE NOT removed)
     + (SELECT coalesce(sum(length(packed)), 0) FROM blobs
        WHERE id IN (SELECT blob FROM uses WHERE is_detail))";

/// Bytes that another turn or a record names too stay.
const REMOVE_BLOBS: &str = "
DELETE FROM blobs
WHERE id IN (SELECT blob FROM uses WHERE turn = ?1 AND is_detail)
  AND NOT EXISTS (
    SELECT 1 FROM uses WHERE blob = blobs.id AND NOT (turn = ?1 AND is_detail))";

/// Turns that are taken in by one transaction.
const TURNS_AT_ONCE: u32 = 256;

impl SessionLog {
    /// Removes the details of the oldest turn that still has them, where there are more than are
    /// kept: of too many turns, or too much. Returns whether there may be more to do.
    ///
    /// What it does it does whole, or not at all (TR-27). The newest turn keeps its details, and so
    /// does one whose result is not frozen yet. Meant for when nobody waits; it is as slow as the
    /// details of one turn are large.
    ///
    /// # Errors
    ///
    /// [`SessionError::Missing`], [`SessionError::DiskFull`], [`SessionError::NotWritable`],
    /// [`SessionError::Damaged`] or [`SessionError::Store`]. Nothing is removed then.
    pub fn drop_old_details(&mut self, limits: &Limits) -> Result<bool, SessionError> {
        self.reader().files.must_exist()?;
        self.reader().read(|connection| {
            let (turns, bytes) = limits.kept_details();
            let past = past(connection, turns)?;
            if past.is_none() && used_bytes(connection)? <= bytes {
                return Ok(false);
            }
            let store = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
            store.execute_batch(TABLES)?;
            let more = if take_in(&store)? {
                true
            } else {
                let removed = next_to_go(&store, past, bytes)?;
                removed.map(|turn| remove(&store, turn)).transpose()?.is_some()
            };
            store.commit()?;
            Ok(more)
        })
    }
}

impl SessionReader {
    /// Returns bytes that are a detail of a turn, by their fingerprint; `None` if they are not there,
    /// are damaged, or the details of that turn were removed, even if another turn has them.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn detail(&self, turn: TurnId, id: Fingerprint) -> Result<Option<Vec<u8>>, SessionError> {
        self.read(|it| if is_removed(it, turn)? { Ok(None) } else { blobs::get(it, id) })
    }

    /// Returns whether the details of a turn were removed (TR-29).
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn has_no_details(&self, turn: TurnId) -> Result<bool, SessionError> {
        self.read(|connection| is_removed(connection, turn))
    }
}

/// Marks in a copy of a session the turns whose details were removed.
pub(crate) fn copy_marks(from: &Connection, into: &Connection) -> rusqlite::Result<()> {
    if !has_marks(from)? {
        return Ok(());
    }
    into.execute_batch(TABLES)?;
    let mut select = from.prepare("SELECT turn FROM details WHERE removed")?;
    let mut insert = into.prepare("INSERT INTO details (turn, removed) VALUES (?, 1)")?;
    for turn in select.query_map([], |row| row.get::<_, u32>(0))? {
        insert.execute([turn?])?;
    }
    Ok(())
}

fn has_marks(connection: &Connection) -> rusqlite::Result<bool> {
    let count = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'details'";
    Ok(connection.query_row(count, [], |row| row.get::<_, u32>(0))? != 0)
}

fn is_removed(connection: &Connection, turn: TurnId) -> rusqlite::Result<bool> {
    if !has_marks(connection)? {
        return Ok(false);
    }
    let mut select =
        connection.prepare_cached("SELECT 1 FROM details WHERE turn = ? AND removed")?;
    select.exists([turn.0])
}

fn past(connection: &Connection, turns: u32) -> rusqlite::Result<Option<TurnId>> {
    connection.query_row(PAST, [turns], |row| Ok(TurnId(row.get(0)?))).optional()
}

/// What the file holds: no details can be more than this.
fn used_bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let pages = number("page_count")? - number("freelist_count")?;
    Ok((pages * number("page_size")?).unsigned_abs())
}

/// Takes in what turns name; returns whether there are more of them.
fn take_in(store: &Connection) -> rusqlite::Result<bool> {
    let mut next = store.prepare_cached(NEXT)?;
    let next = next.query_map([TURNS_AT_ONCE], |row| Ok(TurnId(row.get(0)?)))?;
    let turns: Vec<TurnId> = next.collect::<rusqlite::Result<_>>()?;
    for turn in &turns {
        take_in_turn(store, *turn)?;
    }
    Ok(turns.len() == TURNS_AT_ONCE as usize)
}

fn take_in_turn(store: &Connection, turn: TurnId) -> rusqlite::Result<()> {
    let mut insert = store.prepare_cached("INSERT OR IGNORE INTO uses VALUES (?, ?, ?)")?;
    for body in replay::bodies_of(store, turn)? {
        insert.execute(params![turn.0, body.0, false])?;
    }
    let is_removed = is_removed(store, turn)?;
    let mut result_bytes = None;
    for record in replay::local_records_of(store, turn)? {
        if matches!(record, LocalRecord::Frozen { .. }) {
            result_bytes = Some(log::json(&record)?.len().cast_signed());
        }
        for detail in details(&record).into_iter().filter(|_| !is_removed) {
            insert.execute(params![turn.0, detail.0, true])?;
        }
    }
    store
        .prepare_cached(
            "INSERT INTO details (turn, blobs, result_bytes)
             VALUES (?1, (SELECT count(*) FROM uses WHERE turn = ?1 AND is_detail), ?2)
             ON CONFLICT DO UPDATE SET blobs = excluded.blobs, result_bytes = excluded.result_bytes",
        )?
        .execute(params![turn.0, result_bytes])
        .map(|_| ())
}

/// Returns the details that a record names.
fn details(record: &LocalRecord) -> Vec<Fingerprint> {
    match record {
        LocalRecord::Before { blob, .. } => blob.iter().copied().collect(),
        LocalRecord::Output { blob, .. } => vec![*blob],
        LocalRecord::Frozen { patches, .. } => patches.iter().map(|it| it.blob).collect(),
        LocalRecord::Opened { .. }
        | LocalRecord::After { .. }
        | LocalRecord::Check { .. }
        | LocalRecord::Gap { .. }
        | LocalRecord::Read { .. }
        | LocalRecord::ReadPause { .. }
        | LocalRecord::ReadCompletion { .. } => Vec::new(),
    }
}

/// Returns the turn whose details go next. The budget never takes those of the newest one.
fn next_to_go(
    store: &Connection,
    past: Option<TurnId>,
    bytes: u64,
) -> rusqlite::Result<Option<TurnId>> {
    let oldest = |up_to: TurnId| {
        let mut select = store.prepare_cached(OLDEST)?;
        select.query_row([up_to.0], |row| Ok(TurnId(row.get(0)?))).optional()
    };
    if let Some(turn) = past.map(oldest).transpose()?.flatten() {
        return Ok(Some(turn));
    }
    let kept: i64 = store.query_row(KEPT_BYTES, [], |row| row.get(0))?;
    let newest = reader::last_turn(store)?.and_then(|it| it.0.checked_sub(1));
    match newest {
        Some(before) if bytes < kept.unsigned_abs() => oldest(TurnId(before)),
        Some(_) | None => Ok(None),
    }
}

fn remove(store: &Connection, turn: TurnId) -> rusqlite::Result<()> {
    store.execute(REMOVE_BLOBS, [turn.0])?;
    store.execute("DELETE FROM uses WHERE turn = ? AND is_detail", [turn.0])?;
    store.execute("UPDATE details SET removed = 1, blobs = 0 WHERE turn = ?", [turn.0])?;
    Ok(())
}
