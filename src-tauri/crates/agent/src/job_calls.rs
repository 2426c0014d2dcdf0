//! What calls and turns have to do with background jobs: beginning one, looking at it, ending it,
//! and saying in each turn which of them run and which have ended.

use std::{sync::Arc, time::Duration};

use protocol::{
    CappedText, EventKind, FailureCode, Gap, GapReason, JobState, ModelCall, ToolCallId,
    ToolCallStatus, ToolFailure, TurnId, Verification,
};
use session::{LocalRecord, SessionError};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tools::JobRequest;

use crate::{
    agent::Agent,
    batch::Done,
    carry_out::exit_code,
    checks::LiveCheck,
    jobs::{Job, JobEnd, JobParts, Recorded, Rest},
    living::{Ending, Living},
    output::{Kept, Otherwise},
    turn::Turn,
};

impl Turn<'_> {
    /// Lets a command go on as the job of its call; returns what the model is told of it.
    pub(crate) fn begin_job(
        &mut self,
        call: &ModelCall,
        title: &str,
        (may_write, check): (bool, Option<LiveCheck>),
        (living, output): (Living, Kept),
    ) -> String {
        let job = self.agent.jobs.begin(JobParts {
            call: call.id.clone(),
            turn: self.id,
            title: title.to_owned(),
            may_write,
            check,
            clock: self.agent.clock.clone(),
            living,
            output,
        });
        let id = job.id.clone();
        let event = changed(job, JobState::Running);
        self.agent.emitter.event(event);
        format!(
            "[it goes on in the background as {id}: bash_output shows what it prints, wait waits \
             for its end, kill_shell ends it]"
        )
    }

    /// Does what a call asks of the jobs. Nobody has to allow it: they are the session's own.
    pub(crate) async fn ask_jobs(
        &mut self,
        request: JobRequest,
        stop: &CancellationToken,
    ) -> Result<Done, SessionError> {
        self.agent.emitter.flush(self.id).await?;
        let done = match request {
            JobRequest::Output { job } => match self.agent.jobs.named(&job) {
                Some(job) => Done::completed(shown(job, &self.agent.limits)),
                None => self.no_such_job(&job),
            },
            JobRequest::Kill { job } => match self.agent.jobs.named(&job) {
                Some(job) => {
                    job.end().await;
                    Done::completed(shown(job, &self.agent.limits))
                }
                None => self.no_such_job(&job),
            },
            JobRequest::Wait { job, time } => self.wait(job.as_deref(), time, stop).await,
        };
        self.note_jobs();
        Ok(done)
    }

    /// Waits for the end of a job, or of any that the model was not told of yet.
    async fn wait(&mut self, name: Option<&str>, time: Duration, stop: &CancellationToken) -> Done {
        let jobs = &mut self.agent.jobs;
        let wanted = match name.map(|name| jobs.named(name).map(|it| it.id.clone())) {
            Some(Some(id)) => Some(id),
            Some(None) => return self.no_such_job(name.unwrap_or_default()),
            None if jobs.iter().all(|it| it.ended().is_some() && it.end_was_shown) => {
                return Done::completed("no job runs".to_owned());
            }
            None => None,
        };
        let is_it = |it: &Job| match &wanted {
            Some(id) => it.id == *id && it.ended().is_some(),
            None => it.ended().is_some() && !it.end_was_shown,
        };
        let came = tokio::select! {
            came = timeout(time, jobs.until(is_it)) => came.is_ok(),
            () = stop.cancelled() => {
                let text = "stopped by the user; what was waited for goes on".to_owned();
                return Done { status: ToolCallStatus::Interrupted, ..Done::completed(text) };
            }
        };
        let limits = &self.agent.limits;
        let told: Vec<String> = if came {
            self.agent.jobs.iter_mut().filter(|it| is_it(it)).map(|it| shown(it, limits)).collect()
        } else {
            let is_meant = |it: &&mut Job| wanted.as_ref().is_none_or(|id| it.id == *id);
            let running = self.agent.jobs.iter_mut().filter(|it| it.ended().is_none());
            running.filter(is_meant).map(|it| shown(it, limits)).collect()
        };
        Done::completed(told.join("\n"))
    }

    fn no_such_job(&self, name: &str) -> Done {
        let running: Vec<&str> = self.agent.jobs.running().map(|it| it.id.as_str()).collect();
        let next = if running.is_empty() {
            "no job runs; bash with run_in_background starts one".to_owned()
        } else {
            format!("name one of {}", running.join(", "))
        };
        Done::failed(ToolFailure {
            code: FailureCode::NoSuchJob,
            message: format!(
                "no job {:?} is known since the session was opened; what began before that has \
                 ended, or is out of the host's reach",
                protocol::head(name, 40)
            ),
            next,
        })
    }

    /// Puts the ends of jobs into the next commit. One of an earlier turn that may have written in
    /// this one is a gap of it (CP-4).
    pub(crate) fn note_jobs(&mut self) {
        let Ends { jobs, checks } = self.agent.record_ended_jobs(Some(self.id));
        self.checks.extend(checks);
        for (call, turn, may_write) in jobs {
            if may_write && turn != self.id {
                let reason = GapReason::BackgroundWriterCrossTurn;
                let record = self.checkpoint.gap(Gap { reason, path: None, call: Some(call) });
                self.agent.emitter.local(record, []);
            }
        }
    }

    /// Puts what the freeze must know into the next commit: who ended, and who may still write
    /// (DEC-14).
    pub(crate) fn note_living_jobs(&mut self) {
        self.note_jobs();
        let writers = self.agent.jobs.running().filter(|it| it.may_write);
        let calls: Vec<_> = writers.map(|it| it.call.clone()).collect();
        for call in calls {
            let reason = GapReason::ActiveWriter;
            let record = self.checkpoint.gap(Gap { reason, path: None, call: Some(call) });
            self.agent.emitter.local(record, []);
        }
    }
}

/// What is recorded of jobs that ended.
#[derive(Default)]
struct Ends {
    /// For each its call, the turn of that, and whether it may write.
    jobs: Vec<(ToolCallId, TurnId, bool)>,
    /// What those came to that are checks.
    checks: Vec<Verification>,
}

impl Agent {
    /// Says in a turn that begins which jobs run on in it, so that the last turn names all that run.
    /// Returns the checks that ended since the turn before it did: their ends are told in this one.
    pub(crate) fn announce_jobs(&mut self, turn: TurnId) -> Vec<Verification> {
        let ends = self.record_ended_jobs(Some(turn));
        for job in self.jobs.running() {
            self.emitter.event(changed(job, JobState::Running));
            self.emitter.local(job.untold_check().map(LiveCheck::begun), []);
        }
        ends.checks
    }

    /// Puts the end of each job that is not recorded into the next commit, with what it printed; and,
    /// where that is a commit of `turn`, what each check came to that no turn has told of.
    fn record_ended_jobs(&mut self, turn: Option<TurnId>) -> Ends {
        let limits = Arc::clone(&self.limits);
        let mut ends = Ends::default();
        for job in self.jobs.iter_mut() {
            let Some(end) = job.ended() else { continue };
            let is_new = job.end_recorded != Recorded::Yes;
            let tells = turn.filter(|_| job.untold_check().is_some());
            if is_new {
                self.emitter.event(changed(job, end.state()));
                job.end_recorded = Recorded::Yes;
                ends.jobs.push((job.call.clone(), job.turn, job.may_write));
            }
            if is_new || tells.is_some() {
                let output = job.output().unwrap_or_else(|| Kept::up_to(0));
                let (record, blob) = output_record(&job.call, &output);
                if let (Some(turn), Some(check)) = (tells, job.untold_check()) {
                    let at = end.at.unwrap_or_else(|| self.clock.now());
                    let check = check.ended(own_exit_code(end), (&output, &blob), at, &limits);
                    self.emitter
                        .local([record, LocalRecord::Check { check: check.clone() }], [blob]);
                    ends.checks.push(check);
                    job.tell_check(turn);
                } else if 0 < output.total_bytes() {
                    self.emitter.local([record], [blob]);
                }
            } else if job.untold_check().is_none() {
                job.shorten(limits.shown_output_bytes);
            }
        }
        ends
    }

    /// Returns what a turn that ends says of the checks whose ends it has not seen.
    pub(crate) fn unfinished_checks(&self) -> impl Iterator<Item = Verification> {
        self.jobs.iter().filter_map(Job::untold_check).map(LiveCheck::unfinished)
    }

    /// Returns what ends all jobs of the session, at once and whatever its turn does meanwhile.
    pub fn closing(&self) -> CancellationToken {
        self.jobs.closing()
    }

    /// Waits until a job has ended that no turn has told of. Dropping the wait loses nothing.
    pub async fn job_ended(&mut self) {
        self.jobs.until(|it| it.ended().is_some() && it.end_recorded == Recorded::No).await;
    }

    /// Stores, between two turns, which jobs have ended. If that fails, the next turn tells.
    pub async fn note_ended_jobs(&mut self) {
        if self.record_ended_jobs(None).jobs.is_empty() {
            return;
        }
        let Some(turn) = self.last_turn() else { return };
        if self.emitter.flush(turn).await.is_err() {
            tracing::warn!(turn = turn.0, "the end of a job was not stored");
            self.resync().await;
        }
    }

    /// Ends every job and stores that it ended: nothing runs on when a session is closed. Takes no
    /// longer than the grace of a command and what follows it.
    pub async fn end_jobs(&mut self) {
        self.jobs.end_all().await;
        self.note_ended_jobs().await;
    }
}

/// Says what a command printed, for the session's file: the record, and the bytes.
pub(crate) fn output_record(call: &ToolCallId, output: &Kept) -> (LocalRecord, Vec<u8>) {
    let bytes = output.bytes();
    let record = LocalRecord::Output {
        call: call.clone(),
        blob: session::fingerprint(&bytes),
        total_bytes: output.total_bytes(),
        cut: output.cut_at().is_some(),
        start_bytes: output.cut_at(),
    };
    (record, bytes)
}

/// Says where a job stands.
fn changed(job: &Job, state: JobState) -> EventKind {
    EventKind::JobChanged {
        job: job.id.clone(),
        call: job.call.clone(),
        title: CappedText::cut(&job.title),
        check: job.check_kind(),
        state,
        exit_code: job.ended().and_then(own_exit_code),
    }
}

/// The exit code of a job that ended by itself.
fn own_exit_code(end: JobEnd) -> Option<i32> {
    if end.stopped { None } else { end.shell.and_then(exit_code) }
}

/// What the model is told of a job: what it printed since the last look, and where it stands.
fn shown(job: &mut Job, limits: &protocol::Limits) -> String {
    let (fresh, end) = job.look();
    let (mut text, _) = fresh.text(limits.shown_output_bytes, Otherwise::HERE, limits);
    if text.is_empty() {
        text.push_str("[nothing new was printed]");
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let id = &job.id;
    text.push_str(&match end {
        None => format!("[{id} runs]"),
        Some(end) => format!("[{id} {}]", ended(end)),
    });
    job.end_was_shown = end.is_some();
    text
}

fn ended(end: JobEnd) -> String {
    let mut text = match (end.stopped, end.shell) {
        (true, _) => "was ended by the host; it may have left traces".to_owned(),
        (false, Some(Ending::Exited(code))) => format!("has ended: exit code {code}"),
        (false, Some(Ending::Signalled(signal))) => format!("was ended by signal {signal}"),
        (false, Some(Ending::TimedOut | Ending::Stopped | Ending::Unseen) | None) => {
            "has ended, and its exit code was lost: it may have failed".to_owned()
        }
    };
    text.push_str(match end.rest {
        Rest::Nothing => "",
        Rest::Killed => "; something of it was killed and was not seen to end",
        Rest::OutOfReach => "; something it started still runs, out of the host's reach",
    });
    text
}
