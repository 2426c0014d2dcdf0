//! Runs a command: a fresh shell, one pipe for both outputs, a process group, and a bounded end.
//! The only file of this crate that starts processes.

use std::{
    env,
    ffi::OsString,
    io::{self, pipe},
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use process_wrap::tokio::{CommandWrap, KillOnDrop};
use protocol::Limits;
use tokio::{
    process::Command,
    time::{Instant, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;
#[cfg(windows)]
use windows::Win32::System::Threading::{CREATE_NO_WINDOW, PROCESS_CREATION_FLAGS};

use crate::{
    living::{Ending, Happening, LAST_LOOK, Living},
    output::Kept,
    shell::Shell,
};

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

/// Where programs are looked for when `PATH` names no folder that may be used.
#[cfg(not(windows))]
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// A command has no window, and needs none: it would come up before the user's own.
#[cfg(windows)]
const NO_WINDOW: PROCESS_CREATION_FLAGS = CREATE_NO_WINDOW;

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

/// What a command left behind when it ended.
#[derive(Debug)]
pub(crate) enum Left {
    Nothing,
    /// Something still ran in its group, and was ended too.
    Ended,
    /// Something of its group still runs (DEC-15).
    Group(Living),
    /// Something still holds its output that is in no group of ours. It goes on.
    OutOfReach,
}

/// A command that ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    /// What it printed, in order.
    pub(crate) output: Kept,
    pub(crate) left: Left,
}

/// Runs a command to its end, which is that of its shell: what else lives in its group is left to
/// the caller (DEC-15).
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
    let time = line.time;
    Ok(watch(start(line)?, time, limits, stop).await)
}

/// Starts a command, as the leader of a group of its own.
///
/// # Errors
///
/// What the system says if it cannot be started.
pub(crate) fn start(line: CommandLine<'_>) -> io::Result<Living> {
    let (reader, writer) = pipe()?;
    let mut wrap = CommandWrap::from(prepare(&line, writer)?);
    wrap.wrap(KillOnDrop);
    #[cfg(unix)]
    wrap.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    wrap.wrap(process_wrap::tokio::CreationFlags(NO_WINDOW)).wrap(process_wrap::tokio::JobObject);
    let child = wrap.spawn()?;
    // The command holds the pipe's other end now; ours would keep it open for ever.
    drop(wrap);
    Ok(Living::new(child, reader))
}

fn prepare(line: &CommandLine<'_>, writer: io::PipeWriter) -> io::Result<Command> {
    let mut command = Command::new(line.shell.program());
    line.shell.give(&mut command, line.command)?;
    command.current_dir(line.cwd);
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    command.envs(SET);
    #[cfg(windows)]
    command.env("PYTHONIOENCODING", "utf-8");
    if let Some(roots) = line.reads_in {
        command.envs(SET_FOR_READERS).env("PATH", system_path(roots));
        #[cfg(windows)]
        command.env("NoDefaultCurrentDirectoryInExePath", "1");
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
        let real = workspace::real_path(folder);
        let real = real.as_deref().unwrap_or(folder);
        folder.is_absolute() && !roots.iter().any(|root| real.starts_with(root))
    };
    let usable: Vec<PathBuf> = env::split_paths(&path).filter(is_usable).collect();
    match env::join_paths(usable) {
        Ok(path) if !path.is_empty() => path,
        #[cfg(windows)]
        Ok(_) | Err(_) => crate::shell::system_folder().into(),
        #[cfg(not(windows))]
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
    #[cfg(windows)]
    command.creation_flags(NO_WINDOW.0);
    let out = command.kill_on_drop(true).output().await?;
    Ok(out.status.success().then_some(out.stdout))
}

/// Whether a variable is a function that bash exported: it would stand in for a command.
fn is_function(name: &OsString) -> bool {
    name.as_encoded_bytes().starts_with(b"BASH_FUNC_")
}

/// How a command is watched: when it must have ended, and how far its ending has come.
struct Watch {
    ended_by: Option<Ending>,
    killed: bool,
    /// The next thing that happens by itself: the time limit, the kill, or giving up on it.
    alarm: Instant,
    /// What it leaves running is listened to no longer than this.
    last_word: Instant,
}

/// Follows a command until it has ended and its pipe is closed or quiet (DEC-15).
async fn watch(
    mut living: Living,
    time: Duration,
    limits: &Limits,
    stop: &CancellationToken,
) -> Ran {
    let mut output = Kept::up_to(limits.kept_output_bytes);
    let deadline = Instant::now() + time;
    let mut it = Watch { ended_by: None, killed: false, alarm: deadline, last_word: deadline };
    let mut rest_may_live = true;
    while living.is_open() || living.shell_ended().is_none() {
        tokio::select! {
            happening = living.next() => match happening {
                Happening::Printed(chunk) => {
                    output.take(&chunk);
                    if living.shell_ended().is_some() && it.ended_by.is_none() {
                        it.alarm = it.last_word.min(Instant::now() + limits.pipe_quiet);
                    }
                }
                Happening::Closed => {}
                // The leader's end is the command's: what else is in its group is not waited for.
                Happening::ShellEnded => {
                    it.last_word = deadline.min(Instant::now() + limits.command_grace);
                    it.alarm = it.last_word.min(Instant::now() + limits.pipe_quiet);
                }
            },
            () = stop.cancelled(), if it.ended_by.is_none() => {
                rest_may_live = false;
                if living.shell_ended().is_some() {
                    break;
                }
                it.ended_by = Some(Ending::Stopped);
                living.ask_to_end();
                it.alarm = Instant::now() + limits.command_grace;
            }
            () = sleep_until(it.alarm) => {
                if living.shell_ended().is_some() || it.killed {
                    break;
                }
                if it.ended_by.is_some() {
                    living.kill();
                    it.killed = true;
                    it.alarm = Instant::now() + limits.pipe_quiet;
                } else {
                    rest_may_live = false;
                    it.ended_by = Some(Ending::TimedOut);
                    living.ask_to_end();
                    it.alarm = Instant::now() + limits.command_grace;
                }
            }
        }
    }
    let ending = it.ended_by.or(living.shell_ended()).unwrap_or(Ending::Unseen);
    let left = left_by(living, rest_may_live, &mut output).await;
    Ran { ending, output, left }
}

/// Says what a command left behind. What may not live is ended.
async fn left_by(mut living: Living, rest_may_live: bool, output: &mut Kept) -> Left {
    if rest_may_live {
        // What ends with its shell is given the time to.
        timeout(LAST_LOOK, living.gone(LAST_LOOK / 10, |chunk| output.take(chunk))).await.ok();
    }
    let lives = living.lives();
    if lives && rest_may_live {
        return Left::Group(living);
    }
    if lives || cfg!(windows) {
        living.kill();
    }
    let is_all = living.last_look(|chunk| output.take(chunk)).await;
    match (is_all, lives) {
        (true, true) => Left::Ended,
        (true, false) => Left::Nothing,
        (false, _) => Left::OutOfReach,
    }
}

#[cfg(test)]
mod tests;
