//! Runs the built `evident` as a user does: with arguments, a pipe, and a signal.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::Home;

/// How long anything is waited for: so long that a crowded machine is not taken for a program that
/// hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// The binary, with the surroundings it is started in.
#[derive(Clone, Debug)]
pub struct Evident<'a> {
    binary: PathBuf,
    home: &'a Home,
    folder: PathBuf,
    variables: Vec<(String, String)>,
}

impl<'a> Evident<'a> {
    /// Takes the binary, `env!("CARGO_BIN_EXE_evident")`; it starts in the user's home folder.
    pub fn new(binary: impl Into<PathBuf>, home: &'a Home) -> Self {
        Self { binary: binary.into(), home, folder: home.user(), variables: Vec::new() }
    }

    /// Starts it in another folder.
    #[must_use]
    pub fn within(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Gives it an environment variable; it has no others than [`Home::command`] gives.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Starts it.
    ///
    /// # Panics
    ///
    /// If it does not start.
    pub fn start(&self, args: &[&str]) -> Running {
        let mut command = self.home.command(&self.binary);
        command.args(args).current_dir(&self.folder);
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let stdout = lines_of(child.stdout.take().expect("it is piped"));
        let stderr = lines_of(child.stderr.take().expect("it is piped"));
        Running { stdin: child.stdin.take(), child, stdout, stderr, lines: Vec::new() }
    }

    /// Runs it to its end, with nothing on its standard input.
    pub fn run(&self, args: &[&str]) -> Finished {
        self.start(args).finish()
    }
}

/// The running binary. Killed when dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
    lines: Vec<String>,
}

/// How it ended, and all it said.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Missing after a signal.
    pub code: Option<i32>,
    pub lines: Vec<String>,
    pub stderr: String,
}

impl Finished {
    /// Returns the lines of standard output as JSON.
    ///
    /// # Panics
    ///
    /// If one is no JSON.
    pub fn json(&self) -> Vec<Value> {
        self.lines.iter().map(|line| json(line)).collect()
    }
}

impl Running {
    /// Returns the number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the lines read so far from standard output.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Writes one line of JSON to standard input.
    pub fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    /// Writes one line to standard input, whatever it says.
    ///
    /// # Panics
    ///
    /// If nobody reads it.
    pub fn send_line(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("open until `finish`");
        writeln!(stdin, "{line}").and_then(|()| stdin.flush()).expect("it reads its input");
    }

    /// Reads standard output until a line holds, and returns that line.
    ///
    /// # Panics
    ///
    /// If none comes in 120 s, or one is no JSON.
    pub fn until(&mut self, mut holds: impl FnMut(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = if left.is_zero() { None } else { self.stdout.recv_timeout(left).ok() };
            let Some(line) = line else {
                let stderr = Vec::from_iter(self.stderr.try_iter()).join("\n");
                panic!("the line did not come; these did:\n{}\n{stderr}", self.lines.join("\n"));
            };
            self.lines.push(line.clone());
            let value = json(&line);
            if holds(&value) {
                return value;
            }
        }
    }

    /// Reads standard output until a line that need not be JSON holds, and returns that line.
    ///
    /// # Panics
    ///
    /// If none comes in 120 s.
    pub fn until_text(&mut self, holds: impl Fn(&str) -> bool) -> String {
        loop {
            let Ok(line) = self.stdout.recv_timeout(PATIENCE) else {
                panic!("the line did not come; these did:\n{}", self.lines.join("\n"));
            };
            self.lines.push(line.clone());
            if holds(&line) {
                return line;
            }
        }
    }

    /// Reads until the reply to the request of that id.
    pub fn reply(&mut self, id: u64) -> Value {
        self.until(|line| line["id"] == id)
    }

    /// Reads until a line holds, and kills the process at it.
    pub fn kill_at(mut self, holds: impl FnMut(&Value) -> bool) -> Finished {
        self.until(holds);
        self.kill()
    }

    /// Kills the process: nothing of it runs on.
    ///
    /// # Panics
    ///
    /// If the system does not let us.
    pub fn kill(mut self) -> Finished {
        self.child.kill().expect("it is our child");
        self.finish()
    }

    /// Sends a signal by its name, such as `INT`.
    ///
    /// # Panics
    ///
    /// If the process is gone.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let mut kill = std::process::Command::new("kill");
        let sent = kill.args(["-s", name, &self.id().to_string()]).status();
        assert!(sent.expect("`kill` starts").success(), "the process is gone");
    }

    /// Closes standard input and waits for the end.
    ///
    /// # Panics
    ///
    /// If it does not end in 120 s.
    pub fn finish(mut self) -> Finished {
        self.stdin = None;
        let end = Instant::now() + PATIENCE;
        let mut lines = std::mem::take(&mut self.lines);
        lines.extend(drain(&self.stdout, end));
        let status = self.wait(end);
        let stderr = drain(&self.stderr, end).join("\n");
        let Some(status) = status else { panic!("it does not end:\n{stderr}") };
        Finished { code: status.code(), lines, stderr }
    }

    fn wait(&mut self, end: Instant) -> Option<ExitStatus> {
        loop {
            let status = self.child.try_wait().expect("it is our child");
            if status.is_some() || end < Instant::now() {
                return status;
            }
            thread::park_timeout(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Reads lines on a thread of its own, so that waiting for one can be bounded.
fn lines_of(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let mut from = BufReader::new(from);
        loop {
            let mut line = Vec::new();
            match from.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let text = String::from_utf8_lossy(&line);
            if sender.send(text.trim_end_matches(['\r', '\n']).to_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

fn drain(lines: &Receiver<String>, end: Instant) -> Vec<String> {
    let mut drained = Vec::new();
    loop {
        match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(line) => drained.push(line),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return drained,
        }
    }
}

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("no JSON ({error}): {line}"))
}
