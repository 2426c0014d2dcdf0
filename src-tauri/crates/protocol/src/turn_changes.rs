//! What one turn changed, frozen when the turn ended.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{ResultId, ToolCallId, TurnId};

/// Most files an event lists (AN-2). The rest is pulled.
pub const EVENT_FILES: usize = 200;

/// What one turn changed, net. A summary: patches are kept apart and pulled (TR-23).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnChanges {
    pub id: ResultId,
    pub turn: TurnId,
    pub coverage: Coverage,
    /// One entry per file that differs; a file put back as it was has none (TR-6).
    pub files: Vec<TurnFile>,
    /// How many files there are; more than `files` holds where an event cut the list.
    pub total_files: u32,
    /// Lines added in all counted files (TL-2: written and observed).
    pub added: u32,
    /// Lines removed in all counted files.
    pub removed: u32,
    /// The same by trust level; a level without files has no entry.
    pub levels: Vec<LevelTotals>,
    /// Why coverage is not complete; each reason once.
    pub reasons: Vec<Gap>,
}

impl TurnChanges {
    /// Returns what can be said of a turn whose record is not whole (TR-3).
    pub fn unknown(turn: TurnId, id: ResultId) -> Self {
        Self {
            id,
            turn,
            coverage: Coverage::Unknown,
            files: Vec::new(),
            total_files: 0,
            added: 0,
            removed: 0,
            levels: Vec::new(),
            reasons: Vec::new(),
        }
    }
}

/// How much of a turn's effect is accounted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Coverage {
    /// Every change is accounted for.
    Complete,
    /// What is listed is true; more may have happened.
    Partial,
    /// Nothing can be said. Never shown as "no changes".
    Unknown,
}

/// One file that differs from what it was when the turn first touched it (TR-21, TR-32).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnFile {
    /// As a person sees it: relative to the workspace, absolute in an added folder.
    pub path: String,
    pub kind: FileChangeKind,
    /// Lines added; 0 where `binary`, `modeOnly` or `uncounted` says there is no number.
    pub added: u32,
    pub removed: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub binary: bool,
    /// Only the permission bits differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub mode_only: bool,
    /// The diff was cut off, so the numbers are not known (TR-9).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub uncounted: bool,
    /// Why there is no patch to show; `None` where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<GapReason>,
    /// How the host knows; missing in old data, and then unknown (TL-1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<TrustLevel>,
    /// The calls that wrote it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_ids: Vec<ToolCallId>,
}

/// What happened to a file over the turn (TR-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum FileChangeKind {
    Create,
    Modify,
    Delete,
}

/// How the host knows a fact (TL-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TrustLevel {
    /// A host writer made it.
    Written,
    /// The host saw it between two scans of its own.
    Observed,
    /// An outside agent said so.
    Reported,
    Unknown,
}

/// The counts of one trust level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LevelTotals {
    pub level: TrustLevel,
    pub files: u32,
    pub added: u32,
    pub removed: u32,
}

/// Something the result cannot account for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    pub reason: GapReason,
    /// The file it is about, where it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The call it came with, where it came with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCallId>,
}

/// Why something is not accounted for (CP-4, TR-13). The words are the interface's keys.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "snake_case")]
pub enum GapReason {
    /// The before-image is gone or damaged.
    SnapshotUnavailable,
    /// The host does not know what its own write left behind.
    OwnershipUnknown,
    /// Something was still writing when the result was frozen.
    ActiveWriter,
    /// The file or its diff is over a bound.
    SizeLimit,
    /// The file could not be read when the result was frozen.
    FileUnavailable,
    /// Somebody else changed the file after the turn last wrote it.
    ExternalChange,
    /// The result could not be stored.
    ResultNotSaved,
    /// A command ran that may have changed files.
    BashSideEffect,
    /// A background job of an earlier turn ran on in this one, and may have changed files.
    BackgroundWriterCrossTurn,
    /// The file has more than one name.
    Hardlink,
    /// The file's before-image could not be read.
    Unreadable,
    /// The file is too large for its before-image to be kept.
    Oversized,
    /// The before-image could not be stored.
    CaptureFailed,
}
