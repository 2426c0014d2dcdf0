//! Turns the chunks of a streamed answer into model events.

use std::collections::VecDeque;

use protocol::Usage;
use serde::Deserialize;
use serde_json::Value;

use super::{
    calls::{CallPiece, Calls},
    error_words, is_error,
    scan::Scan,
    usage,
};
use crate::{ModelEvent, StopReason, catalog::CacheFields, sse::SseEvent};

/// Why a chunk ends the answer.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is no chunk.
    Garbled(serde_json::Error),
    /// It holds more values than are parsed.
    TooDense,
    /// It is an error; these are its words.
    Reported(String),
    /// The answer is over the limit.
    TooLarge,
}

/// The state of one answer.
pub(crate) struct Decoder {
    rule: CacheFields,
    bytes_left: usize,
    calls: Calls,
    usage: Option<Usage>,
    finish: Option<StopReason>,
    done: bool,
}

#[derive(Deserialize)]
struct Chunk {
    object: Option<String>,
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    x_groq: Option<Groq>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Groq {
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Delta>,
    /// In place of `delta` where the vendor did not stream.
    message: Option<Delta>,
    finish_reason: Option<String>,
    usage: Option<Value>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Delta {
    reasoning_content: Option<Content>,
    reasoning: Option<Content>,
    reasoning_details: Option<Value>,
    content: Option<Content>,
    refusal: Option<String>,
    tool_calls: Option<Vec<CallPiece>>,
}

/// A text, or the parts that some vendors send instead.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Value),
}

impl Decoder {
    pub(crate) fn new(rule: CacheFields, answer_bytes: u32) -> Self {
        Self {
            rule,
            bytes_left: answer_bytes as usize,
            calls: Calls::default(),
            usage: None,
            finish: None,
            done: false,
        }
    }

    /// Takes one event of the stream in. What comes after the closing mark is no part of it.
    pub(crate) fn feed(
        &mut self,
        event: &SseEvent,
        out: &mut VecDeque<ModelEvent>,
    ) -> Result<(), Fault> {
        let data = event.data.trim_ascii();
        self.done |= data == b"[DONE]";
        if self.done {
            return Ok(());
        }
        if Scan::of(data).is_too_dense() {
            return Err(Fault::TooDense);
        }
        let reported = || Fault::Reported(error_words(data));
        let chunk = serde_json::from_slice::<Chunk>(data);
        let chunk = chunk.map_err(|error| {
            if event.is_error || is_error(data) { reported() } else { Fault::Garbled(error) }
        })?;
        let is_error =
            event.is_error || chunk.error.is_some() || chunk.object.as_deref() == Some("error");
        let mut fault = is_error.then(reported);
        // What a chunk says and what it cost hold even if it is an error besides.
        self.count(chunk.x_groq.and_then(|it| it.usage));
        self.count(chunk.usage);
        for choice in chunk.choices.into_iter().flatten() {
            self.count(choice.usage);
            if let Some(delta) = choice.delta.or(choice.message) {
                self.add(delta, out)?;
            }
            if let Some(error) = choice.error {
                let words = error_words(error.to_string().as_bytes());
                fault.get_or_insert(Fault::Reported(words));
            }
            match choice.finish_reason.filter(|it| !it.is_empty()).map(|it| stop_reason(&it)) {
                Some(Ok(stop)) => self.finish = Some(stop),
                Some(Err(given_up)) => {
                    fault.get_or_insert(given_up);
                }
                None => {}
            }
        }
        fault.map_or(Ok(()), Err)
    }

    /// Whether the vendor said that nothing follows.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// Whether the answer is whole if nothing follows.
    pub(crate) fn is_whole(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// What is known only at the end: the calls and the cost. Returns why the answer ended.
    pub(crate) fn finish(&mut self, out: &mut VecDeque<ModelEvent>) -> StopReason {
        let finish = self.finish.unwrap_or(StopReason::Stop);
        let stop = match finish {
            StopReason::Stop | StopReason::ToolCalls if self.calls.is_empty() => StopReason::Stop,
            StopReason::Stop | StopReason::ToolCalls => StopReason::ToolCalls,
            StopReason::Length | StopReason::Filtered => finish,
        };
        let cut = matches!(stop, StopReason::Length | StopReason::Filtered);
        let calls = std::mem::take(&mut self.calls).finish(cut);
        out.extend(calls.into_iter().map(ModelEvent::ToolCall));
        out.extend(self.take_usage());
        stop
    }

    /// The cost, as far as it is known: it is owed even where the answer breaks.
    pub(crate) fn take_usage(&mut self) -> Option<ModelEvent> {
        self.usage.take().map(ModelEvent::Usage)
    }

    fn count(&mut self, told: Option<Value>) {
        if let Some(usage) = told.and_then(|it| usage::read(&it, self.rule)) {
            self.usage = Some(usage);
        }
    }

    fn add(&mut self, mut delta: Delta, out: &mut VecDeque<ModelEvent>) -> Result<(), Fault> {
        let (thinking, content) = delta.content.take().map(Content::split).unwrap_or_default();
        if let Some((field, text)) = delta.reasoning(thinking) {
            self.spend(text.len())?;
            out.push_back(ModelEvent::Reasoning { field: field.to_owned(), text });
        }
        for text in [content, delta.refusal.unwrap_or_default()] {
            if !text.is_empty() {
                self.spend(text.len())?;
                out.push_back(ModelEvent::Text(text));
            }
        }
        for piece in delta.tool_calls.into_iter().flatten() {
            let bytes = self.calls.add(piece);
            self.spend(bytes)?;
        }
        Ok(())
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Fault> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or(Fault::TooLarge)?;
        Ok(())
    }
}

impl Delta {
    /// The reasoning and the field it stands in; `thinking` is what of it stood in the content. A
    /// vendor that fills two means the same twice.
    fn reasoning(&mut self, thinking: String) -> Option<(&'static str, String)> {
        let text = |content: Option<Content>| content.map(|it| it.split().1).unwrap_or_default();
        [
            ("reasoning_content", text(self.reasoning_content.take())),
            ("reasoning", text(self.reasoning.take())),
            ("reasoning_details", text(self.reasoning_details.take().map(Content::Parts))),
            ("thinking", thinking),
        ]
        .into_iter()
        .find(|(_, text)| !text.is_empty())
    }
}

impl Content {
    /// The reasoning among the parts, and the text.
    fn split(self) -> (String, String) {
        match self {
            Self::Text(text) => (String::new(), text),
            Self::Parts(parts) => (thinking(&parts), texts(&parts)),
        }
    }
}

/// The texts of a list of parts, joined.
fn texts(parts: &Value) -> String {
    let text =
        |it: &Value| it.get("text").or_else(|| it.get("summary"))?.as_str().map(str::to_owned);
    list(parts).iter().filter_map(text).collect()
}

/// What stands in the parts that are reasoning.
fn thinking(parts: &Value) -> String {
    let inner = list(parts).iter().filter_map(|it| it.get("thinking"));
    inner.map(|it| it.as_str().map_or_else(|| texts(it), str::to_owned)).collect()
}

fn list(parts: &Value) -> &[Value] {
    parts.as_array().map_or(std::slice::from_ref(parts), Vec::as_slice)
}

/// A vendor's word for why it stopped. One that nobody knows is an ordinary end.
fn stop_reason(word: &str) -> Result<StopReason, Fault> {
    Ok(match word.to_ascii_lowercase().as_str() {
        "tool_calls" | "tool_call" | "tool_use" | "function_call" => StopReason::ToolCalls,
        "length" | "max_tokens" | "model_length" | "max_output_tokens" => StopReason::Length,
        "content_filter" | "safety" | "sensitive" | "refusal" | "recitation" => {
            StopReason::Filtered
        }
        "insufficient_system_resource" | "error" | "network_error" | "abort" => {
            return Err(Fault::Reported(word.to_owned()));
        }
        _ => StopReason::Stop,
    })
}

#[cfg(test)]
mod tests;
