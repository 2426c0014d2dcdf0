//! `read_file`: reads a page of a file.

use protocol::{FailureCode, ReadIntent, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    failure::{failure, file_failure},
    intent::{Intent, PlanError, Planned},
    reading::Reading,
    text,
    tool::{Desk, Effect, Tool},
};

/// The calls that there are, for a model that mixed them (RE-3).
const FORMS: &str = "send {path} for a look, {path, offset, limit} for some lines, \
                     {path, intent: \"full\"} for the whole file, or {path, cursor} to go on with that";

/// Reads a text file; each line comes after its number and a tab.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadFileArgs {
    /// Relative to the workspace, or absolute.
    path: String,
    /// "full" if you need the whole file: then go on by cursor.
    intent: Option<Wanted>,
    /// Lines to skip.
    offset: Option<i64>,
    /// Most lines to read, instead of 2000.
    limit: Option<i64>,
    /// As a page of a full read printed it.
    cursor: Option<String>,
}

// What a read is to come to. Its words are told by the schema, so it has no doc.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Wanted {
    Inspect,
    Range,
    Full,
}

pub(crate) struct ReadFile;

impl Tool for ReadFile {
    type Args = ReadFileArgs;
    const NAME: &'static str = "read_file";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: ReadFileArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let ReadFileArgs { path, intent, offset, limit, cursor } = args;
        let has_window = offset.is_some() || limit.is_some();
        if path.trim().is_empty() {
            return Err(conflict("path is empty").into());
        }
        if cursor.is_some() && (has_window || intent.is_some()) {
            return Err(
                conflict("cursor says where to go on; intent, offset and limit do too").into()
            );
        }
        let intent = intent.map(|it| match it {
            Wanted::Inspect => ReadIntent::Inspect,
            Wanted::Range => ReadIntent::Range,
            Wanted::Full => ReadIntent::Full,
        });
        match intent {
            Some(ReadIntent::Range) if !has_window => {
                return Err(conflict("intent range names no lines").into());
            }
            Some(ReadIntent::Full) if has_window => {
                return Err(
                    conflict("intent full is the whole file; offset and limit are not").into()
                );
            }
            Some(_) | None => {}
        }
        let place = desk.workspace.resolve(&path).map_err(|error| file_failure(&error))?;
        let title = text::title(place.shown());
        let reading = Reading {
            place,
            intent,
            // RE-3: what makes no sense stands for the default.
            offset: offset.map(lines),
            limit: limit.map(lines).filter(|it| *it != 0),
            cursor,
            limits: desk.limits.clone(),
        };
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Read(reading) })
    }
}

fn conflict(message: &str) -> ToolFailure {
    failure(FailureCode::BadArguments, message, FORMS)
}

/// Returns a number of lines; 0 for a negative one.
fn lines(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}
