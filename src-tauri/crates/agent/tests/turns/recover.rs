//! The end of a program in the middle of a turn, and what the next one finds.

#[cfg(unix)]
use protocol::GapReason;
use protocol::{Coverage, EventKind, Notice, ToolCallStatus, TurnOutcome};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{LONG, Rig};

/// Returns how the newest turn ended, and its receipt.
fn last_end(rig: &Rig) -> (TurnOutcome, protocol::CompletionReceipt) {
    let done = |event: protocol::SessionEvent| match event.kind {
        EventKind::TurnDone { outcome, receipt } => Some((outcome, receipt)),
        _ => None,
    };
    rig.events().into_iter().rev().find_map(done).expect("the turn is closed")
}

/// TI-1, TI-4: a command that was running is unknown; nothing is run again, nothing is made up.
#[tokio::test]
async fn an_open_call_is_told_as_unknown_and_the_next_turn_works() {
    let mut rig = Rig::new(&[]).await;
    let marker = rig.project.path().join("started");
    let script = Script::new([Reply::call(
        "bash",
        json!({"command": format!("echo x >> started && {LONG}")}),
    )
    .and_call("write_file", json!({"path": "a.txt", "content": "x"}))]);
    rig.cut_off("go", script, async |_| {
        // It is there before anything is in it.
        while !std::fs::read(&marker).is_ok_and(|it| it.ends_with(b"\n")) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let statuses: Vec<_> = rig.ended().into_iter().map(|(_, status, _)| status).collect();
    assert_eq!(statuses, [ToolCallStatus::Unknown, ToolCallStatus::Cancelled]);
    let (outcome, receipt) = last_end(&rig);
    assert_eq!(outcome, TurnOutcome::Interrupted);
    assert_eq!(receipt.diff.expect("a result").coverage, Coverage::Partial);
    let told = rig
        .events()
        .into_iter()
        .any(|event| matches!(event.kind, EventKind::Notice { notice: Notice::TurnRecovered }));
    assert!(told);

    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert_eq!((end.outcome, end.turn.0), (TurnOutcome::Completed, 1));
    assert_eq!(rig.project.read("started").trim(), "x", "it was not run again");
    rig.check_requests();
}

/// JR-2: text that streamed before the end is kept, marked as interrupted, and goes on.
#[tokio::test]
async fn streamed_text_survives_as_interrupted() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([Reply::text("half of it").and_hold("never")]);
    let folder = rig.sessions_folder().to_owned();
    rig.cut_off("go", script, async |server| {
        server.reached("never").await.expect("it streams");
        let reader =
            session::SessionReader::open(&folder, &crate::rig::session_id()).expect("readable");
        loop {
            let kept = reader.scratch_text().expect("scratch");
            if kept.iter().any(|it| it.text.contains("half of it")) {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let kept = rig.events().into_iter().any(|event| {
        matches!(event.kind, EventKind::MessageCommitted { text, interrupted: true, .. } if text.text.contains("half of it"))
    });
    assert!(kept);
    assert!(rig.reader().scratch_text().expect("scratch").is_empty());
    rig.turn("go on", Script::new([Reply::text("ok")])).await;
    rig.check_requests();
}

/// TR-25, JR-6: a result that cannot be stored says so; when the session can be written again the
/// turn is closed, and the next one works. On Windows nobody can take away a file that is open.
#[cfg(unix)]
#[tokio::test]
async fn a_turn_whose_end_cannot_be_stored_is_closed_later() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("so").and_hold("end"),
    ]);
    let (folder, away) = (rig.sessions_folder().to_owned(), rig.project.path().join("../away"));
    let file = format!("{}.sqlite", crate::rig::session_id());
    let end = rig
        .turn_while("go", script, async |server, _, _| {
            server.reached("end").await.expect("it streams");
            std::fs::rename(folder.join(&file), &away).expect("the file is taken away");
            server.release("end");
        })
        .await;
    assert!(!end.saved);
    let diff = end.receipt.diff.expect("a result");
    assert!(diff.reasons.iter().any(|gap| gap.reason == GapReason::ResultNotSaved), "{diff:?}");
    assert_eq!(diff.coverage, Coverage::Partial);

    std::fs::rename(&away, folder.join(&file)).expect("the file is put back");
    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert!(end.saved);
    let outcomes = rig.events().into_iter().filter_map(|event| match event.kind {
        EventKind::TurnDone { outcome, .. } => Some(outcome),
        _ => None,
    });
    let outcomes: Vec<_> = outcomes.collect();
    assert_eq!(outcomes, [TurnOutcome::Interrupted, TurnOutcome::Completed]);
    rig.check_requests();
}

/// TR-4, CP-3: what the turn had written is counted from its stored captures.
#[tokio::test]
async fn a_cut_off_turn_is_frozen_when_the_session_is_opened() {
    let mut rig = Rig::new(&[("a.txt", "one\ntwo\n")]).await;
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call(
            "edit_file",
            json!({"path": "a.txt", "old_string": "two", "new_string": "2\n3"}),
        ),
        Reply::text("so").and_hold("never"),
    ]);
    rig.cut_off("go", script, async |server| server.reached("never").await.expect("it streams"))
        .await;
    let diff = last_end(&rig).1.diff.expect("a result");
    assert_eq!((diff.coverage, diff.added, diff.removed), (Coverage::Complete, 2, 1));
    let before = rig.events().len();
    rig.restart().await;
    assert_eq!(rig.events().len(), before, "it is closed once");
}
