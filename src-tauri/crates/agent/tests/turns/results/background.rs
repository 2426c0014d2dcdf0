//! Checks in the background: what a turn says of one while it runs, and when it has ended.

use std::time::Duration;

use protocol::{
    CheckKind, CheckQualifier, CheckStatus, EventKind, JobState, Limits, ResultNote, TurnOutcome,
    Verification,
};
use serde_json::json;
use session::LocalRecord;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig};

/// A check that goes on until there is a file `go`, prints a line and ends with 3 or 0.
const FAILS: &str = "until [ -e go ]; do sleep 0.05; done; echo 2 failed; exit 3";
const PASSES: &str = "until [ -e go ]; do sleep 0.05; done; echo all fine";

async fn rig() -> Rig {
    let limits = Limits {
        command_grace: Duration::from_millis(300),
        pipe_quiet: Duration::from_millis(300),
        job_look: Duration::from_millis(20),
        ..Limits::default()
    };
    let checks = vec![FAILS.to_owned(), PASSES.to_owned()];
    Rig::with(&[], Choices { limits, checks, ..Choices::default() }).await
}

fn background(command: &str) -> Reply {
    Reply::call("bash", json!({"command": command, "run_in_background": true}))
}

fn wait() -> Reply {
    Reply::call("wait", json!({"job": "job0"}))
}

fn write(path: &str) -> Reply {
    Reply::call("write_file", json!({"path": path, "content": "x\n"}))
}

fn go_on() -> Script {
    Script::new([write("go"), wait(), Reply::text("ended")])
}

fn statuses(end: &agent::TurnEnd) -> Vec<CheckStatus> {
    end.receipt.verifications.iter().map(Verification::status).collect()
}

/// What each turn says of the job: its number, what it checks, and where it stands.
fn told(rig: &Rig) -> Vec<(u32, Option<CheckKind>, JobState)> {
    let line = |event: protocol::SessionEvent| match event.kind {
        EventKind::JobChanged { check, state, .. } => Some((event.turn.0, check, state)),
        _ => None,
    };
    rig.events().into_iter().filter_map(line).collect()
}

/// What is stored of a turn as the log of a check.
fn log(rig: &Rig, turn: protocol::TurnId, check: &Verification) -> Option<Vec<u8>> {
    let records = rig.reader().local_records(turn).expect("records");
    let is_its = |it: &LocalRecord| match it {
        LocalRecord::Output { call, blob, .. } => {
            *call == check.tool_call_id && Some(*blob) == check.tool_result_id
        }
        _ => false,
    };
    let is_stored = records.iter().any(is_its);
    let blob = check.tool_result_id.filter(|_| is_stored)?;
    rig.reader().blob(blob).expect("readable")
}

/// CK-1, CK-2: a check in the background is told as one while it runs; when it ends in its turn, it
/// is what its exit code says, with its log.
#[tokio::test]
async fn a_check_that_ends_in_its_turn_is_recorded_with_its_log() {
    let mut rig = rig().await;
    let go = Reply::call("bash", json!({"command": "touch go"}));
    let script = Script::new([background(FAILS), go, wait(), Reply::text("done")]);
    let end = rig.turn("go", script).await;
    let declared = Some(CheckKind::Declared);
    assert_eq!(told(&rig), [(0, declared, JobState::Running), (0, declared, JobState::Ended)]);
    let [check] = &end.receipt.verifications[..] else { panic!("one check") };
    assert_eq!((check.status(), check.exit_code), (CheckStatus::Failed, Some(3)));
    assert_eq!(log(&rig, end.turn, check).as_deref(), Some(&b"2 failed\n"[..]));
    assert!(check.stale, "`touch go` ran while it did (CK-4)");
    assert!(check.duration_ms.is_some() && check.qualifiers.is_empty());
    rig.check_requests();
}

/// CK-3, CK-5: one that still runs when the turn ends is neither passed nor failed; the turn that
/// sees its end says what it came to, and no other one does.
#[tokio::test]
async fn a_check_that_outlives_its_turn_is_unknown_there_and_told_by_the_turn_that_sees_its_end() {
    let mut rig = rig().await;
    let end = rig.turn("go", Script::new([background(PASSES), Reply::text("it runs")])).await;
    assert_eq!(statuses(&end), [CheckStatus::Unknown]);
    let [check] = &end.receipt.verifications[..] else { panic!("one check") };
    assert_eq!(check.qualifiers, [CheckQualifier::Unfinished]);
    assert_eq!((check.passed, check.exit_code, check.tool_result_id), (false, None, None));
    assert!(!end.receipt.notes.contains(&ResultNote::NoRecordedCheck));

    let end = rig.turn("and now", Script::new([Reply::text("it still runs")])).await;
    assert_eq!(statuses(&end), [CheckStatus::Unknown], "it ran on in this turn");

    std::fs::write(rig.project.path().join("go"), "").expect("a file");
    let end = rig.turn("wait", Script::new([wait(), Reply::text("ended")])).await;
    let [check] = &end.receipt.verifications[..] else { panic!("one check") };
    assert_eq!((check.status(), check.exit_code), (CheckStatus::Passed, Some(0)));
    assert_eq!(log(&rig, end.turn, check).as_deref(), Some(&b"all fine\n"[..]));

    let end = rig.turn("and then", Script::new([Reply::text("nothing")])).await;
    assert_eq!(end.receipt.verifications, []);
    rig.check_requests();
}

/// CK-4: what was changed while it ran it may not have seen, in whichever turn that was.
#[tokio::test]
async fn a_check_is_stale_when_something_changed_while_it_ran() {
    let mut rig = rig().await;
    let script = Script::new([background(PASSES), write("a.txt"), Reply::text("it runs")]);
    let end = rig.turn("go", script).await;
    assert_eq!(statuses(&end), [CheckStatus::Unknown]);
    std::fs::write(rig.project.path().join("go"), "").expect("a file");
    let end = rig.turn("wait", Script::new([wait(), Reply::text("ended")])).await;
    assert_eq!(statuses(&end), [CheckStatus::Stale]);
}

/// CK-5, B15: one that ends between two turns is told by the next one, with its log; the result that
/// was frozen stays as it was (TR-3).
#[tokio::test]
async fn a_check_that_ends_between_two_turns_is_told_by_the_next_one() {
    let mut rig = rig().await;
    let end = rig.turn("go", Script::new([background(FAILS), Reply::text("it runs")])).await;
    std::fs::write(rig.project.path().join("go"), "").expect("a file");
    rig.note_a_job_that_ends().await;
    assert_eq!(told(&rig).last(), Some(&(0, Some(CheckKind::Declared), JobState::Ended)));
    let next = rig.turn("and now", Script::new([Reply::text("as you see")])).await;
    let [check] = &next.receipt.verifications[..] else { panic!("one check") };
    assert_eq!((check.status(), check.exit_code), (CheckStatus::Failed, Some(3)));
    assert_eq!(log(&rig, next.turn, check).as_deref(), Some(&b"2 failed\n"[..]));
    let receipts = rig.events().into_iter().filter_map(|event| match event.kind {
        EventKind::TurnDone { receipt, .. } => Some(receipt),
        _ => None,
    });
    assert_eq!(receipts.collect::<Vec<_>>(), [end.receipt, next.receipt]);
}

/// CK-5: one that is ended by the host is interrupted, in a turn and with the session.
#[tokio::test]
async fn a_check_that_is_killed_is_interrupted() {
    let mut rig = rig().await;
    let kill = Reply::call("kill_shell", json!({"job": "job0"}));
    let end = rig.turn("go", Script::new([background(PASSES), kill, Reply::text("ok")])).await;
    assert_eq!(statuses(&end), [CheckStatus::Interrupted]);
}

/// CK-5, AN-31: a stop does not end it, so it is not said to be interrupted; nor that it passed.
#[tokio::test]
async fn a_stop_of_the_turn_leaves_a_check_unfinished() {
    let mut rig = rig().await;
    let script = Script::new([background(PASSES), wait()]);
    let end = rig.turn_stopped_in_a_wait("go", script).await;
    assert_eq!(end.outcome, TurnOutcome::Interrupted);
    assert_eq!(statuses(&end), [CheckStatus::Unknown]);
    assert_eq!(statuses(&rig.turn("go on", go_on()).await), [CheckStatus::Stale]);
}

/// CK-2, CK-5: after the end of the program it is never running: it is interrupted in each turn that
/// was cut off under it, also in the one that began it, and gone in the next one.
#[tokio::test]
async fn a_check_in_the_background_is_interrupted_by_the_end_of_the_program() {
    let never = || Reply::text("so").and_hold("never");
    let begun_there = vec![background(PASSES), never()];
    let begun_before = vec![never()];
    for (turn, script) in [(0, begun_there), (1, begun_before)] {
        let mut rig = rig().await;
        if turn == 1 {
            rig.turn("go", Script::new([background(PASSES), Reply::text("it runs")])).await;
        }
        rig.cut_off("go on", Script::new(script), async |server| {
            server.reached("never").await.expect("it streams");
        })
        .await;
        assert_eq!(told(&rig).last(), Some(&(turn, Some(CheckKind::Declared), JobState::Unknown)));
        let checks = rig.events().into_iter().rev().find_map(|event| match event.kind {
            EventKind::TurnDone { receipt, .. } => Some(receipt.verifications),
            _ => None,
        });
        let [check] = &checks.expect("the turn is closed")[..] else { panic!("one check") };
        assert_eq!(check.status(), CheckStatus::Interrupted);
        let end = rig.turn("and now", Script::new([Reply::text("nothing runs")])).await;
        assert_eq!(end.receipt.verifications, []);
    }
}
