//! One stream, played to one session of `evident`.

use std::{
    path::Path,
    process::{Output, Stdio},
    time::Duration,
};

use testkit::{
    Home, Project,
    script::{Reply, Script, ScriptServer},
};
use tokio::{process::Command, time::timeout};

use super::heard::Heard;
use crate::Result;

/// How long one run may take; the longest slow stream needs a minute.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs a turn whose first answer is this reply, and then another turn of the same session. Nothing
/// that the stream calls for may be run, so the preset is the strictest; a second answer ends the
/// turn.
pub(super) async fn play(evident: &Path, provider: &str, reply: Reply) -> Result<Heard> {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([reply, Reply::text("Done."), Reply::text("Done.")]);
    let server = ScriptServer::start(script).await?;
    let run = async |words: &[&str]| -> Result<Output> {
        let mut command = Command::from(home.command(evident));
        command
            .args(["run", "--json", "--preset", "read-only", "--approve", "none"])
            .args(["--provider", provider, "--base-url", &server.base_url(), "--model", "scripted"])
            .args(words)
            .current_dir(project.path())
            .stdin(Stdio::null())
            .kill_on_drop(true);
        let ended = timeout(PATIENCE, command.output()).await;
        Ok(ended.map_err(|_| format!("no end after {} s", PATIENCE.as_secs()))??)
    };
    let told =
        |out: &Output| format!("({}) {}", out.status, String::from_utf8_lossy(&out.stderr).trim());
    let turn = run(&["Go on."]).await?;
    let requests = server.requests();
    let next = run(&["--continue", "And now?"]).await?;
    let all = server.requests();
    let [next_request] = &all[requests.len()..] else {
        return Err(format!("the session takes no further message {}", told(&next)).into());
    };
    if !next.status.success() {
        return Err(format!("the next turn fails {}", told(&next)).into());
    }
    Heard::new(&turn.stdout, &requests, next_request)
        .map_err(|error| format!("{error} {}", told(&turn)).into())
}
