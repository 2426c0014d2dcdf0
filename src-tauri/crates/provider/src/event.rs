//! What a model's answer is made of.

use protocol::Usage;

/// One thing a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEvent {
    /// A piece of the visible answer.
    Text(String),
    /// A piece of its reasoning, and the field it came in.
    Reasoning { field: String, text: String },
    /// A whole tool call. Calls come in order, at the end.
    ToolCall(RawCall),
    /// What the request cost. Missing if the provider did not say.
    Usage(Usage),
    /// The answer is whole. Nothing follows.
    Done(StopReason),
}

/// A tool call as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawCall {
    /// The provider's id for it; empty if it gave none.
    pub wire_id: String,
    /// The tool's name; may be no tool's, and may be empty.
    pub name: String,
    /// A JSON object as text, as it came; or why the call must not run.
    pub arguments: Result<String, BrokenArguments>,
    /// What the provider signed the call with. It goes back with the call, unchanged (PV-5).
    pub signature: Option<String>,
}

/// Arguments that are no JSON object, or of a call that came before. Their call must not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the call cannot be run: {reason}")]
pub struct BrokenArguments {
    /// What the model wrote.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
    /// What the model can do.
    pub next: &'static str,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The model was done.
    Stop,
    /// It waits for its tool calls.
    ToolCalls,
    /// The output limit was reached.
    Length,
    /// The provider withheld the rest.
    Filtered,
}
