//! `multi_edit`: replaces several passages of one file, or none.

use protocol::FailureCode;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    editing::{self, Edit, Editing},
    failure::failure,
    intent::{PlanError, Planned},
    tool::{Desk, Effect, Tool},
};

/// Most edits of one call.
const MOST_EDITS: usize = 100;

/// Replaces several passages of a text file that you have read, one after the other. If one of them
/// cannot be replaced, none is.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MultiEditArgs {
    path: String,
    /// Each is made in the text that the ones before it left.
    edits: Vec<OneEdit>,
    /// Only to cite a token that read_file printed.
    source_token: Option<String>,
}

/// One of the edits.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneEdit {
    old_string: String,
    new_string: String,
    replace_all: Option<bool>,
}

pub(crate) struct MultiEdit;

impl Tool for MultiEdit {
    type Args = MultiEditArgs;
    const NAME: &'static str = "multi_edit";
    const EFFECT: Effect = Effect::Writes;

    fn plan(args: MultiEditArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let MultiEditArgs { path, edits, source_token: cites } = args;
        if edits.is_empty() || MOST_EDITS < edits.len() {
            let message = format!("multi_edit takes 1 to {MOST_EDITS} edits, and {}", edits.len());
            let next = "send them in calls of that size";
            return Err(failure(FailureCode::BadArguments, message + " were sent", next).into());
        }
        let edits = edits.into_iter().map(|it| Edit {
            old: it.old_string,
            new: it.new_string,
            is_everywhere: it.replace_all == Some(true),
        });
        let editing = Editing { tool: Self::NAME, path, cites, edits: edits.collect() };
        editing::plan(editing, desk)
    }
}
