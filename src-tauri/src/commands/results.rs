//! What happened: history, results, and what is too long for an event.

use host::Host;
use protocol::{
    FilePage, Fingerprint, HistoryPage, MessageBody, MessageId, SessionId, ToolCallId, ToolDetail,
    TurnId, TurnResult,
};
use tauri::{State, ipc::Response};

use crate::error::Answer;

/// Returns whole turns, newest first, before a turn or from the end; at most 100.
#[tauri::command]
#[specta::specta]
pub(crate) async fn history(
    host: State<'_, Host>,
    session: SessionId,
    before: Option<TurnId>,
    count: u32,
) -> Answer<HistoryPage> {
    Ok(host.history(session, before, count).await?)
}

/// Returns how a turn ended, and its receipt with the whole list of files.
#[tauri::command]
#[specta::specta]
pub(crate) async fn turn_result(
    host: State<'_, Host>,
    session: SessionId,
    turn: TurnId,
) -> Answer<TurnResult> {
    Ok(host.turn_result(session, turn).await?)
}

/// Returns files of a turn's result past the first `after`; at most 200.
#[tauri::command]
#[specta::specta]
pub(crate) async fn turn_changes(
    host: State<'_, Host>,
    session: SessionId,
    turn: TurnId,
    after: u32,
) -> Answer<FilePage> {
    Ok(host.turn_changes(session, turn, after).await?)
}

/// Returns one file's frozen patch as bytes: as text it would take five times as long to arrive.
#[tauri::command]
pub(crate) async fn patch(
    host: State<'_, Host>,
    session: SessionId,
    turn: TurnId,
    path: String,
) -> Answer<Response> {
    Ok(Response::new(host.patch(session, turn, path).await?))
}

/// Returns what a check printed, as the bytes of [`protocol::CheckLog::into_bytes`].
#[tauri::command]
pub(crate) async fn check_log(
    host: State<'_, Host>,
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
    host: State<'_, Host>,
    session: SessionId,
    message: MessageId,
) -> Answer<MessageBody> {
    let whole = host.message(session, message).await?;
    Ok(MessageBody { text: whole.text, reasoning: whole.reasoning })
}

/// Returns the whole arguments and output of a call.
#[tauri::command]
#[specta::specta]
pub(crate) async fn tool_detail(
    host: State<'_, Host>,
    session: SessionId,
    call: ToolCallId,
) -> Answer<ToolDetail> {
    Ok(host.tool_detail(session, call).await?)
}
