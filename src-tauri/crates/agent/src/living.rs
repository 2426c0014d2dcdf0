//! A command that was started, with all that it started in turn: its group.

use std::{
    fmt,
    io::{PipeReader, Read as _},
    process::ExitStatus,
    time::Duration,
};

use process_wrap::tokio::ChildWrapper;
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, timeout},
};

#[cfg(unix)]
use crate::group;

/// Chunks of output that wait to be kept; the command blocks when the pipe behind them is full.
const CHUNKS: usize = 16;

/// How long the pipe of a command may take to close once its group is ended.
pub(crate) const LAST_LOOK: Duration = Duration::from_millis(200);

/// The polite signal.
#[cfg(unix)]
const SIGTERM: i32 = 15;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exited(i32),
    /// By a signal that was not the host's.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no signals there"))]
    Signalled(i32),
    /// By the host, when its time was up.
    TimedOut,
    /// By the host, when the user stopped the turn.
    Stopped,
    /// It ended, and how was not to be had: somebody else took its exit code.
    Unseen,
}

/// A command of which something may still run. What runs when it is dropped is killed.
pub(crate) struct Living {
    child: Box<dyn ChildWrapper>,
    /// The leader of its group.
    leader: Option<u32>,
    chunks: mpsc::Receiver<Vec<u8>>,
    /// Whether somebody may still print.
    open: bool,
    /// How its shell ended; `Err` if its exit code was not to be had.
    status: Option<Result<ExitStatus, ()>>,
    /// Nothing of it is left, or nothing that may be killed.
    is_over: bool,
}

/// What happens to a command.
pub(crate) enum Happening {
    Printed(Vec<u8>),
    /// Nobody can print any more.
    Closed,
    ShellEnded,
}

impl Living {
    /// Takes up a command that was started, and the pipe that it prints into.
    pub(crate) fn new(child: Box<dyn ChildWrapper>, reader: PipeReader) -> Self {
        let (leader, chunks) = (child.id(), read_on_a_thread(reader));
        Self { child, leader, chunks, open: true, status: None, is_over: false }
    }

    /// Returns whether somebody may still print.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Waits for the next thing that happens; for ever, if nothing can. Dropping the wait loses
    /// nothing.
    pub(crate) async fn next(&mut self) -> Happening {
        tokio::select! {
            chunk = self.chunks.recv(), if self.open => match chunk {
                Some(chunk) => Happening::Printed(chunk),
                None => {
                    self.open = false;
                    Happening::Closed
                }
            },
            ended = self.child.inner_mut().wait(), if self.status.is_none() => {
                self.status = Some(ended.map_err(drop));
                Happening::ShellEnded
            }
            else => std::future::pending().await,
        }
    }

    /// Returns how its shell ended, if it has.
    pub(crate) fn shell_ended(&self) -> Option<Ending> {
        let status = self.status.as_ref()?;
        Some(status.as_ref().map_or(Ending::Unseen, |it| ending(*it)))
    }

    /// Returns whether somebody of its group is alive.
    pub(crate) fn lives(&self) -> bool {
        if self.status.is_none() {
            return true;
        }
        #[cfg(unix)]
        return self.leader.is_some_and(group::lives);
        // A job object does not tell, so what holds no pipe is ended with its shell.
        #[cfg(not(unix))]
        return self.open;
    }

    /// Waits until nobody of its group is alive, and looks at it every `look` once its shell has
    /// ended. Dropping the wait loses nothing.
    pub(crate) async fn gone(&mut self, look: Duration, mut take: impl FnMut(&[u8])) {
        let mut looks = interval(look);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                happening = self.next() => match happening {
                    Happening::Printed(chunk) => {
                        take(&chunk);
                        continue;
                    }
                    Happening::Closed | Happening::ShellEnded => {}
                },
                _now = looks.tick(), if self.status.is_some() => {}
            }
            if !self.lives() {
                return;
            }
        }
    }

    /// Sends the polite signal to the whole group; where there is none, ends it.
    pub(crate) fn ask_to_end(&mut self) {
        #[cfg(unix)]
        if self.child.signal(SIGTERM).is_ok() {
            return;
        }
        self.kill();
    }

    /// Ends the whole group.
    pub(crate) fn kill(&mut self) {
        // It fails where nobody is left to be killed.
        self.child.start_kill().ok();
    }

    /// Says that nobody of its group is left, takes in what is still in the pipe, and returns whether
    /// that was all: if not, somebody else holds it.
    pub(crate) async fn last_look(&mut self, mut take: impl FnMut(&[u8])) -> bool {
        self.is_over = !cfg!(windows);
        let closes = async {
            while let Some(chunk) = self.chunks.recv().await {
                take(&chunk);
            }
        };
        !self.open || timeout(LAST_LOOK, closes).await.is_ok()
    }
}

impl Drop for Living {
    fn drop(&mut self) {
        if !self.is_over {
            self.kill();
        }
    }
}

impl fmt::Debug for Living {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Living").field("leader", &self.leader).finish_non_exhaustive()
    }
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

fn ending(status: ExitStatus) -> Ending {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Ending::Signalled(signal);
    }
    Ending::Exited(status.code().unwrap_or(-1))
}
