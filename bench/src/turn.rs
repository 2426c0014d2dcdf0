//! One turn of the built program with a scripted model, and the time that the program takes between
//! the model's answers.

use std::{
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use testkit::script::{Script, ScriptServer};

use crate::Result;

/// How long the end of a reply, or the next request, may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Where a turn plays.
pub(crate) struct Folders<'a> {
    pub(crate) work: &'a Path,
    /// What is `EVIDENT_HOME`.
    pub(crate) home: &'a Path,
    /// What the program says on stderr.
    pub(crate) said: &'a Path,
}

/// What a turn took.
pub(crate) struct Turn {
    /// From the start of the program to its first request.
    pub(crate) start: Duration,
    /// From the end of each reply to the next request.
    pub(crate) trips: Vec<Duration>,
    /// The model, with the requests that it got.
    pub(crate) server: ScriptServer,
}

/// Runs `evident`, or what is to run it, through a script of so many trips; the reply after them ends
/// the turn.
pub(crate) fn play(
    mut command: Command,
    folders: &Folders<'_>,
    script: Script,
    trips: usize,
) -> Result<Turn> {
    let Folders { work, home, said } = folders;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let server = runtime.block_on(ScriptServer::start(script))?;
    command
        .args(["run", "--json", "--preset", "danger-full-access", "--model", "scripted"])
        .args(["--base-url", &server.base_url(), "--workspace"])
        .arg(work)
        .arg("Do what the script says.")
        .env("EVIDENT_HOME", home)
        .env("EVIDENT_API_KEY", "none")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(said)?);
    let started = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|error| format!("cannot start {}: {error}", command.get_program().display()))?;
    let timed = runtime.block_on(time(&server, started, trips));
    if timed.is_err() {
        child.kill()?;
    }
    let status = child.wait()?;
    let (start, trips) = timed.map_err(|error| with_words(&error.to_string(), said))?;
    if !status.success() {
        return Err(with_words(&status.to_string(), said).into());
    }
    Ok(Turn { start, trips, server })
}

/// Returns how long the first request took, and what lay between the trips.
async fn time(
    server: &ScriptServer,
    started: Instant,
    trips: usize,
) -> Result<(Duration, Vec<Duration>)> {
    server.seen(1).await?;
    let start = started.elapsed();
    let mut between = Vec::with_capacity(trips);
    for trip in 0..trips {
        if server.closed_early(trip, PATIENCE).await? {
            return Err(format!("the reply to request {trip} was not read to its end").into());
        }
        let ended = Instant::now();
        server.seen(trip + 2).await?;
        between.push(ended.elapsed());
    }
    if server.closed_early(trips, PATIENCE).await? {
        return Err("the last reply was not read to its end".into());
    }
    Ok((start, between))
}

/// Puts what the program said on stderr behind an error.
fn with_words(error: &str, said: &Path) -> String {
    let said = fs::read_to_string(said).unwrap_or_default();
    format!("{error}\n{said}").trim_end().to_owned()
}
