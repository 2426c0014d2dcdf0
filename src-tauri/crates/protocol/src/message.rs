//! What providers are sent: the only messages there are on the model's side.

use serde::{Deserialize, Serialize};

use crate::ToolCallId;

/// One message of the provider-visible view. Stored as it is sent, and never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "role")]
pub enum ModelMessage {
    /// The session context: written by the host, sent as a user's message (AN-32).
    Context { text: String },
    /// What the user wrote.
    User { text: String },
    /// What the model answered.
    Assistant {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<Reasoning>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ModelCall>,
    },
    /// What a tool call came to. Exactly one for each call.
    Tool { call: ToolCallId, wire_id: String, text: String },
}

/// The model's reasoning, kept to be sent back unchanged where a provider demands it (PV-5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reasoning {
    /// The field it came in, such as `reasoning_content`.
    pub field: String,
    pub text: String,
}

/// One tool call as it stands in the model's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelCall {
    pub id: ToolCallId,
    /// The provider's own id, sent back as it came; the host's where it was empty or taken.
    pub wire_id: String,
    pub name: String,
    /// JSON text as the model wrote it; `{}` where it was not valid JSON.
    pub arguments: String,
    /// What the provider signed the call with, sent back unchanged where it demands that (PV-5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}
