//! What a turn's result says: net changes, counts, gaps, and the lines under the answer.

#[cfg(unix)]
mod background;
mod checks;
mod lasting;
mod reasons;
mod refused;
mod shape;

use protocol::{Coverage, GapReason, ResultNote, ToolCallStatus, TurnOutcome};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, LOOK_FOR_TWO, Rig, changes, files};

const THREE: &str = "one\ntwo\nthree\n";

fn reasons(end: &agent::TurnEnd) -> Vec<GapReason> {
    changes(&end.receipt).reasons.iter().map(|gap| gap.reason).collect()
}

/// The line, whole: read, edit, check, answer; the file is right and the counts are exact.
#[tokio::test]
async fn a_turn_reads_edits_checks_and_answers() {
    let check = LOOK_FOR_TWO.to_owned();
    let choices = Choices { checks: vec![check.clone()], ..Choices::default() };
    let mut rig = Rig::with(&[("notes.txt", THREE)], choices).await;
    let script = Script::new([
        Reply::call("read_file", json!({"path": "notes.txt"})),
        Reply::call(
            "edit_file",
            json!({"path": "notes.txt", "old_string": "two", "new_string": "TWO"}),
        ),
        Reply::call("bash", json!({"command": check})),
        Reply::text("done"),
    ]);
    let end = rig.turn("make it loud", script).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    assert!(end.saved);
    assert_eq!(rig.project.read("notes.txt"), "one\nTWO\nthree\n");
    assert_eq!(files(&end.receipt), ["Modify notes.txt +1 -1"]);
    let it = changes(&end.receipt);
    // What looks there is not known to only look.
    let coverage = if cfg!(windows) { Coverage::Partial } else { Coverage::Complete };
    assert_eq!((it.coverage, it.added, it.removed), (coverage, 1, 1));
    let [check] = &end.receipt.verifications[..] else { panic!("one check") };
    assert!(check.passed && !check.stale && check.exit_code == Some(0));
    assert_eq!(end.receipt.notes, []);
    rig.check_requests();
}

/// TR-6: several edits count once; the user's own lines are the baseline; put back is no entry.
#[tokio::test]
async fn edits_of_one_file_net_together() {
    let mut rig = Rig::new(&[("a.txt", "user line\nold\n"), ("b.txt", THREE)]).await;
    let edit = |path: &str, old: &str, new: &str| {
        Reply::call("edit_file", json!({"path": path, "old_string": old, "new_string": new}))
    };
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"}))
            .and_call("read_file", json!({"path": "b.txt"})),
        edit("a.txt", "old", "temporary"),
        edit("a.txt", "temporary", "new"),
        edit("b.txt", "two", "2"),
        edit("b.txt", "2", "two"),
        Reply::call("write_file", json!({"path": "c.txt", "content": "made\n"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(files(&end.receipt), ["Modify a.txt +1 -1", "Create c.txt +1 -0"]);
    assert_eq!(changes(&end.receipt).coverage, Coverage::Complete);
    rig.check_requests();
}

/// WB-39, R041: two edits of one file in one answer both land.
#[tokio::test]
async fn edits_after_edits_need_no_read_in_between() {
    let mut rig = Rig::new(&[("a.txt", THREE)]).await;
    let edit =
        |old: &str, new: &str| json!({"path": "a.txt", "old_string": old, "new_string": new});
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call("edit_file", edit("one", "1")).and_call("edit_file", edit("three", "3")),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(rig.project.read("a.txt"), "1\ntwo\n3\n");
    assert_eq!(files(&end.receipt), ["Modify a.txt +2 -2"]);
    rig.check_requests();
}

/// A turn in which every write was refused says so, and changed nothing (AN-24, 09 row 16).
#[tokio::test]
async fn refused_writes_are_no_net_changes() {
    let mut rig = Rig::new(&[("a.txt", THREE)]).await;
    let script = Script::new([
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "1"}))
            .and_call("write_file", json!({"path": "a.txt", "content": "gone"})),
        Reply::text("All done, a.txt is updated!"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(rig.project.read("a.txt"), THREE);
    assert_eq!(files(&end.receipt), [""; 0]);
    assert_eq!(changes(&end.receipt).coverage, Coverage::Complete);
    assert_eq!(
        end.receipt.notes,
        [
            ResultNote::NoRecordedCheck,
            ResultNote::NoNetChanges,
            ResultNote::WritesRefused { count: 2 },
        ],
    );
    let ended = rig.ended();
    assert!(ended.iter().all(|(_, status, _)| *status == ToolCallStatus::Rejected), "{ended:?}");
    assert!(ended[0].2.contains("WRITE_EVIDENCE_MISSING"), "{}", ended[0].2);
    rig.check_requests();
}

/// R006, DG-9: what a refusal lists works: one read, and the same edit goes through.
#[tokio::test]
async fn a_refusal_opens_by_one_read() {
    let mut rig = Rig::new(&[("a.txt", THREE)]).await;
    let edit = || {
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "1"}))
    };
    let script = Script::new([
        edit(),
        Reply::call("bash", json!({"command": "exit 0"})),
        Reply::call("read_file", json!({"path": "a.txt"})),
        edit(),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(rig.project.read("a.txt"), "1\ntwo\nthree\n");
    assert_eq!(files(&end.receipt), ["Modify a.txt +1 -1"]);
    assert_eq!(
        end.receipt.notes,
        [ResultNote::NoRecordedCheck, ResultNote::WritesRefused { count: 1 }],
    );
}

/// R011, WB-36: a file that somebody else changed is left alone until it is read again.
#[tokio::test]
async fn a_foreign_change_is_never_overwritten() {
    let mut rig = Rig::new(&[("a.txt", THREE)]).await;
    let edit = |old: &str| {
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": old, "new_string": "1"}))
    };
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        edit("one").and_hold("never"),
        Reply::call("read_file", json!({"path": "a.txt"})),
        edit("uno"),
        Reply::text("done"),
    ]);
    let project = rig.project.path().join("a.txt");
    let end = rig
        .turn_while("go", script, async |server, _, _| {
            server.reached("never").await.expect("the edit is on its way");
            std::fs::write(&project, "uno\ntwo\nthree\n").expect("somebody else writes");
            server.release("never");
        })
        .await;
    assert_eq!(rig.project.read("a.txt"), "1\ntwo\nthree\n");
    let ended = rig.ended();
    assert!(ended[1].2.contains("WRITE_EVIDENCE_STALE"), "{}", ended[1].2);
    assert_eq!(files(&end.receipt), ["Modify a.txt +1 -1"], "against what was there then");
}

/// CP-2: the first touch is the first write that happens: one that was turned away keeps no
/// before-image, so what the user saved meanwhile is the user's, and the write is counted.
#[tokio::test]
async fn a_write_that_was_turned_away_is_no_first_touch() {
    let choices = Choices {
        preset: protocol::Preset::ReadOnly,
        approvals: agent::Approvals::Ask,
        ..Choices::default()
    };
    let mut rig = Rig::with(&[("a.txt", THREE)], choices).await;
    let read = || Reply::call("read_file", json!({"path": "a.txt"}));
    let edit = |old: &str| {
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": old, "new_string": "1"}))
    };
    let script = Script::new([read(), edit("one"), read(), edit("uno"), Reply::text("done")]);
    let mut frames = rig.watchers.frames.subscribe();
    let file = rig.project.path().join("a.txt");
    let end = rig
        .turn_while("go", script, async |_, _, answers| {
            for saved in [Some("uno\ntwo\nthree\n"), None] {
                let permission = crate::permissions::question(&mut frames).await;
                if let Some(text) = saved {
                    std::fs::write(&file, text).expect("the user saves while being asked");
                }
                let decision = protocol::Decision::AllowOnce;
                answers.send(agent::Answer { permission, decision }).await.expect("it listens");
            }
        })
        .await;
    assert_eq!(rig.project.read("a.txt"), "1\ntwo\nthree\n");
    assert_eq!(files(&end.receipt), ["Modify a.txt +1 -1"]);
    assert_eq!(changes(&end.receipt).coverage, Coverage::Complete);
}

/// CP-4, DEC-10 until commands are observed: one that may write leaves a gap, a reader none
/// (SH-1, R054).
#[cfg(unix)]
#[tokio::test]
async fn only_commands_that_may_write_leave_a_gap() {
    let mut rig = Rig::new(&[("a.txt", THREE)]).await;
    let bash = |command: &str| Reply::call("bash", json!({"command": command}));
    let readers = Script::new([
        bash("ls && cat a.txt | head -1"),
        bash("git diff --stat"),
        Reply::text("ok"),
    ]);
    let end = rig.turn("look", readers).await;
    assert_eq!(changes(&end.receipt).coverage, Coverage::Complete);
    assert_eq!(end.receipt.notes, [ResultNote::NoRecordedCheck, ResultNote::NoNetChanges]);

    let writer = Script::new([bash("echo more >> a.txt"), Reply::text("ok")]);
    let end = rig.turn("write", writer).await;
    assert_eq!(changes(&end.receipt).coverage, Coverage::Partial);
    assert_eq!(reasons(&end), [GapReason::BashSideEffect]);
    assert_eq!(end.receipt.notes, [ResultNote::NoRecordedCheck], "not known is not none (CL-6)");
    rig.check_requests();
}

/// TR-4 step 5: who wrote last is not guessed.
#[tokio::test]
async fn a_change_after_the_last_write_is_external() {
    let mut rig = Rig::new(&[("a.txt", THREE)]).await;
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "1"})),
        Reply::text("done").and_hold("end"),
    ]);
    let file = rig.project.path().join("a.txt");
    let end = rig
        .turn_while("go", script, async |server, _, _| {
            server.reached("end").await.expect("the answer is on its way");
            std::fs::write(&file, "theirs\n").expect("somebody else writes");
            server.release("end");
        })
        .await;
    assert_eq!(reasons(&end), [GapReason::ExternalChange]);
    assert_eq!(changes(&end.receipt).coverage, Coverage::Partial);
    assert_eq!(files(&end.receipt), [""; 0]);
}

/// TR-25, TR-26, TR-42: the stored result is the one that was shown, and needs no workspace.
#[tokio::test]
async fn the_stored_result_is_the_one_that_was_shown() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    rig.restart().await;
    let again = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call("write_file", json!({"path": "a.txt", "content": "y\n"})),
        Reply::text("done"),
    ]);
    rig.turn("again", again).await;
    let stored = rig.events().into_iter().find_map(|event| match event.kind {
        protocol::EventKind::TurnDone { receipt, .. } => Some(receipt),
        _ => None,
    });
    assert_eq!(stored, Some(end.receipt), "B12: turn 0 is unchanged by turn 1");
    rig.check_requests();
}
