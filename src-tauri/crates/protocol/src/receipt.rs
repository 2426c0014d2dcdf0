//! The receipt a turn ends with: facts, never a verdict on quality.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{Diagnostic, FailureCode, StoppedRead, ToolCallId, TurnChanges, Verification};

/// What the host recorded of one turn (TR-40).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CompletionReceipt {
    /// Missing only in old data; then changes are unknown, never none (TR-33).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<TurnChanges>,
    /// The user asked the turn to stop.
    pub interrupted: bool,
    /// Always `unknown`: the host states facts.
    pub verdict: Verdict,
    pub assessment_kind: AssessmentKind,
    /// The checks that ended, in the order of their ends, and then those that still run.
    pub verifications: Vec<Verification>,
    /// The writes that were turned away, of which an event may list the first; empty when there was
    /// none.
    pub refused: Vec<RefusedWrite>,
    /// The reads that the user stopped, with what they left unread (RC-25).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads_stopped: Vec<StoppedRead>,
    /// The lines under the answer (AN-24).
    pub notes: Vec<ResultNote>,
}

impl CompletionReceipt {
    /// Returns the receipt of a turn whose record is not whole. No line says that there was no check
    /// or no change: nobody knows (CL-6).
    pub fn unknown(changes: TurnChanges) -> Self {
        Self {
            diff: Some(changes),
            interrupted: false,
            verdict: Verdict::Unknown,
            assessment_kind: AssessmentKind::Facts,
            verifications: Vec::new(),
            refused: Vec::new(),
            reads_stopped: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Whether the task is done. The host does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Unknown,
}

/// What the receipt is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum AssessmentKind {
    Facts,
}

/// One write that was turned away before it began, and why: by the gate, which has a diagnostic, or
/// by the reason in `failure`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RefusedWrite {
    pub call: ToolCallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostic: Option<Diagnostic>,
    /// The user or a setting said no, or the file is outside the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureCode>,
}

/// One line under the answer. The set is closed (AN-24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case", tag = "note")]
pub enum ResultNote {
    NoRecordedCheck,
    NoNetChanges,
    /// Writes that the gate, the user or a setting turned away, or that were meant for a place
    /// outside the workspace; a command that may write is one too.
    WritesRefused {
        count: u32,
    },
    /// Something changed after the last check had ended.
    LastCheckIsOld,
}
