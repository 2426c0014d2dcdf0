//! The words of the project: ids, events, receipts and results that cross a process or disk
//! border. No I/O, no clock, no behaviour beyond validation and caps.

mod answer;
mod command;
mod diagnostic;
mod event;
mod feed;
mod fingerprint;
mod hex;
mod ids;
mod limits;
mod message;
mod path;
mod picture;
mod query;
mod read_status;
mod receipt;
mod settings;
mod text;
mod time;
mod tool_call;
mod turn_changes;
mod usage;
mod verification;
mod window;

pub use crate::{
    answer::{CopiedSession, MessageBody, OpenedDemo, OpenedSession, PatchBody},
    command::{Decision, Preset, SessionCommand},
    diagnostic::{Diagnostic, DiagnosticCode, FailureCode, RecoveryAction, ToolFailure},
    event::{
        AskReason, EVENT_BYTES, EventKind, JobState, NextAction, Notice, SessionEvent, TurnFailure,
        TurnFailureCode, TurnOutcome,
    },
    feed::{Delta, Feed},
    fingerprint::{Fingerprint, InvalidFingerprint},
    ids::{
        IdSource, InvalidSessionId, JobId, MessageId, PermissionId, ReadId, ReceiptId, ResultId,
        Seq, SessionId, ToolCallId, TurnId,
    },
    limits::Limits,
    message::{ModelCall, ModelMessage, Reasoning},
    path::{InvalidPath, RootId, WorkspacePath},
    picture::{FileSide, PictureBody, PictureGap, PictureMedia, PictureSide, Pictures, PixelSize},
    query::{
        CheckLog, CommandError, ErrorKind, FilePage, HistoryPage, Query, SearchHit, SearchPage,
        SearchPlace, SessionSummary, ToolDetail, TurnHistory, TurnResult,
    },
    read_status::{
        LineRange, PartialRead, READ_PROTOCOL, ReadCut, ReadEnvelope, ReadIntent, ReadRecovery,
        ReadSource, ReadState, ReadStatus, ReadStopCode, ReadVerdict, StoppedRead,
    },
    receipt::{AssessmentKind, CompletionReceipt, RefusedWrite, ResultNote, Verdict},
    settings::{CatalogView, KeyPlace, ModelView, ProviderSetting, ProviderTest, SettingsView},
    text::{CappedText, EVENT_TEXT_BYTES, head, tail},
    time::{Clock, Moment, UnixSeconds},
    tool_call::ToolCallStatus,
    turn_changes::{
        Coverage, EVENT_FILES, FileChangeKind, Gap, GapReason, LevelTotals, TrustLevel,
        TurnChanges, TurnFile,
    },
    usage::Usage,
    verification::{CheckCounts, CheckKind, CheckQualifier, CheckStatus, Verification},
    window::{About, Language, Preferences, Theme},
};
