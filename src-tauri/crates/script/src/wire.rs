//! What goes over the wire: a reply as the pieces of an HTTP body.

use std::{collections::BTreeMap, time::Duration};

use hyper::body::Bytes;
use protocol::Usage;
use serde_json::{Value, json};

use crate::{Answer, Call, Chunks, End, Part, Raw, Reply};

/// A reply, ready to be played.
pub(crate) struct Take {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) steps: Vec<Step>,
    pub(crate) end: End,
    pub(crate) pace: Duration,
}

/// One step of a reply.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    Send(Bytes),
    Hold(String),
}

/// Characters of a call's arguments in one event.
const FRAGMENT_CHARS: usize = 24;

/// Returns the reply to the request of that number. The same every time.
pub(crate) fn take(reply: Reply, request: usize) -> Take {
    match reply {
        Reply::Answer(answer) => Take {
            status: 200,
            headers: [("content-type".to_owned(), content_type(200))].into(),
            steps: answer_steps(&answer, request),
            end: answer.end,
            pace: Duration::from_millis(answer.pace_ms.into()),
        },
        Reply::Raw(raw) => raw_take(raw),
    }
}

fn raw_take(mut raw: Raw) -> Take {
    raw.headers.entry("content-type".to_owned()).or_insert_with(|| content_type(raw.status));
    let least_ms = if raw.chunks == Chunks::Slow { 50 } else { 0 };
    Take {
        status: raw.status,
        headers: raw.headers,
        steps: chunks(raw.body.into(), raw.chunks).map(Step::Send).collect(),
        end: raw.end,
        pace: Duration::from_millis(raw.pace_ms.max(least_ms).into()),
    }
}

fn content_type(status: u16) -> String {
    let kind = if status == 200 { "text/event-stream" } else { "application/json" };
    kind.to_owned()
}

fn chunks(mut rest: Bytes, how: Chunks) -> impl Iterator<Item = Bytes> {
    let mut seed = if let Chunks::Random { seed } = how { seed } else { 0 };
    std::iter::from_fn(move || {
        // Knuth's generator of MMIX: any will do that is the same everywhere.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let size = match how {
            Chunks::Whole => rest.len(),
            Chunks::Byte => 1,
            Chunks::Random { .. } => 1 + usize::try_from((seed >> 33) % 400).unwrap_or(0),
            Chunks::Slow => 200,
        };
        (!rest.is_empty()).then(|| rest.split_to(size.min(rest.len())))
    })
}

fn answer_steps(answer: &Answer, request: usize) -> Vec<Step> {
    let mut steps = vec![delta(request, json!({"role": "assistant", "content": ""}))];
    let mut calls = 0;
    for part in &answer.parts {
        match part {
            Part::Text(text) => {
                steps.extend(words(text).map(|it| delta(request, json!({"content": it}))));
            }
            Part::Reasoning { field, text } => {
                steps.extend(words(text).map(|it| delta(request, json!({field: it}))));
            }
            Part::Call(call) => {
                call_steps(&mut steps, call, calls, request);
                calls += 1;
            }
            Part::Hold(name) => steps.push(Step::Hold(name.clone())),
        }
    }
    let usual = if calls == 0 { "stop" } else { "tool_calls" };
    let finish = answer.finish.as_deref().unwrap_or(usual);
    steps.push(choice(request, json!({}), finish.into()));
    if let Some(usage) = &answer.usage {
        steps.push(event(request, json!([]), Some(usage_fields(usage))));
    }
    steps.push(Step::Send(Bytes::from_static(b"data: [DONE]\n\n")));
    steps
}

fn call_steps(steps: &mut Vec<Step>, call: &Call, index: usize, request: usize) {
    let id = call.id.clone().unwrap_or_else(|| format!("call_{request}_{index}"));
    let name = &call.name;
    let head = json!({
        "index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""},
    });
    steps.push(delta(request, json!({"tool_calls": [head]})));
    let written = call.arguments.as_str().map(str::to_owned);
    let arguments = written.unwrap_or_else(|| call.arguments.to_string());
    let letters = Vec::from_iter(arguments.chars());
    for fragment in letters.chunks(FRAGMENT_CHARS) {
        let text = String::from_iter(fragment);
        let call = json!({"index": index, "function": {"arguments": text}});
        steps.push(delta(request, json!({"tool_calls": [call]})));
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(char::is_whitespace)
}

fn delta(request: usize, delta: Value) -> Step {
    choice(request, delta, Value::Null)
}

fn choice(request: usize, delta: Value, finish: Value) -> Step {
    event(request, json!([{"index": 0, "delta": delta, "finish_reason": finish}]), None)
}

fn event(request: usize, choices: Value, usage: Option<Value>) -> Step {
    let mut chunk = json!({
        "id": format!("script-{request}"), "object": "chat.completion.chunk", "created": 0,
        "model": "scripted", "choices": choices,
    });
    if let Some(usage) = usage {
        chunk["usage"] = usage;
    }
    Step::Send(format!("data: {chunk}\n\n").into())
}

/// Names the numbers as OpenAI and as DeepSeek do. What is unknown is left out.
fn usage_fields(usage: &Usage) -> Value {
    let total = usage.input_tokens.zip(usage.output_tokens).map(|(a, b)| a.saturating_add(b));
    let mut fields = json!({
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": total,
        "prompt_tokens_details": usage.cache_hit_tokens.map(|it| json!({"cached_tokens": it})),
        "completion_tokens_details": usage.reasoning_tokens.map(|it| json!({"reasoning_tokens": it})),
        "prompt_cache_hit_tokens": usage.cache_hit_tokens,
        "prompt_cache_miss_tokens": usage.cache_miss_tokens,
    });
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, it| !it.is_null());
    }
    fields
}

#[cfg(test)]
mod tests;
