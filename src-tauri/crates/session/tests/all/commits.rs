//! What is put down is what is read back.

use protocol::{EVENT_BYTES, EventKind, ModelMessage, Seq, TurnId, UnixSeconds};
use session::{Commit, LocalRecord, Record, SessionError, SessionLog, SessionReader, fingerprint};

use crate::fixture::{
    Fixture, all_events, assistant, commit, committed, notice, started, told, user,
};

/// CL-5, AN-2: numbered and capped once, so live and history are the same.
#[test]
fn a_commit_returns_its_events_exactly_as_a_later_read_does() {
    let home = Fixture::new();
    let mut log = home.create();
    let long = "\u{1}".repeat(40 << 10);
    let mut live = log
        .commit(commit(0, vec![started(0, "hello"), user("hello"), committed("m_1", &long)]))
        .unwrap();
    live.extend(log.commit(commit(3, vec![user("x"), started(3, &long), notice()])).unwrap());

    assert_eq!(live.iter().map(|it| it.seq.0).collect::<Vec<_>>(), [2, 4, 6, 7]);
    assert_eq!(live[3].turn, TurnId(3));
    assert_eq!(live[3].at, UnixSeconds(1_003));
    assert!(live.iter().all(|it| serde_json::to_string(it).unwrap().len() <= EVENT_BYTES));
    assert_eq!(all_events(log.reader()), live);
    assert_eq!(all_events(&home.reader()), live);
    drop(log);
    assert_eq!(all_events(home.open().reader()), live);
}

/// AN-1: long bodies lie elsewhere, and nobody notices.
#[test]
fn the_models_messages_come_back_as_they_went_in() {
    let home = Fixture::new();
    let mut log = home.create();
    let long = "x".repeat(3 << 20);
    let edge = home.limits.inline_body_bytes as usize;
    let texts = ["short", &long, &long[..edge - 30], &long[..edge + 30], &long];
    let mut sent = Vec::new();
    for text in texts {
        let records = vec![notice(), assistant(text), told("c_1", text), user(text)];
        for record in &records {
            if let Record::Model(it) = record {
                sent.push(it.clone());
            }
        }
        log.commit(commit(0, records)).unwrap();
    }
    assert_eq!(log.reader().model_messages().unwrap(), sent);
    drop(log);
    assert_eq!(home.reader().model_messages().unwrap(), sent);
    let bytes = std::fs::metadata(home.store()).unwrap().len();
    assert!(bytes < 1 << 20, "long bodies are compressed, and the same one is kept once: {bytes}");
}

/// What opening has read is handed out once, and never where something was committed since.
#[test]
fn the_messages_that_opening_read_are_not_older_than_the_session() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![user("first")])).unwrap();
    drop(log);
    let opened = || SessionLog::open(&home.folder, home.id.clone(), &home.limits).unwrap();
    let mut log = opened();
    let first = home.reader().model_messages().unwrap();
    assert_eq!(log.take_messages().unwrap(), first);
    assert_eq!(log.take_messages().unwrap(), first);
    drop(log);
    let mut log = opened();
    log.commit(commit(1, vec![user("second")])).unwrap();
    assert_eq!(log.take_messages().unwrap(), home.reader().model_messages().unwrap());
    assert_eq!(log.take_messages().unwrap().len(), 2);
}

/// R083: the text is kept as it was written, over a restart.
#[test]
fn any_text_survives() {
    let home = Fixture::new();
    let mut log = home.create();
    let text = "a\u{2028}b\u{2029}\0c\r\nd\u{feff}\u{d7ff}\u{e000}\u{fffd}\u{10ffff}😀 \
                \\ud800 \\u0000 \"\\ ' ; --";
    let local = LocalRecord::Opened { workspace: text.to_owned(), roots: vec![text.to_owned()] };
    let records = vec![started(0, text), user(text), Record::Local(local.clone())];
    log.commit(commit(0, records)).unwrap();
    log.scratch(TurnId(0), &protocol::MessageId::minted(text), text, text).unwrap();
    drop(log);

    let reader = home.reader();
    let EventKind::TurnStarted { prompt, .. } = &all_events(&reader)[0].kind else { panic!() };
    assert_eq!(prompt.text, text);
    assert_eq!(reader.model_messages().unwrap(), [ModelMessage::User { text: text.to_owned() }]);
    assert_eq!(reader.local_records(TurnId(0)).unwrap(), [local]);
    let scratch = reader.scratch_text().unwrap().remove(0);
    assert_eq!((scratch.message.as_str(), &*scratch.text, &*scratch.reasoning), (text, text, text));
}

/// AN-1, TR-27: the bytes a record names are there with it.
#[test]
fn blobs_are_found_by_their_fingerprint_and_kept_once() {
    let home = Fixture::new();
    let mut log = home.create();
    let noise: Vec<u8> =
        (0..1_u32 << 20).map(|it| (it.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let blobs = vec![Vec::new(), b"\0\xff\xfe".to_vec(), noise.clone(), noise.clone()];
    log.commit(Commit { blobs: blobs.clone(), ..commit(0, Vec::new()) }).unwrap();
    log.commit(Commit { blobs: vec![noise.clone(); 3], ..commit(0, vec![notice()]) }).unwrap();
    for blob in blobs {
        assert_eq!(home.reader().blob(fingerprint(&blob)).unwrap(), Some(blob));
    }
    assert_eq!(log.reader().blob(fingerprint(b"other")).unwrap(), None);
    drop(log);
    assert!(std::fs::metadata(home.store()).unwrap().len() < 2 << 20);
}

#[test]
fn records_of_an_older_turn_are_turned_away_and_change_nothing() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(4, vec![notice()])).unwrap();
    let late = Commit { blobs: vec![b"late".to_vec()], ..commit(3, vec![notice()]) };
    let error = log.commit(late).unwrap_err();
    assert!(matches!(error, SessionError::OlderTurn { turn: TurnId(3), last: TurnId(4), .. }));
    assert_eq!(log.reader().last_seq().unwrap(), Seq(2));
    assert_eq!(log.reader().blob(fingerprint(b"late")).unwrap(), None);
    assert_eq!(log.commit(commit(4, vec![notice()])).unwrap()[0].seq, Seq(3));
}

/// SM-2: it exists before its first turn.
#[test]
fn a_new_session_is_whole_on_the_disk_before_its_first_turn() {
    let home = Fixture::new();
    let log = home.create();
    for reader in [&home.reader(), log.reader()] {
        let opened = reader.opened().unwrap();
        assert_eq!((&*opened.workspace, opened.created_at), ("/srv/shop", UnixSeconds(100)));
        assert_eq!(opened.roots, ["/srv/shop"]);
        assert_eq!((reader.last_turn().unwrap(), reader.last_seq().unwrap()), (None, Seq(1)));
        assert_eq!((all_events(reader), reader.model_messages().unwrap()), (vec![], vec![]));
        assert!(!reader.history(None, 10).unwrap().more);
    }
    drop(log);
    let names = [format!("{}.lock", home.id), format!("{}.sqlite", home.id)];
    assert_eq!(home.names(), names, "one file and its lock");
}

#[test]
fn a_session_is_not_made_twice_nor_opened_where_there_is_none() {
    let home = Fixture::new();
    let open = || SessionLog::open(&home.folder, home.id.clone(), &home.limits);
    assert!(matches!(open(), Err(SessionError::Missing { .. })));
    assert!(matches!(
        SessionReader::open(&home.folder, &home.id),
        Err(SessionError::Missing { .. })
    ));
    assert!(!home.folder.exists(), "looking makes nothing");
    home.create().commit(commit(0, vec![notice()])).unwrap();
    let again =
        SessionLog::create(&home.folder, home.id.clone(), "/", &[], UnixSeconds(9), &home.limits);
    assert!(matches!(again, Err(SessionError::Exists { .. })));
    assert_eq!(all_events(&home.reader()).len(), 1, "the old one is as it was");
}

#[test]
fn a_session_that_could_not_be_made_leaves_nothing_behind() {
    let home = Fixture::new();
    let in_the_way = format!("{}.new", home.id);
    std::fs::create_dir_all(home.folder.join(&in_the_way)).unwrap();
    let made =
        SessionLog::create(&home.folder, home.id.clone(), "/", &[], UnixSeconds(9), &home.limits);
    assert!(made.is_err());
    assert_eq!(home.names(), [in_the_way]);
}

/// SM-3: opening, reading and closing write no record.
#[test]
fn opening_a_session_changes_no_record() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![started(0, "a"), user("a"), notice()])).unwrap();
    let before = (all_events(log.reader()), log.reader().last_seq().unwrap());
    drop(log);
    for _ in 0..5 {
        let log = home.open();
        assert_eq!((all_events(log.reader()), log.reader().last_seq().unwrap()), before);
    }
}

/// A host thread hands a session to another one.
#[test]
fn a_session_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<SessionLog>();
    is_send::<SessionReader>();
}

#[test]
fn a_file_taken_away_is_noticed_at_the_next_commit() {
    let home = Fixture::new();
    let mut log = home.create();
    log.commit(commit(0, vec![notice()])).unwrap();
    if cfg!(unix) {
        std::fs::remove_file(home.store()).unwrap();
        let lost = log.commit(commit(0, vec![notice()]));
        assert!(matches!(lost, Err(SessionError::Missing { .. })), "{lost:?}");
        assert!(matches!(log.check_writable(), Err(SessionError::Missing { .. })));
    }
}
