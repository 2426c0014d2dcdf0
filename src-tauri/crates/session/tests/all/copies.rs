//! Copies: of a whole session, of one that is being written, of a damaged one.

use std::fs;

use protocol::{
    CompletionReceipt, Coverage, EventKind, ModelMessage, ResultId, SessionId, TurnChanges, TurnId,
    TurnOutcome, UnixSeconds,
};
use rusqlite::Connection;
use session::{
    Commit, Copied, Holes, Label, Record, SessionError, SessionLog, SessionReader, copy, label,
    list,
};

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

/// The end of a turn that completed; its result is of no matter here.
fn done(number: u32) -> Record {
    let id = ResultId::minted(format!("{number}:17"));
    let receipt = CompletionReceipt::unknown(TurnChanges::unknown(TurnId(number), id));
    Record::Event(EventKind::TurnDone { outcome: TurnOutcome::Completed, receipt })
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

/// SM-13, CL-6: of a turn that runs on in the original the copy does not have the rest, and knows
/// that; of one that has ended, or whose program has, it has all there is.
#[test]
fn the_copy_of_a_running_turn_knows_that_the_rest_is_missing() {
    let home = Fixture::new();
    let mut next = 10;
    let mut holes = |turn: u32| {
        next += 1;
        let id = SessionId::from_bits(next);
        assert_eq!(copy(&home.folder, &home.id, id.clone(), NOW).unwrap().lost_records, 0);
        SessionReader::open(&home.folder, &id).unwrap().holes(TurnId(turn)).unwrap()
    };
    let mut log = home.create();
    log.commit(commit(0, vec![started(0, "go"), user("go")])).unwrap();
    assert_eq!(holes(0), Holes::Untold);
    log.commit(commit(0, vec![done(0)])).unwrap();
    assert_eq!(holes(0), Holes::None);
    log.commit(commit(1, vec![started(1, "on"), user("on")])).unwrap();
    assert_eq!((holes(0), holes(1)), (Holes::None, Holes::Untold));
    drop(log);
    assert_eq!(holes(1), Holes::None);
}

/// CL-6, CL-9: whichever record of a turn is lost, the model gets all of the turns beside it as they
/// were and one note in its place, and the turn has an end, which is unknown where its own is lost.
#[test]
fn a_turn_with_a_lost_record_has_one_note_and_an_end() {
    let turn = |number: u32| {
        let text = format!("turn {number}");
        let said = [user(&text), committed("m", &text), assistant(&text), told("c_1", &text)];
        commit(
            number,
            [started(number, &text)].into_iter().chain(said).chain([done(number)]).collect(),
        )
    };
    let own = TurnOutcome::Completed;
    for (lost, outcome) in
        [1, 2, 3, 4, 5, 6].map(|it| (it, if it == 6 { TurnOutcome::Unknown } else { own.clone() }))
    {
        let home = Fixture::new();
        let mut log = home.create();
        (0..3).for_each(|number| drop(log.commit(turn(number)).unwrap()));
        let whole = log.reader().model_messages().unwrap();
        drop(log);
        let spoil = "UPDATE records SET body = '{' WHERE seq = ?";
        Connection::open(home.store()).unwrap().execute(spoil, [1 + 6 + lost]).unwrap();
        assert_eq!(copied(&home).lost_records, 1);
        let copy = reader_of_copy(&home);
        let messages = copy.model_messages().unwrap();
        assert_eq!((&messages[..3], &messages[4..]), (&whole[..3], &whole[6..]), "{lost}");
        assert!(matches!(&messages[3], ModelMessage::Context { text } if text.contains("missing")));
        assert_eq!(copy.holes(TurnId(1)).unwrap(), Holes::Told);
        let ends = all_events(&copy).into_iter().filter(|it| it.turn == TurnId(1));
        let ends: Vec<_> = ends
            .filter_map(|it| {
                let EventKind::TurnDone { outcome, receipt } = it.kind else { return None };
                Some((outcome, receipt.diff))
            })
            .collect();
        let [(ended, Some(diff))] = &ends[..] else { panic!("{lost}: one end of {ends:?}") };
        assert_eq!(*ended, outcome, "{lost}");
        assert_eq!((diff.coverage, diff.id.as_str()), (Coverage::Unknown, "1:17"), "{lost}");
    }
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
    assert_eq!(copy.damage(), None, "the copy is sound");
    let is_unknown = |it: &(u32, u32, EventKind)| {
        matches!(it.2, EventKind::TurnDone { outcome: TurnOutcome::Unknown, .. })
    };
    let (ends, events): (Vec<_>, Vec<_>) = story(&copy).into_iter().partition(is_unknown);
    assert!(whole.len() - 20 < events.len() && events.len() < whole.len());
    assert!(events.iter().all(|it| whole.contains(it)));
    assert!((1..20).contains(&ends.len()), "no turn here had an end of its own: {ends:?}");
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
        let holes = |turn| reader_of_copy(&home).holes(turn).unwrap();
        assert_eq!(holes(last), Holes::Untold, "what followed is lost (CL-6)");
        assert_eq!(holes(TurnId(0)), Holes::None);
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
