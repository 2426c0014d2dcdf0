//! The checks of a turn: which commands are some, and what is recorded of each (CK-1, CH-1).

use std::sync::Arc;

use protocol::{
    CappedText, CheckKind, CheckQualifier, Limits, Moment, RootId, ToolCallId, TrustLevel,
    Verification, WorkspacePath,
};
use session::LocalRecord;
use tools::{Check, Running};
use workspace::{Place, Workspace};

use crate::{
    carry_out::exit_code, emit::blocking, job_calls::output_record, jobs::Job, living::Ending,
    output::Kept, turn::Turn,
};

/// How a command is known as a check.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    is_declared: bool,
    /// What its runner and its line say; a declared one may be of no runner that is known.
    check: Option<Check>,
}

impl Known {
    /// What is checked.
    pub(crate) fn kind(&self) -> CheckKind {
        let check = self.check.as_ref().filter(|_| !self.is_declared);
        check.map_or(CheckKind::Declared, |it| it.kind)
    }

    /// Whether the command runs something besides, which may change files.
    pub(crate) fn runs_more(&self) -> bool {
        self.check.as_ref().is_some_and(|it| it.runs_more)
    }
}

/// A check that began.
#[derive(Clone, Debug)]
pub(crate) struct LiveCheck {
    known: Known,
    started: Moment,
    /// What is said of it if nobody sees its end.
    so_far: Verification,
}

impl LiveCheck {
    pub(crate) fn new(known: Known, running: &Running, call: &ToolCallId, started: Moment) -> Self {
        let so_far = Verification {
            command: CappedText::cut(&running.command),
            kind: known.kind(),
            passed: false,
            stale: false,
            interrupted: true,
            exit_code: None,
            tool_call_id: call.clone(),
            level: Some(TrustLevel::Observed),
            runner: known.check.as_ref().map(|it| it.runner.to_owned()),
            qualifiers: Vec::new(),
            counts: None,
            cwd: (!is_workspace(running.cwd.path())).then(|| running.cwd.shown().to_owned()),
            started_at: Some(started.unix_seconds()),
            duration_ms: None,
            tool_result_id: None,
        };
        Self { known, started, so_far }
    }

    /// Returns what there is to store when it begins.
    pub(crate) fn begun(&self) -> LocalRecord {
        LocalRecord::Check { check: self.so_far.clone() }
    }

    /// Returns what it came to: how it ended, what it printed, and when that was.
    pub(crate) fn ended(
        &self,
        exit_code: Option<i32>,
        (output, log): (&Kept, &[u8]),
        now: Moment,
        limits: &Limits,
    ) -> Verification {
        let check = self.known.check.as_ref();
        let reading = check.map(|it| {
            let text = output.tail(limits.log_bytes);
            it.read_output(&String::from_utf8_lossy(&text))
        });
        let reading = reading.unwrap_or_default();
        Verification {
            passed: check.map_or(exit_code == Some(0), |it| it.passed(exit_code, &reading)),
            interrupted: exit_code.is_none(),
            exit_code,
            qualifiers: check.map(|it| it.qualifiers(exit_code, &reading)).unwrap_or_default(),
            counts: reading.counts,
            duration_ms: Some(now.ms_since(self.started)),
            tool_result_id: Some(session::fingerprint(log)),
            ..self.so_far.clone()
        }
    }

    /// Returns what is said of it in a turn that ends before it does: nothing but that it ran.
    pub(crate) fn unfinished(&self) -> Verification {
        Verification {
            interrupted: false,
            stale: false,
            qualifiers: vec![CheckQualifier::Unfinished],
            ..self.so_far.clone()
        }
    }

    /// Returns what is checked.
    pub(crate) fn kind(&self) -> CheckKind {
        self.so_far.kind
    }

    /// Notes a change that it may not have seen; `false` if there was one before.
    fn mark_stale(&mut self) -> bool {
        !std::mem::replace(&mut self.so_far.stale, true)
    }
}

/// Whether nothing is known of the end of a recorded check.
pub(crate) fn has_no_end(check: &Verification) -> bool {
    check.duration_ms.is_none()
}

impl Turn<'_> {
    /// Says whether a command that is about to run is a check: one that the project's settings name,
    /// where they mean it (AN-20), or one of a known runner (CH-4), none of which only reads.
    pub(crate) async fn check_of(&mut self, running: &Running, may_write: bool) -> Option<Known> {
        let is_declared =
            self.agent.checks.contains(&running.command) && is_workspace(running.cwd.path());
        if !is_declared && !may_write {
            return None;
        }
        let (workspace, limits) =
            (Arc::clone(&self.agent.workspace), Arc::clone(&self.agent.limits));
        let (shell, command) = (self.agent.shell.language(), running.command.clone());
        let folder = running.cwd.clone();
        let look = move || {
            let read = |path: &str| build_file(&workspace, &folder, path, &limits);
            tools::check_of(shell, &command, &read)
        };
        let check = blocking(look).await;
        (is_declared || check.is_some()).then_some(Known { is_declared, check })
    }

    /// Records a check that ended, with what it printed.
    pub(crate) fn record_check(&mut self, check: &LiveCheck, ending: Ending, output: &Kept) {
        let (output_record, blob) = output_record(&check.so_far.tool_call_id, output);
        let now = self.agent.clock.now();
        let check = check.ended(exit_code(ending), (output, &blob), now, &self.agent.limits);
        let records = [output_record, LocalRecord::Check { check: check.clone() }];
        self.agent.emitter.local(records, [blob]);
        self.checks.push(check);
    }

    /// A check that ended before this change says nothing of it, and one that runs in the background
    /// may not have seen it (CK-4). That is stored, so that it is known of a turn that is cut off too.
    pub(crate) fn mark_checks_stale(&mut self) {
        let mut records = Vec::new();
        for check in self.checks.iter_mut().filter(|it| !it.stale) {
            check.stale = true;
            records.push(LocalRecord::Check { check: check.clone() });
        }
        for check in self.agent.jobs.iter_mut().filter_map(Job::untold_check_mut) {
            if check.mark_stale() {
                records.push(check.begun());
            }
        }
        self.agent.emitter.local(records, []);
    }
}

/// Reads a build file beside or below the folder of a command; only what is in the workspace.
///
/// Blocks.
fn build_file(
    workspace: &Workspace,
    folder: &Place,
    path: &str,
    limits: &Limits,
) -> Option<String> {
    let place = workspace.resolve(folder.absolute().join(path).to_str()?).ok()?;
    let image = workspace.read(&place).ok()?;
    if (limits.build_file_bytes as usize) < image.bytes().len() {
        return None;
    }
    Some(workspace::decode(image.bytes(), limits).ok()?.text().to_owned())
}

/// Whether a folder is the workspace itself.
fn is_workspace(folder: &WorkspacePath) -> bool {
    folder.root() == RootId(0) && folder.relative().is_empty()
}
