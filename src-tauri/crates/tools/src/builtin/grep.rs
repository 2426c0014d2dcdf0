//! `grep`: searches in files.

use schemars::JsonSchema;
use serde::Deserialize;
use workspace::{FileError, Place, PlaceKind};

use crate::{
    failure::file_failure,
    intent::{Intent, PlanError, Planned},
    pattern::PathPattern,
    searching::{Searching, line_pattern},
    text,
    tool::{Desk, Effect, Tool},
};

/// Most lines before and after a match.
const CONTEXT_LINES: i64 = 10;

/// Searches text files line by line. What Git ignores is left out.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GrepArgs {
    /// A regular expression.
    pattern: String,
    /// The file or folder to search, instead of the workspace.
    path: Option<String>,
    /// Only files that match this, such as *.rs.
    glob: Option<String>,
    ignore_case: Option<bool>,
    /// Lines to show before and after each match, up to 10.
    context: Option<i64>,
}

pub(crate) struct Grep;

impl Tool for Grep {
    type Args = GrepArgs;
    const NAME: &'static str = "grep";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: GrepArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let pattern = line_pattern(&args.pattern, args.ignore_case == Some(true))?;
        let glob = args.glob.as_deref().map(PathPattern::new).transpose()?;
        let searching = Searching {
            place: place(args.path.as_deref(), desk).map_err(|error| file_failure(&error))?,
            pattern,
            glob,
            context: args.context.map_or(0, |it| it.clamp(0, CONTEXT_LINES).unsigned_abs()),
            limits: desk.limits.clone(),
        };
        let title = text::title(&args.pattern);
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Search(Box::new(searching)) })
    }
}

fn place(path: Option<&str>, desk: &Desk<'_>) -> Result<Place, FileError> {
    let Some(path) = path else { return desk.workspace.folder(None) };
    let place = desk.workspace.resolve(path)?;
    match place.kind() {
        PlaceKind::Absent => Err(FileError::Missing { shown: place.shown().to_owned() }),
        PlaceKind::File | PlaceKind::Folder => Ok(place),
    }
}
