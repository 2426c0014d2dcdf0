//! Standard output and standard error. A reader that has gone ends nothing: the turn runs to its
//! end, and its result is stored.

use std::io::{self, Write as _};

use host::Host;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

/// Lines that wait to be written. A reader that does not read holds up the feed, not the turn.
const WAITING: usize = 256;

/// Standard output, written by a thread of its own.
#[derive(Clone, Debug)]
pub(crate) struct Out(mpsc::Sender<Vec<u8>>);

/// The thread that writes.
#[derive(Debug)]
pub(crate) struct Writing(oneshot::Receiver<()>);

impl Out {
    /// Starts the thread.
    pub(crate) fn start() -> (Self, Writing) {
        let (lines, mut waiting) = mpsc::channel::<Vec<u8>>(WAITING);
        let (done, writing) = oneshot::channel();
        std::thread::spawn(move || {
            while let Some(bytes) = waiting.blocking_recv() {
                raw(&bytes);
            }
            done.send(()).ok();
        });
        (Self(lines), Writing(writing))
    }

    /// Writes a value as one line of JSON.
    pub(crate) async fn json(&self, value: &impl Serialize) {
        let mut line = serde_json::to_vec(value).expect("the words of the protocol are JSON");
        line.push(b'\n');
        self.bytes(line).await;
    }

    /// Writes text as it is.
    pub(crate) async fn text(&self, text: String) {
        if !text.is_empty() {
            self.bytes(text.into_bytes()).await;
        }
    }

    async fn bytes(&self, bytes: Vec<u8>) {
        // It fails only when the thread is gone, and with it whoever read.
        drop(self.0.send(bytes).await);
    }
}

impl Writing {
    /// Returns when everything that was given to [`Out`] is written and no `Out` is left.
    pub(crate) async fn wait(self) {
        drop(self.0.await);
    }
}

/// Writes to standard output at once.
pub(crate) fn out(text: &str) {
    raw(text.as_bytes());
}

/// Writes bytes to standard output as they are.
pub(crate) fn raw(bytes: &[u8]) {
    let mut stdout = io::stdout().lock();
    gone(stdout.write_all(bytes).and_then(|()| stdout.flush()));
}

/// Writes a value to standard output as one line of JSON.
pub(crate) fn json_line(value: &impl Serialize) {
    let line = serde_json::to_string(value).expect("the words of the protocol are JSON");
    out(&format!("{line}\n"));
}

/// Throws away what was typed at the terminal and not read yet.
pub(crate) fn forget_input() {
    #[cfg(unix)]
    {
        use rustix::termios::{QueueSelector, tcflush};
        // It fails where there is no terminal, and then nothing was typed.
        tcflush(io::stdin(), QueueSelector::IFlush).ok();
    }
}

/// Writes an error for the person to standard error, with what is behind it.
pub(crate) fn error(error: &dyn std::error::Error) {
    diagnostic(&whole(error));
}

/// Returns an error in one line, with what is behind it.
pub(crate) fn whole(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut behind = error.source();
    while let Some(cause) = behind {
        let said = cause.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        behind = cause.source();
    }
    text
}

/// Writes a line for the person to standard error.
pub(crate) fn diagnostic(text: &str) {
    gone(writeln!(io::stderr().lock(), "evident: {text}"));
}

/// Says what is wrong with settings that are left aside because flags or variables name the provider.
pub(crate) async fn settings_fault(host: &Host) {
    if let Some(fault) = host.settings_fault().await {
        diagnostic(&format!("{fault}. Until then flags and variables hold alone"));
    }
}

/// Writes to standard error at once, for a question.
pub(crate) fn ask(text: &str) {
    let mut stderr = io::stderr().lock();
    gone(stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()));
}

fn gone(written: io::Result<()>) {
    // There is nobody left to tell.
    drop(written);
}
