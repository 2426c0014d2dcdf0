//! `bash`: runs a command.

use protocol::FailureCode;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    failure::{failure, file_failure},
    intent::{Intent, PlanError, Planned, RunMode, Running},
    text,
    tool::{Desk, Effect, Tool},
};

/// Runs a command in a fresh shell, at most 120 s, with no input. Read and change files with the
/// file tools instead: only their changes are known exactly.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BashArgs {
    command: String,
    /// The folder to run in, instead of the workspace.
    cwd: Option<String>,
    /// Return at once; the command goes on as a job.
    run_in_background: Option<bool>,
}

pub(crate) struct Bash;

impl Tool for Bash {
    type Args = BashArgs;
    const NAME: &'static str = "bash";
    const EFFECT: Effect = Effect::Changes;

    fn plan(args: BashArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let BashArgs { command, cwd, run_in_background } = args;
        if command.trim().is_empty() || command.contains('\0') {
            let message = "command is empty, or has a NUL character in it";
            let next = "send a command line";
            return Err(failure(FailureCode::BadArguments, message, next).into());
        }
        let cwd = desk.workspace.folder(cwd.as_deref()).map_err(|error| file_failure(&error))?;
        let title = text::title(&command);
        let mode =
            if run_in_background == Some(true) { RunMode::Background } else { RunMode::Awaited };
        let running = Running { command, cwd, time: desk.limits.command_time, mode };
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Run(running) })
    }
}
