//! Killed at any instant: what was acknowledged is there, and nothing is there by half (JR-5).

use std::{
    collections::BTreeMap,
    env, hint,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
};

use protocol::{EventKind, Limits, ModelMessage, SessionId, TurnId, UnixSeconds};
use session::{Commit, LocalRecord, Record, SessionLog, fingerprint, list};

use crate::fixture::{
    Dice, Fixture, all_events, assistant, commit, committed, gap, message, notice, user,
};

const FOLDER: &str = "SESSION_TEST_FOLDER";
const KILLS: usize = 30;

/// What the `number`th commit of a child holds: three records and a blob.
fn nth(number: u32) -> Commit {
    let text = format!("number {number} {}", "z".repeat(number as usize * 37 % 30_000));
    let blobs = vec![format!("blob {number} {text}").into_bytes()];
    let id = format!("m_{number}");
    let records = vec![committed(&id, &text), assistant(&text), gap(&id)];
    Commit { blobs, clear_scratch: Some(message(&id)), ..commit(number / 5, records) }
}

/// Not a test of its own: what the other tests start, and kill.
#[test]
fn child() {
    let Some(folder) = env::var_os(FOLDER) else { return };
    let (folder, limits) = (Path::new(&folder), Limits::default());
    let id = SessionId::from_bits(1);
    let mut log = if list(folder).unwrap().is_empty() {
        SessionLog::create(folder, id, "/w", &[], UnixSeconds(1), &limits).unwrap()
    } else {
        SessionLog::open(folder, id, &limits).unwrap()
    };
    let done = (log.reader().last_seq().unwrap().0 - 1) / 3;
    let mut out = std::io::stdout();
    for number in done.. {
        let said = format!("so far {number}").repeat(20);
        for part in [&said[..20], &said[..90], &said] {
            log.scratch(TurnId(number / 5), &message(&format!("m_{number}")), part, "").unwrap();
        }
        log.commit(nth(number)).unwrap();
        writeln!(out, "\nACK {number}").unwrap();
        out.flush().unwrap();
    }
}

fn start(folder: &Path) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "kills::child", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_a_little(turns: u64) {
    for _ in 0..turns {
        hint::spin_loop();
    }
}

/// Kills a child after about so many acknowledged commits; returns the last one it told of.
pub(crate) fn kill_after(folder: &Path, acks: u64, turns: u64) -> Option<u32> {
    let mut child = start(folder);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let told = |line: String| line.strip_prefix("ACK ").map(|it| it.parse::<u32>().unwrap());
    let mut last = None;
    for _ in 0..acks {
        last = lines.by_ref().find_map(told);
        assert!(last.is_some(), "the child ended by itself");
    }
    wait_a_little(turns);
    child.kill().unwrap();
    child.wait().unwrap();
    lines.filter_map(told).last().or(last)
}

/// Checks that commits 0 to some number are there, whole, and at least as far as was told.
fn check(home: &Fixture, told: Option<u32>) {
    let log = home.open();
    let reader = log.reader();
    let events = all_events(reader);
    let messages = reader.model_messages().unwrap();
    let last_turn = reader.last_turn().unwrap().map_or(0, |it| it.0);
    let locals: Vec<LocalRecord> =
        (0..=last_turn).flat_map(|it| reader.local_records(TurnId(it)).unwrap()).collect();
    let done = u32::try_from(events.len()).unwrap();
    assert!(told.is_none_or(|it| it < done), "{told:?} was acknowledged, and {done} are there");
    assert_eq!((messages.len(), locals.len()), (events.len(), events.len()));
    assert_eq!(reader.last_seq().unwrap().0, 1 + 3 * done);
    for number in 0..done {
        let at = number as usize;
        let whole = nth(number);
        let [Record::Event(event), Record::Model(sent), Record::Local(local)] = &whole.records[..]
        else {
            panic!("as nth makes them");
        };
        assert_eq!((&events[at].kind, &messages[at], &locals[at]), (event, sent, local));
        let blob = reader.blob(fingerprint(&whole.blobs[0])).unwrap();
        assert_eq!(blob.as_ref(), Some(&whole.blobs[0]));
    }
    let left: BTreeMap<_, _> = reader
        .scratch_text()
        .unwrap()
        .into_iter()
        .map(|it| (it.message.to_string(), it.text))
        .collect();
    for (of, text) in left {
        assert_eq!(of, format!("m_{done}"), "only what has no commit yet");
        assert!(format!("so far {done}").repeat(20).starts_with(&text));
    }
}

#[test]
fn a_kill_at_any_instant_loses_nothing_that_was_acknowledged() {
    let home = Fixture::new();
    let mut dice = Dice(u64::from(std::process::id()));
    for _ in 0..KILLS {
        let told = kill_after(&home.folder, 1 + dice.below(12), dice.below(400_000));
        check(&home, told);
    }
    assert!(100 < all_events(&home.reader()).len());
}

/// SM-2: a session is there whole, or it is not there.
#[test]
fn a_kill_while_a_session_is_made_leaves_all_of_it_or_nothing() {
    let mut dice = Dice(u64::from(std::process::id()) + 1);
    for _ in 0..KILLS {
        let home = Fixture::new();
        kill_after(&home.folder, 0, dice.below(2_000_000));
        let found = list(&home.folder).unwrap();
        assert!(found.iter().all(|it| it.unreadable.is_none()), "{found:?}");
        if !found.is_empty() {
            check(&home, None);
        }
        let told = kill_after(&home.folder, 2, 0);
        check(&home, told);
    }
}

/// TI-2: the lease of a dead process is free, and a reader needs nobody's leave.
#[test]
fn a_killed_writer_leaves_a_session_that_anybody_can_read_and_write() {
    let home = Fixture::new();
    let mut child = start(&home.folder);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|it| it == "ACK 20"));
    let busy = SessionLog::open(&home.folder, home.id.clone(), &home.limits);
    assert!(matches!(busy, Err(session::SessionError::Busy { .. })), "{busy:?}");
    let owner = home.reader().owner().unwrap();
    assert!(owner.contains(&format!("process {}", child.id())), "{owner}");
    assert!(20 < all_events(&home.reader()).len());
    child.kill().unwrap();
    child.wait().unwrap();

    let reader = home.reader();
    assert_eq!(reader.owner(), None);
    let before = (all_events(&reader), reader.model_messages().unwrap());
    let mut log = home.open();
    assert_eq!((all_events(log.reader()), log.reader().model_messages().unwrap()), before);
    log.commit(commit(10_000, vec![notice(), user("on")])).unwrap();
    let last = all_events(&reader).pop().unwrap();
    assert!(matches!(last.kind, EventKind::Notice { .. }));
    let sent = reader.model_messages().unwrap().pop();
    assert_eq!(sent, Some(ModelMessage::User { text: "on".to_owned() }));
}
