//! `evident serve`, driven over its pipe.

use std::{
    collections::VecDeque,
    fs,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use testkit::Home;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::Result;

/// How long a reply, or the end of the program, may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How the program is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    Kill,
    Quit,
}

/// The running program. Killed when it is dropped.
pub(crate) struct App {
    child: Child,
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    said: NamedTempFile,
    /// Requests so far; each has its own number.
    asked: u64,
    /// Frames that came before a reply.
    frames: VecDeque<Value>,
}

impl App {
    /// Starts it for a provider at this address.
    pub(crate) fn start(evident: &Path, home: &Home, base_url: &str) -> Result<Self> {
        let said = NamedTempFile::new()?;
        let mut command = Command::from(home.command(evident));
        let mut child = command
            .args(["serve", "--stdio", "--base-url", base_url, "--model", "scripted"])
            .current_dir(home.user())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(said.reopen()?)
            .kill_on_drop(true)
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no pipes".into());
        };
        let lines = BufReader::new(output).lines();
        Ok(Self { child, input, lines, said, asked: 0, frames: VecDeque::new() })
    }

    /// Sends a command or a question, and returns what was replied.
    pub(crate) async fn ask(&mut self, mut request: Value) -> Result<Value> {
        self.asked += 1;
        let id = self.asked;
        request["id"] = id.into();
        self.input.write_all(format!("{request}\n").as_bytes()).await?;
        loop {
            let read = timeout(PATIENCE, self.line()).await;
            let mut line = read.map_err(|_| format!("no reply to {request}"))??;
            if line["id"] != id {
                self.frames.push_back(line);
            } else if line["error"].is_null() {
                return Ok(line["ok"].take());
            } else {
                let (kind, message) = (&line["error"]["kind"], &line["error"]["message"]);
                return Err(format!("{}: {kind}: {message}", request["type"]).into());
            }
        }
    }

    /// Returns the next frame of the feed. Nothing is lost if it is not waited for to its end.
    pub(crate) async fn frame(&mut self) -> Result<Value> {
        match self.frames.pop_front() {
            Some(frame) => Ok(frame),
            None => self.line().await,
        }
    }

    async fn line(&mut self) -> Result<Value> {
        let line = self.lines.next_line().await?;
        let line = line.ok_or_else(|| format!("the program is gone {}", self.words()))?;
        Ok(serde_json::from_str(&line)?)
    }

    /// Ends it, and returns what came before.
    pub(crate) async fn end(&mut self, how: How) -> Result<VecDeque<Value>> {
        match how {
            How::Kill => self.child.start_kill()?,
            How::Quit => drop(self.ask(json!({ "type": "shutdown" })).await?),
        }
        // What it wrote before it was killed is still in the pipe.
        while let Ok(Ok(line)) = timeout(PATIENCE, self.line()).await {
            self.frames.push_back(line);
        }
        let status = timeout(PATIENCE, self.child.wait()).await;
        let status = status.map_err(|_| "the program does not end")??;
        if how == How::Quit && !status.success() {
            return Err(self.ended_badly(status).into());
        }
        Ok(std::mem::take(&mut self.frames))
    }

    fn ended_badly(&self, status: ExitStatus) -> String {
        format!("the program ended with {status} {}", self.words())
    }

    /// Returns what it said on stderr.
    fn words(&self) -> String {
        fs::read_to_string(self.said.path()).unwrap_or_default().trim().to_owned()
    }
}
