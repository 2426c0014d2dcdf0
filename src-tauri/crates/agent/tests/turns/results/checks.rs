//! The checks of a turn: which are told as running, and what each came to.

use std::time::Duration;

use agent::Approvals;
use protocol::{CheckKind, CheckStatus, EventKind, Feed, Limits, Preset, ResultNote, Verification};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, LONG, Rig};

fn declared(checks: &[&str]) -> Choices {
    let limits = Limits { command_grace: Duration::from_millis(200), ..Limits::default() };
    let checks = checks.iter().map(|it| (*it).to_owned()).collect();
    Choices { limits, checks, ..Choices::default() }
}

fn bash(command: &str) -> Reply {
    Reply::call("bash", json!({ "command": command }))
}

/// What was begun, in order: its tool, and what it checks.
fn begun(rig: &Rig) -> Vec<(String, Option<CheckKind>)> {
    let started = |event: protocol::SessionEvent| match event.kind {
        EventKind::ToolStarted { tool, check, .. } => Some((tool, check)),
        _ => None,
    };
    rig.events().into_iter().filter_map(started).collect()
}

/// The checks of the newest turn that ended.
fn last_checks(rig: &Rig) -> Vec<Verification> {
    let done = |event: protocol::SessionEvent| match event.kind {
        EventKind::TurnDone { receipt, .. } => Some(receipt.verifications),
        _ => None,
    };
    rig.events().into_iter().rev().find_map(done).expect("a turn has ended")
}

fn statuses(checks: &[Verification]) -> Vec<CheckStatus> {
    checks.iter().map(Verification::status).collect()
}

fn starts_a_check(frame: &Feed) -> bool {
    matches!(frame, Feed::Event(event)
        if matches!(event.kind, EventKind::ToolStarted { check: Some(_), .. }))
}

/// CK-2: the host says with the start of a command that it is a check; of no other one.
#[tokio::test]
async fn a_command_that_is_a_check_is_told_as_one_when_it_starts() {
    let mut rig = Rig::with(&[("a.txt", "x\n")], declared(&["exit 0"])).await;
    let script = Script::new([
        bash("exit 0"),
        bash("exit 1"),
        bash("cargo test --version-of-nothing"),
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    let told = [Some(CheckKind::Declared), None, Some(CheckKind::Test), None];
    assert_eq!(begun(&rig).into_iter().map(|it| it.1).collect::<Vec<_>>(), told);
    assert_eq!(end.receipt.verifications.len(), 2, "and each has its record");
    rig.check_requests();
}

/// CK-2: a check that was denied never started, so it is neither running nor recorded.
#[tokio::test]
async fn a_check_that_was_denied_is_not_told() {
    let choices =
        Choices { preset: Preset::ReadOnly, approvals: Approvals::None, ..Choices::default() };
    let mut rig = Rig::with(&[], choices).await;
    let end = rig.turn("go", Script::new([bash("cargo test"), Reply::text("no")])).await;
    assert_eq!(begun(&rig), []);
    assert_eq!(end.receipt.verifications, []);
}

/// CK-2: a check whose shell could not be started is not recorded, by a turn that is cut off
/// neither.
#[cfg(unix)]
#[tokio::test]
async fn a_check_that_could_not_be_started_is_not_recorded() {
    let long = format!("exit 0 # {}", "x".repeat(3 << 20));
    let mut rig = Rig::with(&[], declared(&[&long])).await;
    let end = rig.turn("go", Script::new([bash(&long), Reply::text("no")])).await;
    assert!(rig.ended()[0].2.contains("could not be started"), "{:?}", rig.ended());
    assert_eq!(end.receipt.verifications, []);
    let script = Script::new([bash(&long), Reply::text("so").and_hold("never")]);
    rig.cut_off("again", script, async |server| {
        server.reached("never").await.expect("it streams");
    })
    .await;
    assert_eq!(last_checks(&rig), []);
}

/// CK-5: a check that is stopped is interrupted, neither passed nor failed.
#[tokio::test]
async fn a_check_that_is_stopped_is_interrupted() {
    let mut rig = Rig::with(&[], declared(&[LONG])).await;
    let mut frames = rig.watchers.frames.subscribe();
    let end = rig
        .turn_while("go", Script::new([bash(LONG)]), async |_, stop, _| {
            Rig::frame(&mut frames, starts_a_check).await;
            stop.cancel();
        })
        .await;
    assert_eq!(statuses(&end.receipt.verifications), [CheckStatus::Interrupted]);
    assert!(!end.receipt.notes.contains(&ResultNote::NoRecordedCheck), "it ran");
}

/// CK-5, TI-7: a check whose time is up is interrupted, and the model is told after how long.
#[tokio::test]
async fn a_check_whose_time_is_up_is_interrupted() {
    let mut rig = Rig::with(&[], declared(&[LONG])).await;
    let call = Reply::call("bash", json!({ "command": LONG, "seconds": 1 }));
    let end = rig.turn("go", Script::new([call, Reply::text("done")])).await;
    assert_eq!(statuses(&end.receipt.verifications), [CheckStatus::Interrupted]);
    assert!(rig.ended()[0].2.contains("[ended by the host after 1 s;"), "{:?}", rig.ended());
    rig.check_requests();
}

/// CK-5, CK-2: a check that ran when the program ended is interrupted in the turn's result, with
/// all that is known of it; one that had ended is what it was.
#[tokio::test]
async fn a_check_that_ran_when_the_program_ended_is_interrupted() {
    let mut rig = Rig::with(&[], declared(&["exit 0", LONG])).await;
    let mut frames = rig.watchers.frames.subscribe();
    let script = Script::new([bash("exit 0"), bash(LONG)]);
    rig.cut_off("go", script, async |_| {
        Rig::frame(&mut frames, starts_a_check).await;
        Rig::frame(&mut frames, starts_a_check).await;
    })
    .await;
    let checks = last_checks(&rig);
    assert_eq!(statuses(&checks), [CheckStatus::Passed, CheckStatus::Interrupted]);
    assert_eq!((checks[1].command.text.as_str(), checks[1].kind), (LONG, CheckKind::Declared));
    assert!(checks[1].started_at.is_some() && checks[1].duration_ms.is_none());
    rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert_eq!(last_checks(&rig), [], "a turn has its own");
    rig.check_requests();
}

/// CK-4: a check that ended before a change says nothing of it.
#[tokio::test]
async fn a_check_before_the_last_change_is_stale() {
    let mut rig = Rig::with(&[], declared(&["exit 0"])).await;
    let script = Script::new([
        bash("exit 0"),
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    let [check] = &end.receipt.verifications[..] else { panic!("one check") };
    assert!(check.passed && check.stale);
}

/// CK-4: that a command may have changed something after a check is known of a turn that was cut
/// off too, also while that command ran.
#[tokio::test]
async fn a_check_before_a_command_is_stale_after_the_end_of_the_program_too() {
    let mut rig = Rig::with(&[], declared(&["exit 0"])).await;
    let marker = rig.project.path().join("started");
    let script = Script::new([
        bash("echo early > other"),
        bash("exit 0"),
        bash(&format!("echo x >> started && {LONG}")),
    ]);
    rig.cut_off("go", script, async |_| {
        while !std::fs::read(&marker).is_ok_and(|it| it.ends_with(b"\n")) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(statuses(&last_checks(&rig)), [CheckStatus::Stale]);
}
