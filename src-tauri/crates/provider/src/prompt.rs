//! What a model is asked: the only way into a request.

use protocol::ModelMessage;
use serde::Serialize;

/// One request's contents, in the order they are sent (CA-2).
#[derive(Clone, Copy, Debug)]
pub struct Prompt<'a> {
    /// The standing instructions. They never change within a session.
    pub system: &'a str,
    /// The tools, sent in this order.
    pub tools: &'a [ToolSpec],
    /// The conversation so far. It only ever grows at its end.
    pub messages: &'a [ModelMessage],
}

/// One tool as the model is told about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolSpec {
    /// The name the model calls it by.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON schema of its arguments, sent with its members in the order they stand in.
    pub parameters: serde_json::Value,
}
