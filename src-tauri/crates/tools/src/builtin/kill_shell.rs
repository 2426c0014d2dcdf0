//! `kill_shell`: ends a background job.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    intent::{Intent, JobRequest, PlanError, Planned},
    text,
    tool::{Desk, Effect, Tool},
};

/// Ends a job, and all that it started.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KillShellArgs {
    job: String,
}

pub(crate) struct KillShell;

impl Tool for KillShell {
    type Args = KillShellArgs;
    const NAME: &'static str = "kill_shell";
    const EFFECT: Effect = Effect::Changes;

    fn plan(args: KillShellArgs, _desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let KillShellArgs { job } = args;
        let title = text::title(&job);
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Job(JobRequest::Kill { job }) })
    }
}
