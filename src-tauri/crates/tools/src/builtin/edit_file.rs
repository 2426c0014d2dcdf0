//! `edit_file`: replaces a passage of a file.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    editing::{self, Edit, Editing},
    intent::{PlanError, Planned},
    tool::{Desk, Effect, Tool},
};

/// Replaces a passage of a text file that you have read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditFileArgs {
    path: String,
    /// The passage, white space exact, without line numbers. Must stand in the file once.
    old_string: String,
    new_string: String,
    /// Replace it wherever it stands.
    replace_all: Option<bool>,
    /// Only to cite a token that read_file printed.
    source_token: Option<String>,
}

pub(crate) struct EditFile;

impl Tool for EditFile {
    type Args = EditFileArgs;
    const NAME: &'static str = "edit_file";
    const EFFECT: Effect = Effect::Writes;

    fn plan(args: EditFileArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let edit = Edit {
            old: args.old_string,
            new: args.new_string,
            is_everywhere: args.replace_all == Some(true),
        };
        let (path, cites) = (args.path, args.source_token);
        editing::plan(Editing { tool: Self::NAME, path, cites, edits: vec![edit] }, desk)
    }
}
