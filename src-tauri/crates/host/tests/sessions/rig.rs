//! A host with a home of its own, and scripts for it.

use std::{path::Path, time::Duration};

use host::{
    Approvals, Follow, Home, Host, HostOptions, Opened, ProviderChoice, SessionOptions, random_ids,
    system_clock,
};
use protocol::{EventKind, Feed, Limits, Preset, SessionId};
use testkit::{
    Project,
    script::{Script, ScriptServer},
};

/// Returns a host over a data folder, for a scripted model.
pub(crate) fn host(home: &Path, server: &ScriptServer) -> Host {
    bounded(home, server, Limits::default())
}

/// Returns the same with bounds of the test's own.
pub(crate) fn bounded(home: &Path, server: &ScriptServer, limits: Limits) -> Host {
    let provider = ProviderChoice {
        provider: Some("custom".to_owned()),
        base_url: Some(server.base_url()),
        model: Some("scripted".to_owned()),
        api_key_env: None,
    };
    made(home, provider, limits, Approvals::None)
}

/// Returns a host with nothing set up by flags, as the window's.
pub(crate) fn bare(home: &Path, approvals: Approvals) -> Host {
    made(home, ProviderChoice::default(), Limits::default(), approvals)
}

fn made(home: &Path, provider: ProviderChoice, limits: Limits, approvals: Approvals) -> Host {
    Host::new(HostOptions {
        home: Home::choose(Some(home.to_owned())).expect("a home"),
        clock: system_clock(),
        ids: random_ids(),
        limits,
        provider,
        approvals,
    })
}

pub(crate) fn free() -> SessionOptions {
    SessionOptions { add_dirs: Vec::new(), preset: Preset::DangerFullAccess }
}

pub(crate) async fn scripted(script: Script) -> ScriptServer {
    ScriptServer::start(script).await.expect("a loopback port")
}

/// Opens a session for a project.
pub(crate) async fn new_session(host: &Host, project: &Project) -> Opened {
    host.new_session(&project.path(), free()).await.expect("a session")
}

/// Runs a turn to its end, and returns every frame of it.
pub(crate) async fn turn(
    host: &Host,
    session: &SessionId,
    follow: &mut Follow,
    prompt: &str,
) -> Vec<Feed> {
    host.prompt(session, prompt.to_owned()).await.expect("it begins");
    done(follow).await
}

/// Reads the feed until the running turn has ended; returns all of it.
pub(crate) async fn done(follow: &mut Follow) -> Vec<Feed> {
    until(
        follow,
        |it| matches!(it, Feed::Event(event) if matches!(event.kind, EventKind::TurnDone { .. })),
    )
    .await
}

/// Reads the feed until a frame holds; returns all of it.
pub(crate) async fn until(follow: &mut Follow, holds: impl Fn(&Feed) -> bool) -> Vec<Feed> {
    let read = async {
        let mut frames = Vec::new();
        loop {
            let frame = follow.next().await.expect("readable").expect("the feed goes on");
            let last = holds(&frame);
            frames.push(frame);
            if last {
                return frames;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(120), read).await.expect("it comes")
}

/// Returns the events among frames.
pub(crate) fn events(frames: &[Feed]) -> Vec<protocol::SessionEvent> {
    let event = |frame: &Feed| match frame {
        Feed::Event(event) => Some((**event).clone()),
        Feed::Delta(_) => None,
    };
    frames.iter().filter_map(event).collect()
}
