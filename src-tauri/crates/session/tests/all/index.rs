//! The index over all sessions: always what the sessions are, and never anything else.

use std::{fs, path::PathBuf};

use protocol::{Limits, SearchPage, SearchPlace, SessionId, TurnId, UnixSeconds};
use rusqlite::Connection;
use serde_json::{Value, json};
use session::{
    Commit, Index, Label, LocalRecord, Record, SessionLog, discard, label, label_open, list,
};

use crate::{
    damage::spoil_page_with,
    fixture::{Fixture, commit, committed, names, notice, started, user},
};

fn file(home: &Fixture) -> PathBuf {
    home.folder.parent().unwrap().join("index.sqlite")
}

fn index(home: &Fixture) -> Index {
    bounded(home, Limits::default())
}

fn bounded(home: &Fixture, limits: Limits) -> Index {
    Index::new(file(home), home.folder.clone(), limits)
}

/// Makes a session that changed at some time.
fn made(home: &Fixture, bits: u64, at: u32, records: Vec<Record>) -> SessionLog {
    let (id, limits) = (SessionId::from_bits(bits), Limits::default());
    let now = UnixSeconds(1);
    let mut log = SessionLog::create(&home.folder, id, "/srv/shop", &[], now, &limits).unwrap();
    log.commit(Commit { at: UnixSeconds(at), ..commit(0, records) }).unwrap();
    log
}

/// The numbers of the sessions that were found, in order.
fn found(page: &SearchPage) -> Vec<u64> {
    let bits = |id: &SessionId| u64::from_str_radix(&id.as_str()[2..], 16).unwrap();
    page.hits.iter().map(|it| bits(&it.session.session)).collect()
}

fn search(home: &Fixture, text: &str) -> SearchPage {
    index(home).search(text).unwrap()
}

fn changes(paths: &[&str], total_files: usize) -> Value {
    let file = |path: &&str| json!({"path": path, "kind": "modify", "added": 1, "removed": 0});
    json!({
        "id": "0:17", "turn": 0, "coverage": "complete", "totalFiles": total_files, "added": 1,
        "removed": 0, "levels": [], "reasons": [],
        "files": paths.iter().map(file).collect::<Vec<_>>(),
    })
}

/// A turn's end, with some files and one check that failed.
fn done(outcome: &Value, paths: &[&str], total_files: usize) -> Record {
    let check = json!({
        "command": {"text": "cargo test --locked", "totalBytes": 19}, "kind": "test",
        "passed": false, "exitCode": 101, "toolCallId": "call00000",
    });
    let receipt = json!({
        "diff": changes(paths, total_files), "interrupted": false, "verdict": "unknown",
        "assessmentKind": "facts", "verifications": [check], "refused": [], "notes": [],
    });
    let done = json!({"type": "turn_done", "outcome": outcome, "receipt": receipt});
    Record::Event(serde_json::from_value(done).unwrap())
}

fn completed() -> Value {
    json!({"is": "completed"})
}

/// SM-10, JR-4: prompts, answers, paths, check commands and statuses are found by parts of words,
/// whatever their case; nothing else is.
#[test]
fn everything_that_counts_is_found_and_nothing_else() {
    let home = Fixture::new();
    let records = vec![
        started(0, "Fix the Parser\nplease"),
        user("context-only"),
        committed("m_1", "I looked at \"quotes\" and 100% of it"),
        done(&completed(), &["src/lexer/mod.rs"], 1),
    ];
    drop(made(&home, 1, 10, records));
    let failure = json!({"code": "wrong_key", "message": "no", "action": "check_key"});
    let failed = json!({"is": "failed", "failure": failure});
    drop(made(&home, 2, 20, vec![started(0, "other"), done(&failed, &[], 0)]));
    let place = |text: &str| {
        let page = search(&home, text);
        let hit = page.hits.first().map(|it| (it.place, it.excerpt.clone(), it.matches));
        (found(&page), hit.map(|(place, ..)| place))
    };
    assert_eq!(place("parse"), (vec![1], Some(SearchPlace::Prompt)));
    assert_eq!(place("FIX   please"), (vec![1], Some(SearchPlace::Prompt)));
    assert_eq!(place("\"quotes\""), (vec![1], Some(SearchPlace::Answer)));
    assert_eq!(place("lexer/mod"), (vec![1], Some(SearchPlace::Path)));
    assert_eq!(place("test --lock"), (vec![2, 1], Some(SearchPlace::Check)));
    assert_eq!(place("wrong_key"), (vec![2], Some(SearchPlace::Status)));
    assert_eq!(place("0%"), (vec![1], Some(SearchPlace::Answer)));
    assert_eq!(place("100% OR"), (vec![], None), "a word is a word");
    assert_eq!(place("context-only"), (vec![], None), "what the model alone is told is not found");
    assert_eq!(place("parser quotes"), (vec![], None), "no one text has both");
    assert_eq!(place(" "), (vec![], None));
    assert_eq!(search(&home, "parser").hits[0].excerpt, "Fix the Parser please");
}

/// JR-4: how the files of a session look says nothing while somebody writes it, since a commit is in
/// them a moment before it can be read. So it is looked into each time, and the index is not written
/// for it.
#[test]
fn a_session_that_is_written_is_looked_into_each_time() {
    let home = Fixture::new();
    let writer = made(&home, 1, 10, vec![started(0, "needle")]);
    let looked = || {
        assert_eq!(index(&home).list().unwrap().len(), 1);
        let read = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        let connection = Connection::open(file(&home)).unwrap();
        let stamp = connection.query_row("SELECT stamp FROM sessions", [], read).unwrap();
        (stamp, fs::metadata(file(&home)).unwrap().modified().unwrap())
    };
    let (stamp, written) = looked();
    assert_eq!(stamp, "", "it would be trusted");
    assert_eq!(looked(), (stamp, written));
    let id = SessionId::from_bits(1);
    label_open(&home.folder, &id, &Label::Title("named".to_owned()), UnixSeconds(11)).unwrap();
    let (stamp, written) = looked();
    assert_eq!(looked(), (stamp, written), "its name is what it was");
    assert_eq!(found(&search(&home, "named")), [1]);
    drop(writer);
    let (stamp, written) = looked();
    assert_ne!(stamp, "");
    assert_eq!(looked(), (stamp, written));
}

/// Scripts without spaces between words are searched by any part of a text, also a short one.
#[test]
fn a_part_of_a_text_without_spaces_is_found() {
    let home = Fixture::new();
    drop(made(&home, 1, 10, vec![started(0, "请修复解析器的错误"), committed("m", "修好了")]));
    drop(made(&home, 2, 20, vec![started(0, "写一个测试")]));
    for text in ["解析器", "修复", "错", "的错误"] {
        assert_eq!(found(&search(&home, text)), [1], "{text}");
    }
    assert_eq!(found(&search(&home, "测试")), [2]);
    assert_eq!(found(&search(&home, "没有")), [0_u64; 0]);
}

/// SM-10: the index is as the sessions are after any change, whoever made it.
#[test]
fn the_index_follows_whatever_happens_to_a_session() {
    let home = Fixture::new();
    let mut log = made(&home, 1, 10, vec![started(0, "alpha")]);
    drop(made(&home, 2, 20, vec![started(0, "beta")]));
    assert_eq!(found(&search(&home, "alpha")), [1]);
    // One who still writes.
    log.commit(Commit { at: UnixSeconds(30), ..commit(0, vec![committed("m", "gamma")]) }).unwrap();
    let page = search(&home, "gamma");
    assert_eq!((found(&page), page.hits[0].session.changed_at), (vec![1], UnixSeconds(30)));
    assert_eq!(page.hits[0].turn, Some(TurnId(0)));
    drop(log);
    let id = SessionId::from_bits(1);
    for title in ["delta", "epsilon"] {
        label(&home.folder, &id, &Label::Title(title.to_owned()), UnixSeconds(40)).unwrap();
        assert_eq!(search(&home, title).hits[0].place, SearchPlace::Title);
    }
    assert_eq!(search(&home, "delta").total, 0);
    assert_eq!(index(&home).list().unwrap(), list(&home.folder).unwrap());
    assert_eq!(index(&home).list().unwrap()[0].title, "epsilon");
    // Another file of the same name, with less in it.
    fs::remove_file(home.folder.join(format!("{id}.sqlite"))).unwrap();
    drop(made(&home, 1, 50, vec![started(0, "zeta")]));
    assert_eq!((search(&home, "gamma").total, search(&home, "zeta").total), (0, 1));
    discard(&home.folder, &home.folder.parent().unwrap().join("trash"), &id).unwrap();
    assert_eq!((search(&home, "zeta").total, found(&search(&home, "beta"))), (0, vec![2]));
    assert_eq!(index(&home).list().unwrap().len(), 1);
}

/// What a turn changed is found whole, also where its event lists the first files alone.
#[test]
fn a_path_that_the_event_does_not_list_is_found() {
    let home = Fixture::new();
    let whole = serde_json::from_value(changes(&["a.rs", "b.rs", "last.rs"], 3)).unwrap();
    let frozen = Record::Local(LocalRecord::Frozen { changes: whole, patches: Vec::new() });
    drop(made(&home, 1, 10, vec![started(0, "go"), frozen, done(&completed(), &["a.rs"], 3)]));
    assert_eq!(search(&home, "last.rs").hits[0].place, SearchPlace::Path);
}

/// SM-10: deleted, spoiled or of another form, the index is made anew from the sessions, and the
/// sessions are not touched for it.
#[test]
fn a_missing_or_damaged_index_is_made_anew() {
    let home = Fixture::new();
    for bits in 1..30 {
        drop(made(&home, bits, 10, vec![started(0, &format!("needle {bits}"))]));
    }
    let before = names(&home.folder);
    assert_eq!(search(&home, "needle").total, 29);
    let sound = fs::read(file(&home)).unwrap();
    let other_form = |path: &PathBuf| {
        Connection::open(path).unwrap().pragma_update(None, "user_version", 7).unwrap();
    };
    let spoil = |path: &PathBuf, from: usize| {
        let mut bytes = sound.clone();
        bytes[from..].fill(0x5a);
        fs::write(path, bytes).unwrap();
    };
    let ways: [&dyn Fn(&PathBuf); 6] = [
        &|path| fs::remove_file(path).unwrap(),
        &|path| fs::write(path, "").unwrap(),
        &|path| spoil(path, 0),
        &|path| spoil(path, 4096),
        &|path| fs::write(path, &sound[..sound.len() / 2]).unwrap(),
        &other_form,
    ];
    for (number, way) in ways.iter().enumerate() {
        way(&file(&home));
        assert_eq!(search(&home, "needle 7").total, 3, "{number}");
        assert_eq!(index(&home).list().unwrap().len(), 29, "{number}");
        assert_eq!(index(&home).damage(), None, "{number}");
    }
    assert_eq!(index(&home).rebuild().unwrap(), 29);
    assert_eq!(names(&home.folder), before, "reading leaves nothing behind");
}

/// Answers are bounded, and say how much there is.
#[test]
fn a_search_answers_with_so_many_and_counts_all() {
    let home = Fixture::new();
    for bits in 1..=9 {
        let records = vec![started(0, "needle"), committed("m", "needle 针")];
        drop(made(&home, bits, u32::try_from(bits).unwrap(), records));
    }
    let limits = Limits { search_sessions: 4, search_texts: 6, ..Limits::default() };
    let page = bounded(&home, limits.clone()).search("needle").unwrap();
    assert_eq!((found(&page), page.total, page.is_partial), (vec![9, 8, 7, 6], 9, false));
    assert_eq!(page.hits[0].matches, 2);
    // A word too short for the index: the newest texts are looked through.
    let page = bounded(&home, limits).search("针").unwrap();
    assert_eq!((found(&page), page.total, page.is_partial), (vec![9, 8, 7], 3, true));
    assert!(!search(&home, "针").is_partial);
    let start = Limits { search_bytes: 6, ..Limits::default() };
    assert_eq!(bounded(&home, start).search("needle nothing").unwrap().total, 9);
}

/// JR-3, SM-4: of a damaged session what can be read is found; one that cannot be read is listed
/// with the reason, and keeps no other from being found.
#[test]
fn damage_costs_the_damaged_session_alone() {
    let home = Fixture::new();
    let many = (0..50)
        .map(|it| committed(&format!("m{it}"), &format!("needle {it:03} {}", "x".repeat(500))));
    drop(made(&home, 1, 10, [started(0, "start")].into_iter().chain(many).collect()));
    drop(made(&home, 2, 20, vec![started(0, "needle")]));
    let store = |bits| home.folder.join(format!("{}.sqlite", SessionId::from_bits(bits)));
    spoil_page_with(&store(1), "needle 025");
    fs::write(store(3), [7; 9000]).unwrap();
    let page = search(&home, "needle");
    assert_eq!(found(&page), [2, 1]);
    assert!((30..50).contains(&page.hits[1].matches), "{}", page.hits[1].matches);
    let listed = index(&home).list().unwrap();
    assert_eq!(listed, list(&home.folder).unwrap());
    assert!(listed[2].unreadable.is_some());
}

/// A folder without sessions has no index, and two programs may make one at the same time.
#[test]
fn an_index_is_made_only_where_there_is_something_to_find() {
    let home = Fixture::new();
    assert_eq!((index(&home).list().unwrap(), search(&home, "x").total), (Vec::new(), 0));
    assert!(!file(&home).exists());
    for bits in 1..9 {
        drop(made(&home, bits, 10, vec![started(0, "needle"), notice()]));
    }
    std::thread::scope(|scope| {
        let searches: Vec<_> =
            (0..4).map(|_| scope.spawn(|| search(&home, "needle").total)).collect();
        assert!(searches.into_iter().all(|it| it.join().unwrap() == 8));
    });
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(file(&home)).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

/// A look through a session counts what cannot be read.
#[test]
fn a_look_through_a_session_counts_what_cannot_be_read() {
    let home = Fixture::new();
    let mut log = made(&home, 1, 10, vec![started(0, "start"), user(&"long ".repeat(10_000))]);
    log.commit(commit(1, vec![notice()])).unwrap();
    let reader = session::SessionReader::open(&home.folder, &SessionId::from_bits(1)).unwrap();
    let whole = reader.check().unwrap();
    assert_eq!((whole.records, whole.damaged_records, whole.damage), (4, 0, None));
    drop((log, reader));
    let path = home.folder.join(format!("{}.sqlite", SessionId::from_bits(1)));
    Connection::open(path).unwrap().execute("DELETE FROM blobs", []).unwrap();
    let reader = session::SessionReader::open(&home.folder, &SessionId::from_bits(1)).unwrap();
    let found = reader.check().unwrap();
    assert_eq!((found.records, found.damaged_records), (4, 1));
    assert_eq!(found.damage.unwrap(), "the text of record 3 is gone");
}
