//! `wait`: waits for the end of a background job.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    intent::{Intent, JobRequest, PlanError, Planned},
    text,
    tool::{Desk, Effect, Tool},
};

/// Waits until a job has ended, or the first of all, and shows what it printed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitArgs {
    job: Option<String>,
    /// How long, at most; 120 if left out, which is the most.
    seconds: Option<u32>,
}

pub(crate) struct Wait;

impl Tool for Wait {
    type Args = WaitArgs;
    const NAME: &'static str = "wait";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: WaitArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let WaitArgs { job, seconds } = args;
        let most = desk.limits.wait_time;
        let time = seconds.map_or(most, |it| Duration::from_secs(it.into()).min(most));
        let title = job.as_deref().map(text::title).unwrap_or_default();
        let intent = Intent::Job(JobRequest::Wait { job, time });
        Ok(Planned { tool: Self::NAME, title, intent })
    }
}
