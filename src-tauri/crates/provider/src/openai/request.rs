//! Writes a request so that its bytes are stable: the order of members is the order below, and the
//! messages come last, so that a longer conversation only adds bytes (CA-1 to CA-4).

use std::borrow::Cow;

use protocol::{ModelCall, ModelMessage, Reasoning};
use serde::Serialize;

use crate::{
    Prompt, ToolSpec,
    catalog::{CatalogEntry, ReasoningEcho},
};

/// Longest name of a function that vendors accept.
const NAME_BYTES: usize = 64;
/// Stands for reasoning that is demanded and never came. An empty text counts as missing.
const NO_REASONING: &str = " ";
/// Stands for a signature that is demanded and never came: the call is another model's.
const NO_SIGNATURE: &str = "skip_thought_signature_validator";

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", content = "function", rename_all = "snake_case")]
enum Tool<'a> {
    Function(&'a ToolSpec),
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning_content: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        reasoning: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<Call<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: Function<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<ExtraContent<'a>>,
}

#[derive(Serialize)]
struct ExtraContent<'a> {
    google: Signature<'a>,
}

#[derive(Serialize)]
struct Signature<'a> {
    thought_signature: &'a str,
}

#[derive(Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    arguments: &'a str,
}

/// Writes the request for a prompt.
pub(crate) fn body(entry: &CatalogEntry, model: &str, prompt: &Prompt<'_>) -> Vec<u8> {
    let system = (!prompt.system.is_empty()).then_some(Message::System { content: prompt.system });
    let rest = prompt.messages.iter().map(|it| message(it, entry));
    let asked = StreamOptions { include_usage: true };
    let effort = entry.model(model).and_then(|it| it.effort_with_tools);
    let request = Request {
        model,
        stream: true,
        stream_options: entry.is_asked_for_usage.then_some(asked),
        reasoning_effort: effort.filter(|_| !prompt.tools.is_empty()),
        tools: prompt.tools.iter().map(Tool::Function).collect(),
        messages: system.into_iter().chain(rest).collect(),
    };
    serde_json::to_vec(&request).expect("a request holds only texts and JSON values")
}

fn message<'a>(message: &'a ModelMessage, entry: &CatalogEntry) -> Message<'a> {
    match message {
        ModelMessage::Context { text } | ModelMessage::User { text } => {
            Message::User { content: text }
        }
        ModelMessage::Assistant { text, reasoning, calls } => {
            let (reasoning_content, reasoning) = echoed(reasoning.as_ref(), entry.reasoning_echo);
            let signed = entry.wants_signatures;
            let call = |(at, it): (usize, &'a ModelCall)| {
                call(it, signed.then(|| signature(it, at)).flatten())
            };
            Message::Assistant {
                content: (!text.is_empty() || calls.is_empty()).then_some(text),
                reasoning_content,
                reasoning,
                tool_calls: calls.iter().enumerate().map(call).collect(),
            }
        }
        ModelMessage::Tool { call: _, wire_id, text } => {
            Message::Tool { tool_call_id: wire_id, content: text }
        }
    }
}

/// The reasoning to send back: as `reasoning_content`, or as `reasoning`.
fn echoed(came: Option<&Reasoning>, echo: ReasoningEcho) -> (Option<&str>, Option<&str>) {
    let came = came.filter(|it| !it.text.is_empty());
    match echo {
        ReasoningEcho::Never => (None, None),
        ReasoningEcho::Always => (Some(came.map_or(NO_REASONING, |it| &it.text)), None),
        ReasoningEcho::IfItCame => {
            let of = |field| came.filter(|it| it.field == field).map(|it| it.text.as_str());
            (of("reasoning_content"), of("reasoning"))
        }
    }
}

fn call<'a>(call: &'a ModelCall, signature: Option<&'a str>) -> Call<'a> {
    let function = Function { name: function_name(&call.name), arguments: &call.arguments };
    let extra_content =
        signature.map(|it| ExtraContent { google: Signature { thought_signature: it } });
    Call { id: &call.wire_id, r#type: "function", function, extra_content }
}

/// The signature of a call, by its place in its message. Only the first has to have one.
fn signature(call: &ModelCall, at: usize) -> Option<&str> {
    call.signature.as_deref().or((at == 0).then_some(NO_SIGNATURE))
}

/// The name as vendors accept it. A model may have called what is no name at all, and a request
/// that repeats it would be refused for ever after.
fn function_name(name: &str) -> Cow<'_, str> {
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    if name.is_empty() {
        Cow::Borrowed("unnamed")
    } else if name.len() <= NAME_BYTES && name.chars().all(fits) {
        Cow::Borrowed(name)
    } else {
        let fitted = name.chars().map(|it| if fits(it) { it } else { '_' });
        Cow::Owned(fitted.take(NAME_BYTES).collect())
    }
}

#[cfg(test)]
mod tests;
