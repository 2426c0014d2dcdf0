//! A copy of a session, to go on in: all of it, or what can be read of a damaged one (SM-13, JR-3).

use std::path::Path;

use protocol::{Fingerprint, Seq, SessionId, TurnId, UnixSeconds};
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use crate::{
    Label, SessionError, SessionReader, blobs, db,
    error::damage,
    files::Files,
    holes::{self, Hole},
    labels, log, reader,
    record::Kind,
    replay, retention, schema,
};

const ROW: &str = "SELECT seq, body, blob, turn, at, kind, text_of FROM records WHERE seq = ?";
const INSERT: &str = "
INSERT INTO records (seq, body, blob, turn, at, kind, text_of) VALUES (?, ?, ?, ?, ?, ?, ?)";
const BLOBS: &str = "SELECT id, total_bytes, packed FROM blobs WHERE id >= ? ORDER BY id";

/// The record that says what the session works on. It is in no turn.
const FIRST: Seq = Seq(1);

/// A copy that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    pub session: SessionId,
    /// Records of the original that could not be read, and are not in it. The records of a damaged
    /// end are not even counted.
    pub lost_records: u32,
    /// What is damaged in the original, as far as it was noticed.
    pub damage: Option<String>,
}

/// Which record was copied last.
#[derive(Clone, Copy)]
struct Place {
    turn: TurnId,
    at: UnixSeconds,
}

/// Copies a session under a new id. The original is only read, also while somebody writes it; a
/// record of it keeps its number, its turn and its time.
///
/// # Errors
///
/// - [`SessionError::Missing`] if there is none.
/// - [`SessionError::Damaged`] if not even its first record can be read.
/// - [`SessionError::NewerSchema`], [`SessionError::Exists`], [`SessionError::Busy`],
///   [`SessionError::NotWritable`], [`SessionError::DiskFull`], [`SessionError::Io`] or
///   [`SessionError::Store`], as for a session that is created. Nothing is left behind then.
pub fn copy(
    folder: &Path,
    from: &SessionId,
    to: SessionId,
    now: UnixSeconds,
) -> Result<Copied, SessionError> {
    let original = SessionReader::open(folder, from)?;
    original.opened()?;
    let files = Files::new(folder, &to);
    let lease = log::lease(&files)?;
    files.must_be_free()?;
    match make(&original, &files, now) {
        Ok(lost_records) => Ok(Copied { session: to, lost_records, damage: original.damage() }),
        Err(error) => {
            drop(lease);
            files.discard();
            Err(error)
        }
    }
}

fn make(original: &SessionReader, files: &Files, now: UnixSeconds) -> Result<u32, SessionError> {
    let path = files.make_unfinished()?;
    let fault = |source| SessionError::of_opening(&files.session, source);
    let store = db::open_unfinished(&path).map_err(fault)?;
    // Before the records: what ends while they are read must not be told as cut off.
    let is_written = original.owner().is_some();
    let write = || {
        // What is committed meanwhile is not in the copy, and nothing is in it by half.
        let _still = original.connection.unchecked_transaction()?;
        let into = Transaction::new_unchecked(&store, TransactionBehavior::Immediate)?;
        schema::create(&into)?;
        let lost = fill(original, &into, is_written)?;
        retention::copy_marks(&original.connection, &into)?;
        let said = labels::read(&original.connection).unwrap_or_default();
        if let Some(title) = said.title {
            labels::put(&into, &Label::Title(title), now)?;
        }
        labels::put(&into, &Label::CopiedFrom(original.session().clone()), now)?;
        into.commit()?;
        Ok(lost)
    };
    let lost = write().map_err(fault)?;
    store.close().map_err(|(_, source)| fault(source))?;
    files.finish()?;
    Ok(lost)
}

/// Copies what can be read; returns how many records cannot. One that somebody writes goes on.
fn fill(original: &SessionReader, into: &Connection, is_written: bool) -> rusqlite::Result<u32> {
    copy_blobs(original, into)?;
    copy_scratch(original, into)?;
    let end_is_lost = reader::last_seq(&original.connection).err();
    let mut lost = 0;
    let mut last = Place { turn: TurnId(0), at: UnixSeconds(0) };
    let mut holes: Vec<Hole> = Vec::new();
    // Where the turns of lost records are not known until one that can be read follows.
    let mut open: Option<Hole> = None;
    let end = reader::last_readable(&original.connection)?;
    for seq in (FIRST.0..=end.0).map(Seq) {
        if let Some(place) = copy_record(original, into, seq)? {
            holes.extend(open.take().map(|hole| Hole { to: place.turn, ..hole }));
            last = place;
            continue;
        }
        lost += 1;
        if let Some(turn) = turn_of(original, seq)? {
            last.turn = turn;
            holes.push(Hole { first: seq, from: turn, to: turn });
        } else {
            open.get_or_insert(Hole { first: seq, from: last.turn, to: last.turn });
        }
        stand_in(into, seq, last)?;
    }
    holes.extend(open);
    if let Some(error) = &end_is_lost {
        original.note(error);
        // How much followed is not known; that something may have is said of the last turn.
        stand_in(into, end.next(), last)?;
    }
    if end_is_lost.is_none() && is_written && holes::is_open(into)? {
        // The turn goes on, and not here.
        stand_in(into, end.next(), last)?;
    }
    holes::tell(into, &holes, last.turn)?;
    Ok(lost)
}

/// Returns the turn of a record that cannot be read, if the list of turns can.
fn turn_of(original: &SessionReader, seq: Seq) -> rusqlite::Result<Option<TurnId>> {
    let newest = "SELECT turn FROM turns WHERE first_seq <= ? ORDER BY turn DESC LIMIT 1";
    let found =
        original.connection.query_row(newest, [seq.0], |row| Ok(TurnId(row.get(0)?))).optional();
    match found {
        Err(error) if damage(&error).is_some() => Ok(None),
        found => found,
    }
}

/// Copies one record; `None` if it cannot be read. One that is not there is damage too, since none
/// was ever taken away.
fn copy_record(
    original: &SessionReader,
    into: &Connection,
    seq: Seq,
) -> rusqlite::Result<Option<Place>> {
    let from = &original.connection;
    let copied = from.prepare_cached(ROW)?.query_row([seq.0], |row| {
        replay::check(from, seq, row.get(5)?, row)?;
        let place = Place { turn: TurnId(row.get(3)?), at: UnixSeconds(row.get(4)?) };
        if seq != FIRST {
            begin_turn(into, place.turn, seq)?;
        }
        into.prepare_cached(INSERT)?.execute(params![
            seq.0,
            row.get::<_, Option<String>>(1)?,
            row.get::<_, Option<Vec<u8>>>(2)?,
            place.turn.0,
            place.at.0,
            row.get::<_, u32>(5)?,
            row.get::<_, Option<String>>(6)?,
        ])?;
        Ok(place)
    });
    match copied {
        Err(error) if damage(&error).is_some() => {
            original.note(&error);
            Ok(None)
        }
        copied => copied.map(Some),
    }
}

fn begin_turn(into: &Connection, turn: TurnId, seq: Seq) -> rusqlite::Result<()> {
    into.prepare_cached("INSERT OR IGNORE INTO turns (turn, first_seq) VALUES (?, ?)")?
        .execute([turn.0, seq.0])
        .map(|_| ())
}

/// Puts an empty record where one is lost, so that the copy has no hole of its own.
fn stand_in(into: &Connection, seq: Seq, last: Place) -> rusqlite::Result<()> {
    begin_turn(into, last.turn, seq)?;
    let none: Option<String> = None;
    into.prepare_cached(INSERT)?
        .execute(params![seq.0, "null", none, last.turn.0, last.at.0, Kind::SetAside, none])
        .map(|_| ())
}

/// Copies the blobs that are whole. Their ids are spread evenly, so that after a place that cannot
/// be read the next two bytes are tried.
fn copy_blobs(original: &SessionReader, into: &Connection) -> rusqlite::Result<()> {
    let mut next = Some(0_u16);
    while let Some(start) = next {
        let mut last = start;
        match copy_blobs_from(&original.connection, into, start, &mut last) {
            Ok(()) => return Ok(()),
            Err(error) if damage(&error).is_some() => original.note(&error),
            Err(error) => return Err(error),
        }
        next = last.checked_add(1);
    }
    Ok(())
}

fn copy_blobs_from(
    from: &Connection,
    into: &Connection,
    start: u16,
    last: &mut u16,
) -> rusqlite::Result<()> {
    let mut select = from.prepare_cached(BLOBS)?;
    let mut rows = select.query([start.to_be_bytes()])?;
    while let Some(row) = rows.next()? {
        let (id, total_bytes): ([u8; 32], i64) = (row.get(0)?, row.get(1)?);
        *last = u16::from_be_bytes([id[0], id[1]]);
        let packed: Vec<u8> = row.get(2)?;
        if blobs::unpack(&packed, total_bytes, Fingerprint(id)).is_some() {
            into.prepare_cached("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)")?
                .execute(params![id, total_bytes, packed])?;
        }
    }
    Ok(())
}

/// Copies the text that was being streamed, as far as it can be read: it was never promised.
fn copy_scratch(original: &SessionReader, into: &Connection) -> rusqlite::Result<()> {
    let parts = || {
        let mut select = original
            .connection
            .prepare_cached("SELECT message, part, turn, text, reasoning FROM scratch")?;
        let row = |row: &Row<'_>| {
            let (message, part, turn) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((message, part, turn, row.get(3)?, row.get(4)?))
        };
        let rows = select.query_map([], row)?;
        rows.collect::<rusqlite::Result<Vec<(String, u32, u32, String, String)>>>()
    };
    let parts = match parts() {
        Err(error) if damage(&error).is_some() => {
            original.note(&error);
            return Ok(());
        }
        parts => parts?,
    };
    let mut insert = into.prepare_cached("INSERT INTO scratch VALUES (?, ?, ?, ?, ?)")?;
    for part in parts {
        insert.execute(part)?;
    }
    Ok(())
}
