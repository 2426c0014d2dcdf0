//! Opening: one writer, own folders never granted, a close that stops and freezes.

use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

#[cfg(unix)]
use protocol::Limits;
use protocol::{ErrorKind, EventKind, Feed, Preset, TurnOutcome};
use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

#[cfg(unix)]
use crate::rig::{bounded, until};
use crate::rig::{done, events, free, host, new_session, scripted, turn};

/// AN-30, TR-30: closing stops the turn, and its result is stored.
#[tokio::test]
async fn closing_a_session_freezes_the_running_turn() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("and ").and_hold("never"),
    ]);
    let server = scripted(script).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    host.prompt(&opened.session, "go".to_owned()).await.expect("it begins");
    server.reached("never").await.expect("it streams");
    host.close(&opened.session).await;
    let frames = done(&mut opened.follow).await;
    let Some(Feed::Event(done)) = frames.last() else { panic!("an end") };
    let EventKind::TurnDone { outcome, receipt } = &done.kind else { panic!("an end") };
    assert_eq!(*outcome, TurnOutcome::Interrupted);
    assert_eq!(receipt.diff.as_ref().map(|it| it.added), Some(1));
    assert_eq!(opened.follow.next().await.expect("readable"), None);
}

/// AN-8, SM-1: a session is open once.
#[tokio::test]
async fn a_session_is_open_once() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(Script::new([])).await;
    let (first, second) = (host(home.path(), &server), host(home.path(), &server));
    let opened = new_session(&first, &project).await;
    let here = first.open_session(opened.session.clone(), free(), None).await;
    assert_eq!(here.expect_err("open here").kind(), ErrorKind::BadRequest);
    let there = second.open_session(opened.session.clone(), free(), None).await;
    assert_eq!(there.expect_err("held").kind(), ErrorKind::SessionBusy);
    first.close(&opened.session).await;
    second.open_session(opened.session, free(), None).await.expect("it is free now");
}

/// PM-2: the file system's root and our own folders can never be granted.
#[tokio::test]
async fn own_folders_and_the_root_are_never_granted() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(Script::new([])).await;
    let host = host(home.path(), &server);
    let root = if cfg!(windows) { "C:\\" } else { "/" };
    for folder in [Path::new(root), home.path()] {
        let mut options = free();
        options.add_dirs.push(folder.to_owned());
        let added = host.new_session(&project.path(), options).await;
        assert_eq!(
            added.expect_err("refused").kind(),
            ErrorKind::BadRequest,
            "{}",
            folder.display()
        );
        let worked_in = host.new_session(folder, free()).await;
        assert_eq!(worked_in.expect_err("refused").kind(), ErrorKind::BadRequest);
    }
    assert_eq!(host.list_sessions().await.expect("a list"), [], "nothing was left behind");
}

/// AN-30: closing takes as long as the slowest session, not as long as all of them.
#[cfg(unix)]
#[tokio::test]
async fn all_sessions_stop_at_once() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let stubborn = json!({"command": "trap '' TERM; while :; do sleep 0.05; done"});
    let server = scripted(Script::repeat(4, |_| Reply::call("bash", stubborn.clone()))).await;
    let grace = Duration::from_secs(2);
    let limits = Limits { command_grace: grace, ..Limits::default() };
    let host = bounded(home.path(), &server, limits);
    for _ in 0..4 {
        let mut opened = new_session(&host, &project).await;
        host.prompt(&opened.session, "go".to_owned()).await.expect("it begins");
        let started = |it: &Feed| matches!(it, Feed::Event(event) if matches!(event.kind, EventKind::ToolStarted { .. }));
        until(&mut opened.follow, started).await;
    }
    let closed = tokio::time::timeout(3 * grace, host.shutdown()).await;
    closed.expect("the four wait together");
}

/// PM-1: another preset holds from the next turn on; a running turn keeps what it began with, and
/// what was allowed for the session is asked for again.
#[tokio::test]
async fn another_preset_holds_from_the_next_turn_on() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let write = |path: &str| Reply::call("write_file", json!({"path": path, "content": "x\n"}));
    let script = Script::new([
        Reply::text("first ").and_hold("running"),
        write("a.txt"),
        Reply::text("done"),
        write("b.txt"),
        Reply::text("done"),
    ]);
    let server = scripted(script).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    host.prompt(&opened.session, "go".to_owned()).await.expect("it begins");
    server.reached("running").await.expect("it streams");
    host.set_preset(&opened.session, Preset::ReadOnly).await.expect("it is open");
    server.release("running");
    let frames = done(&mut opened.follow).await;
    assert_eq!(presets(&frames), [Preset::DangerFullAccess]);
    // Nobody allows anything here.
    let frames = turn(&host, &opened.session, &mut opened.follow, "again").await;
    assert_eq!(presets(&frames), [Preset::ReadOnly]);
    assert!(!project.has("a.txt"));
    host.set_preset(&opened.session, Preset::WorkspaceWrite).await.expect("it is open");
    let frames = turn(&host, &opened.session, &mut opened.follow, "and again").await;
    assert_eq!(presets(&frames), [Preset::WorkspaceWrite]);
    assert!(project.has("b.txt"));
}

/// Returns the presets that turns began with.
fn presets(frames: &[Feed]) -> Vec<Preset> {
    let began = events(frames).into_iter();
    began
        .filter_map(|event| match event.kind {
            EventKind::TurnStarted { preset, .. } => Some(preset),
            _ => None,
        })
        .collect()
}
