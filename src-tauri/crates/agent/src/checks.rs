//! The checks of a turn: which commands are some, and what is recorded of each (CK-1, CH-1).

use std::sync::Arc;

use protocol::{
    CappedText, CheckKind, Limits, ModelCall, Moment, RootId, TrustLevel, Verification,
    WorkspacePath,
};
use session::LocalRecord;
use tools::{Check, Running};
use workspace::{Place, Workspace};

use crate::{
    carry_out::exit_code, emit::blocking, job_calls::output_record, living::Ending, output::Kept,
    turn::Turn,
};

/// A command that ended.
pub(crate) struct Ended<'a> {
    pub(crate) running: &'a Running,
    pub(crate) ending: Ending,
    pub(crate) output: &'a Kept,
    pub(crate) started: Moment,
}

/// How a command is known as a check.
#[derive(Debug)]
pub(crate) struct Known {
    is_declared: bool,
    /// What its runner and its line say; a declared one may be of no runner that is known.
    check: Option<Check>,
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

    /// Records a check that ended, with what it printed. Whatever else the command may have written
    /// makes the checks before it old (CK-4).
    pub(crate) fn record_check(&mut self, call: &ModelCall, known: &Known, ended: &Ended<'_>) {
        let Ended { running, ending, output, started } = ended;
        if known.check.as_ref().is_some_and(|it| it.runs_more) {
            self.mark_checks_stale();
        }
        let (output_record, blob) = output_record(&call.id, output);
        let exit_code = exit_code(*ending);
        let Known { is_declared, check } = known;
        let reading = check.as_ref().map(|it| {
            let text = output.tail(self.agent.limits.log_bytes);
            it.read_output(&String::from_utf8_lossy(&text))
        });
        let reading = reading.unwrap_or_default();
        let check = check.as_ref();
        let verification = Verification {
            command: CappedText::cut(&running.command),
            kind: check.filter(|_| !is_declared).map_or(CheckKind::Declared, |it| it.kind),
            passed: check.map_or(exit_code == Some(0), |it| it.passed(exit_code, &reading)),
            stale: false,
            interrupted: exit_code.is_none(),
            exit_code,
            tool_call_id: call.id.clone(),
            level: Some(TrustLevel::Observed),
            runner: check.map(|it| it.runner.to_owned()),
            qualifiers: check.map(|it| it.qualifiers(exit_code, &reading)).unwrap_or_default(),
            counts: reading.counts,
            cwd: (!is_workspace(running.cwd.path())).then(|| running.cwd.shown().to_owned()),
            started_at: Some(started.unix_seconds()),
            duration_ms: Some(self.agent.clock.now().ms_since(*started)),
            tool_result_id: Some(session::fingerprint(&blob)),
        };
        let records = [output_record, LocalRecord::Check { check: verification.clone() }];
        self.agent.emitter.local(records, [blob]);
        self.checks.push(verification);
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
