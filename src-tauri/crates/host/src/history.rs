//! Questions: answered from the store, beside whatever runs. The user's files are not looked at
//! (TR-26), and no lease is taken (HL-7).

use std::path::PathBuf;

use protocol::{
    CompletionReceipt, EventKind, FilePage, HistoryPage, MessageId, SessionEvent, SessionId,
    ToolCallId, ToolDetail, TurnChanges, TurnId, TurnResult,
};
use session::{Holes, LocalRecord, MessageText, SessionError, SessionReader};
use tokio::task::spawn_blocking;

use crate::{Host, HostError};

/// Most turns of one page, whatever is asked for.
const HISTORY_TURNS: u32 = 100;
/// Files of one page of a result (AN-2).
const FILE_PAGE: usize = 200;

/// A turn that has no end in the store: it runs in some program, or was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    pub turn: TurnId,
    /// Who writes the session now; `None` if nobody does, and the turn was cut off.
    pub owner: Option<String>,
    /// Whether all of its record is there, as far as it went. Otherwise it may have ended.
    pub is_whole: bool,
    /// Text that was streamed and is not in any event yet.
    pub streamed: Vec<String>,
    /// Calls that began and have no end there, as tool and title.
    pub open_calls: Vec<(String, String)>,
}

impl Host {
    /// Returns whole turns, newest first, before a turn or from the end; at most 100.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if the session is missing or cannot be read.
    pub async fn history(
        &self,
        session: SessionId,
        before: Option<TurnId>,
        count: u32,
    ) -> Result<HistoryPage, HostError> {
        let count = count.clamp(1, HISTORY_TURNS);
        self.read(session, move |reader, _| Ok(reader.history(before, count)?)).await
    }

    /// Returns how a turn ended, and its receipt with the whole list of files.
    ///
    /// # Errors
    ///
    /// [`HostError::NoResult`] if it has not ended; [`HostError::Session`] as above.
    pub async fn turn_result(
        &self,
        session: SessionId,
        turn: TurnId,
    ) -> Result<TurnResult, HostError> {
        self.read(session, move |reader, session| {
            let (outcome, receipt) = end_of(&turn_events(reader, turn)?)
                .ok_or_else(|| HostError::NoResult { session: session.clone(), turn })?;
            // The event's list is capped; the stored one is whole.
            let diff = frozen(reader, turn)?.map(|(changes, _)| changes).or(receipt.diff);
            Ok(TurnResult { turn, outcome, receipt: CompletionReceipt { diff, ..receipt } })
        })
        .await
    }

    /// Returns files of a turn's result past the first `after`; at most 200.
    ///
    /// # Errors
    ///
    /// [`HostError::NoResult`] if it has none; [`HostError::Session`] as above.
    pub async fn turn_changes(
        &self,
        session: SessionId,
        turn: TurnId,
        after: u32,
    ) -> Result<FilePage, HostError> {
        self.read(session, move |reader, session| {
            let (changes, _) = frozen(reader, turn)?
                .ok_or_else(|| HostError::NoResult { session: session.clone(), turn })?;
            let after = usize::try_from(after).unwrap_or(usize::MAX);
            let total_files = changes.total_files;
            let files = changes.files.into_iter().skip(after).take(FILE_PAGE).collect();
            Ok(FilePage { files, total_files })
        })
        .await
    }

    /// Returns one file's frozen patch, as it was stored.
    ///
    /// # Errors
    ///
    /// [`HostError::NoPatch`] if the result lists no such file, or its patch was not kept;
    /// [`HostError::DetailsRemoved`] if it was and is no more; [`HostError::Session`] as above.
    pub async fn patch(
        &self,
        session: SessionId,
        turn: TurnId,
        path: String,
    ) -> Result<Vec<u8>, HostError> {
        self.read(session, move |reader, _| {
            let stored = frozen(reader, turn)?.map(|(_, patches)| patches).unwrap_or_default();
            let blob = stored.into_iter().find(|it| it.path == path).map(|it| it.blob);
            let bytes = blob.map(|blob| reader.detail(turn, blob)).transpose()?.flatten();
            match bytes {
                Some(bytes) => Ok(bytes),
                None if blob.is_some() && reader.has_no_details(turn)? => {
                    Err(HostError::DetailsRemoved { turn })
                }
                None => Err(HostError::NoPatch { turn, path }),
            }
        })
        .await
    }

    /// Returns the whole text of a message, and its reasoning.
    ///
    /// # Errors
    ///
    /// [`HostError::NoRecord`] if there is none; [`HostError::Session`] as above.
    pub async fn message(
        &self,
        session: SessionId,
        message: MessageId,
    ) -> Result<MessageText, HostError> {
        self.read(session, move |reader, session| {
            reader.message_text(&message)?.ok_or_else(|| HostError::NoRecord {
                session: session.clone(),
                what: "message",
                id: message.to_string(),
            })
        })
        .await
    }

    /// Returns the whole arguments and output of a call.
    ///
    /// # Errors
    ///
    /// [`HostError::NoRecord`] if there is none; [`HostError::Session`] as above.
    pub async fn tool_detail(
        &self,
        session: SessionId,
        call: ToolCallId,
    ) -> Result<ToolDetail, HostError> {
        self.read(session, move |reader, session| {
            reader.tool_detail(&call)?.ok_or_else(|| HostError::NoRecord {
                session: session.clone(),
                what: "call",
                id: call.to_string(),
            })
        })
        .await
    }

    /// Returns the last turn, if it has no end. Nothing is closed: whoever opens the session to
    /// write does that.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if the session is missing or cannot be read.
    pub async fn unfinished(&self, session: SessionId) -> Result<Option<Unfinished>, HostError> {
        self.read(session, |reader, _| {
            // Before the events: what ends while they are read must not be told as cut off.
            let owner = reader.owner();
            let Some(turn) = reader.last_turn()? else { return Ok(None) };
            let scratch = reader.scratch_text()?;
            let events = turn_events(reader, turn)?;
            if end_of(&events).is_some() {
                return Ok(None);
            }
            let streamed = scratch.into_iter().filter(|it| it.turn == turn).map(|it| it.text);
            let streamed = streamed.filter(|it| !it.is_empty()).collect();
            let is_whole = reader.damage().is_none() && reader.holes(turn)? == Holes::None;
            let open_calls = open_calls(&events);
            Ok(Some(Unfinished { turn, owner, is_whole, streamed, open_calls }))
        })
        .await
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        session: SessionId,
        read: impl FnOnce(&SessionReader, &SessionId) -> Result<T, HostError> + Send + 'static,
    ) -> Result<T, HostError> {
        let folder: PathBuf = self.sessions_place();
        blocking(move || {
            let answer = SessionReader::open(&folder, &session)
                .map_err(HostError::from)
                .and_then(|reader| read(&reader, &session));
            answer.map_err(|error| error.of_damage(&folder, &session))
        })
        .await
    }
}

/// Runs something that blocks. The one place where this crate does.
pub(crate) async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(run).await {
        Ok(out) => out,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

fn end_of(events: &[SessionEvent]) -> Option<(protocol::TurnOutcome, CompletionReceipt)> {
    events.iter().rev().find_map(|event| match &event.kind {
        EventKind::TurnDone { outcome, receipt } => Some((outcome.clone(), receipt.clone())),
        EventKind::TurnStarted { .. }
        | EventKind::MessageCommitted { .. }
        | EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. } => None,
    })
}

/// Returns the calls that began and have no end, in their order.
fn open_calls(events: &[SessionEvent]) -> Vec<(String, String)> {
    let mut open: Vec<(&ToolCallId, String, String)> = Vec::new();
    for event in events {
        match &event.kind {
            EventKind::ToolStarted { call, tool, title, .. } => {
                open.push((call, tool.clone(), title.text.clone()));
            }
            EventKind::ToolFinished { call, .. } => open.retain(|(it, ..)| *it != call),
            EventKind::TurnStarted { .. }
            | EventKind::MessageCommitted { .. }
            | EventKind::PermissionAsked { .. }
            | EventKind::PermissionAnswered { .. }
            | EventKind::JobChanged { .. }
            | EventKind::ReadStatusChanged { .. }
            | EventKind::UsageReported { .. }
            | EventKind::Notice { .. }
            | EventKind::TurnDone { .. } => {}
        }
    }
    open.into_iter().map(|(_, tool, title)| (tool, title)).collect()
}

fn turn_events(reader: &SessionReader, turn: TurnId) -> Result<Vec<SessionEvent>, SessionError> {
    let found = reader.history(Some(turn.next()), 1)?.turns.into_iter().find(|it| it.turn == turn);
    Ok(found.map(|it| it.events).unwrap_or_default())
}

type FrozenResult = (TurnChanges, Vec<session::StoredPatch>);

fn frozen(reader: &SessionReader, turn: TurnId) -> Result<Option<FrozenResult>, SessionError> {
    let result = |record| match record {
        LocalRecord::Frozen { changes, patches } => Some((changes, patches)),
        LocalRecord::Opened { .. }
        | LocalRecord::Before { .. }
        | LocalRecord::After { .. }
        | LocalRecord::Check { .. }
        | LocalRecord::Gap { .. }
        | LocalRecord::Output { .. }
        | LocalRecord::Read { .. }
        | LocalRecord::ReadPause { .. }
        | LocalRecord::ReadCompletion { .. } => None,
    };
    Ok(reader.local_records(turn)?.into_iter().rev().find_map(result))
}
