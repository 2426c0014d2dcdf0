//! `read_file`: reads a page of a file.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    failure::file_failure,
    intent::{Intent, PlanError, Planned},
    reading::Reading,
    text,
    tool::{Desk, Effect, Tool},
};

/// Reads a text file; each line comes after its number and a tab.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadFileArgs {
    /// Relative to the workspace, or absolute.
    path: String,
    /// Lines to skip.
    offset: Option<i64>,
    /// Most lines to read, instead of 2000.
    limit: Option<i64>,
}

pub(crate) struct ReadFile;

impl Tool for ReadFile {
    type Args = ReadFileArgs;
    const NAME: &'static str = "read_file";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: ReadFileArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let place = desk.workspace.resolve(&args.path).map_err(|error| file_failure(&error))?;
        let title = text::title(place.shown());
        // RE-3: what makes no sense stands for the default.
        let offset = args.offset.map_or(0, lines);
        let limit = args.limit.map(lines).filter(|it| *it != 0);
        let reading = Reading { place, offset, limit, limits: desk.limits.clone() };
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Read(reading) })
    }
}

/// Returns a number of lines; 0 for a negative one.
fn lines(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}
