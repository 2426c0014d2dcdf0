//! What happened in a session, in order. Live and history are the same rows.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{
    CappedText, CheckKind, CompletionReceipt, Decision, Diagnostic, JobId, MessageId, PermissionId,
    Preset, ReadStatus, ResultId, Seq, SessionId, ToolCallId, ToolCallStatus, ToolFailure, TurnId,
    UnixSeconds, Usage, turn_changes::EVENT_FILES,
};

/// Most bytes of one event as JSON (AN-2).
pub const EVENT_BYTES: usize = 64 << 10;

/// One thing that happened in a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SessionEvent {
    pub session: SessionId,
    /// The turn it belongs to; the screen folds each turn on its own.
    pub turn: TurnId,
    pub seq: Seq,
    pub at: UnixSeconds,
    pub kind: EventKind,
}

/// A fact about a turn. It says what is now, so applying it twice is harmless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "type")]
pub enum EventKind {
    /// The turn began; its prompt is stored.
    TurnStarted { result: ResultId, prompt: CappedText, model: String, preset: Preset },
    /// The model's message is stored; it takes the place of what was streamed.
    MessageCommitted {
        message: MessageId,
        text: CappedText,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<CappedText>,
        /// The stream broke or was stopped: this is what had come.
        interrupted: bool,
    },
    /// A call is about to run; what it does from here on may leave traces (TI-2).
    ToolStarted {
        call: ToolCallId,
        tool: String,
        title: CappedText,
        /// What it checks, where it runs a command that the host knows as a check (CK-2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<CheckKind>,
    },
    /// A call waits for the user.
    PermissionAsked {
        permission: PermissionId,
        call: ToolCallId,
        tool: String,
        /// The exact command, or the path. One that is cut must not be allowed.
        subject: CappedText,
        /// The folder that a command runs in; empty for the workspace itself.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        folder: String,
        reason: AskReason,
    },
    /// The question was answered, by a person or by a setting.
    PermissionAnswered { permission: PermissionId, call: ToolCallId, decision: Decision },
    /// A call ended; the model is told the same.
    ToolFinished {
        call: ToolCallId,
        tool: String,
        title: CappedText,
        status: ToolCallStatus,
        /// What the model was told.
        output: CappedText,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
        /// Missing where the host did not see the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_ms: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<ToolFailure>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refusal: Option<Diagnostic>,
    },
    /// A background job began, still runs in this turn, or ended. The last one of a job holds.
    JobChanged {
        job: JobId,
        /// The call that began it, in this turn or an earlier one.
        call: ToolCallId,
        title: CappedText,
        /// What it checks, where it is a check whose end was not awaited (CK-2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<CheckKind>,
        state: JobState,
        /// Where it ended by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
    /// A read of a file stands elsewhere now (RS-1).
    ReadStatusChanged { status: ReadStatus },
    /// What the request behind a message cost, as far as the provider says.
    UsageReported { message: MessageId, usage: Usage },
    /// Something the user should know that is no result.
    Notice { notice: Notice },
    /// The turn ended; its result is frozen.
    TurnDone { outcome: TurnOutcome, receipt: CompletionReceipt },
}

/// Where a background job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    Running,
    /// It ended by itself.
    Ended,
    /// The host ended it: it was asked to, or the session was closed.
    Stopped,
    /// The program ended while it ran. It may still run.
    Unknown,
}

/// Why a call waits for the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum AskReason {
    /// The preset allows no writes without asking.
    ReadOnlyPreset,
    /// The file is one that Git or Evident goes by: it can make later commands run programs, or say
    /// which of them prove something (PM-9).
    Guarded,
    /// The command is not known as a reader, and no sandbox holds it (DEC-17).
    NoSandbox,
}

/// Something the user should know. The texts are the interface's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The turn was cut off by the end of the program and was closed when the session was opened.
    TurnRecovered,
    /// A part of the turn's record is not there: it was lost, or the turn went on elsewhere.
    RecordIncomplete,
    /// The model ended its answer without a word and without a call.
    AnswerEmpty,
    /// The answer ended at the provider's output limit.
    AnswerCut,
    /// The provider withheld the answer, or part of it.
    AnswerFiltered,
    /// A question was answered with no, because nobody was there to ask.
    NobodyToAsk,
    /// The provider demands reasoning back that it did not send (PV-5).
    ReasoningMissing,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum TurnOutcome {
    Completed,
    /// It came to its answer, and a read that was asked for as a whole did not come to its end
    /// (RC-21).
    IncompleteRead,
    /// The user stopped it, or the program ended under it.
    Interrupted,
    Failed {
        failure: TurnFailure,
    },
    /// The record of it is not whole: it was lost, or the turn went on elsewhere.
    Unknown,
}

/// Why a turn failed, for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TurnFailure {
    pub code: TurnFailureCode,
    /// What is wrong, in one sentence, with the provider's own words where it said any.
    pub message: String,
    /// What no translation changes: an address, a model's name, a status, the words of the provider
    /// or of the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    pub action: NextAction,
    /// What the provider asked to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u32>,
}

/// Why a turn failed, as a word to branch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum TurnFailureCode {
    WrongKey,
    PaymentRequired,
    RateLimited,
    ModelNotFound,
    RequestRefused,
    ProviderDown,
    Unreachable,
    StreamBroken,
    StreamSilent,
    StreamError,
    AnswerTooLarge,
    RoundLimit,
    SessionNotWritable,
    HostError,
}

/// What the user can do about a failed turn. Each works now (CL-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum NextAction {
    CheckKey,
    AddCredit,
    WaitAndRetry,
    CheckModel,
    CheckUrl,
    Retry,
    FreeDiskSpace,
    Report,
}

impl SessionEvent {
    /// Returns the event within its caps: [`EVENT_BYTES`] as JSON, [`EVENT_FILES`] files.
    ///
    /// Texts arrive cut to 16 KiB each; escaping can still make them too long, so they are halved
    /// until the event fits, and then the list of files is. What was cut is still counted.
    pub fn capped(mut self) -> Self {
        if let EventKind::TurnDone { receipt, .. } = &mut self.kind
            && let Some(diff) = &mut receipt.diff
        {
            diff.files.truncate(EVENT_FILES);
        }
        let mut keep = crate::text::EVENT_TEXT_BYTES;
        while EVENT_BYTES < json_bytes(&self) && 64 < keep {
            keep /= 2;
            self.kind.shorten(keep);
        }
        self
    }
}

impl EventKind {
    /// Cuts every text to `bytes`, and lists in the same proportion.
    fn shorten(&mut self, bytes: usize) {
        match self {
            Self::TurnStarted { prompt, .. } => prompt.shorten(bytes),
            Self::MessageCommitted { text, reasoning, .. } => {
                text.shorten(bytes);
                if let Some(it) = reasoning {
                    it.shorten(bytes);
                }
            }
            Self::ToolStarted { title, .. } | Self::JobChanged { title, .. } => {
                title.shorten(bytes);
            }
            Self::PermissionAsked { subject, .. } => subject.shorten(bytes),
            Self::ToolFinished { title, output, .. } => {
                title.shorten(bytes);
                output.shorten(bytes);
            }
            Self::TurnDone { receipt, .. } => {
                let most = bytes / 128;
                receipt.refused.truncate(most);
                receipt.verifications.truncate(most);
                if let Some(diff) = &mut receipt.diff {
                    diff.files.truncate(most);
                    diff.reasons.truncate(most);
                }
            }
            Self::ReadStatusChanged { .. }
            | Self::PermissionAnswered { .. }
            | Self::UsageReported { .. }
            | Self::Notice { .. } => {}
        }
    }
}

fn json_bytes(event: &SessionEvent) -> usize {
    serde_json::to_string(event).map_or(usize::MAX, |text| text.len())
}
