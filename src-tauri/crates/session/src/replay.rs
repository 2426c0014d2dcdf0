//! What happened, read back in order: by number, and by whole turns.

use protocol::{
    EventKind, Fingerprint, HistoryPage, ModelMessage, Seq, SessionEvent, TurnHistory, TurnId,
    UnixSeconds,
};
use rusqlite::{Connection, OptionalExtension as _, Row, params, types::Type};
use serde::de::{DeserializeOwned, IgnoredAny};
use thiserror::Error;

use crate::{LocalRecord, SessionError, SessionReader, blobs, error::damage, reader, record::Kind};

/// Every read of events is this one: a run of numbers, found by the table's own key.
const EVENTS: &str = "
SELECT seq, turn, at, body, kind FROM records WHERE seq >= ?1 AND seq < ?2 ORDER BY seq";

/// The newest turns before one, and where each begins.
const TURNS: &str = "SELECT turn, first_seq FROM turns WHERE turn < ?1 ORDER BY turn DESC LIMIT ?2";

/// Where the first turn at or after one begins.
const TURN_START: &str = "SELECT first_seq FROM turns WHERE turn >= ? ORDER BY turn LIMIT 1";

const AFTER_ALL: Seq = Seq(u32::MAX);

/// Some events that follow one another.
struct Run {
    first: Seq,
    end: Seq,
    turn: Option<TurnId>,
    count: u32,
}

impl SessionReader {
    /// Returns the first `count` events after a number. Leaves out what cannot be read, and
    /// [`Self::damage`] says so then.
    ///
    /// # Errors
    ///
    /// [`SessionError::Store`] if the system does not let it be read.
    pub fn events_after(&self, after: Seq, count: u32) -> Result<Vec<SessionEvent>, SessionError> {
        self.events(&Run { first: after.next(), end: AFTER_ALL, turn: None, count })
    }

    /// Returns the newest `count` turns before a turn, or of all, newest first, each whole. Leaves
    /// out what cannot be read, and [`Self::damage`] says so then.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] if the turns cannot be found; [`SessionError::Store`] if the
    /// system does not let them be read.
    pub fn history(&self, before: Option<TurnId>, count: u32) -> Result<HistoryPage, SessionError> {
        let before = before.unwrap_or(TurnId(u32::MAX));
        let (mut end, mut found) = self.read(|connection| {
            Ok((first_seq_from(connection, before)?, turns(connection, before, count)?))
        })?;
        let more = count < u32::try_from(found.len()).unwrap_or(u32::MAX);
        found.truncate(count as usize);
        let mut page = HistoryPage { turns: Vec::new(), more, damage: None };
        for (turn, first) in found {
            let events = self.events(&Run { first, end, turn: Some(turn), count: u32::MAX })?;
            page.turns.push(TurnHistory { turn, events });
            end = first;
        }
        page.damage = self.damage();
        Ok(page)
    }

    /// Returns the host's own records of a turn, in order.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] if one cannot be read; [`SessionError::Store`] if the system does
    /// not let them be read.
    pub fn local_records(&self, turn: TurnId) -> Result<Vec<LocalRecord>, SessionError> {
        self.read(|connection| local_records_of(connection, turn))
    }

    fn events(&self, run: &Run) -> Result<Vec<SessionEvent>, SessionError> {
        let mut events = Vec::new();
        let Err(error) = self.collect(run, &mut events) else { return Ok(events) };
        if damage(&error).is_none() {
            return Err(self.fault(error));
        }
        self.note(&error);
        self.pick(run, &mut events).map_err(|source| self.fault(source))?;
        Ok(events)
    }

    fn collect(&self, run: &Run, events: &mut Vec<SessionEvent>) -> rusqlite::Result<()> {
        let mut select = self.connection.prepare_cached(EVENTS)?;
        let mut rows = select.query(params![run.first.0, run.end.0])?;
        let mut next = run.first;
        while let Some(row) = rows.next()? {
            comes_next(&mut next, Seq(row.get(0)?))?;
            let is_event = row.get::<_, u32>(4)? == Kind::Event as u32;
            if is_event && run.turn.is_none_or(|it| row.get(1) == Ok(it.0)) {
                events.push(self.event(row)?);
            }
            if run.count as usize <= events.len() {
                return Ok(());
            }
        }
        if run.end == AFTER_ALL { Ok(()) } else { comes_next(&mut next, run.end) }
    }

    /// Reads on record by record where a whole read ends at something damaged.
    fn pick(&self, run: &Run, events: &mut Vec<SessionEvent>) -> rusqlite::Result<()> {
        let next = events.last().map_or(run.first, |event| event.seq.next());
        let end = run.end.min(reader::last_readable(&self.connection)?.next());
        for first in (next.0..end.0).map(Seq) {
            if run.count as usize <= events.len() {
                break;
            }
            let one = Run { first, end: first.next(), turn: run.turn, count: 1 };
            match self.collect(&one, events) {
                Err(error) if damage(&error).is_some() => self.note(&error),
                read => read?,
            }
        }
        Ok(())
    }

    fn event(&self, row: &Row<'_>) -> rusqlite::Result<SessionEvent> {
        let seq = Seq(row.get(0)?);
        Ok(SessionEvent {
            session: self.session().clone(),
            turn: TurnId(row.get(1)?),
            seq,
            at: UnixSeconds(row.get(2)?),
            kind: parse::<EventKind>(seq, row.get_ref(3)?.as_str()?)?,
        })
    }
}

pub(crate) fn local_records_of(
    connection: &Connection,
    turn: TurnId,
) -> rusqlite::Result<Vec<LocalRecord>> {
    let (first, end) = seqs_of(connection, turn)?;
    let mut select = connection.prepare_cached(
        "SELECT seq, body, blob FROM records
         WHERE seq >= ?1 AND seq < ?2 AND turn = ?3 AND kind = ?4 ORDER BY seq",
    )?;
    let bounds = params![first.0, end.0, turn.0, Kind::Local];
    let rows = select.query_map(bounds, |row| body(connection, row))?;
    rows.collect()
}

/// Returns the blobs that are the bodies of a turn's records.
pub(crate) fn bodies_of(
    connection: &Connection,
    turn: TurnId,
) -> rusqlite::Result<Vec<Fingerprint>> {
    let (first, end) = seqs_of(connection, turn)?;
    let mut select = connection.prepare_cached(
        "SELECT blob FROM records WHERE seq >= ?1 AND seq < ?2 AND blob IS NOT NULL",
    )?;
    let rows = select.query_map([first.0, end.0], |row| Ok(Fingerprint(row.get(0)?)))?;
    rows.collect()
}

/// Returns the numbers of a turn's records: the first, and the one after the last.
pub(crate) fn seqs_of(connection: &Connection, turn: TurnId) -> rusqlite::Result<(Seq, Seq)> {
    Ok((first_seq_from(connection, turn)?, first_seq_from(connection, turn.next())?))
}

/// Returns where the first turn at or after one begins, or the end of all.
fn first_seq_from(connection: &Connection, turn: TurnId) -> rusqlite::Result<Seq> {
    let mut select = connection.prepare_cached(TURN_START)?;
    let found = select.query_row([turn.0], |row| Ok(Seq(row.get(0)?))).optional()?;
    Ok(found.unwrap_or(AFTER_ALL))
}

fn turns(
    connection: &Connection,
    before: TurnId,
    count: u32,
) -> rusqlite::Result<Vec<(TurnId, Seq)>> {
    let mut select = connection.prepare_cached(TURNS)?;
    let one_more = i64::from(count) + 1;
    let rows = select.query_map(params![before.0, one_more], |row| {
        Ok((TurnId(row.get(0)?), Seq(row.get(1)?)))
    })?;
    rows.collect()
}

/// What stands where a record should.
#[derive(Debug, Error)]
enum Unreadable {
    #[error("record {seq} is not there")]
    Missing { seq: Seq },
    #[error("record {seq} does not parse: {source}")]
    Syntax { seq: Seq, source: serde_json::Error },
    #[error("the text of record {seq} is gone")]
    Gone { seq: Seq },
}

/// Checks that a record, or the end of some, is the one that comes next: none was ever taken away,
/// so a number that is passed over is damage.
pub(crate) fn comes_next(next: &mut Seq, found: Seq) -> rusqlite::Result<()> {
    if found != *next {
        return Err(unreadable(Unreadable::Missing { seq: *next }));
    }
    *next = found.next();
    Ok(())
}

/// Reads a row of number, body and blob.
pub(crate) fn body<T: DeserializeOwned>(
    connection: &Connection,
    row: &Row<'_>,
) -> rusqlite::Result<T> {
    let seq = Seq(row.get(0)?);
    if let Some(text) = row.get_ref(1)?.as_str_or_null()? {
        return parse(seq, text);
    }
    let bytes = blobs::get(connection, Fingerprint(row.get(2)?))?
        .ok_or_else(|| unreadable(Unreadable::Gone { seq }))?;
    serde_json::from_slice(&bytes).map_err(|source| unreadable(Unreadable::Syntax { seq, source }))
}

pub(crate) fn parse<T: DeserializeOwned>(seq: Seq, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|source| unreadable(Unreadable::Syntax { seq, source }))
}

/// Checks that a record says something. What a newer program says in an event or a fact of the
/// host's is let be; a message that the model is sent must be known. Takes a row of number, body
/// and blob.
pub(crate) fn check(
    connection: &Connection,
    seq: Seq,
    kind: u32,
    row: &Row<'_>,
) -> rusqlite::Result<()> {
    if kind == Kind::Model as u32 {
        return body::<ModelMessage>(connection, row).map(|_| ());
    }
    match row.get_ref(1)?.as_str_or_null()? {
        Some(text) => parse::<IgnoredAny>(seq, text).map(|_| ()),
        None => body::<IgnoredAny>(connection, row).map(|_| ()),
    }
}

fn unreadable(it: Unreadable) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(it))
}

#[cfg(test)]
mod tests;
