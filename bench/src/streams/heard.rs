//! What `evident` made of a stream: from its feed, and from the request of the next turn.

use std::collections::BTreeMap;

use serde_json::Value;
use testkit::script::SeenRequest;

use crate::Result;

/// A model's answer as it came out.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// The start of the text, and how long all of it is.
    pub(super) text: (String, u64),
    pub(super) reasoning: (String, u64),
    /// The fields in which reasoning goes back, and all that stands there. Some vendors get none.
    pub(super) sent_back: Vec<(&'static str, String)>,
    /// As the next turn repeats them.
    pub(super) calls: Vec<Call>,
    /// The answers to its calls were sent within the turn.
    pub(super) goes_on: bool,
    /// The event's; null where there was none.
    pub(super) usage: Value,
    pub(super) notices: Vec<String>,
    /// The failure that ended the turn; null if it was completed.
    pub(super) failure: Value,
}

/// A call as it was sent back.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// What the provider signed it with.
    pub(super) signature: Option<String>,
    /// What the model was told. One for each call.
    pub(super) answers: Vec<String>,
}

impl Heard {
    /// Takes the printed feed of a turn, the requests that it made and the one of the next turn
    /// apart.
    pub(super) fn new(feed: &[u8], requests: &[SeenRequest], next: &SeenRequest) -> Result<Self> {
        let mut heard = Self { goes_on: 1 < requests.len(), ..Self::default() };
        let mut ended = false;
        let mut messages = 0;
        for line in feed.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
            let frame: Value = serde_json::from_slice(line)?;
            let kind = &frame["event"]["kind"];
            match kind["type"].as_str().unwrap_or_default() {
                "message_committed" => {
                    messages += 1;
                    if messages == 1 {
                        heard.text = capped(&kind["text"]);
                        heard.reasoning = capped(&kind["reasoning"]);
                    }
                }
                "usage_reported" if messages == 1 => heard.usage = kind["usage"].clone(),
                "notice" => heard.notices.extend(kind["notice"].as_str().map(str::to_owned)),
                "turn_done" => {
                    ended = true;
                    heard.failure = kind["outcome"]["failure"].clone();
                }
                _ => {}
            }
        }
        if !ended {
            return Err("the turn did not end".into());
        }
        let next = next.json()?;
        let messages = next["messages"].as_array().map_or(&[] as &[_], Vec::as_slice);
        heard.calls = calls(messages);
        heard.sent_back = sent_back(messages);
        Ok(heard)
    }
}

fn capped(text: &Value) -> (String, u64) {
    (string(&text["text"]), text["totalBytes"].as_u64().unwrap_or(0))
}

/// The reasoning of the model's first message. A vendor that demands it gets a space where none came.
fn sent_back(messages: &[Value]) -> Vec<(&'static str, String)> {
    let message = messages.iter().find(|it| it["role"] == "assistant");
    let field = |name: &'static str| Some((name, string(&message?[name])));
    let fields = ["reasoning_content", "reasoning"].into_iter().filter_map(field);
    fields.filter(|(_, text)| !text.trim().is_empty()).collect()
}

fn calls(messages: &[Value]) -> Vec<Call> {
    let mut answers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for told in messages.iter().filter(|it| it["role"] == "tool") {
        answers.entry(string(&told["tool_call_id"])).or_default().push(string(&told["content"]));
    }
    let calls = messages.iter().filter_map(|it| it["tool_calls"].as_array()).flatten();
    calls
        .map(|it| {
            let id = string(&it["id"]);
            let answers = answers.get(&id).cloned().unwrap_or_default();
            let (name, arguments) = (&it["function"]["name"], &it["function"]["arguments"]);
            let signature = it.pointer("/extra_content/google/thought_signature");
            let signature = signature.and_then(Value::as_str).map(str::to_owned);
            Call { id, name: string(name), arguments: string(arguments), signature, answers }
        })
        .collect()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
