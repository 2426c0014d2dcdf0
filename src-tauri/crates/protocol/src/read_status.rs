//! How far the reading of a file has come, for whoever watches.

use std::fmt;

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{Fingerprint, ReadId, ToolCallId, WorkspacePath};

/// The version of what reads put on the wire and on disk (SI-8).
pub const READ_PROTOCOL: u32 = 2;

/// Lines `start..end` of a file, counted from 0. On the wire `[start, end]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
#[specta(type = (u32, u32))]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
}

impl LineRange {
    /// Names the lines from `start` up to `end`, which is not one of them.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns whether no line is in it.
    pub fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns how many lines are in it.
    pub fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }
}

impl From<(u32, u32)> for LineRange {
    fn from((start, end): (u32, u32)) -> Self {
        Self { start, end }
    }
}

impl From<LineRange> for (u32, u32) {
    fn from(range: LineRange) -> Self {
        (range.start, range.end)
    }
}

impl fmt::Debug for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {})", self.start, self.end)
    }
}

/// What a read is to come to (RE-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ReadIntent {
    /// One bounded page; the rest is no debt.
    Inspect,
    /// The lines that were named.
    Range,
    /// The whole file.
    Full,
}

/// Where one logical read stands (RC-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ReadState {
    Created,
    Fetching,
    Delivered,
    Satisfied,
    NeedsMore,
    /// It cannot be met within its budget; what is missing is named.
    NeedsScope,
    /// The file became another version, and what was read of the old one no longer counts.
    Stale,
    /// A bound was reached.
    Blocked,
    Cancelled,
}

/// Why a read does not go on by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ReadStopCode {
    /// It took as many pages as one read may (RC-9).
    PageBudget,
    /// It took as much time as one read may (RC-10).
    TimeBudget,
    /// Nothing new came, after a change of course either (RC-14).
    NoProgress,
    /// The file is too large for its version to be told, so its pages cannot be joined (SI-6).
    UnversionedSource,
    /// The model's context window is not known (RC-12).
    UnknownWindow,
    /// The model's context window has no room left for it (RC-12).
    NoHeadroom,
    /// There is no cursor to go on with (RC-20).
    NoCursor,
}

/// What may be said of a read as a whole (RS-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ReadVerdict {
    /// Part of the file was read, and nothing asked for more. It says no more than that (RC-23).
    PartialReadSufficient,
    FullReadPending,
    ReadHardStop,
}

/// What goes on with a read that paused: one call that is accepted now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadRecovery {
    /// Lines to skip.
    pub offset: u32,
    /// Lines to read.
    pub limit: u32,
}

/// One logical read, as it is now. The last one of a read holds: a lower generation, or the same
/// with a sequence that is not higher, is old (RS-3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ReadStatus {
    /// [`READ_PROTOCOL`].
    pub version: u32,
    pub read_id: ReadId,
    /// Counts the versions of the file that this read went through.
    pub generation: u32,
    /// Counts the states within the turn.
    pub seq: u32,
    /// As a person sees it.
    pub path: String,
    pub intent: ReadIntent,
    pub state: ReadState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<ReadVerdict>,
    /// What was delivered of this version, in order; the first 64.
    pub covered: Vec<LineRange>,
    /// What is asked for and was not, in order; the first 64. Empty where its end is not known.
    pub missing: Vec<LineRange>,
    /// The number of lines; missing where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_end: Option<u32>,
    /// Whether lines are known to follow the last page.
    pub has_more: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReadStopCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<ReadRecovery>,
    /// Whether the host is at it, or waits for the model to go on with it.
    pub active: bool,
}

/// What the host knows of one page that was read (RE-11). It stays on this machine: no provider is
/// sent any of it (RE-12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadEnvelope {
    /// [`READ_PROTOCOL`].
    pub protocol_version: u32,
    pub read_id: ReadId,
    /// The call whose result shows the page.
    pub result_ref: ToolCallId,
    pub source: ReadSource,
    pub intent: ReadIntent,
    /// What was asked for, where lines were named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested_range: Option<LineRange>,
    /// The lines that the model got whole.
    pub delivered_ranges: Vec<LineRange>,
    /// `wd2:` and hex; of those lines exactly.
    pub window_digest: String,
    pub has_more: bool,
    pub eof: bool,
    /// The number of lines, where it is certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_end: Option<u32>,
    /// Whether something goes on with it. The cursor itself is not kept: it is of no use later.
    pub has_cursor: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_cut_reason: Option<ReadCut>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport_cut_reason: Option<ReadCut>,
}

/// Whose bytes a page was made from (SI-2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadSource {
    pub path: WorkspacePath,
    /// `disk`, or `overlay` for an editor's buffer.
    pub kind: String,
    /// Of the bytes; missing where the file is too large to be read whole for a page (SI-5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<Fingerprint>,
    /// `ss2:` and hex; missing where the identity is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
}

/// Why a page ends before its file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadCut {
    /// The lines that were asked for, or that a page has, end.
    PageLimit,
    /// The page is as large as a page may be.
    SafetyPage,
    /// The model's context takes no more (RE-15).
    Budget,
    /// Something between the host and the model cut it (RE-13).
    ToolOutput,
}

/// One read in a record of what was not read to its end (RC-22), or was read in part (RC-23). It
/// has no content and nothing to go on with, and licenses nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PartialRead {
    pub read_id: ReadId,
    pub path: String,
    /// The version that was read; missing where it could not be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    pub intent: ReadIntent,
    /// The first 64.
    pub covered: Vec<LineRange>,
    /// The first 64.
    pub missing: Vec<LineRange>,
    /// Why it paused; missing where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReadStopCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_end: Option<u32>,
}

/// A read that the user stopped (RC-25).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct StoppedRead {
    pub path: String,
    /// The first 64.
    pub missing: Vec<LineRange>,
}
