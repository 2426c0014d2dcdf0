use protocol::{Limits, Notice, SessionId};
use rusqlite::StatementStatus;
use tempfile::TempDir;

use super::*;
use crate::{Commit, Record, SessionLog};

const EVENTS_OF_A_TURN: u32 = 100;

/// A session of so many events, 100 a turn.
fn session(folder: &TempDir, events: u32) -> SessionReader {
    let id = SessionId::from_bits(1);
    let limits = Limits::default();
    let mut log =
        SessionLog::create(folder.path(), id.clone(), "/w", &[], UnixSeconds(1), &limits).unwrap();
    let event = Record::Event(EventKind::Notice { notice: Notice::AnswerCut });
    for turn in 0..events / EVENTS_OF_A_TURN {
        let records = vec![event.clone(); EVENTS_OF_A_TURN as usize];
        let (turn, at) = (TurnId(turn), UnixSeconds(1));
        log.commit(Commit { turn, at, records, blobs: Vec::new(), clear_scratch: None }).unwrap();
    }
    SessionReader::open(folder.path(), &id).unwrap()
}

/// What SQLite does to open a session at its end, go back one page, and follow: its steps.
fn steps_to_open(reader: &SessionReader) -> i32 {
    let page = reader.history(None, 2).unwrap();
    let oldest = page.turns.last().unwrap().turn;
    assert_eq!(reader.history(Some(oldest), 2).unwrap().turns[1].events.len(), 100);
    let last = reader.last_seq().unwrap();
    assert_eq!(reader.events_after(Seq(last.0 - 5), 50).unwrap().len(), 5);
    let steps = |sql| {
        let statement = reader.connection.prepare_cached(sql).unwrap();
        assert_eq!(statement.get_status(StatementStatus::FullscanStep), 0, "{sql}");
        statement.get_status(StatementStatus::VmStep)
    };
    steps(EVENTS) + steps(TURNS) + steps(TURN_START)
}

/// JR-7: as much work as in a session a hundredth of the size.
#[test]
fn a_session_of_50_000_events_opens_without_reading_them() {
    let (small, large) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let (small, large) = (session(&small, 500), session(&large, 50_000));
    assert_eq!(large.last_seq().unwrap(), Seq(50_001));
    let steps = steps_to_open(&small);
    assert_eq!(steps_to_open(&large), steps);
    assert!(steps < 20_000, "{steps} for 405 events");
}
