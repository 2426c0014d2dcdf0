//! What edits of one file come to: all of them, or nothing (WB-12, WB-13).

use evidence::{Version, WriteKind, WriteRequest, Written};
use protocol::{FailureCode, LineRange, ToolFailure};
use workspace::{Place, PlaceKind};

use crate::{
    failure::{failure, file_failure, not_encoded, not_text, too_large},
    intent::{Intent, PlanError, Planned, Writing},
    lines::{self, Affected},
    near_miss,
    passage::{Change, MOST_PLACES, Passages, Replaced},
    text,
    tool::Desk,
    untouched::is_untouched,
};

mod joined;

/// Most lines that the summary of an edit names.
const NAMED_LINES: usize = 10;

/// Edits of one file, each made in the text that the ones before it left.
pub(crate) struct Editing {
    pub(crate) tool: &'static str,
    pub(crate) path: String,
    /// The token the model cites, unproven.
    pub(crate) cites: Option<String>,
    /// At least one.
    pub(crate) edits: Vec<Edit>,
}

/// One passage, and what is to stand in its place.
pub(crate) struct Edit {
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) is_everywhere: bool,
}

/// What edits make of a text.
struct Edited {
    text: String,
    changes: Vec<Change>,
    /// The lines that they name, in the text before.
    lines: Vec<LineRange>,
    /// The lines on which they start, in the new text, counted from 1.
    at: Vec<u32>,
}

/// Says what the edits would do.
///
/// # Errors
///
/// [`PlanError`] says why they cannot be made, or may not; [`PlanError::Unplaced`] for a passage that
/// is not there.
pub(crate) fn plan(editing: Editing, desk: &Desk<'_>) -> Result<Planned, PlanError> {
    let Editing { tool, path, cites, edits } = editing;
    edits
        .iter()
        .enumerate()
        .try_for_each(|(at, it)| check(it).map_err(|why| nth(why, &edits, at)))?;
    let place = desk.workspace.resolve(&path).map_err(|error| file_failure(&error))?;
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
        cites: cites.clone(),
        is_rebuild: false,
    };
    let edited = all(&edits, &shown, file.text(), desk).map_err(|(at, why)| {
        let near = near_miss::place(file.text(), &edits[at].old);
        nth(why, &edits, at).unless_the_gate_refuses(request(Vec::new()), near)
    })?;
    let contents = file.encode(&edited.text).map_err(|why| not_encoded(why, &shown))?;
    if !is_untouched(&file, (&edited.text, &edited.changes), image.bytes(), &contents) {
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
    Ok(Planned { tool, title: text::title(&shown), intent: Intent::Replace(writing) })
}

/// Turns away what no file could make right.
fn check(edit: &Edit) -> Result<(), PlanError> {
    if edit.old.is_empty() {
        let message = "old_string is empty";
        let next = "send the passage to replace; write_file writes a whole file";
        return Err(failure(FailureCode::BadArguments, message, next).into());
    }
    if edit.old == edit.new {
        return Err(changes_nothing("old_string and new_string are the same").into());
    }
    Ok(())
}

/// Names the edit that cannot be made, where there are several.
fn nth(why: PlanError, edits: &[Edit], at: usize) -> PlanError {
    match why {
        PlanError::Failed(failure) if 1 < edits.len() => PlanError::Failed(ToolFailure {
            message: format!("edit {} of {}: {}", at + 1, edits.len(), failure.message),
            next: format!("none of the edits was made; {}", failure.next),
            ..failure
        }),
        PlanError::Failed(_) | PlanError::Refused(_) | PlanError::Unplaced { .. } => why,
    }
}

/// Makes the edits, one after the other; of one that cannot be made it says which.
fn all(
    edits: &[Edit],
    shown: &str,
    text: &str,
    desk: &Desk<'_>,
) -> Result<Edited, (usize, PlanError)> {
    if let [only] = edits {
        let Replaced { text, changes, lines, at } =
            one(only, shown, text, desk).map_err(|why| (0, why))?;
        return Ok(Edited { text, changes, lines, at });
    }
    let (mut made, mut changes) = (text.to_owned(), Vec::new());
    for (at, edit) in edits.iter().enumerate() {
        let replaced = one(edit, shown, &made, desk).map_err(|why| (at, why))?;
        changes = joined::joined(changes, replaced.changes);
        made = replaced.text;
    }
    let lines = joined::lines_of(text, &changes);
    let at = joined::starts_of(&made, &changes);
    Ok(Edited { text: made, changes, lines, at })
}

fn one(edit: &Edit, shown: &str, text: &str, desk: &Desk<'_>) -> Result<Replaced, PlanError> {
    let passages = Passages::find(text, &edit.old);
    match passages.count() {
        0 => {
            let message = format!("old_string does not stand in {shown}");
            let next = near_miss::explained(text, &edit.old).map_or_else(
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
        _ if edit.is_everywhere => {}
        several => return Err(evidence::ambiguous(shown.to_owned(), several).into()),
    }
    let limit_bytes = desk.limits.whole_file_bytes;
    if limit_bytes < passages.most_bytes(&edit.new) {
        return Err(too_large(shown, limit_bytes).into());
    }
    Ok(passages.replaced(&edit.new))
}

fn changes_nothing(message: &str) -> ToolFailure {
    let next = "go on, or send a new_string that differs; only a command can change line ends";
    failure(FailureCode::NoChange, message, next)
}

/// Tells what was done, in one line: `edited src/a.rs: 1 replacement, line 12`.
fn summary(place: &Place, edited: &Edited) -> String {
    let replacements = text::count(edited.at.len(), "replacement");
    let word = if edited.at.len() == 1 { "line" } else { "lines" };
    let named = edited.at.iter().take(NAMED_LINES).map(u32::to_string).collect::<Vec<_>>();
    let more = if NAMED_LINES < edited.at.len() { ", …" } else { "" };
    format!("edited {}: {replacements}, {word} {}{more}", text::named(place), named.join(", "))
}
