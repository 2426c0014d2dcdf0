//! What can be asked of the host: the questions, and the shapes of the answers.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    CompletionReceipt, FileSide, Fingerprint, MessageId, SessionEvent, SessionId, ToolCallId,
    TurnFile, TurnId, UnixSeconds,
};

/// One question. Answered from the store; the user's files are not looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    tag = "type",
    deny_unknown_fields
)]
pub enum Query {
    ListSessions,
    /// The sessions in which one text holds every word of this, the one that changed last first.
    Search {
        text: String,
    },
    /// Whole turns, newest first, before a turn (or from the end), at most 100.
    History {
        session: SessionId,
        #[serde(default)]
        before_turn: Option<TurnId>,
        count: u32,
    },
    /// The receipt of one turn.
    TurnResult {
        session: SessionId,
        turn: TurnId,
    },
    /// Files of a result past the first `after`, at most 200.
    TurnChanges {
        session: SessionId,
        turn: TurnId,
        after: u32,
    },
    /// One file's frozen patch, as a [`crate::PatchBody`].
    Patch {
        session: SessionId,
        turn: TurnId,
        path: String,
    },
    /// What can be shown of one file as a picture, as it was before the turn and after it.
    Pictures {
        session: SessionId,
        turn: TurnId,
        path: String,
    },
    /// The bytes of one of the two, as a [`crate::PictureBody`].
    Picture {
        session: SessionId,
        turn: TurnId,
        path: String,
        side: FileSide,
    },
    /// What a check printed, at most its last 2 MiB. Both ids have to match (LG-1).
    CheckLog {
        session: SessionId,
        turn: TurnId,
        call: ToolCallId,
        result: Fingerprint,
    },
    /// The whole text of a message.
    Message {
        session: SessionId,
        message: MessageId,
    },
    /// The whole arguments and output of a call.
    ToolDetail {
        session: SessionId,
        call: ToolCallId,
    },
}

impl Query {
    /// The words of `type`. A test holds them to the variants.
    pub const WORDS: [&'static str; 11] = [
        "list_sessions",
        "search",
        "history",
        "turn_result",
        "turn_changes",
        "patch",
        "pictures",
        "picture",
        "check_log",
        "message",
        "tool_detail",
    ];
}

/// One session of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    pub session: SessionId,
    /// What it was named, or the first line of the first prompt, at most 60 characters (AN-30);
    /// empty before either.
    pub title: String,
    pub workspace: String,
    pub created_at: UnixSeconds,
    pub changed_at: UnixSeconds,
    pub turns: u32,
    /// Why it cannot be read, where it cannot; the other fields are then unknown and empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// Whether it works on a copy of the sample project, and is answered by a script.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_demo: bool,
    /// Whether it was put away; it can be opened all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// The session that it was a copy of when it began (SM-13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<SessionId>,
}

/// What a search over all sessions found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchPage {
    /// One for each session, at most 50.
    pub hits: Vec<SearchHit>,
    /// Sessions in which it was found.
    pub total: u32,
    /// Only the newest texts were looked through, since the words are short.
    pub is_partial: bool,
}

/// A session in which something was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    pub session: SessionSummary,
    /// Where the newest text with it stands; `null` for the session itself.
    pub turn: Option<TurnId>,
    pub place: SearchPlace,
    /// What stands around it, in one line.
    pub excerpt: String,
    /// Texts of the session that hold it.
    pub matches: u32,
}

/// What is searched. Of a prompt and an answer the first 16 KiB are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum SearchPlace {
    /// What a person named the session.
    Title,
    Prompt,
    Answer,
    /// The files that a turn changed.
    Path,
    /// The command of a recorded check.
    Check,
    /// How a turn and its checks ended, in the words of this protocol.
    Status,
}

/// Whole turns, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    pub turns: Vec<TurnHistory>,
    /// Whether there are older ones.
    pub more: bool,
    /// What could not be read, where something of these turns, or of the file, is damaged (JR-3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// The events of one turn, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnHistory {
    pub turn: TurnId,
    pub events: Vec<SessionEvent>,
}

/// How one turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnResult {
    pub turn: TurnId,
    pub outcome: crate::TurnOutcome,
    pub receipt: CompletionReceipt,
}

/// What a check printed (LG-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckLog {
    /// The end of it, from the start of a character.
    pub text: String,
    /// What it printed in all; more than the text holds where that is cut.
    pub total_bytes: u64,
    /// Whether something of it is left out.
    pub is_cut: bool,
}

impl CheckLog {
    /// Returns it for a border where JSON is slow: eight bytes of [`Self::total_bytes`],
    /// little-endian, and then the text as UTF-8.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut bytes = self.total_bytes.to_le_bytes().to_vec();
        bytes.extend(self.text.into_bytes());
        bytes
    }
}

/// Some files of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct FilePage {
    pub files: Vec<TurnFile>,
    pub total_files: u32,
}

/// One call, whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ToolDetail {
    pub call: ToolCallId,
    pub tool: String,
    /// JSON as the model wrote it.
    pub arguments: String,
    /// What the model was told; missing while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// A failed command or question: a kind to branch on and a sentence to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CommandError {
    pub kind: ErrorKind,
    pub message: String,
}

/// What a caller may branch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// No such word, or one whose time has not come.
    UnknownCommand,
    /// The words are right and what goes with them is not.
    BadRequest,
    /// What was asked for is not there.
    Missing,
    /// A turn runs already; it can be stopped.
    TurnRunning,
    /// Another process writes this session; it can be read.
    SessionBusy,
    /// The session cannot be written; the message says why.
    SessionNotWritable,
    /// The session's file is damaged. What can be read is shown, and a copy goes on with that.
    SessionDamaged,
    /// The session's file is damaged from its start on, so that it can be neither gone on with nor
    /// copied.
    SessionUnreadable,
    /// The question was answered already, or is another one.
    NotPending,
    /// No provider is set up.
    NoProvider,
    Internal,
}
