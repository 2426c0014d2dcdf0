//! A recorded check.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{CappedText, ToolCallId, TrustLevel};

/// One command that the host knew as a check and that really started (CK-1, CK-2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    pub command: CappedText,
    pub kind: CheckKind,
    /// What the exit status said. What may be concluded from it is another question (CK-3).
    pub passed: bool,
    /// Something changed after it had finished (CK-4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// It was stopped before it ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    pub tool_call_id: ToolCallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<TrustLevel>,
}

/// How the host knew that a command is a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// The project's settings name it (AN-20).
    Declared,
}
