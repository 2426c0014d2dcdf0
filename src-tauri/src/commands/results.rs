//! What happened: history, results, and what is too long for an event.

use protocol::{
    FilePage, FileSide, Fingerprint, HistoryPage, MessageBody, MessageId, Pictures, SessionId,
    ToolCallId, ToolDetail, TurnId, TurnResult,
};
use tauri::ipc::Response;

use crate::error::{Answer, Asked};

forward! {
    /// Returns whole turns, newest first, before a turn or from the end; at most 100.
    history(session: SessionId, before: Option<TurnId>, count: u32) -> HistoryPage;

    /// Returns how a turn ended, and its receipt with the whole list of files.
    turn_result(session: SessionId, turn: TurnId) -> TurnResult;

    /// Returns files of a turn's result past the first `after`; at most 200.
    turn_changes(session: SessionId, turn: TurnId, after: u32) -> FilePage;

    /// Returns what can be shown of one file as a picture, as it was before the turn and after it.
    pictures(session: SessionId, turn: TurnId, path: String) -> Pictures;

    /// Returns the whole arguments and output of a call.
    tool_detail(session: SessionId, call: ToolCallId) -> ToolDetail;
}

/// Returns one file's frozen patch as bytes: as text it would take five times as long to arrive.
#[tauri::command]
pub(crate) async fn patch(
    host: Asked<'_>,
    session: SessionId,
    turn: TurnId,
    path: String,
) -> Answer<Response> {
    Ok(Response::new(host.patch(session, turn, path).await?))
}

/// Returns the bytes of one of a file's pictures.
#[tauri::command]
pub(crate) async fn picture(
    host: Asked<'_>,
    session: SessionId,
    turn: TurnId,
    path: String,
    side: FileSide,
) -> Answer<Response> {
    Ok(Response::new(host.picture(session, turn, path, side).await?))
}

/// Returns what a check printed, as the bytes of [`protocol::CheckLog::into_bytes`].
#[tauri::command]
pub(crate) async fn check_log(
    host: Asked<'_>,
    session: SessionId,
    turn: TurnId,
    call: ToolCallId,
    result: Fingerprint,
) -> Answer<Response> {
    Ok(Response::new(host.check_log(session, turn, call, result).await?.into_bytes()))
}

/// Returns the whole text of a message.
#[tauri::command]
#[specta::specta]
pub(crate) async fn message(
    host: Asked<'_>,
    session: SessionId,
    message: MessageId,
) -> Answer<MessageBody> {
    let whole = host.message(session, message).await?;
    Ok(MessageBody { text: whole.text, reasoning: whole.reasoning })
}
