//! Providers that fail: the turn says why, keeps what came, and the next one works.

use protocol::{EventKind, Limits, ModelMessage, NextAction, Notice, TurnFailureCode, TurnOutcome};
use serde_json::json;
use std::time::Duration;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig, changes};

fn failure(end: agent::TurnEnd) -> protocol::TurnFailure {
    match end.outcome {
        TurnOutcome::Failed { failure } => failure,
        other => panic!("it failed: {other:?}"),
    }
}

/// PV-6: text that came before the break is kept; a half call is never run.
#[tokio::test]
async fn a_broken_stream_keeps_its_text_and_runs_no_half_call() {
    let mut rig = Rig::new(&[]).await;
    let cut = Reply::text("I will write it now.")
        .and_call("write_file", json!({"path": "a.txt", "content": "x"}))
        .cut_after(8);
    let it = failure(rig.turn("go", Script::new([cut])).await);
    assert_eq!((it.code, it.action), (TurnFailureCode::StreamBroken, NextAction::Retry));
    assert!(!rig.project.has("a.txt"));
    let kept = rig.events().into_iter().find_map(|event| match event.kind {
        EventKind::MessageCommitted { text, interrupted, .. } => Some((text.text, interrupted)),
        _ => None,
    });
    let (text, interrupted) = kept.expect("what came is kept");
    assert!(interrupted && text.starts_with("I will"), "{text}");
    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    rig.check_requests();
}

/// TR-30: a failed turn has a result too, of what it had changed until then.
#[tokio::test]
async fn a_failed_turn_is_frozen() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::status(500, r#"{"error":{"message":"overloaded"}}"#),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(changes(&end.receipt).added, 1);
    let it = failure(end);
    assert_eq!((it.code, it.action), (TurnFailureCode::ProviderDown, NextAction::WaitAndRetry));
    assert!(it.message.contains("overloaded"), "{}", it.message);
    rig.check_requests();
}

/// 08, table 8.2: one attempt, a visible error, and the wait that was asked for.
#[tokio::test]
async fn a_refused_request_is_sent_once_and_says_how_long_to_wait() {
    let mut rig = Rig::new(&[]).await;
    let limited =
        Reply::status(429, r#"{"error":{"message":"slow down"}}"#).header("retry-after", "7");
    let it = failure(rig.turn("go", Script::new([limited])).await);
    assert_eq!((it.code, it.retry_after_ms), (TurnFailureCode::RateLimited, Some(7_000)));
    assert_eq!(rig.requests().len(), 1);
}

/// 09 row 39: silence has an end.
#[tokio::test]
async fn a_silent_stream_is_given_up() {
    let limits = Limits { stream_idle: Duration::from_millis(150), ..Limits::default() };
    let mut rig = Rig::with(&[], Choices { limits, ..Choices::default() }).await;
    let it =
        failure(rig.turn("go", Script::new([Reply::text("one two three").silent_after(2)])).await);
    assert_eq!(it.code, TurnFailureCode::StreamSilent);
}

/// CL-6: an answer without a word and without a call is told as that, and the turn has ended all the
/// same; one that was cut or withheld says so instead.
#[tokio::test]
async fn an_answer_of_nothing_is_told() {
    let answers = [
        (Reply::text(""), Some(Notice::AnswerEmpty)),
        (Reply::text(" \n"), Some(Notice::AnswerEmpty)),
        (Reply::text("").reasoning("hm"), Some(Notice::AnswerEmpty)),
        (Reply::text("").finish("length"), Some(Notice::AnswerCut)),
        (Reply::text("ok"), None),
    ];
    for (answer, told) in answers {
        let mut rig = Rig::new(&[]).await;
        let end = rig.turn("go", Script::new([answer])).await;
        assert_eq!(end.outcome, TurnOutcome::Completed);
        let notices = rig.events().into_iter().filter_map(|event| match event.kind {
            EventKind::Notice { notice } => Some(notice),
            _ => None,
        });
        assert_eq!(notices.collect::<Vec<_>>(), Vec::from_iter(told));
        rig.turn("go on", Script::new([Reply::text("ok")])).await;
        rig.check_requests();
    }
}

/// PV-5: reasoning that stays out where it is demanded back is told, once in a session.
#[tokio::test]
async fn missing_reasoning_is_told_once() {
    for (vendor, told) in [("deepseek", 1), ("custom", 0)] {
        let choices = Choices { vendor, ..Choices::default() };
        let mut rig = Rig::with(&[("a.txt", "a\n")], choices).await;
        let read = || Reply::call("read_file", json!({"path": "a.txt"}));
        let script =
            Script::new([read(), read().reasoning("hm"), read(), read(), Reply::text("ok")]);
        rig.turn("go", script).await;
        let notices = rig.events().into_iter().filter(|event| {
            matches!(event.kind, EventKind::Notice { notice: Notice::ReasoningMissing })
        });
        assert_eq!(notices.count(), told, "{vendor}");
        rig.check_requests();
    }
}

/// PV-5, R074: DeepSeek gets its reasoning back with the calls that it came with, byte for byte,
/// after a restart too.
#[tokio::test]
async fn reasoning_goes_back_where_it_is_demanded() {
    for (vendor, echoed) in [("deepseek", true), ("openai", false)] {
        let choices = Choices { vendor, ..Choices::default() };
        let mut rig = Rig::with(&[("a.txt", "a\n")], choices).await;
        let thought = "  I think\n\"so\" 你好\u{2028}";
        let script = Script::new([
            Reply::call("read_file", json!({"path": "a.txt"})).reasoning(thought),
            Reply::text("done"),
        ]);
        rig.turn("go", script).await;
        rig.restart().await;
        rig.turn("again", Script::new([Reply::text("ok")])).await;
        for request in &rig.requests()[1..] {
            let body = request.json().expect("JSON");
            let assistant = &body["messages"][3];
            let field = assistant.get("reasoning_content").and_then(|it| it.as_str());
            assert_eq!(field == Some(thought), echoed, "{vendor}: {assistant}");
        }
        rig.check_requests();
        assert!(
            matches!(&rig.messages()[2], ModelMessage::Assistant { reasoning: Some(it), .. } if it.text == thought)
        );
    }
}
