//! Which writes a result counts as refused, whoever turned them away.

use agent::Approvals;
use protocol::{CompletionReceipt, EventKind, Preset, ResultNote};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig, changes};

/// One line for each refused write: what turned it away.
fn why(receipt: &CompletionReceipt) -> Vec<String> {
    let why = |it: &protocol::RefusedWrite| match (&it.diagnostic, it.failure) {
        (Some(diagnostic), None) => format!("{:?}", diagnostic.code),
        (None, Some(failure)) => format!("{failure:?}"),
        both => panic!("a refused write has one reason: {both:?}"),
    };
    receipt.refused.iter().map(why).collect()
}

fn refusing() -> Choices {
    Choices { preset: Preset::WorkspaceWrite, approvals: Approvals::None, ..Choices::default() }
}

fn write(path: &str) -> Reply {
    Reply::call("write_file", json!({"path": path, "content": "x\n"}))
}

/// AN-24: a write that the gate, the user's no or a place outside turned away is counted, once, and
/// so is a command that may write and was denied; what failed, and what only reads, is not.
#[tokio::test]
async fn a_write_is_refused_whoever_turned_it_away() {
    let mut rig = Rig::with(&[("a.txt", "one\n")], refusing()).await;
    let edit = |path: &str, old: &str| {
        Reply::call("edit_file", json!({"path": path, "old_string": old, "new_string": "1"}))
    };
    let script = Script::new([
        edit("a.txt", "one"),
        write(".git/config"),
        write("../outside.txt"),
        Reply::call("bash", json!({"command": "touch b.txt"})),
        Reply::call("read_file", json!({"path": "../outside.txt"})),
        Reply::call("bash", json!({"command": "cat a.txt", "cwd": ".."})),
        Reply::call("read_file", json!({"path": "a.txt"})),
        edit("a.txt", "nowhere"),
        Reply::text("All of it is done."),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(why(&end.receipt), ["WriteEvidenceMissing", "Denied", "OutsideWorkspace", "Denied"]);
    assert_eq!(
        end.receipt.notes,
        [
            ResultNote::NoRecordedCheck,
            ResultNote::NoNetChanges,
            ResultNote::WritesRefused { count: 4 },
        ],
    );
    assert_eq!(changes(&end.receipt).files, []);
    rig.check_requests();
}

/// AN-24, TI-5: a turn that the end of a program cut off counts the same when it is closed.
#[tokio::test]
async fn a_closed_turn_counts_what_was_refused_before_its_end() {
    let mut rig = Rig::with(&[], refusing()).await;
    let outside = json!({"path": "../outside.txt", "content": "x\n"});
    let script = Script::new([
        write(".git/config").and_call("write_file", outside),
        Reply::text("half").and_hold("never"),
    ]);
    rig.cut_off("go", script, async |server| server.reached("never").await.expect("it streams"))
        .await;
    let receipt = rig.events().into_iter().find_map(|event| match event.kind {
        EventKind::TurnDone { receipt, .. } => Some(receipt),
        _ => None,
    });
    let receipt = receipt.expect("it was closed when it was opened");
    assert_eq!(why(&receipt), ["Denied", "OutsideWorkspace"]);
    assert!(receipt.notes.contains(&ResultNote::WritesRefused { count: 2 }), "{receipt:?}");
}
