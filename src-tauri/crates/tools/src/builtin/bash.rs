//! `bash`: runs a command.

use std::time::Duration;

use protocol::{FailureCode, Limits, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use workspace::FileError;

use crate::{
    failure::{capability, failure, file_failure},
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
    /// How long it may take, if less than that.
    seconds: Option<u32>,
}

pub(crate) struct Bash;

impl Tool for Bash {
    type Args = BashArgs;
    const NAME: &'static str = "bash";
    const EFFECT: Effect = Effect::Changes;

    fn plan(args: BashArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let BashArgs { command, cwd, run_in_background, seconds } = args;
        if command.trim().is_empty() || command.contains('\0') {
            let message = "command is empty, or has a NUL character in it";
            let next = "send a command line";
            return Err(failure(FailureCode::BadArguments, message, next).into());
        }
        let cwd = desk.workspace.folder(cwd.as_deref()).map_err(|error| no_folder(&error))?;
        let title = text::title(&command);
        let mode =
            if run_in_background == Some(true) { RunMode::Background } else { RunMode::Awaited };
        let time = time_of(seconds, mode, desk.limits)?;
        let running = Running { command, cwd, time, mode };
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Run(running) })
    }
}

/// Says why a command cannot run in a folder. One that is not there is made by a command.
fn no_folder(error: &FileError) -> ToolFailure {
    let failure = file_failure(error);
    match error {
        FileError::Missing { .. } | FileError::NotAFolder { .. } => {
            let list = capability("ls", &json!({ "path": "." }));
            let next = format!(
                "leave cwd out to run in the workspace, where mkdir -p makes a folder; {list} lists those \
                 that are there"
            );
            ToolFailure { next, ..failure }
        }
        FileError::IsFolder { .. }
        | FileError::Outside { .. }
        | FileError::LinkOutside { .. }
        | FileError::LinkCircle { .. }
        | FileError::TooLarge { .. }
        | FileError::Changed { .. }
        | FileError::HalfWritten { .. }
        | FileError::Vanished { .. }
        | FileError::Appeared { .. }
        | FileError::Special { .. }
        | FileError::NoPermission { .. }
        | FileError::DiskFull { .. }
        | FileError::ReadOnlyDisk { .. }
        | FileError::InvalidPath { .. }
        | FileError::Io { .. } => failure,
    }
}

/// Returns how long a command may take. A job has no end of that kind, so that none is given it in
/// vain.
fn time_of(seconds: Option<u32>, mode: RunMode, limits: &Limits) -> Result<Duration, ToolFailure> {
    let most = limits.command_time;
    match (seconds, mode) {
        (None, RunMode::Awaited | RunMode::Background) => Ok(most),
        (Some(0), RunMode::Awaited) => {
            let next = format!("leave seconds out, or send 1 to {}", most.as_secs());
            Err(failure(FailureCode::BadArguments, "nothing can run for 0 seconds", &next))
        }
        (Some(seconds), RunMode::Awaited) => Ok(Duration::from_secs(seconds.into()).min(most)),
        (Some(_), RunMode::Background) => {
            let message = "seconds ends a command that is waited for, and a job is not";
            let next = "leave seconds out; kill_shell ends a job";
            Err(failure(FailureCode::BadArguments, message, next))
        }
    }
}
