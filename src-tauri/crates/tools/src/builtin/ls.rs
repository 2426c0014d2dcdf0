//! `ls`: lists a folder.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    failure::file_failure,
    intent::{Intent, PlanError, Planned},
    listing::{Listing, Wanted},
    text,
    tool::{Desk, Effect, Tool},
};

/// Lists a folder: folders with a / behind them, files with their size in bytes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LsArgs {
    /// The folder, instead of the workspace.
    path: Option<String>,
}

pub(crate) struct Ls;

impl Tool for Ls {
    type Args = LsArgs;
    const NAME: &'static str = "ls";
    const EFFECT: Effect = Effect::Reads;

    fn plan(args: LsArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let folder =
            desk.workspace.folder(args.path.as_deref()).map_err(|error| file_failure(&error))?;
        let title = text::title(folder.shown());
        let most = desk.limits.listing_entries as usize;
        let listing = Listing { folder, wanted: Wanted::Entries, most };
        Ok(Planned { tool: Self::NAME, title, intent: Intent::List(listing) })
    }
}
