//! What a copy says where records of the original are not in it: to the model, and to whoever reads.

use std::collections::BTreeMap;

use protocol::{
    CompletionReceipt, EventKind, ModelMessage, ResultId, Seq, TurnChanges, TurnId, TurnOutcome,
};
use rusqlite::{Connection, params};

use crate::{
    SessionError, SessionReader, log, reader,
    record::Kind,
    replay::{self, body},
};

/// What the model is told in place of a turn of which something is lost: it never gets a part of
/// one as the whole (CL-6).
const LOST: &str = "Part of this session's record was damaged here and could not be read. What was \
                    said and done meanwhile is missing, and files may have changed. Look before \
                    you rely on what came earlier.";

/// What the model is told after a turn whose rest is not there.
const REST: &str = "The rest of this session's record up to here is missing: it could not be read, \
                    or the session went on elsewhere. Files may have changed meanwhile. Look \
                    before you rely on what came earlier.";

/// Records that are missing, all in one place: from which one on, and in which turns.
#[derive(Clone, Copy)]
pub(crate) struct Hole {
    pub(crate) first: Seq,
    pub(crate) from: TurnId,
    pub(crate) to: TurnId,
}

/// Whether records of a turn are missing, as in the copy of a damaged or a running session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holes {
    None,
    /// Some are, and the model is told of it.
    Told,
    /// Some are, and the model is not told yet.
    Untold,
}

/// The message that tells the model, after a turn, that the rest of it is missing.
pub fn rest_is_lost() -> ModelMessage {
    ModelMessage::Context { text: REST.to_owned() }
}

impl SessionReader {
    /// Returns whether records of a turn are missing: the session is the copy of a damaged one, or
    /// of one that was running.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn holes(&self, turn: TurnId) -> Result<Holes, SessionError> {
        self.read(|connection| {
            let (first, end) = replay::seqs_of(connection, turn)?;
            let mut told = connection.prepare_cached(
                "SELECT 1 FROM records WHERE seq >= ? AND seq < ? AND body IN (?, ?)",
            )?;
            if told.exists(params![first.0, end.0, note()?, log::json(&rest_is_lost())?])? {
                return Ok(Holes::Told);
            }
            let mut untold = connection
                .prepare_cached("SELECT 1 FROM records WHERE seq >= ? AND seq < ? AND kind = ?")?;
            let is_untold = untold.exists(params![first.0, end.0, Kind::SetAside])?;
            Ok(if is_untold { Holes::Untold } else { Holes::None })
        })
    }
}

/// Sets aside what the model said and was told in turns with a hole, and says so in its place. The
/// context of the session stays: it stands for itself. A turn before the last one whose end is lost
/// gets an end that says so; the last one is closed by whoever goes on.
pub(crate) fn tell(into: &Connection, holes: &[Hole], last: TurnId) -> rusqlite::Result<()> {
    let mut notes: BTreeMap<TurnId, Seq> = BTreeMap::new();
    for hole in holes {
        notes.entry(hole.from).or_insert(hole.first);
        let mut select = into.prepare_cached(
            "SELECT seq, body, blob FROM records WHERE kind = ? AND turn BETWEEN ? AND ?",
        )?;
        let turns = params![Kind::Model, hole.from.0, hole.to.0];
        let messages: Vec<(u32, ModelMessage)> = select
            .query_map(turns, |row| Ok((row.get(0)?, body(into, row)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for (seq, message) in messages {
            if !matches!(message, ModelMessage::Context { .. }) {
                into.prepare_cached("UPDATE records SET kind = ? WHERE seq = ?")?
                    .execute(params![Kind::SetAside, seq])?;
            }
        }
    }
    for turn in turns_of(into, holes)?.into_iter().filter(|it| *it < last) {
        close(into, turn, &mut notes)?;
    }
    let note = note()?;
    for seq in notes.values() {
        put(into, *seq, Kind::Model, &note)?;
    }
    Ok(())
}

/// Returns the turns with a hole that have a record of their own.
fn turns_of(into: &Connection, holes: &[Hole]) -> rusqlite::Result<Vec<TurnId>> {
    let mut turns = Vec::new();
    for hole in holes {
        let mut select =
            into.prepare_cached("SELECT turn FROM turns WHERE turn BETWEEN ? AND ? ORDER BY turn")?;
        let found = select
            .query_map([hole.from.0, hole.to.0], |row| Ok(TurnId(row.get(0)?)))?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        turns.extend(found);
    }
    turns.sort_unstable();
    turns.dedup();
    Ok(turns)
}

/// Puts an end that says nothing is known into the last empty record of a turn that has none. The
/// note to the model makes room, where it would take that very record.
fn close(
    into: &Connection,
    turn: TurnId,
    notes: &mut BTreeMap<TurnId, Seq>,
) -> rusqlite::Result<()> {
    let (first, end) = replay::seqs_of(into, turn)?;
    let Marks { id, has_end: false } = marks(into, turn)? else { return Ok(()) };
    let mut select = into.prepare_cached(
        "SELECT seq, at FROM records WHERE seq >= ?1 AND seq < ?2 AND kind = ?3 ORDER BY seq",
    )?;
    let free = select
        .query_map(params![first.0, end.0, Kind::SetAside], |row| {
            Ok((Seq(row.get(0)?), row.get::<_, u32>(1)?))
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let (Some((earliest, at)), Some((latest, _))) = (free.first(), free.last()) else {
        return Ok(());
    };
    match notes.get_mut(&turn) {
        Some(note) if *note == *latest && earliest == latest => return Ok(()),
        Some(note) if *note == *latest => *note = *earliest,
        Some(_) | None => {}
    }
    let id = id.unwrap_or_else(|| ResultId::minted(format!("{turn}:{at}000000000")));
    let receipt = CompletionReceipt::unknown(TurnChanges::unknown(turn, id));
    let done = EventKind::TurnDone { outcome: TurnOutcome::Unknown, receipt };
    put(into, *latest, Kind::Event, &log::json(&done)?)
}

/// Returns whether the last turn of a copy has no end.
pub(crate) fn is_open(into: &Connection) -> rusqlite::Result<bool> {
    match reader::last_turn(into)? {
        Some(turn) => marks(into, turn).map(|it| !it.has_end),
        None => Ok(false),
    }
}

/// What the first and the last event of a turn say of it, as far as they are there.
struct Marks {
    id: Option<ResultId>,
    has_end: bool,
}

fn marks(into: &Connection, turn: TurnId) -> rusqlite::Result<Marks> {
    let (first, end) = replay::seqs_of(into, turn)?;
    let mut select =
        into.prepare_cached("SELECT body FROM records WHERE seq >= ? AND seq < ? AND kind = ?")?;
    let bounds = params![first.0, end.0, Kind::Event];
    let mut marks = Marks { id: None, has_end: false };
    for body in select.query_map(bounds, |row| row.get::<_, String>(0))? {
        // What a newer program says of a turn is neither.
        let event = serde_json::from_str(&body?).ok();
        if let Some(EventKind::TurnStarted { result, .. }) = event {
            marks.id = Some(result);
        } else if let Some(EventKind::TurnDone { .. }) = event {
            marks.has_end = true;
        }
    }
    Ok(marks)
}

fn put(into: &Connection, seq: Seq, kind: Kind, body: &str) -> rusqlite::Result<()> {
    let mut update = into.prepare_cached(
        "UPDATE records SET kind = ?, body = ?, blob = NULL, text_of = NULL WHERE seq = ?",
    )?;
    update.execute(params![kind, body, seq.0]).map(|_| ())
}

/// The message that stands where something is lost.
fn note() -> rusqlite::Result<String> {
    log::json(&ModelMessage::Context { text: LOST.to_owned() })
}
