//! Standard output and standard error. A reader that has gone ends nothing: the turn runs to its
//! end, and its result is stored.

use std::{
    io::{self, Write as _},
    sync::{Mutex, MutexGuard, PoisonError},
};

use host::Host;
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

use crate::screen;

/// Lines that wait to be written. A reader that does not read holds up the feed, not the turn.
const WAITING: usize = 256;

/// How many rows were written last, and nothing after them: they may be written anew. One terminal
/// has one such number, whoever writes to it.
static ROWS: Mutex<usize> = Mutex::new(0);

/// What is written at once.
#[derive(Debug)]
enum Piece {
    Bytes(Vec<u8>),
    /// A text, and the rows below it that take the place of those before.
    Rows(String, Vec<String>),
}

/// Standard output, written by a thread of its own.
#[derive(Clone, Debug)]
pub(crate) struct Out(mpsc::Sender<Piece>);

/// The thread that writes.
#[derive(Debug)]
pub(crate) struct Writing(oneshot::Receiver<()>);

impl Out {
    /// Starts the thread.
    pub(crate) fn start() -> (Self, Writing) {
        let (lines, mut waiting) = mpsc::channel(WAITING);
        let (done, writing) = oneshot::channel();
        std::thread::spawn(move || {
            let mut shown = Vec::new();
            while let Some(piece) = waiting.blocking_recv() {
                match piece {
                    Piece::Bytes(bytes) => {
                        let _below = below_rows();
                        raw(&bytes);
                    }
                    Piece::Rows(text, rows) if text.is_empty() && rows == shown => {}
                    Piece::Rows(text, rows) => {
                        let mut before = last_rows();
                        raw(screen::written(*before, &text, &rows).as_bytes());
                        *before = rows.len();
                        shown = rows;
                    }
                }
            }
            done.send(()).ok();
        });
        (Self(lines), Writing(writing))
    }

    /// Writes a value as one line of JSON.
    pub(crate) async fn json(&self, value: &impl Serialize) {
        let mut line = serde_json::to_vec(value).expect("the words of the protocol are JSON");
        line.push(b'\n');
        self.piece(Piece::Bytes(line)).await;
    }

    /// Writes text as it is.
    pub(crate) async fn text(&self, text: String) {
        if !text.is_empty() {
            self.piece(Piece::Bytes(text.into_bytes())).await;
        }
    }

    /// Writes text to a terminal, and rows below it in the place of those before.
    pub(crate) async fn rows(&self, text: String, rows: Vec<String>) {
        self.piece(Piece::Rows(text, rows)).await;
    }

    async fn piece(&self, piece: Piece) {
        // It fails only when the thread is gone, and with it whoever read.
        drop(self.0.send(piece).await);
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
    let _below = below_rows();
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
    let _below = below_rows();
    let mut stderr = io::stderr().lock();
    gone(stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush()));
}

/// Leaves the rows that were written last as they are: what comes now stands below them, and must
/// not be wiped with them. Nothing else is written until the guard is dropped.
fn below_rows() -> MutexGuard<'static, usize> {
    let mut rows = last_rows();
    *rows = 0;
    rows
}

fn last_rows() -> MutexGuard<'static, usize> {
    ROWS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn gone(written: io::Result<()>) {
    // There is nobody left to tell.
    drop(written);
}
