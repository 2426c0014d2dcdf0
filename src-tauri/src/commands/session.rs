//! Sessions: opening, following, steering.

use host::{SessionOptions, typed_folder};
use protocol::{
    CommandError, CopiedSession, Decision, Feed, OpenedDemo, OpenedSession, PermissionId, Preset,
    ReadId, SearchPage, Seq, SessionId, SessionSummary, TurnId,
};
use tauri::{AppHandle, Runtime, State, ipc::Channel};
use tauri_plugin_dialog::DialogExt as _;
use tokio::sync::oneshot;

use crate::{
    error::{Answer, Asked, internal},
    feed::Feeds,
};

forward! {
    /// Returns the sessions, the one that changed last first. Unreadable ones are listed too.
    list_sessions() -> Vec<SessionSummary>;

    /// Returns the sessions in which one text holds every word of this, at most 50.
    search(text: String) -> SearchPage;

    /// Gives a session another title; an empty one gives it back to the first prompt.
    rename_session(session: SessionId, title: String) -> SessionSummary;

    /// Puts a session away, or takes it out again.
    archive_session(session: SessionId, archived: bool) -> SessionSummary;

    /// Moves a session into the trash folder; kind `turn_running` or `session_busy` while it is written.
    delete_session(session: SessionId) -> ();

    /// Copies what can be read of a session under a new id; opens neither.
    copy_session(session: SessionId) -> CopiedSession;

    /// Opens the demo: a copy of the sample project, and a scripted model.
    start_demo() -> OpenedDemo;
}

/// Creates a session for a folder, chosen or typed, and opens it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn new_session(
    host: Asked<'_>,
    folder: String,
    add_dirs: Vec<String>,
    preset: Preset,
) -> Answer<OpenedSession> {
    let options = SessionOptions::new(add_dirs, preset);
    let opened = host.new_session(&typed_folder(&folder), options).await?;
    Ok(OpenedSession { session: opened.session, last: opened.last })
}

/// Opens a session for writing; one that is open already is left as it is.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_session(
    host: Asked<'_>,
    session: SessionId,
    add_dirs: Vec<String>,
    preset: Preset,
) -> Answer<OpenedSession> {
    Ok(host.join_session(session, SessionOptions::new(add_dirs, preset)).await?)
}

/// Returns what to ask in each turn of a demo session, in their order.
#[tauri::command]
#[specta::specta]
pub(crate) fn demo_prompts() -> Vec<String> {
    host::demo_prompts()
}

/// Sends what came after `after` and then what happens, until `unfollow` gets the number that this
/// returns. `broke` gets the reason if the session can no longer be read.
#[tauri::command]
#[specta::specta]
pub(crate) async fn follow(
    host: Asked<'_>,
    feeds: State<'_, Feeds>,
    session: SessionId,
    after: Seq,
    frames: Channel<Feed>,
    broke: Channel<CommandError>,
) -> Answer<u32> {
    Ok(feeds.start(host.follow(&session, after).await?, frames, broke))
}

/// Ends a feed. One that has ended is no error.
#[tauri::command]
#[specta::specta]
pub(crate) fn unfollow(feeds: State<'_, Feeds>, feed: u32) {
    feeds.stop(feed);
}

/// Starts a turn.
#[tauri::command]
#[specta::specta]
pub(crate) async fn prompt(host: Asked<'_>, session: SessionId, text: String) -> Answer<TurnId> {
    Ok(host.prompt(&session, text).await?)
}

/// Stops the running turn; without one it does nothing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn interrupt(host: Asked<'_>, session: SessionId) -> Answer<()> {
    Ok(host.interrupt(&session).await?)
}

/// Ends a read of the running turn; the turn can complete without it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn stop_reading(
    host: Asked<'_>,
    session: SessionId,
    read_id: ReadId,
) -> Answer<()> {
    Ok(host.stop_reading(&session, read_id).await?)
}

/// Answers the question that a call waits for.
#[tauri::command]
#[specta::specta]
pub(crate) async fn answer(
    host: Asked<'_>,
    session: SessionId,
    permission: PermissionId,
    decision: Decision,
) -> Answer<()> {
    Ok(host.answer(&session, permission, decision).await?)
}

/// Changes what a session may do without asking, from its next turn on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_preset(host: Asked<'_>, session: SessionId, preset: Preset) -> Answer<()> {
    Ok(host.set_preset(&session, preset).await?)
}

/// Lets the user choose a folder; `null` if they chose none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_folder<R: Runtime>(app: AppHandle<R>) -> Answer<Option<String>> {
    let (chosen, told) = oneshot::channel();
    // Nobody waits any more if the page is gone.
    app.dialog().file().pick_folder(move |folder| drop(chosen.send(folder)));
    let Some(folder) = told.await.ok().flatten() else { return Ok(None) };
    let folder = folder.into_path().map_err(internal)?.into_os_string();
    folder.into_string().map(Some).map_err(|_| internal("the folder's name is not UTF-8"))
}
