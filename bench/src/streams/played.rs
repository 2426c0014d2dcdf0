//! One stream, played to one run of `evident`.

use std::{path::Path, process::Stdio, time::Duration};

use testkit::{
    Home, Project,
    script::{Reply, Script, ScriptServer},
};
use tokio::{process::Command, time::timeout};

use super::heard::Heard;
use crate::Result;

/// How long one run may take; the longest slow stream needs a minute.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs a turn whose first answer is this reply. Nothing that the stream calls for may be run, so
/// the preset is the strictest; a second answer ends the turn.
pub(super) async fn play(evident: &Path, provider: &str, reply: Reply) -> Result<Heard> {
    let (home, project) = (Home::new(), Project::new([]));
    let server = ScriptServer::start(Script::new([reply, Reply::text("Done.")])).await?;
    let mut command = Command::from(home.command(evident));
    command
        .args(["run", "--json", "--preset", "read-only", "--approve", "none"])
        .args(["--provider", provider, "--base-url", &server.base_url(), "--model", "scripted"])
        .arg("Go on.")
        .current_dir(project.path())
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let out = timeout(PATIENCE, command.output())
        .await
        .map_err(|_| format!("no end after {} s", PATIENCE.as_secs()))??;
    let requests = server.requests();
    let said = String::from_utf8_lossy(&out.stderr);
    Heard::new(&out.stdout, &requests)
        .map_err(|error| format!("{error} ({}) {}", out.status, said.trim()).into())
}
