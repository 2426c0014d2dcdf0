//! Answers that come, and answers that break.

use std::time::Duration;

use protocol::{TurnFailureCode as Code, Usage};
use provider::{ModelEvent, RawCall, StopReason};

use super::*;

/// A silence that is none of a crowded machine's own.
const SILENCE: Duration = Duration::from_secs(3);

const WHOLE: &str = concat!(
    ": keep-alive\n\n",
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"Grüße \"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"content\":\"dir\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"ls\",\"arguments\":\"{}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n",
);
const HALF: &str = concat!(
    "data: {\"choices\":[{\"delta\":{\"content\":\"Half\"}}]}\n\n",
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"ls\",\"arguments\":\"{\"}}]}}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n",
);

fn usage() -> ModelEvent {
    ModelEvent::Usage(Usage { input_tokens: Some(5), output_tokens: Some(2), ..Usage::default() })
}

fn whole() -> Vec<ModelEvent> {
    let arguments = Ok("{}".to_owned());
    let (wire_id, name) = ("c1".to_owned(), "ls".to_owned());
    let call = RawCall { wire_id, name, arguments, signature: None };
    let done = ModelEvent::Done(StopReason::ToolCalls);
    vec![text("Grüße "), text("dir"), ModelEvent::ToolCall(call), usage(), done]
}

#[tokio::test]
async fn an_answer_is_the_same_however_its_bytes_are_cut() {
    let done = format!("{WHOLE}data: [DONE]\n\n");
    let lines = done.replace('\n', "\r\n");
    for reply in [
        Reply::stream(&done),
        Reply::stream(&lines),
        Reply::dripping(&done),
        Reply::dripping(&lines),
    ] {
        let (events, error) = answer_to(reply, &Limits::default()).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events, whole());
    }
}

/// A finish reason makes an answer whole: with or without the closing mark, and even if the
/// connection is cut or falls silent after it.
#[tokio::test]
async fn an_answer_with_a_finish_reason_is_whole() {
    let limits = Limits { stream_idle: SILENCE, ..Limits::default() };
    let torn = format!("{WHOLE}data: [DO");
    for reply in [Reply::stream(WHOLE), Reply::cut(WHOLE), Reply::silent(WHOLE), Reply::cut(&torn)]
    {
        let (events, error) = answer_to(reply, &limits).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events, whole());
    }
}

#[tokio::test]
async fn nothing_after_the_closing_mark_is_part_of_the_answer() {
    let more = format!("{WHOLE}data: [DONE]\n\ndata: {{\"error\":\"late\"}}\n\n: and so on\n\n");
    for reply in [Reply::stream(&more), Reply::dripping(&more), Reply::silent(&more)] {
        let (events, error) = answer_to(reply, &Limits::default()).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(events, whole());
    }
}

/// PV-6: what came is kept, half a call never runs, and what it cost is known.
#[tokio::test]
async fn a_broken_answer_keeps_its_text_and_runs_no_half_call() {
    let torn = format!("{HALF}data: {{\"choices\":[{{\"del");
    for reply in [Reply::stream(HALF), Reply::cut(HALF), Reply::cut(&torn), Reply::stream(&torn)] {
        let (events, error) = answer_to(reply, &Limits::default()).await;
        assert_eq!(events, [text("Half"), usage()]);
        assert_eq!(error.expect("it broke").failure().code, Code::StreamBroken);
    }
    let (events, error) = answer_to(Reply::stream(""), &Limits::default()).await;
    assert!(events.is_empty());
    assert_eq!(error.expect("nothing came").failure().code, Code::StreamBroken);
}

/// 09 row 39: before the first byte, before the first event, and in the midst of it.
#[tokio::test]
async fn silence_ends_a_stream_wherever_it_falls() {
    let limits = Limits { stream_idle: SILENCE, ..Limits::default() };
    for (reply, came) in [
        (Reply::raw(b"", true), vec![]),
        (Reply::silent(""), vec![]),
        (Reply::silent(HALF), vec![text("Half"), usage()]),
    ] {
        let (events, error) = answer_to(reply, &limits).await;
        assert_eq!(events, came);
        assert_eq!(error.expect("it was silent").failure().code, Code::StreamSilent);
    }
}

/// Whoever waits for events beside other things drops the future again and again.
#[tokio::test]
async fn silence_is_noticed_by_a_caller_that_keeps_looking_away() {
    let limits = Limits { stream_idle: SILENCE, ..Limits::default() };
    let server = Server::start([Reply::silent("")]).await;
    let provider = provider(&server.base_url, &limits);
    let mut stream = provider.send(body(&provider)).await.expect("the answer begins");
    let looks = 1_000;
    for _ in 0..looks {
        let look = tokio::time::timeout(Duration::from_millis(50), stream.next()).await;
        if let Ok(event) = look {
            let error = event.expect("the stream has not ended").expect_err("nothing was sent");
            assert_eq!(error.failure().code, Code::StreamSilent);
            return;
        }
    }
    unreachable!("{looks} looks are longer than the silence allowed");
}

#[tokio::test]
async fn an_error_inside_a_stream_is_told_in_the_providers_words() {
    let reported = "{\"error\":{\"message\":\"upstream overloaded\",\"code\":503}}";
    for body in [
        format!("data: {reported}\n\n"),
        format!("event: error\ndata: {reported}\n\n"),
        format!("error: {reported}\n\n"),
        format!("{WHOLE}data: {reported}\n\ndata: [DONE]\n\n"),
        reported.to_owned(),
        format!("[{reported}]"),
    ] {
        let (_, error) = answer_to(Reply::stream(&body), &Limits::default()).await;
        let failure = error.expect(&body).failure();
        assert_eq!(failure.code, Code::StreamError, "{body}");
        assert!(failure.message.ends_with("error: upstream overloaded"), "{}", failure.message);
    }
}

#[tokio::test]
async fn an_error_object_with_a_status_of_success_is_an_error() {
    let head = "200 OK\nContent-Type: application/json";
    let reply = Reply::plain(head, "{\n \"error\": \"Unexpected endpoint\"\n}\n");
    let (_, error) = answer_to(reply, &Limits::default()).await;
    let failure = error.expect("it is an error").failure();
    assert_eq!(failure.code, Code::StreamError);
    assert!(failure.message.ends_with("Unexpected endpoint"), "{}", failure.message);
}

#[tokio::test]
async fn an_answer_that_is_not_streamed_is_read_all_the_same() {
    let head = "200 OK\nContent-Type: application/json";
    let body = "{\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}],
        \"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}";
    let (events, error) = answer_to(Reply::plain(head, body), &Limits::default()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(events, [text("Hi"), usage(), ModelEvent::Done(StopReason::Stop)]);
}

/// CL-7.
#[tokio::test]
async fn an_answer_or_a_line_over_its_bound_ends_the_stream() {
    let long = "x".repeat(2_000);
    let body = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{long}\"}}}}]}}\n\n");
    for (limits, code) in [
        (Limits { answer_bytes: 1_000, ..Limits::default() }, Code::AnswerTooLarge),
        (Limits { stream_line_bytes: 1_000, ..Limits::default() }, Code::StreamBroken),
    ] {
        let (events, error) = answer_to(Reply::silent(&body), &limits).await;
        assert!(events.is_empty());
        assert_eq!(error.expect("it is too much").failure().code, code);
    }
}

#[tokio::test]
async fn what_cannot_be_read_as_an_answer_is_a_broken_stream() {
    for body in ["data: no json\n\n", "data: [1]\n\n", "data: {\"choices\":7}\n\n"] {
        let (_, error) = answer_to(Reply::silent(body), &Limits::default()).await;
        assert_eq!(error.expect(body).failure().code, Code::StreamBroken);
    }
}
