//! The one place that acts: what a plan says is done here, behind the gate.

use std::{io, sync::Arc};

use protocol::{
    CappedText, CheckKind, EventKind, FailureCode, Gap, GapReason, ModelCall, ToolCallStatus,
    ToolFailure, TrustLevel, Verification, head, tail,
};
use session::{LocalRecord, SessionError};
use tokio_util::sync::CancellationToken;
use tools::{Intent, PlanError, ReadOutcome, Running};

use crate::{
    batch::{Done, Licensed},
    command::{self, CommandLine, Ending, Ran},
    emit::blocking,
    turn::Turn,
};

impl Turn<'_> {
    /// Does what a licensed call asks for. Its start is stored before (TI-2).
    pub(crate) async fn carry_out(
        &mut self,
        call: &ModelCall,
        licensed: Licensed,
        stop: &CancellationToken,
    ) -> Result<Done, SessionError> {
        let Licensed { planned, permit, leaves_gap } = licensed;
        self.agent.emitter.event(EventKind::ToolStarted {
            call: call.id.clone(),
            tool: planned.tool.to_owned(),
            title: CappedText::cut(&planned.title),
        });
        if leaves_gap {
            let reason = GapReason::BashSideEffect;
            let gap = Gap { reason, path: None, call: Some(call.id.clone()) };
            let record = self.checkpoint.gap(gap);
            self.agent.emitter.local(record, []);
        }
        let started = self.agent.clock.now();
        let done = match planned.intent {
            Intent::Create(writing) | Intent::Replace(writing) | Intent::Overwrite(writing) => {
                let permit = permit.expect("a write without a permit does not get here");
                self.write(call, writing, permit).await?
            }
            Intent::Run(running) => self.run_command(call, running, leaves_gap, stop).await?,
            Intent::Read(reading) => {
                self.agent.emitter.flush(self.id).await?;
                let workspace = Arc::clone(&self.agent.workspace);
                self.delivered(blocking(move || reading.run(&workspace)).await)
            }
            Intent::List(listing) => {
                self.agent.emitter.flush(self.id).await?;
                let (workspace, stop) = (Arc::clone(&self.agent.workspace), stop.clone());
                let look = move || listing.run(&workspace, &|| stop.is_cancelled());
                Done::completed(blocking(look).await)
            }
            Intent::Search(searching) => {
                self.agent.emitter.flush(self.id).await?;
                let (workspace, stop) = (Arc::clone(&self.agent.workspace), stop.clone());
                let look = move || searching.run(&workspace, &|| stop.is_cancelled());
                match blocking(look).await {
                    Ok(text) => Done::completed(text),
                    Err(error) => self.not_planned(error),
                }
            }
            Intent::Unchanged { shown } => Done::completed(format!(
                "{shown} has exactly this content already; nothing was written"
            )),
            Intent::Note { text } => Done::completed(text),
        };
        Ok(Done { started: Some(started), ..done })
    }

    /// Takes note of what a read showed, and prints its token.
    fn delivered(&mut self, outcome: Result<ReadOutcome, PlanError>) -> Done {
        let (batch, token) = (self.agent.batch, self.agent.ids.receipt());
        match outcome {
            Ok(ReadOutcome::Page(page)) => {
                let text = format!("{}\n[source_token {token}]", page.text.trim_end_matches('\n'));
                self.agent.seen.delivered(batch, page.path, page.version, token);
                Done::completed(text)
            }
            Ok(ReadOutcome::Absent { path, failure }) => {
                self.agent.seen.delivered(batch, path, evidence::Version::Absent, token);
                Done::failed(failure)
            }
            Err(error) => self.not_planned(error),
        }
    }

    async fn run_command(
        &mut self,
        call: &ModelCall,
        running: Running,
        was_allowed: bool,
        stop: &CancellationToken,
    ) -> Result<Done, SessionError> {
        self.agent.emitter.flush(self.id).await?;
        let line = CommandLine {
            shell: &self.agent.shell,
            command: &running.command,
            cwd: running.cwd.absolute(),
            time: running.time,
            hidden: &self.agent.hidden_variables,
            reads_in: (!was_allowed).then_some(&*self.agent.roots),
        };
        let ran = match command::run(line, &self.agent.limits, stop).await {
            Ok(ran) => ran,
            Err(error) => {
                return Ok(Done::failed(ToolFailure {
                    code: FailureCode::CommandNotStarted,
                    message: format!("the shell could not be started: {error}"),
                    next: not_started(&error).to_owned(),
                }));
            }
        };
        self.record_check(call, &running.command, &ran);
        let done =
            told(&ran, running.time.as_secs(), self.agent.limits.shown_output_bytes as usize);
        self.keep_output(call, ran);
        Ok(done)
    }

    /// Keeps the whole output where the model was shown only a part (AN-15).
    fn keep_output(&mut self, call: &ModelCall, ran: Ran) {
        if ran.output.len() <= self.agent.limits.shown_output_bytes as usize {
            return;
        }
        let cut = (ran.output.len() as u64) < ran.total_bytes;
        let record = LocalRecord::Output {
            call: call.id.clone(),
            blob: session::fingerprint(&ran.output),
            total_bytes: ran.total_bytes,
            cut,
        };
        self.agent.emitter.local([record], [ran.output]);
    }

    /// Records a command that the project's settings name as a check (AN-20, CK-1).
    fn record_check(&mut self, call: &ModelCall, command: &str, ran: &Ran) {
        if !self.agent.checks.iter().any(|check| check == command) {
            return;
        }
        let exit_code = exit_code(ran.ending);
        self.checks.push(Verification {
            command: CappedText::cut(command),
            kind: CheckKind::Declared,
            passed: exit_code == Some(0),
            stale: false,
            interrupted: exit_code.is_none(),
            exit_code,
            tool_call_id: call.id.clone(),
            level: Some(TrustLevel::Observed),
        });
    }
}

/// What works when a command could not be started.
fn not_started(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::ArgumentListTooLong {
        "nothing ran; write the long part to a file with write_file, and name that file"
    } else {
        "nothing ran; check that the folder exists, then send it again"
    }
}

/// The code of a command that ended by itself; a shell's 128 and the signal's number for a signal.
fn exit_code(ending: Ending) -> Option<i32> {
    match ending {
        Ending::Exited(code) => Some(code),
        Ending::Signalled(signal) => Some(128 + signal),
        Ending::TimedOut | Ending::Stopped => None,
    }
}

/// What the model is told of a command: its output, or the start and the end of it, and how it
/// ended.
fn told(ran: &Ran, seconds: u64, shown_bytes: usize) -> Done {
    let output = String::from_utf8_lossy(&ran.output);
    let mut text = if output.len() <= shown_bytes && ran.total_bytes == ran.output.len() as u64 {
        output.into_owned()
    } else {
        let first = head(&output, shown_bytes / 4);
        let last = tail(&output, shown_bytes - shown_bytes / 4);
        let total = ran.total_bytes;
        format!("{first}\n[... of {total} bytes of output the middle is left out ...]\n{last}")
    };
    if text.is_empty() {
        text.push_str("[no output]");
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let code = exit_code(ran.ending);
    let (status, failure) = match ran.ending {
        Ending::Exited(0) => (ToolCallStatus::Completed, None),
        Ending::Exited(_) | Ending::Signalled(_) => {
            (ToolCallStatus::Failed, Some(FailureCode::ExitCode))
        }
        Ending::TimedOut => (ToolCallStatus::Failed, Some(FailureCode::TimedOut)),
        Ending::Stopped => (ToolCallStatus::Interrupted, None),
    };
    text.push_str(&match (ran.ending, code) {
        (Ending::TimedOut, _) => {
            format!("[ended by the host after {seconds} s; it may have left traces]")
        }
        (Ending::Stopped, _) => "[stopped by the user; it may have left traces]".to_owned(),
        (Ending::Signalled(signal), _) => format!("[ended by signal {signal}]"),
        (Ending::Exited(code), _) => format!("[exit code {code}]"),
    });
    if ran.left_running {
        text.push_str("\n[what it had left running in the background was ended]");
    }
    let failure = failure.map(|code| ToolFailure {
        code,
        message: match ran.ending {
            Ending::TimedOut => format!("it did not end within {seconds} s"),
            Ending::Exited(_) | Ending::Signalled(_) | Ending::Stopped => {
                "it ended with another exit code than 0".to_owned()
            }
        },
        next: "read its output".to_owned(),
    });
    Done { status, exit_code: code, failure, ..Done::completed(text) }
}
