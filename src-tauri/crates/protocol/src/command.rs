//! What can be asked of the host: the commands.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{PermissionId, ReadId, Seq, SessionId};

/// One command. The set is closed; `serve` answers another word with `unknown_command`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(
    rename_all = "snake_case",
    rename_all_fields = "camelCase",
    tag = "type",
    deny_unknown_fields
)]
pub enum SessionCommand {
    /// Creates a session for a folder and follows it.
    NewSession {
        /// The folder; absolute, or relative to where the host runs.
        workspace: String,
        /// Further folders the agent may work in (PM-2).
        #[serde(default)]
        add_dirs: Vec<String>,
        #[serde(default)]
        preset: Preset,
    },
    /// Opens a session for writing and follows it.
    OpenSession {
        session: SessionId,
        #[serde(default)]
        add_dirs: Vec<String>,
        #[serde(default)]
        preset: Preset,
        /// Replay what came after this, then go on live; only what comes from now on if missing.
        #[serde(default)]
        after: Option<Seq>,
    },
    /// Starts a turn.
    Prompt { session: SessionId, text: String },
    /// Stops the running turn; without one it does nothing.
    Interrupt { session: SessionId },
    /// Ends a read that is open; the turn can then complete without it (RC-25). Without such a read
    /// it does nothing.
    StopReading { session: SessionId, read_id: ReadId },
    /// Answers the question a call waits for.
    Answer { session: SessionId, permission: PermissionId, decision: Decision },
    /// Changes what the session may do without asking, from its next turn on. What was allowed for
    /// the session is asked for again.
    SetPreset { session: SessionId, preset: Preset },
    /// Gives a session another title (AN-30). An empty one gives it back to the first prompt.
    RenameSession { session: SessionId, title: String },
    /// Puts a session away, or takes it out again. It can be opened all the same.
    ArchiveSession { session: SessionId, archived: bool },
    /// Moves a session that nobody writes into the trash folder.
    DeleteSession { session: SessionId },
    /// Copies what can be read of a session under a new id (SM-13). Opens neither.
    CopySession { session: SessionId },
    /// Stops what runs, freezes it, and ends.
    Shutdown,
}

impl SessionCommand {
    /// The words of `type`. A test holds them to the variants.
    pub const WORDS: [&'static str; 12] = [
        "new_session",
        "open_session",
        "prompt",
        "interrupt",
        "stop_reading",
        "answer",
        "set_preset",
        "rename_session",
        "archive_session",
        "delete_session",
        "copy_session",
        "shutdown",
    ];
}

/// How much the agent may do without asking (PM-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Every write and every command that is no known reader is asked for.
    ReadOnly,
    /// Files inside the workspace are written freely; commands that may write are asked for.
    #[default]
    WorkspaceWrite,
    /// Nothing is asked for.
    DangerFullAccess,
}

/// An answer to a question (PM-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    AllowOnce,
    /// Until the session is closed; kept in memory only.
    AllowSession,
    Deny,
}
