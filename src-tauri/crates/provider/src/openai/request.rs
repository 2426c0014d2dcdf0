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

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    stream: bool,
    stream_options: StreamOptions,
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
}

#[derive(Serialize)]
struct Function<'a> {
    name: Cow<'a, str>,
    arguments: &'a str,
}

/// Writes the request for a prompt.
pub(crate) fn body(entry: &CatalogEntry, model: &str, prompt: &Prompt<'_>) -> Vec<u8> {
    let system = (!prompt.system.is_empty()).then_some(Message::System { content: prompt.system });
    let rest = prompt.messages.iter().map(|it| message(it, entry.reasoning_echo));
    let effort = entry.model(model).and_then(|it| it.effort_with_tools);
    let request = Request {
        model,
        stream: true,
        stream_options: StreamOptions { include_usage: true },
        reasoning_effort: effort.filter(|_| !prompt.tools.is_empty()),
        tools: prompt.tools.iter().map(Tool::Function).collect(),
        messages: system.into_iter().chain(rest).collect(),
    };
    serde_json::to_vec(&request).expect("a request holds only texts and JSON values")
}

fn message(message: &ModelMessage, echo: ReasoningEcho) -> Message<'_> {
    match message {
        ModelMessage::Context { text } | ModelMessage::User { text } => {
            Message::User { content: text }
        }
        ModelMessage::Assistant { text, reasoning, calls } => {
            let (reasoning_content, reasoning) = echoed(reasoning.as_ref(), echo);
            Message::Assistant {
                content: (!text.is_empty() || calls.is_empty()).then_some(text),
                reasoning_content,
                reasoning,
                tool_calls: calls.iter().map(call).collect(),
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

fn call(call: &ModelCall) -> Call<'_> {
    let function = Function { name: function_name(&call.name), arguments: &call.arguments };
    Call { id: &call.wire_id, r#type: "function", function }
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
