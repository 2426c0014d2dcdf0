//! Whether the requests of a case are what they have to be.

use serde_json::Value;
use testkit::{
    Scope, check_requests,
    script::{Reply, SeenRequest},
};

use super::{expect::ExpectedRequests, played::Record};

/// Fields that reasoning comes in, and goes back in.
const REASONING: &[&str] = &["reasoning_content", "reasoning"];

/// Returns what is wrong with the requests.
///
/// Pairs, empty lists and the prefix are rules of every request of every case, so there is nothing
/// left to do where a case names them too.
pub(super) fn requests(expected: &ExpectedRequests, record: &Record) -> Vec<String> {
    let ExpectedRequests {
        paired_calls: _,
        no_empty_tool_calls: _,
        prefix_stable: _,
        reasoning_echo,
        max: _,
    } = expected;
    let scope = Scope::of(record.folders.workspace());
    // A copy of a damaged session has requests of its own.
    let own = record.damaged.as_ref().map_or(0, |it| it.requests);
    let (before, after) = record.requests.split_at(own.min(record.requests.len()));
    let broken = [before, after].map(|it| check_requests(it, &scope).err());
    let mut wrong: Vec<_> = broken.into_iter().flatten().map(|it| it.to_string()).collect();
    wrong.extend(told_otherwise(record));
    if *reasoning_echo {
        wrong.extend(not_echoed(record));
    }
    wrong
}

/// What the model was told is what the program says it was told.
fn told_otherwise(record: &Record) -> Vec<String> {
    let Some(last) = record.requests.last() else { return Vec::new() };
    let sent = messages(last);
    let sent = sent.iter().filter(|it| it["role"] == "tool");
    let pairs = sent.zip(&record.heard.calls);
    let differs = pairs.filter(|(told, call)| {
        let shown = call.finished["output"]["text"].as_str().unwrap_or_default();
        let told = told["content"].as_str().unwrap_or_default();
        record.outputs.get(&call.id).is_none_or(|it| it != told) || !told.starts_with(shown)
    });
    differs
        .map(|(told, call)| {
            format!("{} was answered with {told}, and is shown as {}", call.id, call.finished)
        })
        .collect()
}

/// Each message with calls carries the reasoning that came with it.
fn not_echoed(record: &Record) -> Vec<String> {
    let (mut wrong, mut came) = (Vec::new(), 0);
    for round in &record.rounds {
        let Reply::Raw(raw) = &round.reply else { continue };
        let (reasoning, calls) = written(&String::from_utf8_lossy(&raw.body));
        if reasoning.is_empty() || calls.is_empty() {
            continue;
        }
        came += 1;
        for (at, request) in record.requests.iter().enumerate().skip(round.request + 1) {
            let sent = messages(request);
            let with_call = sent.iter().find(|it| it["tool_calls"][0]["id"] == *calls[0]);
            let back = with_call.map(|it| REASONING.iter().find_map(|name| it[*name].as_str()));
            if back != Some(Some(&*reasoning)) {
                let at = at + 1;
                wrong.push(format!(
                    "request {at} carries {back:?}, not the reasoning {reasoning:?}"
                ));
            }
        }
    }
    if came == 0 {
        wrong.push("no reply of the case has reasoning and calls".to_owned());
    }
    wrong
}

/// Returns the reasoning and the ids of the calls of a written stream.
fn written(body: &str) -> (String, Vec<String>) {
    let (mut reasoning, mut calls) = (String::new(), Vec::new());
    let chunks = body.lines().filter_map(|it| it.strip_prefix("data:"));
    for chunk in chunks.filter_map(|it| serde_json::from_str::<Value>(it).ok()) {
        let delta = &chunk["choices"][0]["delta"];
        reasoning.extend(REASONING.iter().filter_map(|name| delta[*name].as_str()));
        let begun = delta["tool_calls"].as_array().into_iter().flatten();
        calls.extend(begun.filter_map(|it| it["id"].as_str()).map(str::to_owned));
    }
    (reasoning, calls)
}

fn messages(request: &SeenRequest) -> Vec<Value> {
    let mut json = request.json().unwrap_or_default();
    json["messages"].as_array_mut().map(std::mem::take).unwrap_or_default()
}

#[test]
fn the_reasoning_of_a_written_stream_is_put_together_and_its_calls_are_found() {
    let body = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"so \"}}]}\n\n: hold\n\n\
                data:{\"choices\":[{\"delta\":{\"reasoning\":\"it is\"}}]}\r\n\r\n\
                data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"c1\"},{\"index\":0}]}}]}\n\n\
                data: [DONE]\n\n";
    assert_eq!(written(body), ("so it is".to_owned(), vec!["c1".to_owned()]));
}
