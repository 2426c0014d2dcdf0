use std::time::{Duration, Instant};

use proptest::{collection::vec, prelude::*, sample::Index, sample::select};
use protocol::TurnFailureCode as Code;
use serde_json::{Map, Value, json};

use super::*;
use crate::catalog;

/// So small that a case can reach them.
const SMALL: Bounds = Bounds { line_bytes: 600, answer_bytes: 10_000 };

/// How an answer came out: all events in order, and how it ended.
#[derive(Debug, PartialEq)]
struct Read {
    events: Vec<ModelEvent>,
    ended: Result<StopReason, Code>,
}

/// Reads an answer that comes in these pieces, as its connection would.
fn read(pieces: &[&[u8]], bounds: Bounds) -> Read {
    let entry = catalog::entry("custom").expect("there is a custom entry");
    let mut intake = Intake::new(entry, None, bounds);
    let mut events = Vec::new();
    let mut ended = None;
    for piece in pieces {
        let taken = intake.take(piece);
        events.extend(std::iter::from_fn(|| intake.pop()));
        if let Body::Value(value) = &intake.body {
            assert!(value.len() <= bounds.line_bytes as usize);
        }
        ended = taken.transpose();
        if ended.is_some() {
            break;
        }
    }
    let ended = ended.unwrap_or_else(|| intake.end(ProviderError::Broken { source: None }));
    events.extend(std::iter::from_fn(|| intake.pop()));
    Read { events, ended: ended.map_err(|it| it.failure().code) }
}

/// What has to hold of any answer, whatever its bytes are.
fn check(read: &Read) -> Result<(), TestCaseError> {
    let mut bytes = 0;
    for event in &read.events {
        match event {
            ModelEvent::Text(text) | ModelEvent::Reasoning { text, .. } => bytes += text.len(),
            ModelEvent::ToolCall(call) => {
                prop_assert!(read.ended.is_ok(), "a call of an answer that is not whole");
                if let Ok(arguments) = &call.arguments {
                    let object = serde_json::from_str::<Map<String, Value>>(arguments);
                    prop_assert!(object.is_ok(), "{}", arguments);
                    bytes += arguments.len();
                }
            }
            ModelEvent::Usage(_) => {}
            ModelEvent::Done(_) => prop_assert!(false, "the end is told apart"),
        }
    }
    prop_assert!(bytes <= SMALL.answer_bytes as usize);
    let known = [Code::StreamBroken, Code::StreamError, Code::AnswerTooLarge];
    prop_assert!(read.ended.map_or_else(|it| known.contains(&it), |_| true), "{:?}", read.ended);
    Ok(())
}

fn delta(delta: &Value) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": delta }] }))
}

fn call(index: u8, id: &str, name: &str, arguments: &str) -> String {
    let function = json!({ "name": name, "arguments": arguments });
    delta(&json!({ "tool_calls": [{ "index": index, "id": id, "function": function }] }))
}

/// An answer with everything that there is in one, up to the end of its finishing chunk; and the
/// rest.
fn stream() -> (String, String) {
    let start = [
        ": keep-alive\n\n".to_owned(),
        delta(&json!({ "reasoning_content": "Grüße denken" })),
        delta(&json!({ "content": "Let me see" })),
        call(0, "c1", "read_file", "{\"path\":"),
        call(0, "", "", "\"a b\"}"),
        call(1, "c2", "bash", "{\"command\":\"rm x\"}"),
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}".to_owned(),
    ];
    let rest = "\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":5}}\n\ndata: [DONE]\n\n";
    (start.concat(), rest.to_owned())
}

/// PV-6: no call runs before the answer says that it is whole, wherever it breaks off.
#[test]
fn a_stream_that_is_cut_anywhere_before_its_finish_runs_nothing() {
    let (start, rest) = stream();
    for end in 0..start.len() {
        let read = read(&[&start.as_bytes()[..end]], SMALL);
        assert_eq!(read.ended, Err(Code::StreamBroken), "{end}");
        assert!(!read.events.iter().any(|it| matches!(it, ModelEvent::ToolCall(_))), "{end}");
    }
    let whole = start + &rest;
    let read = read(&[whole.as_bytes()], SMALL);
    let calls = read.events.iter().filter(|it| matches!(it, ModelEvent::ToolCall(_)));
    assert_eq!((calls.count(), read.ended), (2, Ok(StopReason::ToolCalls)));
}

/// What came before a line that is too long is kept, in one piece with it or not.
#[test]
fn what_stands_before_a_line_that_is_too_long_is_kept() {
    let body = delta(&json!({ "content": "so far" })) + "data: " + &"x".repeat(1_000);
    let (text, long) = body.as_bytes().split_at(60);
    let expected = [ModelEvent::Text("so far".to_owned())];
    for pieces in [&[body.as_bytes()][..], &[text, long]] {
        let read = read(pieces, SMALL);
        assert_eq!((&read.events[..], read.ended), (&expected[..], Err(Code::StreamBroken)));
    }
}

/// CL-7: a value is many times as large once it is parsed, so there can only be so many.
#[test]
fn a_chunk_of_nothing_but_small_values_is_not_parsed() {
    let list = "0,".repeat(1_000_000);
    let large = Bounds { line_bytes: 8 << 20, answer_bytes: 32 << 20 };
    for body in [
        format!("data: {{\"choices\":[],\"usage\":[{list}0]}}\n\ndata: [DONE]\n\n"),
        format!("{{\"error\":[{list}0]}}"),
    ] {
        let read = read(&[body.as_bytes()], large);
        assert_eq!((read.events.len(), read.ended), (0, Err(Code::StreamBroken)));
    }
    let arguments = format!("{{\"a\":[{list}0]}}");
    let body = call(0, "c", "x", &arguments) + "data: [DONE]\n\n";
    let read = read(&[body.as_bytes()], large);
    let [ModelEvent::ToolCall(call)] = &read.events[..] else { panic!("{:?}", read.ended) };
    assert!(call.arguments.is_err());
}

/// A call is not read again from its start with each piece that comes.
#[test]
fn a_long_call_in_many_small_pieces_is_read_in_one_pass() {
    let started = Instant::now();
    let mut body = call(0, "", "x", &format!("{{\"a\":\"{}", "-".repeat(2_000_000)));
    for _ in 0..20_000 {
        body += &delta(&json!({ "tool_calls": [{ "function": {"name": "x", "arguments": "}"} }] }));
    }
    let large = Bounds { line_bytes: 8 << 20, answer_bytes: 32 << 20 };
    let pieces = body.as_bytes().chunks(16 << 10).collect::<Vec<_>>();
    assert_eq!(read(&pieces, large).ended, Err(Code::StreamBroken));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

fn cut<'a>(body: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut ends = cuts.iter().map(|it| it.index(body.len() + 1)).collect::<Vec<_>>();
    ends.extend([0, body.len()]);
    ends.sort_unstable();
    ends.windows(2).map(|it| &body[it[0]..it[1]]).collect()
}

/// Pieces of streams and of their JSON, true and false ones.
fn any_token() -> impl Strategy<Value = String> {
    let fixed = [
        "data: ",
        "data:",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "event: error\n",
        ": \n",
        "error: ",
        "[DONE]",
        "data: [DONE]\n\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "null",
        "0",
        "-1",
        "1e999",
        "\"a\"",
        "\"\\ud800\"",
        "\u{feff}",
        "\"choices\":",
        "\"delta\":",
        "\"message\":",
        "\"content\":",
        "\"reasoning\":",
        "\"tool_calls\":",
        "\"index\":",
        "\"id\":",
        "\"function\":",
        "\"name\":",
        "\"arguments\":",
        "\"{\\\"p\\\":1}\"",
        "\"finish_reason\":",
        "\"stop\"",
        "\"length\"",
        "\"usage\":",
        "\"prompt_tokens\":",
        "\"error\":",
        "\"object\":",
        "<html>",
    ];
    let whole = [
        delta(&json!({ "content": "hi" })),
        delta(&json!({ "content": [{ "type": "thinking", "thinking": [{ "text": "so" }] }] })),
        delta(&json!({ "content": "long ".repeat(90) })),
        call(0, "a", "x", "{\"p\":1}"),
        call(0, "", "", "{"),
        call(1, "a", "x", "{\"p\":1}"),
        call(1, "", "y", "}"),
        delta(&json!({ "tool_calls": [{ "function": { "arguments": { "p": [1] } } }] })),
        "data: {\"choices\":[{\"finish_reason\":\"tool_calls\"}]}\n\n".to_owned(),
        "data: {\"choices\":[{\"finish_reason\":\"length\"}]}\n\n".to_owned(),
        "data: {\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n".to_owned(),
        "data: {\"error\":{\"message\":\"no\"}}\n\n".to_owned(),
    ];
    prop_oneof![select(fixed.to_vec()).prop_map(str::to_owned), select(whole.to_vec())]
}

/// A whole stream with so many of its bytes changed, left out, or sent twice.
fn any_damaged() -> impl Strategy<Value = Vec<u8>> {
    let fault = (0..4_u8, any::<Index>(), any::<Index>(), any::<u8>());
    vec(fault, 0..4).prop_map(|faults| {
        let (start, rest) = stream();
        let mut body = (start + &rest).into_bytes();
        for (kind, from, to, byte) in faults {
            let (from, to) = (from.index(body.len() + 1), to.index(body.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            match kind {
                0 => body.truncate(to),
                1 => drop(body.drain(from..to)),
                2 => drop(body.splice(to..to, body[from..to].to_vec())),
                _ => body.insert(from, byte),
            }
        }
        body
    })
}

fn any_body() -> impl Strategy<Value = Vec<u8>> {
    let tokens = || vec(any_token(), 0..24).prop_map(|it| it.concat().into_bytes());
    prop_oneof![vec(any::<u8>(), 0..300), tokens(), any_damaged()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// CL-7: no panic, no end of patience, nothing over the bounds, and no call that is not one.
    #[test]
    fn any_bytes_are_read_to_an_end_within_the_bounds(
        body in any_body(),
        cuts in vec(any::<Index>(), 0..6),
    ) {
        let pieces = cut(&body, &cuts);
        let whole = read(&[&body], SMALL);
        check(&whole)?;
        prop_assert_eq!(read(&pieces, SMALL), whole);
    }
}
