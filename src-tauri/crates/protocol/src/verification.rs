//! A recorded check.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{CappedText, Fingerprint, ToolCallId, TrustLevel, UnixSeconds};

/// One command that the host knew as a check and that really started (CK-1, CK-2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    pub command: CappedText,
    pub kind: CheckKind,
    /// What the exit status said. What may be concluded from it is another question (CK-3).
    pub passed: bool,
    /// Something changed after it had finished, or while it ran in the background (CK-4).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// It was stopped before it ended, or nobody saw its end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    pub tool_call_id: ToolCallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<TrustLevel>,
    /// The runner's name as users know it, such as `cargo test`. For the eye alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// What weakens the status (CH-2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifiers: Vec<CheckQualifier>,
    /// What the runner counted itself, where it printed that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<CheckCounts>,
    /// The folder it ran in, as it is shown; missing where that is the workspace itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<UnixSeconds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u32>,
    /// The digest of the stored output, which names it (LG-1). Without it there is no log to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_result_id: Option<Fingerprint>,
}

/// What may be said of one check (CK-5, CH-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStatus {
    Failed,
    Interrupted,
    Stale,
    /// It ended with 0, and that proves nothing; or it had not ended yet.
    Unknown,
    Passed,
}

impl Verification {
    /// Returns what may be said of the check. What contradicts itself did not pass (CK-3).
    pub fn status(&self) -> CheckStatus {
        let proves_nothing = |it: &CheckQualifier| match it {
            CheckQualifier::MaskedExit | CheckQualifier::NoTests | CheckQualifier::Unfinished => {
                true
            }
            CheckQualifier::SharedExit | CheckQualifier::Filtered => false,
        };
        if self.interrupted {
            CheckStatus::Interrupted
        } else if self.qualifiers.contains(&CheckQualifier::Unfinished) {
            CheckStatus::Unknown
        } else if !self.passed || self.exit_code.is_some_and(|code| code != 0) {
            CheckStatus::Failed
        } else if self.stale {
            CheckStatus::Stale
        } else if self.qualifiers.iter().any(proves_nothing) {
            CheckStatus::Unknown
        } else {
            CheckStatus::Passed
        }
    }
}

/// What weakens or narrows a status (CH-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckQualifier {
    /// The command can end with 0 although the check failed or never ran.
    MaskedExit,
    /// A status other than 0 may be that of another part of the command.
    SharedExit,
    /// The runner says that it ran none.
    NoTests,
    /// A name filter, or a subset of paths.
    Filtered,
    /// It still ran, in the background, when the turn ended. What it came to stands with the turn
    /// that sees its end.
    Unfinished,
}

/// What a runner counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckCounts {
    pub passed: u32,
    /// Errors are among them.
    pub failed: u32,
    pub skipped: u32,
}

/// How the host knew that a command is a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// The project's settings name it (AN-20).
    Declared,
    Test,
    TypeCheck,
    Lint,
    Build,
    /// A target whose name says that it checks; what it runs could not be read (CH-4).
    Unclassified,
}
