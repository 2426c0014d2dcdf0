//! `bash_output`: shows what a background job prints.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    intent::{Intent, JobRequest, PlanError, Planned},
    text,
    tool::{Desk, Effect, Tool},
};

/// Shows what a job has printed since you last looked, and whether it still runs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BashOutputArgs {
    job: String,
}

pub(crate) struct BashOutput;

impl Tool for BashOutput {
    type Args = BashOutputArgs;
    const NAME: &'static str = "bash_output";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: BashOutputArgs, _desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let BashOutputArgs { job } = args;
        let title = text::title(&job);
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Job(JobRequest::Output { job }) })
    }
}
