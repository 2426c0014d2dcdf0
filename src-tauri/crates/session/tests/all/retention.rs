//! Which turns keep their details: the newest, within their room, and each wholly or not at all.

use std::{
    collections::BTreeMap,
    env, hint,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Command, Stdio},
};

use protocol::{
    Coverage, Fingerprint, Limits, ResultId, RootId, SessionId, TurnChanges, TurnId, UnixSeconds,
    WorkspacePath,
};
use rusqlite::Connection;
use session::{
    CapturedState, Commit, LocalRecord, Record, SessionError, SessionLog, SessionReader,
    StoredPatch, copy, fingerprint,
};

use crate::fixture::{Dice, Fixture, all_events, call, commit, started, told, user};

const FOLDER: &str = "RETENTION_TEST_FOLDER";
const KILLS: usize = 20;

/// Bytes that hardly get smaller, others for each seed.
fn noise(seed: u32, bytes: usize) -> Vec<u8> {
    let mut dice = Dice(u64::from(seed) + 1);
    (0..bytes).map(|_| dice.below(256).to_le_bytes()[0]).collect()
}

/// The details of a turn: a before-image, a log, and a patch.
fn details(turn: u32, bytes: usize) -> [Vec<u8>; 3] {
    [0, 1, 2].map(|it| noise(3 * turn + it, bytes))
}

fn frozen(turn: u32, patches: &[&[u8]]) -> Record {
    let changes = TurnChanges {
        id: ResultId::minted(format!("{turn}:17")),
        turn: TurnId(turn),
        coverage: Coverage::Complete,
        files: Vec::new(),
        total_files: 0,
        added: 0,
        removed: 0,
        levels: Vec::new(),
        reasons: Vec::new(),
    };
    let patches =
        patches.iter().map(|it| StoredPatch { path: "a.txt".to_owned(), blob: fingerprint(it) });
    Record::Local(LocalRecord::Frozen { changes, patches: patches.collect() })
}

fn before(bytes: &[u8]) -> Record {
    let blob = Some(fingerprint(bytes));
    Record::Local(LocalRecord::Before {
        path: WorkspacePath::new(RootId(0), "a.txt").unwrap(),
        shown: "a.txt".to_owned(),
        call: call("c_1"),
        before: CapturedState { fingerprint: blob, mode: None },
        blob,
    })
}

fn output(bytes: &[u8]) -> Record {
    Record::Local(LocalRecord::Output {
        call: call("c_1"),
        blob: fingerprint(bytes),
        total_bytes: bytes.len() as u64,
        cut: false,
        start_bytes: None,
    })
}

/// A turn that changed a file and ran something, as it is stored when it has ended.
fn turn(number: u32, [image, log, patch]: &[Vec<u8>; 3]) -> Commit {
    // A text that is stored as a blob, and is no detail.
    let long = format!("{number} ").repeat(10_000);
    let records = vec![
        started(number, "do it"),
        user(&long),
        before(image),
        output(log),
        told("c_1", "done"),
        frozen(number, &[patch]),
    ];
    Commit { blobs: vec![image.clone(), log.clone(), patch.clone()], ..commit(number, records) }
}

/// A session of so many turns, each with details of so many bytes.
fn session(home: &Fixture, turns: u32, bytes: usize) -> SessionLog {
    let mut log = home.create();
    for number in 0..turns {
        log.commit(turn(number, &details(number, bytes))).unwrap();
    }
    log
}

fn limits(turns: u32, bytes: u64) -> Limits {
    Limits { detail_turns: turns, detail_bytes: bytes, ..Limits::default() }
}

fn drop_all(log: &mut SessionLog, limits: &Limits) -> u32 {
    let mut steps = 0;
    while log.drop_old_details(limits).unwrap() {
        steps += 1;
    }
    steps
}

/// The turns that have all of their details. Panics where one has some of them.
fn whole(reader: &SessionReader, turns: u32, bytes: usize) -> Vec<u32> {
    let has_all = |turn: &u32| {
        let is_there = |it: &Vec<u8>| {
            let found = reader.detail(TurnId(*turn), fingerprint(it)).unwrap();
            assert!(found.as_ref().is_none_or(|found| found == it));
            found.is_some()
        };
        let there = details(*turn, bytes).iter().filter(|it| is_there(it)).count();
        assert!(there == 0 || there == 3, "turn {turn} has {there} of 3 (TR-27)");
        assert_eq!(reader.has_no_details(TurnId(*turn)).unwrap(), there == 0);
        there == 3
    };
    (0..turns).filter(has_all).collect()
}

fn blobs(home: &Fixture) -> u32 {
    let store = Connection::open(home.store()).unwrap();
    store.query_row("SELECT count(*) FROM blobs", [], |row| row.get(0)).unwrap()
}

/// TR-28, TR-29: of 101 turns the newest 100 keep their details; of the oldest only the bytes go,
/// and everything that was said and done is there as before.
#[test]
fn the_newest_hundred_turns_keep_their_details() {
    let home = Fixture::new();
    let mut log = session(&home, 101, 500);
    let (events, messages) = (all_events(log.reader()), log.reader().model_messages().unwrap());
    let records: Vec<_> =
        (0..101).map(|it| log.reader().local_records(TurnId(it)).unwrap()).collect();
    let before = blobs(&home);
    assert_eq!(drop_all(&mut log, &home.limits), 1, "one turn, one step");
    assert_eq!(whole(log.reader(), 101, 500), (1..101).collect::<Vec<_>>());
    assert_eq!(before - blobs(&home), 3, "and no more");
    assert_eq!(all_events(log.reader()), events);
    assert_eq!(log.reader().model_messages().unwrap(), messages);
    for (turn, records) in (0..).map(TurnId).zip(records) {
        assert_eq!(log.reader().local_records(turn).unwrap(), records);
    }
    assert_eq!(log.reader().check().unwrap().damage, None);

    log.commit(turn(101, &details(101, 500))).unwrap();
    drop_all(&mut log, &home.limits);
    drop(log);
    assert_eq!(whole(&home.reader(), 102, 500), (2..102).collect::<Vec<_>>());
}

/// TR-28: a hundred turns are not too many, and then nothing is written.
#[test]
fn where_nothing_is_too_old_or_too_much_nothing_is_written() {
    let home = Fixture::new();
    let mut log = session(&home, 100, 500);
    let before = std::fs::read(home.folder.join(format!("{}.sqlite-wal", home.id))).unwrap();
    assert_eq!(drop_all(&mut log, &home.limits), 0);
    let after = std::fs::read(home.folder.join(format!("{}.sqlite-wal", home.id))).unwrap();
    assert!(before == after);
    assert_eq!(whole(log.reader(), 100, 500).len(), 100);
}

/// TR-28: over the budget the oldest go until the rest fits; what results themselves take counts.
#[test]
fn details_over_the_budget_go_oldest_first() {
    let home = Fixture::new();
    let mut log = session(&home, 8, 10_000);
    // Three of 30 kB each fit, with their results; four do not.
    drop_all(&mut log, &limits(100, 95_000));
    assert_eq!(whole(log.reader(), 8, 10_000), [5, 6, 7]);
    drop_all(&mut log, &limits(100, 90_400));
    assert_eq!(whole(log.reader(), 8, 10_000), [6, 7], "the results take some of it");
}

/// TR-28: the newest turn keeps its details, were they alone over the budget.
#[test]
fn the_newest_turn_keeps_its_details_whatever_they_take() {
    let home = Fixture::new();
    let mut log = session(&home, 3, 10_000);
    drop_all(&mut log, &limits(1, 1));
    assert_eq!(whole(log.reader(), 3, 10_000), [2]);
    assert_eq!(drop_all(&mut log, &limits(1, 1)), 0);
    log.commit(turn(3, &details(3, 10_000))).unwrap();
    drop_all(&mut log, &limits(1, 1));
    assert_eq!(whole(log.reader(), 4, 10_000), [3]);
}

/// TR-27: what a job printed that ended after its turn goes with the details of that turn too.
#[test]
fn what_comes_after_the_end_of_a_turn_is_a_detail_of_it() {
    let home = Fixture::new();
    let mut log = session(&home, 2, 500);
    drop_all(&mut log, &limits(1, 1 << 30));
    let late = noise(99, 500);
    let record = vec![output(&late)];
    log.commit(Commit { blobs: vec![late.clone()], ..commit(1, record) }).unwrap();
    log.commit(turn(2, &details(2, 500))).unwrap();
    drop_all(&mut log, &limits(1, 1 << 30));
    assert_eq!(log.reader().detail(TurnId(1), fingerprint(&late)).unwrap(), None);
    assert_eq!(log.reader().blob(fingerprint(&late)).unwrap(), None);
    assert_eq!(whole(log.reader(), 3, 500), [2]);
}

/// TR-28, TR-4: the result of a turn without one is still to be made of its before-images.
#[test]
fn a_turn_whose_result_is_not_frozen_keeps_its_details() {
    let home = Fixture::new();
    let mut log = home.create();
    let parts = details(0, 500);
    let mut open = turn(0, &parts);
    open.records.pop();
    log.commit(open).unwrap();
    for number in 1..4 {
        log.commit(turn(number, &details(number, 500))).unwrap();
    }
    drop_all(&mut log, &limits(1, 1));
    let image = log.reader().detail(TurnId(0), fingerprint(&parts[0])).unwrap();
    assert_eq!(image.as_ref(), Some(&parts[0]));
    assert_eq!(whole(log.reader(), 4, 500)[1..], [3]);
}

/// TR-28: a bound that is none keeps the default, and never means "keep nothing".
#[test]
fn a_bound_of_nothing_is_the_default() {
    let home = Fixture::new();
    let mut log = session(&home, 3, 500);
    assert_eq!(drop_all(&mut log, &limits(0, 0)), 0);
    assert_eq!(whole(log.reader(), 3, 500), [0, 1, 2]);
    let default = (Limits::default().detail_turns, Limits::default().detail_bytes);
    assert_eq!(default, (100, 1 << 30));
    assert_eq!(limits(0, 0).kept_details(), default);
}

/// TR-27: bytes that a later turn or a record has too stay, and are no details of the old turn.
#[test]
fn bytes_that_somebody_else_names_stay_and_are_not_shown_for_the_old_turn() {
    let home = Fixture::new();
    let mut log = home.create();
    let [image, said, _] = details(0, 500);
    // A log that is, byte for byte, the stored body of what was said in that turn.
    let long = format!("0 {}", "y".repeat(30_000));
    let body = serde_json::to_vec(&protocol::ModelMessage::User { text: long.clone() }).unwrap();
    let mut first = turn(0, &[image.clone(), body.clone(), said.clone()]);
    first.records.insert(1, user(&long));
    log.commit(first).unwrap();
    log.commit(turn(1, &[image.clone(), noise(8, 500), noise(9, 500)])).unwrap();
    let messages = log.reader().model_messages().unwrap();
    drop_all(&mut log, &limits(1, 1 << 30));
    assert_eq!(log.reader().model_messages().unwrap(), messages);
    assert_eq!(log.reader().blob(fingerprint(&image)).unwrap().as_ref(), Some(&image));
    for bytes in [&image, &body, &said] {
        assert_eq!(log.reader().detail(TurnId(0), fingerprint(bytes)).unwrap(), None);
    }
    assert_eq!(log.reader().detail(TurnId(1), fingerprint(&image)).unwrap(), Some(image));
}

/// SM-13: a copy shows no more than the original, and goes on from there.
#[test]
fn a_copy_has_the_details_that_the_original_has() {
    let home = Fixture::new();
    let mut log = home.create();
    let shared = details(0, 500);
    for number in 0..4 {
        let [_, log_bytes, patch] = details(number, 500);
        log.commit(turn(number, &[shared[0].clone(), log_bytes, patch])).unwrap();
    }
    drop_all(&mut log, &limits(2, 1 << 30));
    let id = SessionId::from_bits(9);
    copy(&home.folder, &home.id, id.clone(), UnixSeconds(5_000)).unwrap();
    let has = |reader: &SessionReader, turn: u32| {
        let image = reader.detail(TurnId(turn), fingerprint(&shared[0])).unwrap();
        let patch = reader.detail(TurnId(turn), fingerprint(&details(turn, 500)[2])).unwrap();
        assert_eq!(image.is_some(), patch.is_some());
        image.is_some()
    };
    let mut copied = SessionLog::open(&home.folder, id, &home.limits).unwrap();
    assert_eq!([0, 1, 2, 3].map(|it| has(copied.reader(), it)), [false, false, true, true]);
    drop_all(&mut copied, &limits(1, 1 << 30));
    assert_eq!([0, 1, 2, 3].map(|it| has(copied.reader(), it)), [false, false, false, true]);
    assert_eq!([0, 1, 2, 3].map(|it| has(log.reader(), it)), [false, false, true, true]);
}

/// What is freed is used again: a session that goes on within its bounds does not grow, and is not
/// written anew.
#[test]
fn what_is_freed_is_used_again() {
    let home = Fixture::new();
    let mut log = session(&home, 10, 50_000);
    let bounds = limits(5, 1 << 30);
    drop_all(&mut log, &bounds);
    let pages = |home: &Fixture| {
        let store = Connection::open(home.store()).unwrap();
        store.pragma_query_value(None, "page_count", |row| row.get::<_, u32>(0)).unwrap()
    };
    let full = pages(&home);
    for number in 10..40 {
        log.commit(turn(number, &details(number, 50_000))).unwrap();
        drop_all(&mut log, &bounds);
    }
    let grown = pages(&home) - full;
    assert!(grown < 150, "the records alone: {grown} pages of 1 KiB for 30 turns of 150 kB");
    assert_eq!(whole(log.reader(), 40, 50_000), [35, 36, 37, 38, 39]);
}

/// JR-1: a session that cannot be written keeps what it has.
#[test]
fn a_session_that_is_gone_says_so() {
    let home = Fixture::new();
    let mut log = session(&home, 3, 500);
    let away = home.folder.join("away");
    if std::fs::rename(home.store(), &away).is_err() {
        return; // Windows does not let go of a file that is open.
    }
    let dropped = log.drop_old_details(&limits(1, 1));
    assert!(matches!(dropped, Err(SessionError::Missing { .. })), "{dropped:?}");
    std::fs::rename(&away, home.store()).unwrap();
    drop_all(&mut log, &limits(1, 1));
    assert_eq!(whole(log.reader(), 3, 500), [2]);
}

/// Not a test of its own: what the next one starts, and kills.
#[test]
fn child_that_removes() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let limits = limits(1, 1);
    let mut log = SessionLog::open(Path::new(&folder), SessionId::from_bits(1), &limits).unwrap();
    let mut out = std::io::stdout();
    writeln!(out, "\nOPEN").unwrap();
    out.flush().unwrap();
    drop_all(&mut log, &limits);
}

/// TR-27: a kill in between leaves of each turn all details or none, and the next one goes on.
#[test]
fn a_kill_in_between_leaves_each_turn_whole_or_without_details() {
    let mut dice = Dice(u64::from(std::process::id()));
    let mut seen: BTreeMap<usize, u32> = BTreeMap::new();
    for _ in 0..KILLS {
        let home = Fixture::new();
        let log = session(&home, 30, 20_000);
        let events = all_events(log.reader());
        drop(log);
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "retention::child_that_removes", "--nocapture"])
            .env(FOLDER, &home.folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|it| it == "OPEN"));
        for _ in 0..dice.below(4_000_000) {
            hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = whole(&home.reader(), 30, 20_000);
        assert!(kept.contains(&29));
        assert!(kept.is_sorted_by(|a, b| a + 1 == *b), "the oldest go first: {kept:?}");
        assert_eq!(all_events(&home.reader()), events);
        *seen.entry(kept.len()).or_default() += 1;
        let mut log = home.open();
        drop_all(&mut log, &limits(1, 1));
        assert_eq!(whole(log.reader(), 30, 20_000), [29]);
    }
    assert!(1 < seen.len(), "they were killed at different points: {seen:?}");
}

/// The fingerprint of a detail is that of its bytes: what is there under it is what was put in.
#[test]
fn a_detail_that_was_never_there_is_none() {
    let home = Fixture::new();
    let log = session(&home, 1, 500);
    assert_eq!(log.reader().detail(TurnId(0), Fingerprint([7; 32])).unwrap(), None);
    assert!(!log.reader().has_no_details(TurnId(0)).unwrap());
}
