use protocol::{EventKind, MessageId, ModelMessage, Notice, Seq};
use tempfile::TempDir;

use super::*;
use crate::fingerprint;

fn log(folder: &TempDir) -> SessionLog {
    let (id, now) = (SessionId::from_bits(1), UnixSeconds(1));
    SessionLog::create(folder.path(), id, "/w", &[], now, &Limits::default()).unwrap()
}

/// Two records and as many noisy bytes as asked for.
fn commit(number: u32, bytes: u32) -> Commit {
    let mut noise = number;
    let mut next = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        noise.to_be_bytes()[0]
    };
    let blobs = vec![(0..bytes).map(|_| next()).collect()];
    let records = vec![
        Record::Event(EventKind::Notice { notice: Notice::AnswerCut }),
        Record::Model(ModelMessage::User { text: number.to_string() }),
    ];
    Commit { turn: TurnId(0), at: UnixSeconds(1), records, blobs, clear_scratch: None }
}

fn bound(connection: &Connection, pages: u32) {
    connection.pragma_update(None, "max_page_count", pages).unwrap();
}

/// JR-6, AN-1: a commit that does not fit leaves no part of itself, and the session goes on when
/// there is room again.
#[test]
fn a_full_disk_leaves_the_session_as_it_was_and_usable() {
    let folder = TempDir::new().unwrap();
    let mut log = log(&folder);
    bound(&log.reader.connection, 40);
    let mut kept = 0;
    let full = loop {
        match log.commit(commit(kept, 20 << 10)) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(full, SessionError::DiskFull { .. }), "{full:?}");
    let lost = fingerprint(&commit(kept, 20 << 10).blobs[0]);
    for _ in 0..3 {
        assert!(log.commit(commit(kept, 20 << 10)).is_err());
        assert_eq!(log.reader().last_seq().unwrap(), Seq(1 + 2 * kept));
        assert_eq!(log.reader().blob(lost).unwrap(), None);
        assert_eq!(log.reader().model_messages().unwrap().len(), kept as usize);
    }
    bound(&log.reader.connection, 4_000);
    let events = log.commit(commit(kept, 20 << 10)).unwrap();
    assert_eq!(events[0].seq, Seq(2 + 2 * kept));
    assert!(log.reader().blob(lost).unwrap().is_some());
}

/// JR-2: streamed text that finds no room is given up, and what stands stays right.
#[test]
fn streamed_text_that_finds_no_room_is_right_again_later() {
    let folder = TempDir::new().unwrap();
    let mut log = log(&folder);
    let message = MessageId::minted("m_1");
    log.scratch(TurnId(0), &message, "begun", "").unwrap();
    bound(&log.scratch.connection, 10);
    let long = format!("begun {}", "s".repeat(100 << 10));
    let full = log.scratch(TurnId(0), &message, &long, "").unwrap_err();
    assert!(matches!(full, SessionError::DiskFull { .. }), "{full:?}");
    assert_eq!(log.reader().scratch_text().unwrap()[0].text, "begun");
    bound(&log.scratch.connection, 4_000);
    log.scratch(TurnId(0), &message, &long, "r").unwrap();
    assert_eq!(log.reader().scratch_text().unwrap()[0].text, long);
}

/// JR-1: what must last waits for the disk; only streamed text does not, and it must never be the
/// one to move the journal into the store.
#[test]
fn the_writer_waits_for_the_disk() {
    let folder = TempDir::new().unwrap();
    let log = log(&folder);
    let number = |of: &Connection, pragma| {
        of.pragma_query_value(None, pragma, |row| row.get::<_, u32>(0)).unwrap()
    };
    assert_eq!(number(&log.reader.connection, "synchronous"), 2);
    assert_eq!(number(&log.reader.connection, "wal_autocheckpoint"), db::JOURNAL_PAGES);
    assert_eq!(number(&log.scratch.connection, "synchronous"), 0);
    assert_eq!(number(&log.scratch.connection, "wal_autocheckpoint"), 0);
    let mode: String =
        log.reader.connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

/// JR-1: an ordinary commit of a few small records changes one page of the store; one that begins
/// a page changes what leads to it as well.
#[test]
fn an_ordinary_commit_writes_one_page() {
    let folder = TempDir::new().unwrap();
    let mut log = log(&folder);
    log.commit(commit(0, 0)).unwrap();
    let journal = folder.path().join(format!("{}.sqlite-wal", log.reader.session()));
    let pages = || std::fs::metadata(&journal).unwrap().len() / u64::from(db::PAGE_BYTES + 24);
    let mut written = Vec::new();
    for number in 1..200 {
        let before = pages();
        log.commit(Commit { blobs: Vec::new(), ..commit(number, 0) }).unwrap();
        written.push(pages() - before);
    }
    let ordinary = written.iter().filter(|it| **it == 1).count();
    assert!(170 < ordinary && written.iter().all(|it| *it <= 5), "{ordinary} of 199: {written:?}");
}
