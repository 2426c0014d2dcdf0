//! Copies: of a whole session, of one that is being written, of a damaged one.

use std::fs;

use protocol::{EventKind, ModelMessage, SessionId, UnixSeconds};
use rusqlite::Connection;
use session::{Commit, Copied, Label, SessionError, SessionLog, SessionReader, copy, label, list};

use crate::{
    damage::{PAGE_BYTES, spoil_page_with},
    fixture::{
        Fixture, all_events, assistant, commit, committed, message, names, notice, started, told,
        user,
    },
};

const NOW: UnixSeconds = UnixSeconds(5_000);

fn new_id() -> SessionId {
    SessionId::from_bits(9)
}

fn copied(home: &Fixture) -> Copied {
    copy(&home.folder, &home.id, new_id(), NOW).unwrap()
}

fn reader_of_copy(home: &Fixture) -> SessionReader {
    SessionReader::open(&home.folder, &new_id()).unwrap()
}

/// What happened, without the id of the session.
fn story(reader: &SessionReader) -> Vec<(u32, u32, EventKind)> {
    all_events(reader).into_iter().map(|it| (it.seq.0, it.at.0, it.kind)).collect()
}

fn turn(number: u32) -> Commit {
    let text = format!("text of turn {number:03} {}", "x".repeat(500));
    let context = ModelMessage::Context { text: "context".to_owned() };
    let mut records = vec![started(number, &text)];
    records.extend((number == 0).then_some(session::Record::Model(context)));
    records.extend([user(&text), committed("m", &text), assistant(&text), told("c_1", &text)]);
    commit(number, records)
}

fn long_session(home: &Fixture) {
    let mut log = home.create();
    for number in 0..100 {
        let long = vec![format!("blob {number} ").repeat(300).into_bytes()];
        log.commit(Commit { blobs: long, ..turn(number) }).unwrap();
    }
}

/// SM-13: all of it, under a new id; the original is the same byte for byte, also while somebody
/// writes it.
#[test]
fn a_copy_has_all_of_the_original_and_leaves_it_untouched() {
    let home = Fixture::new();
    long_session(&home);
    label(&home.folder, &home.id, &Label::Title("named".to_owned()), NOW).unwrap();
    label(&home.folder, &home.id, &Label::Archived(true), NOW).unwrap();
    let before = fs::read(home.store()).unwrap();
    let open = home.open();
    let made = copied(&home);
    drop(open);
    assert_eq!(made, Copied { session: new_id(), lost_records: 0, damage: None });
    let (original, copy) = (home.reader(), reader_of_copy(&home));
    assert_eq!(story(&copy), story(&original));
    assert_eq!(copy.model_messages().unwrap(), original.model_messages().unwrap());
    let blob = session::fingerprint(&"blob 7 ".repeat(300).into_bytes());
    assert_eq!(copy.blob(blob).unwrap(), original.blob(blob).unwrap());
    let summary = copy.summary().unwrap();
    assert_eq!((summary.title.as_str(), summary.archived), ("named", false));
    assert_eq!(summary.copied_from, Some(home.id.clone()));
    drop((original, copy));

    let mut log = SessionLog::open(&home.folder, new_id(), &home.limits).unwrap();
    log.commit(commit(100, vec![notice()])).unwrap();
    drop(log);
    assert_eq!(fs::read(home.store()).unwrap(), before, "byte for byte");
    assert_eq!(list(&home.folder).unwrap().len(), 2);
}

/// A session in which nothing was said yet has no turn, in the copy neither.
#[test]
fn the_copy_of_an_empty_session_is_empty() {
    let home = Fixture::new();
    drop(home.create());
    assert_eq!(copied(&home).lost_records, 0);
    assert_eq!(reader_of_copy(&home).summary().unwrap().turns, 0);
}

/// SM-13, JR-2: what a running turn has said so far is in the copy too.
#[test]
fn the_copy_of_a_running_session_has_what_was_streamed() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![started(0, "go"), user("go")])).unwrap();
    log.scratch(protocol::TurnId(0), &message("m_1"), "so far", "").unwrap();
    copied(&home);
    assert_eq!(reader_of_copy(&home).summary().unwrap().turns, 1);
    let texts = reader_of_copy(&home).scratch_text().unwrap();
    assert_eq!(texts.iter().map(|it| &*it.text).collect::<Vec<_>>(), ["so far"]);
}

/// JR-3, SM-4, CL-6: a damaged session goes on in a copy of what can be read. The model is told of
/// a turn with a hole instead of getting a part of it, and the damaged file is kept as it is.
#[test]
fn a_damaged_session_goes_on_in_a_copy_of_what_can_be_read() {
    let home = Fixture::new();
    long_session(&home);
    let (whole, said) = (story(&home.reader()), home.reader().model_messages().unwrap());
    spoil_page_with(&home.store(), "text of turn 050");
    let spoiled = fs::read(home.store()).unwrap();
    let made = copied(&home);
    assert!((1..40).contains(&made.lost_records), "{made:?}");
    assert!(made.damage.is_some());
    assert_eq!(fs::read(home.store()).unwrap(), spoiled, "kept as it is");

    let copy = reader_of_copy(&home);
    let events = story(&copy);
    assert_eq!(copy.damage(), None, "the copy is sound");
    assert!(whole.len() - 20 < events.len() && events.len() < whole.len());
    assert!(events.iter().all(|it| whole.contains(it)));
    let messages = copy.model_messages().unwrap();
    let notes = messages.iter().filter(|it| !said.contains(it)).count();
    assert!((1..4).contains(&notes), "{notes}");
    // Each turn is there whole, with each of its calls answered, or not at all.
    let calls = messages.iter().filter(|it| matches!(it, ModelMessage::Assistant { .. })).count();
    let answers = messages.iter().filter(|it| matches!(it, ModelMessage::Tool { .. })).count();
    let asked = messages.iter().filter(|it| matches!(it, ModelMessage::User { .. })).count();
    assert_eq!((calls, answers), (asked, asked));
    assert!((90..100).contains(&asked), "{asked}");
    assert_eq!(messages[0], said[0], "the context stands for itself");
    drop(copy);
    SessionLog::open(&home.folder, new_id(), &home.limits).unwrap().commit(turn(100)).unwrap();

    let third = SessionId::from_bits(10);
    let again = session::copy(&home.folder, &new_id(), third, NOW).unwrap();
    assert_eq!((again.lost_records, again.damage), (0, None), "a copy has no hole of its own");
}

/// JR-3, SM-6: a file that was cut off is read as far as it goes, is not written, and goes on in a
/// copy.
#[test]
fn a_file_that_was_cut_off_is_read_as_far_as_it_goes() {
    let home = Fixture::new();
    let mut log = home.create();
    for number in 0..100 {
        log.commit(turn(number)).unwrap();
    }
    drop(log);
    let whole = story(&home.reader());
    let bytes = fs::read(home.store()).unwrap();
    for part in [60, 80, 99] {
        let cut = &bytes[..bytes.len() * part / 100 / PAGE_BYTES * PAGE_BYTES];
        fs::write(home.store(), cut).unwrap();
        let log = SessionLog::open(&home.folder, home.id.clone(), &home.limits);
        assert!(matches!(log, Err(SessionError::Damaged { .. })), "{log:?}");
        let read = story(&home.reader());
        assert!(home.reader().damage().is_some());
        assert!(50 < read.len() && read.len() < whole.len(), "{part}: {}", read.len());
        assert_eq!(read, whole[..read.len()]);
        let entry = list(&home.folder).unwrap().remove(0);
        assert!(entry.unreadable.is_none() && entry.title.starts_with("text of turn 000"));
        assert!(copied(&home).damage.is_some());
        assert_eq!(story(&reader_of_copy(&home)), read);
        let last = reader_of_copy(&home).last_turn().unwrap().unwrap();
        assert!(reader_of_copy(&home).has_holes(last).unwrap(), "what followed is lost (CL-6)");
        assert!(!reader_of_copy(&home).has_holes(protocol::TurnId(0)).unwrap());
        SessionLog::open(&home.folder, new_id(), &home.limits).unwrap();
        assert_eq!(fs::read(home.store()).unwrap(), cut);
        for name in names(&home.folder).iter().filter(|it| it.starts_with(new_id().as_str())) {
            fs::remove_file(home.folder.join(name)).unwrap();
        }
    }
}

/// CL-6: a message whose text is gone is a hole in its turn, not in the file.
#[test]
fn a_turn_whose_words_are_gone_is_told_to_the_model_as_missing() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![user("first"), assistant("a"), told("c_1", "done")])).unwrap();
    log.commit(commit(1, vec![user(&"long ".repeat(10_000)), notice()])).unwrap();
    log.commit(commit(2, vec![user("third")])).unwrap();
    drop(log);
    Connection::open(home.store()).unwrap().execute("DELETE FROM blobs", []).unwrap();
    let made = copied(&home);
    assert_eq!(made.lost_records, 1);
    assert_eq!(made.damage.as_deref(), Some("the text of record 5 is gone"));
    let texts = reader_of_copy(&home).model_messages().unwrap();
    let text = |it: &ModelMessage| match it {
        ModelMessage::Context { text }
        | ModelMessage::User { text }
        | ModelMessage::Assistant { text, .. }
        | ModelMessage::Tool { text, .. } => text.chars().take(10).collect::<String>(),
    };
    let texts: Vec<_> = texts.iter().map(text).collect();
    assert_eq!(texts[3..], ["Part of th", "third"]);
    assert_eq!(story(&reader_of_copy(&home)).len(), 1);
}

/// SM-4: what cannot be copied is said to be so, and nothing half is left behind.
#[test]
fn a_file_in_which_nothing_can_be_read_is_not_copied() {
    let home = Fixture::new();
    drop(home.create());
    fs::write(home.store(), [7; 9000]).unwrap();
    let before = names(&home.folder);
    let made = copy(&home.folder, &home.id, new_id(), NOW);
    assert!(matches!(made, Err(SessionError::Damaged { .. })), "{made:?}");
    let missing = copy(&home.folder, &SessionId::from_bits(77), new_id(), NOW);
    assert!(matches!(missing, Err(SessionError::Missing { .. })), "{missing:?}");
    assert_eq!(names(&home.folder), before);
}
