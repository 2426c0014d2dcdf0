//! Why the host turned something away or could not do it, and what works instead.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::LineRange;

/// Why a write was refused. Content-free: a code never carries file text (DG-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DiagnosticCode {
    /// The file, or the source of a move, is not there.
    WriteTargetAbsent,
    /// The passage stands in the file more than once.
    WriteTargetAmbiguous,
    /// Nothing of what the write replaces was shown before this batch.
    WriteEvidenceMissing,
    /// What the write replaces was shown in part only, or is not what was shown any more.
    WriteEvidenceStale,
    /// No version of the file was read before this batch.
    FsNotObserved,
    /// The file is not the version that was read.
    FsStaleVersion,
    /// The file vanished between the check and the write.
    FsNotFound,
    /// A file appeared where one was to be created.
    FsAlreadyExists,
}

/// What the host will accept next. A closed set; the model picks from it (DG-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum RecoveryAction {
    /// Read the target again, then retry in a later answer.
    RereadTarget,
    /// Leave the edit undone.
    AbandonEdit,
}

/// A refusal: data for the model and for the card (DG-2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    pub code: DiagnosticCode,
    /// As a person sees it.
    pub path: String,
    /// What to do, in one sentence that works now.
    pub recovery: String,
    /// The lines that were not shown, at most `read_ranges` of them; none where none are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub required_ranges: Vec<LineRange>,
    pub allowed_recovery: Vec<RecoveryAction>,
    /// Whether the same call can succeed after the recovery.
    pub retryable: bool,
}

/// Why a call failed. Not a refusal of the gate: information for the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolFailure {
    pub code: FailureCode,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What works instead, in one sentence.
    pub next: String,
}

/// Why a call failed, as a word to branch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    UnknownTool,
    BadArguments,
    /// The arguments were cut off or are not JSON, so nothing was run.
    BrokenCall,
    TooManyCalls,
    NotFound,
    NotAFile,
    BinaryFile,
    /// The bytes are no text in an encoding that is known here.
    UnknownEncoding,
    TooLarge,
    OutsideWorkspace,
    NoPermission,
    DiskFull,
    /// The passage to replace is not in the file.
    NoMatch,
    /// The edit would change nothing.
    NoChange,
    BadPattern,
    CommandNotStarted,
    TimedOut,
    /// No background job of that name is known here.
    NoSuchJob,
    TooManyJobs,
    /// The cursor is not the one that the newest page of this read printed (RE-23).
    ReadCursorInvalid,
    /// The file is not the version that the cursor was bound to (RE-24).
    ReadSourceChanged,
    /// Reading all of the file has paused; named lines of it can be read (RC-19).
    ReadPaused,
    /// The command ended with another exit code than 0.
    ExitCode,
    /// The person, or a setting, said no.
    Denied,
    /// Anything else that the system said.
    System,
}
