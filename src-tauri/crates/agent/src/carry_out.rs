//! The one place that acts: what a plan says is done here, behind the gate.

use std::{io, sync::Arc};

use protocol::{
    CappedText, EventKind, FailureCode, Gap, GapReason, ModelCall, ToolCallStatus, ToolFailure,
};
use session::SessionError;
use tokio_util::sync::CancellationToken;
use tools::{Intent, RunMode, Running};

use crate::{
    batch::{Done, Licensed},
    checks::{Known, LiveCheck},
    command::{self, CommandLine, Left, Ran},
    emit::blocking,
    job_calls::output_record,
    living::Ending,
    output::{Kept, Otherwise},
    turn::Turn,
};

/// A command that is about to be started.
struct Start {
    title: String,
    running: Running,
    check: Option<LiveCheck>,
    was_allowed: bool,
}

impl Turn<'_> {
    /// Does what a licensed call asks for. Its start is stored before (TI-2).
    pub(crate) async fn carry_out(
        &mut self,
        call: &ModelCall,
        licensed: Licensed,
        stop: &CancellationToken,
    ) -> Result<Done, SessionError> {
        let Licensed { planned, permit, leaves_gap } = licensed;
        let check = match &planned.intent {
            Intent::Run(running) => self.check_of(running, leaves_gap).await,
            Intent::Create(_)
            | Intent::Replace(_)
            | Intent::Overwrite(_)
            | Intent::Job(_)
            | Intent::Read(_)
            | Intent::List(_)
            | Intent::Search(_)
            | Intent::Unchanged { .. }
            | Intent::Note { .. } => None,
        };
        self.agent.emitter.event(EventKind::ToolStarted {
            call: call.id.clone(),
            tool: planned.tool.to_owned(),
            title: CappedText::cut(&planned.title),
            check: check.as_ref().map(Known::kind),
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
            Intent::Run(running) => {
                if check.as_ref().map_or(leaves_gap, Known::runs_more) {
                    self.mark_checks_stale();
                }
                let check = check.map(|it| LiveCheck::new(it, &running, &call.id, started));
                self.agent.emitter.local(check.as_ref().map(LiveCheck::begun), []);
                let mode = running.mode;
                let start = Start { title: planned.title, running, check, was_allowed: leaves_gap };
                match mode {
                    RunMode::Awaited => self.run_command(call, start, stop).await?,
                    RunMode::Background => self.run_in_background(call, start).await?,
                }
            }
            Intent::Job(request) => self.ask_jobs(request, stop).await?,
            Intent::Read(reading) => self.read(call, reading).await?,
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

    async fn run_command(
        &mut self,
        call: &ModelCall,
        Start { title, running, check, was_allowed }: Start,
        stop: &CancellationToken,
    ) -> Result<Done, SessionError> {
        self.agent.emitter.flush(self.id).await?;
        let limits = Arc::clone(&self.agent.limits);
        let line = self.command_line(&running, was_allowed);
        let Ran { ending, output, left } = match command::run(line, &limits, stop).await {
            Ok(ran) => ran,
            Err(error) => return Ok(not_started(&error)),
        };
        // The whole output of a check is kept: it is its log (LG-4).
        if let Some(check) = &check {
            self.record_check(check, ending, &output);
        }
        let fresh = output.since(0);
        let (mut text, is_whole) = fresh.text(limits.shown_output_bytes, Otherwise::HERE, &limits);
        if text.is_empty() {
            text.push_str("[no output]");
        }
        let rest = match left {
            Left::Nothing => String::new(),
            Left::Ended => "[what it had left running in the background was ended]".to_owned(),
            Left::Group(living) if self.agent.jobs.has_room() => {
                self.begin_job(call, &title, (true, None), (living, output.clone()))
            }
            Left::Group(living) => {
                drop(living);
                let most = limits.background_jobs;
                format!("[what it had left running was ended: {most} jobs run already]")
            }
            Left::OutOfReach => {
                let reason = GapReason::ActiveWriter;
                let gap = Gap { reason, path: None, call: Some(call.id.clone()) };
                let record = self.checkpoint.gap(gap);
                self.agent.emitter.local(record, []);
                "[something it started still runs, out of the host's reach]".to_owned()
            }
        };
        // The whole of it is kept where the model was shown only a part (AN-15).
        if !is_whole && check.is_none() {
            let (record, blob) = output_record(&call.id, &output);
            self.agent.emitter.local([record], [blob]);
        }
        Ok(told(ending, text, &rest, running.time.as_secs()))
    }

    /// Starts a command whose end is not awaited.
    async fn run_in_background(
        &mut self,
        call: &ModelCall,
        Start { title, running, check, was_allowed }: Start,
    ) -> Result<Done, SessionError> {
        if !self.agent.jobs.has_room() {
            let running = self.agent.jobs.running().map(|it| it.id.as_str());
            let running: Vec<&str> = running.collect();
            return Ok(Done::failed(ToolFailure {
                code: FailureCode::TooManyJobs,
                message: format!("nothing was run: {} jobs run already", running.len()),
                next: format!("end one of them with kill_shell: {}", running.join(", ")),
            }));
        }
        self.agent.emitter.flush(self.id).await?;
        let living = match command::start(self.command_line(&running, was_allowed)) {
            Ok(living) => living,
            Err(error) => return Ok(not_started(&error)),
        };
        let output = Kept::up_to(self.agent.limits.kept_output_bytes);
        let kind = (was_allowed, check);
        Ok(Done::completed(self.begin_job(call, &title, kind, (living, output))))
    }

    fn command_line<'a>(&'a self, running: &'a Running, was_allowed: bool) -> CommandLine<'a> {
        CommandLine {
            shell: &self.agent.shell,
            command: &running.command,
            cwd: running.cwd.absolute(),
            time: running.time,
            hidden: &self.agent.hidden_variables,
            reads_in: (!was_allowed).then_some(&*self.agent.roots),
        }
    }
}

/// What a command came to that could not be started.
fn not_started(error: &io::Error) -> Done {
    let next = if error.kind() == io::ErrorKind::ArgumentListTooLong {
        "nothing ran; write the long part to a file with write_file, and name that file"
    } else if error.kind() == io::ErrorKind::InvalidInput {
        "nothing ran; send it as one line"
    } else {
        "nothing ran; check that the folder exists, then send it again"
    };
    Done::failed(ToolFailure {
        code: FailureCode::CommandNotStarted,
        message: format!("the shell could not be started: {error}"),
        next: next.to_owned(),
    })
}

/// The code of a command that ended by itself; a shell's 128 and the signal's number for a signal.
pub(crate) fn exit_code(ending: Ending) -> Option<i32> {
    match ending {
        Ending::Exited(code) => Some(code),
        Ending::Signalled(signal) => Some(128 + signal),
        Ending::TimedOut | Ending::Stopped | Ending::Unseen => None,
    }
}

/// What the model is told of a command: what it printed, and how it ended.
fn told(ending: Ending, mut text: String, rest: &str, seconds: u64) -> Done {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let (status, failure, end) = match ending {
        Ending::Exited(0) => (ToolCallStatus::Completed, None, "[exit code 0]".to_owned()),
        Ending::Exited(code) => {
            (ToolCallStatus::Failed, Some(FailureCode::ExitCode), format!("[exit code {code}]"))
        }
        Ending::Signalled(signal) => {
            let end = format!("[ended by signal {signal}]");
            (ToolCallStatus::Failed, Some(FailureCode::ExitCode), end)
        }
        Ending::TimedOut => {
            let end = format!("[ended by the host after {seconds} s; it may have left traces]");
            (ToolCallStatus::Failed, Some(FailureCode::TimedOut), end)
        }
        Ending::Stopped => {
            let end = "[stopped by the user; it may have left traces]".to_owned();
            (ToolCallStatus::Interrupted, None, end)
        }
        Ending::Unseen => {
            let end = "[it ended, and its exit code was lost: it may have failed]".to_owned();
            (ToolCallStatus::Unknown, None, end)
        }
    };
    text.push_str(&end);
    if !rest.is_empty() {
        text.push('\n');
        text.push_str(rest);
    }
    let failure = failure.map(|code| ToolFailure {
        code,
        message: if code == FailureCode::TimedOut {
            format!("it did not end within {seconds} s")
        } else {
            "it ended with another exit code than 0".to_owned()
        },
        next: "read its output".to_owned(),
    });
    Done { status, exit_code: exit_code(ending), failure, ..Done::completed(text) }
}
