//! Stop: always, and with one result for each call.

use std::time::Duration;

use protocol::{EventKind, Feed, Limits, ToolCallStatus, TurnOutcome};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, LONG, Rig, changes};

/// TI-8, R076: stopped while a command runs; the call has its one result, the next turn works.
#[tokio::test]
async fn a_stop_during_a_command_ends_it_and_answers_every_call() {
    let limits = Limits { command_grace: Duration::from_millis(200), ..Limits::default() };
    let mut rig = Rig::with(&[], Choices { limits, ..Choices::default() }).await;
    let mut frames = rig.watchers.frames.subscribe();
    let script = Script::new([Reply::call("bash", json!({"command": LONG}))
        .and_call("write_file", json!({"path": "a.txt", "content": "x"}))]);
    let end = rig
        .turn_while("go", script, async |_, stop, _| {
            Rig::frame(&mut frames, |it| {
                matches!(it, Feed::Event(event) if matches!(event.kind, EventKind::ToolStarted { .. }))
            })
            .await;
            stop.cancel();
        })
        .await;
    assert_eq!(end.outcome, TurnOutcome::Interrupted);
    assert!(end.receipt.interrupted);
    let statuses: Vec<_> = rig.ended().into_iter().map(|(_, status, _)| status).collect();
    assert_eq!(statuses, [ToolCallStatus::Interrupted, ToolCallStatus::Cancelled]);
    assert!(!rig.project.has("a.txt"));
    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    rig.check_requests();
}

/// AN-31: a stop while the model streams closes the socket and keeps what came.
#[tokio::test]
async fn a_stop_during_a_stream_closes_the_socket() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([Reply::text("so far").and_hold("never")]);
    let mut frames = rig.watchers.frames.subscribe();
    let end = rig
        .turn_while("go", script, async |server, stop, _| {
            Rig::frame(&mut frames, |it| matches!(it, Feed::Delta(_))).await;
            server.reached("never").await.expect("it streams");
            stop.cancel();
            let closed = server.closed_early(0, Duration::from_secs(10)).await;
            assert!(closed.expect("an end"), "the provider's socket is closed");
        })
        .await;
    assert_eq!(end.outcome, TurnOutcome::Interrupted);
    let kept = rig.events().into_iter().any(|event| {
        matches!(event.kind, EventKind::MessageCommitted { text, interrupted: true, .. } if text.text.starts_with("so"))
    });
    assert!(kept);
    rig.turn("go on", Script::new([Reply::text("ok")])).await;
    rig.check_requests();
}

/// TR-30: what an interrupted turn had changed is in its result.
#[tokio::test]
async fn an_interrupted_turn_is_frozen() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("and now").and_hold("never"),
    ]);
    let end = rig
        .turn_while("go", script, async |server, stop, _| {
            server.reached("never").await.expect("it streams");
            stop.cancel();
        })
        .await;
    assert_eq!((changes(&end.receipt).added, end.saved), (1, true));
    rig.check_requests();
}
