//! What is put down in a session, record by record.

use protocol::{
    EventKind, Fingerprint, Gap, MessageId, ModelMessage, PartialRead, ReadEnvelope, ReadVerdict,
    ToolCallId, TurnChanges, TurnId, UnixSeconds, Verification, WorkspacePath,
};
use rusqlite::{ToSql, types::ToSqlOutput};
use serde::{Deserialize, Serialize};

/// One record of a session (AN-1). Written once and never changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// What the interface folds.
    Event(EventKind),
    /// What providers are sent.
    Model(ModelMessage),
    /// What stays on this machine.
    Local(LocalRecord),
}

/// A fact for the host alone: shown to no provider and folded by no screen (SM-9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "type")]
pub enum LocalRecord {
    /// The first record of a file: what the session works on.
    Opened { workspace: String, roots: Vec<String> },
    /// What a file was before the turn first touched it (CP-2).
    Before {
        path: WorkspacePath,
        shown: String,
        call: ToolCallId,
        before: CapturedState,
        /// Its bytes; missing where there was no file, or where they could not be kept.
        blob: Option<Fingerprint>,
    },
    /// What a file is after the host wrote it (CP-3).
    After { path: WorkspacePath, call: ToolCallId, after: CapturedState },
    /// A check as it stands: begun, ended, or made old by a change (CK-1, CK-4). The last one of a
    /// call holds; the receipt has it too, once the turn has ended.
    Check { check: Verification },
    /// What the turn's result cannot account for (CP-4).
    Gap { gap: Gap },
    /// What a command printed.
    Output {
        call: ToolCallId,
        blob: Fingerprint,
        /// Bytes it printed; more than the blob holds where `cut`.
        total_bytes: u64,
        cut: bool,
        /// Where it is cut: the blob's bytes before this are the start, the others the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        start_bytes: Option<u64>,
    },
    /// What is known of a page that was read (RE-11).
    Read { envelope: ReadEnvelope },
    /// Why the turn ended as an incomplete read (RC-22). It names the run, so that what is shown of
    /// it live and what is read of it later are one.
    ReadPause { id: String, code: ReadPauseCode, reads: Vec<PartialRead>, omitted: u32 },
    /// What was read in part in a turn that ended as it should (RC-23). It claims no more than that.
    ReadCompletion { id: String, verdict: ReadVerdict, reads: Vec<PartialRead>, omitted: u32 },
    /// The turn's result: the whole list, which the event may cut.
    Frozen { changes: TurnChanges, patches: Vec<StoredPatch> },
}

/// What a record of unfinished reads is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReadPauseCode {
    ReadHardStop,
}

/// Where a file's patch is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredPatch {
    /// As in [`protocol::TurnFile::path`].
    pub path: String,
    pub blob: Fingerprint,
}

/// What a file was at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CapturedState {
    /// `None` where there was no file.
    pub fingerprint: Option<Fingerprint>,
    /// Permission bits; `None` where there are none to know.
    pub mode: Option<u32>,
}

/// What becomes durable together, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    pub turn: TurnId,
    pub at: UnixSeconds,
    /// In the order they happened. A message goes in with the event that announces it (AN-1): the
    /// assistant's messages are those of the `MessageCommitted` events, in the same order.
    pub records: Vec<Record>,
    /// Bytes that the records name by their [`crate::fingerprint`].
    pub blobs: Vec<Vec<u8>>,
    /// The message whose streamed text is no longer needed.
    pub clear_scratch: Option<MessageId>,
}

/// Which of the three a stored record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Event = 0,
    Model = 1,
    Local = 2,
    /// In the copy of a damaged session: what stands for a lost record, and what was said to the
    /// model in a turn that has one. No question is answered from it.
    SetAside = 3,
}

impl ToSql for Kind {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok((*self as i64).into())
    }
}

/// Says of which message or call each record holds the text. The model's messages of a commit are
/// those that its events announce, in the same order (AN-1).
pub(crate) fn texts_of(records: &[Record]) -> Vec<Option<String>> {
    let mut announced = records.iter().filter_map(|record| match record {
        Record::Event(kind) => committed_message(kind),
        Record::Model(_) | Record::Local(_) => None,
    });
    let text_of = |record: &Record| match record {
        Record::Event(kind) => committed_message(kind),
        Record::Model(ModelMessage::Assistant { .. }) => announced.next(),
        Record::Model(ModelMessage::Tool { call, .. }) => Some(call.to_string()),
        Record::Model(ModelMessage::Context { .. } | ModelMessage::User { .. })
        | Record::Local(
            LocalRecord::Opened { .. }
            | LocalRecord::Before { .. }
            | LocalRecord::After { .. }
            | LocalRecord::Check { .. }
            | LocalRecord::Gap { .. }
            | LocalRecord::Output { .. }
            | LocalRecord::Read { .. }
            | LocalRecord::ReadPause { .. }
            | LocalRecord::ReadCompletion { .. }
            | LocalRecord::Frozen { .. },
        ) => None,
    };
    records.iter().map(text_of).collect()
}

fn committed_message(kind: &EventKind) -> Option<String> {
    match kind {
        EventKind::MessageCommitted { message, .. } => Some(message.to_string()),
        EventKind::TurnStarted { .. }
        | EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. }
        | EventKind::TurnDone { .. } => None,
    }
}
