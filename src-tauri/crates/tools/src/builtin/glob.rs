//! `glob`: finds files by their names.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    failure::file_failure,
    intent::{Intent, PlanError, Planned},
    listing::{Listing, Wanted},
    pattern::PathPattern,
    text,
    tool::{Desk, Effect, Tool},
};

/// Finds files whose path matches a pattern. What Git ignores is left out.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GlobArgs {
    /// Such as src/**/*.{ts,tsx}; one without / matches names in all folders.
    pattern: String,
    /// The folder to look in, instead of the workspace.
    path: Option<String>,
}

pub(crate) struct Glob;

impl Tool for Glob {
    type Args = GlobArgs;
    const NAME: &'static str = "glob";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: GlobArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let pattern = PathPattern::new(&args.pattern)?;
        let folder =
            desk.workspace.folder(args.path.as_deref()).map_err(|error| file_failure(&error))?;
        let title = text::title(&args.pattern);
        let most = desk.limits.listing_entries as usize;
        let listing = Listing { folder, wanted: Wanted::Matching(pattern), most };
        Ok(Planned { tool: Self::NAME, title, intent: Intent::List(listing) })
    }
}
