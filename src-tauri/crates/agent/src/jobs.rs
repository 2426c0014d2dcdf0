//! The background jobs of a session: each is followed by a task of its own, and ends with the
//! session at the latest.

use std::sync::Arc;

use protocol::{CheckKind, Clock, JobId, JobState, Limits, Moment, ToolCallId, TurnId};
use tokio::{sync::watch, task::AbortHandle, time::timeout};
use tokio_util::sync::CancellationToken;

use crate::{
    checks::LiveCheck,
    living::{Ending, Living},
    output::{Kept, Stretch},
};

/// How far a job has come.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    output: Kept,
    end: Option<JobEnd>,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobEnd {
    /// How its shell ended; `None` if that was not seen.
    pub(crate) shell: Option<Ending>,
    /// Whether the host ended it.
    pub(crate) stopped: bool,
    pub(crate) rest: Rest,
    /// When it was over, of a check.
    pub(crate) at: Option<Moment>,
}

/// What is left of a job that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Nothing,
    /// Something that was killed was still there when it was looked at last.
    Killed,
    /// Something that it started has left its group, and still holds its output.
    OutOfReach,
}

impl JobEnd {
    pub(crate) fn state(self) -> JobState {
        if self.stopped { JobState::Stopped } else { JobState::Ended }
    }
}

/// One background job: it belongs to the call that began it.
pub(crate) struct Job {
    pub(crate) id: JobId,
    pub(crate) call: ToolCallId,
    pub(crate) turn: TurnId,
    /// As a person sees it: the start of the command.
    pub(crate) title: String,
    /// Whether it may change files.
    pub(crate) may_write: bool,
    /// The check that it is.
    check: Option<LiveCheck>,
    /// The turn whose result says what the check came to.
    check_told: Option<TurnId>,
    progress: watch::Receiver<Progress>,
    end: CancellationToken,
    task: AbortHandle,
    /// How much of its output the model has seen.
    seen_bytes: u64,
    /// Whether the model has been told of its end.
    pub(crate) end_was_shown: bool,
    pub(crate) end_recorded: Recorded,
    /// Whether only the part of its output is left that the model may still look at.
    is_short: bool,
}

/// Whether the end of a job is in the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    No,
    /// It could not be stored. The next turn tries again.
    Failed,
    /// It is there, or in the next commit.
    Yes,
}

/// What a job is made of.
pub(crate) struct JobParts {
    pub(crate) call: ToolCallId,
    pub(crate) turn: TurnId,
    pub(crate) title: String,
    pub(crate) may_write: bool,
    /// The check that it is, where it is one.
    pub(crate) check: Option<LiveCheck>,
    pub(crate) clock: Clock,
    pub(crate) living: Living,
    /// What it printed before it became a job, which the model has seen.
    pub(crate) output: Kept,
}

impl Job {
    /// Returns how it ended, if it has.
    pub(crate) fn ended(&self) -> Option<JobEnd> {
        self.progress.borrow().end
    }

    /// Returns what it printed since this was asked last, and how it ended, if it has.
    pub(crate) fn look(&mut self) -> (Stretch, Option<JobEnd>) {
        let progress = self.progress.borrow();
        let mut fresh = progress.output.since(self.seen_bytes);
        let held_back_bytes = if progress.end.is_none() { fresh.hold_back() } else { 0 };
        self.seen_bytes = progress.output.total_bytes() - held_back_bytes;
        (fresh, progress.end)
    }

    /// Returns all that is kept of its output, if that was not shortened yet.
    pub(crate) fn output(&self) -> Option<Kept> {
        (!self.is_short).then(|| self.progress.borrow().output.clone())
    }

    /// Forgets the output of a job that ended, but for what the model may still look at.
    pub(crate) fn shorten(&mut self, shown_bytes: u32) {
        if self.is_short {
            return;
        }
        let Progress { output, end } = self.progress.borrow().clone();
        let output = output.shortened(self.seen_bytes, 2 * u64::from(shown_bytes));
        self.progress = watch::channel(Progress { output, end }).1;
        (self.seen_bytes, self.is_short) = (0, true);
    }

    /// Notes that a commit of the newest turn, which comes after `last`, failed. That an end is told
    /// twice does no harm.
    pub(crate) fn was_not_stored(&mut self, last: Option<TurnId>) {
        if self.end_recorded == Recorded::Yes {
            self.end_recorded = Recorded::Failed;
        }
        self.check_told.take_if(|it| last.is_none_or(|last| last <= *it));
    }

    /// Returns the check that it is, if no turn's result says what that came to.
    pub(crate) fn untold_check(&self) -> Option<&LiveCheck> {
        self.check.as_ref().filter(|_| self.check_told.is_none())
    }

    /// Returns the same, to change it.
    pub(crate) fn untold_check_mut(&mut self) -> Option<&mut LiveCheck> {
        self.check.as_mut().filter(|_| self.check_told.is_none())
    }

    /// Notes that the result of a turn says what the check came to.
    pub(crate) fn tell_check(&mut self, turn: TurnId) {
        self.check_told = Some(turn);
    }

    /// Returns what it checks, where it is a check.
    pub(crate) fn check_kind(&self) -> Option<CheckKind> {
        self.check.as_ref().map(LiveCheck::kind)
    }

    /// Ends it, and waits until it has: no longer than the grace and what follows it.
    pub(crate) async fn end(&mut self) {
        self.end.cancel();
        self.has_ended().await;
    }

    async fn has_ended(&mut self) {
        // It fails only when the task is gone, which says so before.
        self.progress.wait_for(|it| it.end.is_some()).await.ok();
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        // What is still running is dropped with the task, and killed (TI-7).
        self.task.abort();
    }
}

/// The jobs of a session that run, and those that ended last.
pub(crate) struct Jobs {
    jobs: Vec<Job>,
    limits: Arc<Limits>,
    /// Ends all of them.
    closing: CancellationToken,
    /// Counts those that ended.
    ends: watch::Sender<u32>,
}

impl Jobs {
    pub(crate) fn new(limits: &Arc<Limits>) -> Self {
        Self {
            jobs: Vec::new(),
            limits: Arc::clone(limits),
            closing: CancellationToken::new(),
            ends: watch::Sender::new(0),
        }
    }

    /// Returns what ends all jobs, and every one that begins later.
    pub(crate) fn closing(&self) -> CancellationToken {
        self.closing.clone()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Job> {
        self.jobs.iter_mut()
    }

    pub(crate) fn running(&self) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(|it| it.ended().is_none())
    }

    /// Returns whether a job began here.
    pub(crate) fn knows(&self, job: &JobId) -> bool {
        self.jobs.iter().any(|it| it.id == *job)
    }

    /// Returns a job by the model's name for it.
    pub(crate) fn named(&mut self, name: &str) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|it| it.id.as_str() == name.trim())
    }

    /// Returns whether one more may run (AN-15).
    pub(crate) fn has_room(&self) -> bool {
        self.running().count() < self.limits.background_jobs as usize
    }

    /// Takes up a command that goes on in the background.
    pub(crate) fn begin(&mut self, parts: JobParts) -> &Job {
        let JobParts { call, turn, title, may_write, check, clock, living, output } = parts;
        self.forget_old_ones();
        let id = job_id(&call);
        let seen_bytes = output.total_bytes();
        let (news, progress) = watch::channel(Progress { output, end: None });
        let end = self.closing.child_token();
        let (ends, limits) = (self.ends.clone(), Arc::clone(&self.limits));
        let followed = Followed { living, news, clock: check.is_some().then_some(clock) };
        let task = tokio::spawn(follow(followed, end.clone(), ends, limits)).abort_handle();
        let job = Job {
            id,
            call,
            turn,
            title,
            may_write,
            check,
            check_told: None,
            progress,
            end,
            task,
            seen_bytes,
            end_was_shown: false,
            end_recorded: Recorded::No,
            is_short: false,
        };
        self.jobs.push(job);
        &self.jobs[self.jobs.len() - 1]
    }

    /// Keeps no more jobs that ended and were told than may run.
    fn forget_old_ones(&mut self) {
        let most = self.limits.background_jobs as usize;
        let is_old = |it: &Job| {
            let is_told = it.end_recorded == Recorded::Yes && it.untold_check().is_none();
            it.ended().is_some() && is_told
        };
        let mut spare = self.jobs.iter().filter(|it| is_old(it)).count().saturating_sub(most);
        self.jobs.retain(|it| {
            let goes = 0 < spare && is_old(it);
            spare -= usize::from(goes);
            !goes
        });
    }

    /// Waits until `is_it` holds of a job, looking again whenever one has ended. Dropping the wait
    /// loses nothing.
    pub(crate) async fn until(&self, mut is_it: impl FnMut(&Job) -> bool) {
        let mut ends = self.ends.subscribe();
        while !self.jobs.iter().any(&mut is_it) {
            // It does not fail: the sender is here.
            ends.changed().await.ok();
        }
    }

    /// Ends all jobs, all at the same time, and waits until they have ended.
    pub(crate) async fn end_all(&mut self) {
        self.closing.cancel();
        for job in &mut self.jobs {
            job.has_ended().await;
        }
    }
}

/// Names the job of a call: short, and never the name of another job of the session.
fn job_id(call: &ToolCallId) -> JobId {
    let number = call.as_str().trim_start_matches(|it: char| !it.is_ascii_digit());
    let short = number.trim_start_matches('0');
    JobId::minted(format!("job{}", if short.is_empty() { "0" } else { short }))
}

/// What a job's task works with.
struct Followed {
    living: Living,
    news: watch::Sender<Progress>,
    /// Of a check, to know when it was over.
    clock: Option<Clock>,
}

/// Follows a job until nobody of its group is alive, or until it is to end: then it is asked to,
/// killed when the grace is over, and left a little later whatever it does (TI-7).
async fn follow(
    Followed { mut living, news, clock }: Followed,
    end: CancellationToken,
    ends: watch::Sender<u32>,
    limits: Arc<Limits>,
) {
    let take = |chunk: &[u8]| news.send_modify(|it| it.output.take(chunk));
    let mut is_gone = true;
    let stopped = tokio::select! {
        () = living.gone(limits.job_look, take) => false,
        () = end.cancelled() => true,
    };
    if stopped {
        living.ask_to_end();
        let look = limits.job_look.min(limits.pipe_quiet / 10);
        if timeout(limits.command_grace, living.gone(look, take)).await.is_err() {
            living.kill();
            is_gone = timeout(limits.pipe_quiet, living.gone(look, take)).await.is_ok();
        }
    }
    let is_all = living.last_look(take).await;
    let rest = match (is_gone, is_all) {
        (false, _) => Rest::Killed,
        (true, false) => Rest::OutOfReach,
        (true, true) => Rest::Nothing,
    };
    let shell = living.shell_ended();
    let at = clock.map(|it| it.now());
    news.send_modify(|it| it.end = Some(JobEnd { shell, stopped, rest, at }));
    ends.send_modify(|it| *it = it.wrapping_add(1));
}

#[cfg(all(test, unix))]
mod tests;
