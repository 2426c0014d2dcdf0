//! `edit_file`: replaces a passage of a file.

use evidence::{Version, WriteKind, WriteRequest, Written};
use protocol::{FailureCode, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;
use workspace::{Place, PlaceKind};

use crate::{
    failure::{failure, file_failure, not_encoded, not_text, too_large},
    intent::{Intent, PlanError, Planned, Writing},
    lines::{self, Affected},
    near_miss,
    passage::{MOST_PLACES, Passages, Replaced},
    text,
    tool::{Desk, Effect, Tool},
    untouched::is_untouched,
};

/// Most lines that the summary of an edit names.
const NAMED_LINES: usize = 10;

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
        check(&args)?;
        let place = desk.workspace.resolve(&args.path).map_err(|error| file_failure(&error))?;
        let shown = place.shown().to_owned();
        if place.kind() == PlaceKind::Absent {
            return Err(evidence::absent(shown).into());
        }
        let image = desk.workspace.read(&place).map_err(|error| file_failure(&error))?;
        let file =
            workspace::decode(image.bytes(), desk.limits).map_err(|why| not_text(why, &shown))?;
        file.writable().map_err(|why| not_encoded(why, &shown))?;
        let source = (place.path(), image.fingerprint());
        let request = |parts| WriteRequest {
            path: place.path().clone(),
            shown: shown.clone(),
            kind: WriteKind::Edit,
            target: Some(lines::target(parts, source)),
            current: Version::Present(image.fingerprint()),
            stamp: Some(image.stamp()),
            cites: args.source_token.clone(),
            is_rebuild: false,
        };
        let edited = edit(&args, &shown, file.text(), desk).map_err(|why| {
            let near = near_miss::place(file.text(), &args.old_string);
            why.unless_the_gate_refuses(request(Vec::new()), near)
        })?;
        let contents = file.encode(&edited.text).map_err(|why| not_encoded(why, &shown))?;
        if !is_untouched(&file, &edited, image.bytes(), &contents) {
            let message = format!("{shown}: bytes outside the passage would not stay as they are");
            let next = "nothing was written; tell the user, and change the file with bash";
            return Err(failure(FailureCode::System, message, next).into());
        }
        if contents == image.bytes() {
            return Err(changes_nothing("the edit would leave every byte as it is").into());
        }
        let summary = summary(&place, &edited);
        let Affected { parts, splices } =
            Affected::of(file.text(), &edited.text, &edited.changes, &edited.lines);
        let (request, lines) = (request(parts), Written::Lines(splices));
        let writing = Writing { place, request, before: Some(image), contents, lines, summary };
        let title = text::title(&shown);
        Ok(Planned { tool: Self::NAME, title, intent: Intent::Replace(writing) })
    }
}

/// Turns away what no file could make right.
fn check(args: &EditFileArgs) -> Result<(), PlanError> {
    if args.old_string.is_empty() {
        let message = "old_string is empty";
        let next = "send the passage to replace; write_file writes a whole file";
        return Err(failure(FailureCode::BadArguments, message, next).into());
    }
    if args.old_string == args.new_string {
        return Err(changes_nothing("old_string and new_string are the same").into());
    }
    Ok(())
}

fn edit(
    args: &EditFileArgs,
    shown: &str,
    text: &str,
    desk: &Desk<'_>,
) -> Result<Replaced, PlanError> {
    let EditFileArgs { old_string, new_string, replace_all, .. } = args;
    let passages = Passages::find(text, old_string);
    match passages.count() {
        0 => {
            let message = format!("old_string does not stand in {shown}");
            let next = near_miss::explained(text, old_string).map_or_else(
                || format!("read_file {shown} again and copy the passage from there"),
                |why| format!("{why}; copy the passage exactly as read_file shows it"),
            );
            return Err(failure(FailureCode::NoMatch, message, next).into());
        }
        1 => {}
        too_many if MOST_PLACES < too_many => {
            let message = format!("old_string stands in {shown} over {MOST_PLACES} times");
            let next = "send a longer passage, or change the file with a command";
            return Err(failure(FailureCode::TooLarge, message, next).into());
        }
        _ if *replace_all == Some(true) => {}
        several => return Err(evidence::ambiguous(shown.to_owned(), several).into()),
    }
    let limit_bytes = desk.limits.whole_file_bytes;
    if limit_bytes < passages.most_bytes(new_string) {
        return Err(too_large(shown, limit_bytes).into());
    }
    Ok(passages.replaced(new_string))
}

fn changes_nothing(message: &str) -> ToolFailure {
    let next = "go on, or send a new_string that differs; only a command can change line ends";
    failure(FailureCode::NoChange, message, next)
}

/// Tells what was done, in one line: `edited src/a.rs: 1 replacement, line 12`.
fn summary(place: &Place, edited: &Replaced) -> String {
    let replacements = text::count(edited.at.len(), "replacement");
    let word = if edited.at.len() == 1 { "line" } else { "lines" };
    let named = edited.at.iter().take(NAMED_LINES).map(u32::to_string).collect::<Vec<_>>();
    let more = if NAMED_LINES < edited.at.len() { ", …" } else { "" };
    format!("edited {}: {replacements}, {word} {}{more}", text::named(place), named.join(", "))
}
