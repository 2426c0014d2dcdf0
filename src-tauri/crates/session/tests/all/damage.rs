//! A damaged file costs what is damaged, and nothing else.

use std::{fs, path::Path};

use protocol::{Seq, SessionEvent, TurnId};
use rusqlite::Connection;
use session::{Commit, SessionError, SessionLog, SessionReader, fingerprint, list};

use crate::fixture::{Fixture, all_events, commit, committed, notice, started, user};

pub(crate) const PAGE_BYTES: usize = 4096;

/// Makes a page unreadable: the one that holds a text.
pub(crate) fn spoil_page_with(path: &Path, text: &str) {
    let mut bytes = fs::read(path).unwrap();
    let at = bytes.windows(text.len()).position(|it| it == text.as_bytes()).unwrap();
    let page = at / PAGE_BYTES * PAGE_BYTES;
    bytes[page..page + PAGE_BYTES].fill(0xee);
    fs::write(path, bytes).unwrap();
}

fn session_of_many_pages(home: &Fixture) -> usize {
    let mut log = home.create();
    for turn in 0..100 {
        let text = format!("text of turn {turn:03} {}", "x".repeat(500));
        log.commit(commit(turn, vec![started(turn, &text), committed("m", &text)])).unwrap();
    }
    log.commit(commit(100, vec![user("the only message")])).unwrap();
    all_events(log.reader()).len()
}

/// JR-3, SM-6: what can be read is read, what cannot is said, and the bytes are kept.
#[test]
fn a_damaged_page_hides_its_own_records_only() {
    let home = Fixture::new();
    let all = session_of_many_pages(&home);
    spoil_page_with(&home.store(), "text of turn 050");
    let spoiled = fs::read(home.store()).unwrap();

    let reader = home.reader();
    assert_eq!(reader.damage(), None);
    let events = all_events(&reader);
    assert!((all - 12..all).contains(&events.len()), "{} of {all}", events.len());
    assert!(reader.damage().is_some());
    assert!(events.iter().any(|it| it.turn.0 == 99) && events.iter().any(|it| it.turn.0 == 0));

    let reader = home.reader();
    let page = reader.history(None, 1000).unwrap();
    assert_eq!(page.turns.len(), 101);
    assert_eq!(page.turns.iter().map(|it| it.events.len()).sum::<usize>(), events.len());
    assert!(reader.damage().is_some());
    assert_eq!(home.reader().history(Some(TurnId(20)), 5).unwrap().turns[0].events.len(), 2);
    assert_eq!(list(&home.folder).unwrap()[0].unreadable, None);
    drop(reader);
    assert_eq!(fs::read(home.store()).unwrap(), spoiled);
}

/// JR-3, SM-4, CL-6: a file of which the end of the last page is NULs is a whole one for the store,
/// and records that are gone in it are told all the same; nothing is written to it.
#[test]
fn records_that_are_gone_without_a_trace_are_told() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![notice(); 100])).unwrap();
    drop(log);
    let mut bytes = fs::read(home.store()).unwrap();
    let half_a_page = bytes.len() - 512;
    bytes[half_a_page..].fill(0);
    fs::write(home.store(), &bytes).unwrap();

    let log = SessionLog::open(&home.folder, home.id.clone(), &home.limits);
    assert!(matches!(log, Err(SessionError::Damaged { .. })), "{log:?}");
    for read in [
        |it: &SessionReader| all_events(it).len(),
        |it: &SessionReader| {
            let page = it.history(None, 1000).unwrap();
            page.turns.iter().map(|it| it.events.len()).sum()
        },
    ] {
        let reader = home.reader();
        let read = read(&reader);
        assert!((80..100).contains(&read), "{read} of 100");
        assert!(reader.damage().unwrap().ends_with(" is not there"), "{:?}", reader.damage());
    }
    assert!(matches!(home.reader().model_messages(), Err(SessionError::Damaged { .. })));
    assert_eq!(fs::read(home.store()).unwrap(), bytes);
}

/// CL-6: the model is sent all of a conversation, or the turn does not start.
#[test]
fn a_conversation_with_a_hole_is_never_sent() {
    let home = Fixture::new();
    session_of_many_pages(&home);
    assert_eq!(home.reader().model_messages().unwrap().len(), 1);
    spoil_page_with(&home.store(), "text of turn 050");
    let read = home.reader().model_messages();
    assert!(matches!(read, Err(SessionError::Damaged { .. })), "{read:?}");
}

/// JR-3, SM-4: such a file is not replaced by an empty session.
#[test]
fn a_file_without_a_readable_head_opens_for_nobody_and_is_kept() {
    let home = Fixture::new();
    session_of_many_pages(&home);
    for bytes in [0, 50, 100, PAGE_BYTES] {
        let mut spoiled = fs::read(home.store()).unwrap();
        spoiled[..bytes].fill(0);
        let spoiled = if bytes == 0 { Vec::new() } else { spoiled };
        fs::write(home.store(), &spoiled).unwrap();
        let log = SessionLog::open(&home.folder, home.id.clone(), &home.limits);
        assert!(matches!(log, Err(SessionError::Damaged { .. })), "{bytes}: {log:?}");
        let reader = SessionReader::open(&home.folder, &home.id);
        assert!(matches!(reader, Err(SessionError::Damaged { .. })), "{bytes}: {reader:?}");
        assert!(list(&home.folder).unwrap()[0].unreadable.is_some());
        assert_eq!(fs::read(home.store()).unwrap(), spoiled);
        fs::remove_file(home.store()).unwrap();
        session_of_many_pages(&home);
    }
}

/// SM-12: a newer format is left alone.
#[test]
fn a_file_of_a_newer_format_is_not_touched() {
    let home = Fixture::new();
    drop(home.create());
    Connection::open(home.store()).unwrap().pragma_update(None, "user_version", 2).unwrap();
    let before = fs::read(home.store()).unwrap();
    let log = SessionLog::open(&home.folder, home.id.clone(), &home.limits);
    assert!(matches!(log, Err(SessionError::NewerSchema { found: 2, known: 1, .. })), "{log:?}");
    let reader = SessionReader::open(&home.folder, &home.id);
    assert!(matches!(reader, Err(SessionError::NewerSchema { .. })), "{reader:?}");
    let entry = list(&home.folder).unwrap().remove(0);
    assert!(entry.unreadable.unwrap().contains("format 2"));
    assert_eq!(fs::read(home.store()).unwrap(), before);
}

/// TR-4, JR-1: damaged bytes read as none, never as other bytes.
#[test]
fn a_damaged_blob_is_not_there_until_it_is_put_in_again() {
    let home = Fixture::new();
    let texts: Vec<_> = (0..50_u32).map(|it| format!("{it} ").repeat(100).into_bytes()).collect();
    let put = |log: &mut SessionLog| {
        log.commit(Commit { blobs: texts.clone(), ..commit(0, Vec::new()) }).unwrap();
    };
    put(&mut home.create());
    let packed: Vec<u8> = {
        let store = Connection::open(home.store()).unwrap();
        let id = fingerprint(&texts[6]).0;
        store.query_row("SELECT packed FROM blobs WHERE id = ?", [id], |row| row.get(0)).unwrap()
    };
    let sound = fs::read(home.store()).unwrap();
    let at = sound.windows(packed.len()).position(|it| it == packed).unwrap();
    for offset in 0..packed.len() {
        let mut bytes = sound.clone();
        bytes[at + offset] ^= 0x55;
        fs::write(home.store(), bytes).unwrap();
        for (number, text) in texts.iter().enumerate() {
            let read = home.reader().blob(fingerprint(text)).unwrap();
            assert!(read.is_none() || read.as_ref() == Some(text), "{offset}");
            assert!(number == 6 || read.is_some(), "{number} is whole");
        }
    }
    put(&mut home.open());
    assert_eq!(home.reader().blob(fingerprint(&texts[6])).unwrap().as_ref(), Some(&texts[6]));
}

/// A long body lies in a blob: without it the record cannot be read, and says which.
#[test]
fn a_message_whose_body_is_gone_is_damage() {
    let home = Fixture::new();
    home.create().commit(commit(0, vec![user(&"long ".repeat(10_000))])).unwrap();
    Connection::open(home.store()).unwrap().execute("DELETE FROM blobs", []).unwrap();
    let read = home.reader().model_messages();
    let Err(SessionError::Damaged { detail, .. }) = read else { panic!("{read:?}") };
    assert_eq!(detail, "the text of record 2 is gone");
}

/// SM-12: one event that this program does not know costs that event.
#[test]
fn an_event_that_does_not_parse_is_left_out_and_told() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![started(0, "a"), committed("m", "b"), started(0, "c")])).unwrap();
    drop(log);
    let store = Connection::open(home.store()).unwrap();
    store.execute(r#"UPDATE records SET body = '{"type":"unheard"}' WHERE seq = 3"#, []).unwrap();
    drop(store);
    let reader = home.reader();
    let numbers: Vec<_> = all_events(&reader).iter().map(|it| it.seq.0).collect();
    assert_eq!(numbers, [2, 4]);
    assert!(reader.damage().unwrap().starts_with("record 3 does not parse: "));
}

/// JR-3, SM-13, CL-6: of a file that is cut off anywhere, in the midst of a page and of a text that
/// goes over several, what is left is read, that it is not all is said, and nobody writes it.
#[test]
fn a_file_that_is_cut_off_anywhere_is_read_as_far_as_it_goes() {
    let home = Fixture::new();
    let log = session_of_long_texts(&home);
    let all = seqs(&all_events(log.reader()));
    drop(log);
    let whole = fs::read(home.store()).unwrap();
    for length in (0..whole.len()).rev().step_by(997) {
        fs::write(home.store(), &whole[..length]).unwrap();
        looked_at(&home, &all, &format!("{length} of {} bytes", whole.len()));
    }
}

/// The same where its journal was left beside it, as a kill does.
#[test]
fn a_file_that_is_cut_off_beside_its_journal_is_read_as_far_as_it_goes() {
    let home = Fixture::new();
    let log = session_of_long_texts(&home);
    let all = seqs(&all_events(log.reader()));
    let journal = home.store().with_extension("sqlite-wal");
    let (whole, left) = (fs::read(home.store()).unwrap(), fs::read(&journal).unwrap());
    assert!(!left.is_empty(), "nothing waits in the journal");
    drop(log);
    for length in (0..whole.len()).rev().step_by(997) {
        fs::write(home.store(), &whole[..length]).unwrap();
        fs::write(&journal, &left).unwrap();
        looked_at(&home, &all, &format!("{length} of {} bytes", whole.len()));
    }
}

fn session_of_long_texts(home: &Fixture) -> SessionLog {
    let mut log = home.create();
    for turn in 0..60_u32 {
        let text = format!("text of turn {turn:03} {}", "x".repeat(turn as usize % 7 * 900));
        let records = vec![user(&text), started(turn, &text), committed("m", &text)];
        let blobs = vec![format!("{turn} ").repeat(700).into_bytes()];
        log.commit(Commit { blobs, ..commit(turn, records) }).unwrap();
    }
    log
}

fn seqs(events: &[SessionEvent]) -> Vec<Seq> {
    events.iter().map(|it| it.seq).collect()
}

/// Reads a file of which something may be gone, each way there is.
fn looked_at(home: &Fixture, all: &[Seq], what: &str) {
    let reader = match SessionReader::open(&home.folder, &home.id) {
        Err(SessionError::Damaged { .. }) => None,
        opened => Some(opened.unwrap_or_else(|error| panic!("{what}: {error:?}"))),
    };
    let mut is_whole = false;
    if let Some(reader) = reader {
        let read = reader.events_after(Seq(0), u32::MAX);
        let read = seqs(&read.unwrap_or_else(|error| panic!("{what}: {error:?}")));
        assert!(read.is_sorted() && read.iter().all(|it| all.contains(it)), "{what}");
        is_whole = read == all;
        assert!(is_whole || reader.damage().is_some(), "{what}: {} read", read.len());
        for failed in
            [reader.history(None, 1000).err(), reader.model_messages().err(), reader.check().err()]
        {
            assert!(
                matches!(failed, None | Some(SessionError::Damaged { .. })),
                "{what}: {failed:?}"
            );
        }
    }
    match SessionLog::open(&home.folder, home.id.clone(), &home.limits) {
        Ok(_) => assert!(is_whole, "{what}: written"),
        Err(SessionError::Damaged { .. }) => {}
        Err(error) => panic!("{what}: {error:?}"),
    }
}
