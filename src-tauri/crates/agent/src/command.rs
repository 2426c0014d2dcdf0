//! Runs a command: a fresh shell, one pipe for both outputs, a process group, and a bounded end.
//! The only file of this crate that starts processes.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::{self, PipeReader, Read as _, pipe},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop};
use protocol::Limits;
use tokio::{
    process::Command,
    sync::mpsc,
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

/// Chunks of output that wait to be kept; the command blocks when the pipe behind them is full.
const CHUNKS: usize = 16;

/// What every command finds in its environment (AN-12).
const SET: [(&str, &str); 4] =
    [("PAGER", "cat"), ("GIT_PAGER", "cat"), ("TERM", "dumb"), ("GIT_TERMINAL_PROMPT", "0")];

/// What a command besides finds there that runs because it only reads: nothing that makes it do
/// more. Git watches no files by a program, takes no folder for a repository that only looks like
/// one, fetches nothing and writes no index; bash reads the line as it was judged, in UTF-8.
const SET_FOR_READERS: [(&str, &str); 8] = [
    ("GIT_CONFIG_COUNT", "2"),
    ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
    ("GIT_CONFIG_VALUE_0", "false"),
    ("GIT_CONFIG_KEY_1", "safe.bareRepository"),
    ("GIT_CONFIG_VALUE_1", "explicit"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("LC_ALL", "C.UTF-8"),
];

/// What no command finds there: each of these lets something run that the command does not name.
const UNSET: [&str; 9] = [
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "GIT_EXTERNAL_DIFF",
    "GREP_OPTIONS",
    "LESSOPEN",
    "RIPGREP_CONFIG_PATH",
    "PS4",
];

/// How long the pipe of a command may take to close once its group is ended.
const LAST_LOOK: Duration = Duration::from_millis(200);

/// Where programs are looked for when `PATH` names no folder that may be used.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// What to run, and where.
pub(crate) struct CommandLine<'a> {
    pub(crate) shell: &'a Shell,
    pub(crate) command: &'a str,
    pub(crate) cwd: &'a Path,
    pub(crate) time: Duration,
    /// Variables the command must not see (PM-10, AN-13).
    pub(crate) hidden: &'a [String],
    /// The folders of the workspace, for a command that runs because it only reads: no program of
    /// theirs may stand in for one of the system. `None` for one that was allowed.
    pub(crate) reads_in: Option<&'a [PathBuf]>,
}

/// The shell that commands are given to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shell {
    /// As the model is told.
    pub name: &'static str,
    language: tools::Shell,
    program: &'static OsStr,
    arguments: &'static [&'static str],
}

impl Shell {
    /// Returns this system's shell (AN-12).
    pub fn of_this_system() -> Self {
        let bash = ["/bin/bash", "/usr/bin/bash"].iter().find(|it| Path::new(it).exists());
        match bash {
            Some(program) => Self::bash(program),
            None if cfg!(windows) => Self {
                name: "PowerShell",
                language: tools::Shell::PowerShell,
                program: OsStr::new("powershell.exe"),
                arguments: &["-NoProfile", "-NonInteractive", "-Command"],
            },
            None => Self {
                name: "sh",
                language: tools::Shell::Bash,
                program: OsStr::new("sh"),
                arguments: &["-c"],
            },
        }
    }

    fn bash(program: &'static str) -> Self {
        let arguments = &["--noprofile", "--norc", "-c"];
        let language = tools::Shell::Bash;
        Self { name: "bash", language, program: OsStr::new(program), arguments }
    }

    /// Returns the language that its commands are written in.
    pub(crate) fn language(&self) -> tools::Shell {
        self.language
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(i32),
    /// By a signal that was not the host's.
    Signalled(i32),
    /// By the host, when its time was up.
    TimedOut,
    /// By the host, when the user stopped the turn.
    Stopped,
    /// It ended, and how was not to be had: somebody else took its exit code.
    Unseen,
}

/// What a command left behind when it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    Nothing,
    /// Something still ran in its group, and was ended too.
    Ended,
    /// Something still holds its output that is in no group of ours. It goes on.
    Running,
}

/// A command that ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    /// What it printed, in order, up to the bound.
    pub(crate) output: Vec<u8>,
    /// How much it printed in all.
    pub(crate) total_bytes: u64,
    pub(crate) left: Left,
}

/// Runs a command to its end.
///
/// Returns within the grace and [`Limits::pipe_quiet`] of a stop or of its time limit, whatever the
/// command does (TI-7): first it is asked to end, then its whole group is killed, then it is left.
///
/// # Errors
///
/// What the system says if it cannot be started.
pub(crate) async fn run(
    line: CommandLine<'_>,
    limits: &Limits,
    stop: &CancellationToken,
) -> io::Result<Ran> {
    let (reader, writer) = pipe()?;
    let mut wrap = CommandWrap::from(prepare(&line, writer)?);
    wrap.wrap(KillOnDrop);
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::tokio::JobObject);
    let mut alive = Alive { child: wrap.spawn()?, ended: false };
    // The command holds the pipe's other end now; ours would keep it open for ever.
    drop(wrap);
    let ran = watch(&mut *alive.child, read_on_a_thread(reader), line.time, limits, stop).await;
    alive.ended = true;
    Ok(ran)
}

/// A command that may still run: when the turn is dropped, it is not left behind.
struct Alive {
    child: Box<dyn ChildWrapper>,
    ended: bool,
}

impl Drop for Alive {
    fn drop(&mut self) {
        if !self.ended {
            kill(&mut *self.child);
        }
    }
}

fn prepare(line: &CommandLine<'_>, writer: io::PipeWriter) -> io::Result<Command> {
    let mut command = Command::new(line.shell.program);
    command.args(line.shell.arguments).arg(line.command).current_dir(line.cwd);
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    command.envs(SET);
    if let Some(roots) = line.reads_in {
        command.envs(SET_FOR_READERS).env("PATH", system_path(roots));
    }
    let exported = env::vars_os().map(|(name, _)| name).filter(is_function);
    let hidden = line.hidden.iter().map(OsString::from);
    for name in UNSET.iter().map(OsString::from).chain(exported).chain(hidden) {
        command.env_remove(name);
    }
    Ok(command)
}

/// Returns `PATH` without folders that are relative or lie in one of `roots`.
fn system_path(roots: &[PathBuf]) -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let is_usable = |folder: &PathBuf| {
        let real = folder.canonicalize();
        let real = real.as_deref().unwrap_or(folder);
        folder.is_absolute() && !roots.iter().any(|root| real.starts_with(root))
    };
    let usable: Vec<PathBuf> = env::split_paths(&path).filter(is_usable).collect();
    match env::join_paths(usable) {
        Ok(path) if !path.is_empty() => path,
        Ok(_) | Err(_) => SYSTEM_PATH.into(),
    }
}

/// Runs a program of the system that prints a little, and returns what it printed if it ended well.
///
/// # Errors
///
/// What the system says if it cannot be started.
pub(crate) async fn printed(
    program: &str,
    words: &[&str],
    cwd: &Path,
) -> io::Result<Option<Vec<u8>>> {
    let mut command = Command::new(program);
    command.args(words).current_dir(cwd).stdin(Stdio::null()).stderr(Stdio::null());
    let out = command.kill_on_drop(true).output().await?;
    Ok(out.status.success().then_some(out.stdout))
}

/// Whether a variable is a function that bash exported: it would stand in for a command.
fn is_function(name: &OsString) -> bool {
    name.as_encoded_bytes().starts_with(b"BASH_FUNC_")
}

/// Reads on a thread of its own: a pipe that somebody holds open must not hold up anything else.
fn read_on_a_thread(mut reader: PipeReader) -> mpsc::Receiver<Vec<u8>> {
    let (chunks, received) = mpsc::channel(CHUNKS);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            if chunks.blocking_send(buffer[..read].to_vec()).is_err() {
                break;
            }
        }
    });
    received
}

/// How a command is watched: when it must have ended, and how far its ending has come.
struct Watch {
    /// `Err` if its exit code was not to be had.
    status: Option<Result<ExitStatus, ()>>,
    ended_by: Option<Ending>,
    killed: bool,
    /// The next thing that happens by itself: the time limit, the kill, or giving up on it.
    alarm: Instant,
    /// What it leaves running is listened to no longer than this.
    last_word: Instant,
}

/// Follows a command until it has ended and its pipe is closed or quiet (DEC-15).
async fn watch(
    child: &mut dyn ChildWrapper,
    mut chunks: mpsc::Receiver<Vec<u8>>,
    time: Duration,
    limits: &Limits,
    stop: &CancellationToken,
) -> Ran {
    let mut kept = Kept { output: Vec::new(), total_bytes: 0, most: limits.kept_output_bytes };
    let mut open = true;
    let deadline = Instant::now() + time;
    let mut it =
        Watch { status: None, ended_by: None, killed: false, alarm: deadline, last_word: deadline };
    while open || it.status.is_none() {
        tokio::select! {
            chunk = chunks.recv(), if open => match chunk {
                Some(chunk) => {
                    kept.take(&chunk);
                    if it.status.is_some() && it.ended_by.is_none() {
                        it.alarm = it.last_word.min(Instant::now() + limits.pipe_quiet);
                    }
                }
                None => open = false,
            },
            // The leader's end is the command's: what else is in its group is not waited for.
            ended = child.inner_mut().wait(), if it.status.is_none() => {
                it.status = Some(ended.map_err(drop));
                it.last_word = deadline.min(Instant::now() + limits.command_grace);
                it.alarm = it.last_word.min(Instant::now() + limits.pipe_quiet);
            }
            () = stop.cancelled(), if it.ended_by.is_none() => {
                if it.status.is_some() {
                    break;
                }
                it.ended_by = Some(Ending::Stopped);
                ask_to_end(child);
                it.alarm = Instant::now() + limits.command_grace;
            }
            () = sleep_until(it.alarm) => {
                if it.status.is_some() || it.killed {
                    break;
                }
                if it.ended_by.is_some() {
                    kill(child);
                    it.killed = true;
                    it.alarm = Instant::now() + limits.pipe_quiet;
                } else {
                    it.ended_by = Some(Ending::TimedOut);
                    ask_to_end(child);
                    it.alarm = Instant::now() + limits.command_grace;
                }
            }
        }
    }
    let left = end_what_is_left(child, &mut chunks, &mut kept, open).await;
    let by_itself = it.status.map(|status| status.map_or(Ending::Unseen, ending));
    let ending = it.ended_by.or(by_itself).unwrap_or(Ending::Unseen);
    Ran { ending, output: kept.output, total_bytes: kept.total_bytes, left }
}

/// Ends what is still in the group, and says whether that was all that held the pipe.
async fn end_what_is_left(
    child: &mut dyn ChildWrapper,
    chunks: &mut mpsc::Receiver<Vec<u8>>,
    kept: &mut Kept,
    open: bool,
) -> Left {
    let ended = kill(child);
    if !open {
        return if ended { Left::Ended } else { Left::Nothing };
    }
    let closes = async {
        while let Some(chunk) = chunks.recv().await {
            kept.take(&chunk);
        }
    };
    match timeout(LAST_LOOK, closes).await {
        Ok(()) => Left::Ended,
        Err(_) => Left::Running,
    }
}

/// Output, kept up to a bound and counted to the end.
struct Kept {
    output: Vec<u8>,
    total_bytes: u64,
    most: u64,
}

impl Kept {
    fn take(&mut self, chunk: &[u8]) {
        self.total_bytes += chunk.len() as u64;
        let room = self.most.saturating_sub(self.output.len() as u64);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        self.output.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
}

fn ending(status: ExitStatus) -> Ending {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Ending::Signalled(signal);
    }
    Ending::Exited(status.code().unwrap_or(-1))
}

/// Sends the polite signal to the whole group; where there is none, ends it.
fn ask_to_end(child: &mut dyn ChildWrapper) {
    const SIGTERM: i32 = 15;
    if cfg!(windows) || child.signal(SIGTERM).is_err() {
        kill(child);
    }
}

/// Ends the whole group; returns whether there was anybody in it.
fn kill(child: &mut dyn ChildWrapper) -> bool {
    child.start_kill().is_ok()
}

#[cfg(all(test, unix))]
mod tests;
