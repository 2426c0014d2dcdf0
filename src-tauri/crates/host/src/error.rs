//! What went wrong in a call to the host.

use std::path::{Path, PathBuf};

use agent::TurnError;
use protocol::{CommandError, ErrorKind, SessionId, TurnId};
use provider::ProviderError;
use session::{IndexError, SessionError, SessionReader};
use thiserror::Error;

use crate::{HomeError, SettingsError};

/// What went wrong in a call to the host.
#[derive(Debug, Error)]
pub enum HostError {
    /// The session is not open here.
    #[error("session {0} is not open; open it first")]
    NotOpen(SessionId),
    /// The session is open already.
    #[error("session {0} is open here already")]
    OpenAlready(SessionId),
    /// The turn runs, or there was none.
    #[error("turn {turn} of {session} has no result", turn = turn.0 + 1)]
    NoResult { session: SessionId, turn: TurnId },
    /// The session has fewer turns.
    #[error("{session} has no turn {turn}; `evident show {session}` shows those that it has", turn = turn.0 + 1)]
    NoTurn { session: SessionId, turn: TurnId },
    /// The result lists no such file, or its patch was not kept.
    #[error("there is no patch of {path:?} in turn {turn}", turn = turn.0 + 1)]
    NoPatch { turn: TurnId, path: String },
    /// The turn has no result that lists such a file.
    #[error("the result of turn {turn} lists no file {path:?}", turn = turn.0 + 1)]
    NoFile { turn: TurnId, path: String },
    /// It is no picture on that side, or one that cannot be shown.
    #[error("there is no picture of {path:?} in turn {turn} that can be shown", turn = turn.0 + 1)]
    NoPicture { turn: TurnId, path: String },
    /// No check of the turn has both ids, or its output is gone.
    #[error("the log of this check in turn {turn} is unavailable", turn = turn.0 + 1)]
    NoLog { turn: TurnId },
    /// The turn is so old, or the session so large, that only the result itself was kept (TR-28).
    #[error("the details of turn {turn} are unavailable: they were removed to make room, and its result stays", turn = turn.0 + 1)]
    DetailsRemoved { turn: TurnId },
    /// No such message or call is stored.
    #[error("{session} has no {what} {id}")]
    NoRecord { session: SessionId, what: &'static str, id: String },
    /// One turn at a time.
    #[error("a turn is running; wait for its end, or interrupt it")]
    TurnRunning,
    /// The question was answered, or is another one.
    #[error("that question is not waiting for an answer")]
    NotPending,
    /// The workspace folder cannot be used.
    #[error("{0}")]
    Workspace(#[from] workspace::OpenError),
    /// The session belongs to a folder that is gone.
    #[error("the folder {} of this session is not there; put it back, or read the session with `evident show`", .0.display())]
    WorkspaceGone(PathBuf),
    /// The session can be read in part, and not be written any more.
    #[error(
        "{0}. It is kept as it is: `evident show` shows what can be read, and a copy goes on with that (`evident run --session ID --copy`)"
    )]
    Damaged(#[source] SessionError),
    /// Not even its first record can be read, so there is nothing to copy.
    #[error(
        "{source}. Its start cannot be read, so it can be neither gone on with nor copied; it is kept as it is in {}: put that file back from a backup, or start a new session, without --session and --continue",
        file.display()
    )]
    Unreadable { source: SessionError, file: PathBuf },
    #[error(transparent)]
    Home(#[from] HomeError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The sample project could not be copied.
    #[error("the sample project cannot be copied into {}: {source}", folder.display())]
    Sample { folder: PathBuf, source: std::io::Error },
    /// The scripted model of the demo could not be started.
    #[error("the demo's model could not be started: {0}")]
    Demo(std::io::Error),
}

impl HostError {
    /// Says what can be done with a session that is damaged: it is never written, and a copy of it
    /// begins with its first record (JR-3, SM-4).
    pub(crate) fn of_damage(self, folder: &Path, session: &SessionId) -> Self {
        let Self::Session(source @ SessionError::Damaged { .. }) = self else { return self };
        match SessionReader::open(folder, session).and_then(|it| it.opened()) {
            Ok(_) => Self::Damaged(source),
            Err(_) => Self::Unreadable { source, file: session::file_of(folder, session) },
        }
    }

    /// Returns what a caller may branch on.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotOpen(_)
            | Self::NoResult { .. }
            | Self::NoTurn { .. }
            | Self::NoPatch { .. }
            | Self::NoFile { .. }
            | Self::NoPicture { .. }
            | Self::NoLog { .. }
            | Self::DetailsRemoved { .. }
            | Self::NoRecord { .. }
            | Self::WorkspaceGone(_) => ErrorKind::Missing,
            Self::TurnRunning => ErrorKind::TurnRunning,
            Self::NotPending => ErrorKind::NotPending,
            Self::OpenAlready(_) | Self::Workspace(_) => ErrorKind::BadRequest,
            Self::Settings(SettingsError::NoProvider { .. }) => ErrorKind::NoProvider,
            Self::Settings(
                SettingsError::Unreadable { .. }
                | SettingsError::Unwritable { .. }
                | SettingsError::Keychain { .. },
            ) => ErrorKind::Internal,
            Self::Settings(_) | Self::Provider(_) => ErrorKind::BadRequest,
            Self::Home(_) => ErrorKind::SessionNotWritable,
            Self::Session(error) | Self::Index(IndexError::Sessions(error)) => session_kind(error),
            Self::Index(IndexError::Unusable { .. }) => ErrorKind::Internal,
            Self::Damaged(_) => ErrorKind::SessionDamaged,
            Self::Unreadable { .. } => ErrorKind::SessionUnreadable,
            Self::Turn(TurnError::PromptEmpty | TurnError::PromptTooLong { .. }) => {
                ErrorKind::BadRequest
            }
            Self::Turn(TurnError::NotWritable { .. }) => ErrorKind::SessionNotWritable,
            Self::Sample { .. } | Self::Demo(_) => ErrorKind::Internal,
        }
    }
}

fn session_kind(error: &SessionError) -> ErrorKind {
    match error {
        SessionError::Missing { .. } => ErrorKind::Missing,
        SessionError::Busy { .. } => ErrorKind::SessionBusy,
        SessionError::Damaged { .. } => ErrorKind::SessionDamaged,
        SessionError::Exists { .. }
        | SessionError::NotWritable { .. }
        | SessionError::DiskFull { .. }
        | SessionError::NewerSchema { .. }
        | SessionError::OlderTurn { .. }
        | SessionError::Io { .. }
        | SessionError::Store { .. } => ErrorKind::SessionNotWritable,
    }
}

impl From<HostError> for CommandError {
    fn from(error: HostError) -> Self {
        Self { kind: error.kind(), message: error.to_string() }
    }
}
