//! What is sent: the same bytes for the same history, and nothing that is the host's alone.

use agent::TurnError;
use protocol::{Limits, ModelMessage};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig};

/// CA-1, AN-32, R092: over turns and a restart each request begins with the one before.
#[tokio::test]
async fn requests_only_grow() {
    let mut rig = Rig::new(&[("a.txt", "a\n"), ("AGENTS.md", "Use tabs.\n")]).await;
    for prompt in ["one", "two"] {
        let script =
            Script::new([Reply::call("read_file", json!({"path": "a.txt"})), Reply::text("done")]);
        rig.turn(prompt, script).await;
        rig.project.write("AGENTS.md", "Use spaces.\n");
        rig.restart().await;
    }
    assert_eq!(rig.requests().len(), 4);
    rig.check_requests();
    let messages = rig.messages();
    let contexts = messages.iter().filter(|it| matches!(it, ModelMessage::Context { .. })).count();
    assert_eq!(contexts, 1, "the session context is said once");
    assert!(matches!(&messages[0], ModelMessage::Context { text } if text.contains("Use tabs.")));
}

/// The first request stays small: every byte of it is paid for in every session.
#[tokio::test]
async fn the_first_request_is_at_most_six_thousand_bytes() {
    let mut rig = Rig::new(&[]).await;
    rig.turn("hello", Script::new([Reply::text("hello")])).await;
    let bytes = rig.requests()[0].body.len();
    assert!(bytes <= 6_000, "{bytes} bytes");
    rig.check_requests();
}

/// AN-15: a prompt over its bound, or without words, begins no turn and leaves nothing behind.
#[tokio::test]
async fn a_prompt_that_cannot_be_taken_leaves_nothing() {
    let limits = Limits { prompt_bytes: 10, ..Limits::default() };
    let mut rig = Rig::with(&[], Choices { limits, ..Choices::default() }).await;
    for prompt in ["far too long a prompt", " \n"] {
        let error = rig.begin_only(prompt).await.expect_err("it is turned away");
        assert!(matches!(error, TurnError::PromptTooLong { .. } | TurnError::PromptEmpty));
    }
    assert_eq!((rig.events(), rig.messages()), (vec![], vec![]));
    let end = rig.turn("short", Script::new([Reply::text("ok")])).await;
    assert_eq!(end.turn.0, 0);
}
