//! `write_file`: creates a file, or replaces the whole of one.

use std::borrow::Cow;

use evidence::{EvidenceTarget, Stamp, Version, WriteKind, WriteRequest};
use protocol::{FailureCode, ToolFailure};
use schemars::JsonSchema;
use serde::Deserialize;
use workspace::{FileImage, Place, PlaceKind};

use crate::{
    failure::{failure, file_failure, not_encoded, not_text},
    intent::{Intent, PlanError, Planned, Writing},
    lines, text,
    tool::{Desk, Effect, Tool},
};

/// Creates a text file and the folders above it, or replaces the whole of a file that you have
/// read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteFileArgs {
    path: String,
    /// All of the new text.
    content: String,
    /// Only to cite a token that read_file printed.
    source_token: Option<String>,
}

pub(crate) struct WriteFile;

impl Tool for WriteFile {
    type Args = WriteFileArgs;
    const NAME: &'static str = "write_file";
    const EFFECT: Effect = Effect::Writes;

    fn plan(args: WriteFileArgs, desk: &Desk<'_>) -> Result<Planned, PlanError> {
        let WriteFileArgs { path, content, source_token: cites } = args;
        if path.ends_with('/') {
            let (message, next) = ("path names a folder", "name the file, without a / at its end");
            return Err(failure(FailureCode::BadArguments, message, next).into());
        }
        let place = desk.workspace.resolve(&path).map_err(|error| file_failure(&error))?;
        let title = text::title(place.shown());
        let intent = match place.kind() {
            PlaceKind::Absent => create(place, content, cites, desk),
            // That a folder is no file comes out when it is read.
            PlaceKind::File | PlaceKind::Folder => overwrite(place, &content, cites, desk)?,
        };
        Ok(Planned { tool: Self::NAME, title, intent })
    }
}

fn create(place: Place, content: String, cites: Option<String>, desk: &Desk<'_>) -> Intent {
    let summary = format!("created {} ({})", text::named(&place), line_count(&content));
    let request = request(&place, WriteKind::Create, (Version::Absent, None, None), cites);
    let lines = lines::written(without_mark(&content), desk.limits);
    let contents = content.into_bytes();
    Intent::Create(Writing { place, request, before: None, contents, lines, summary })
}

fn overwrite(
    place: Place,
    content: &str,
    cites: Option<String>,
    desk: &Desk<'_>,
) -> Result<Intent, PlanError> {
    let image = desk.workspace.read(&place).map_err(|error| file_failure(&error))?;
    let (target, contents) = encoded(content, &image, &place, desk)?;
    if contents == image.bytes() {
        return Ok(Intent::Unchanged { shown: place.shown().to_owned() });
    }
    let summary = format!("replaced {} ({})", text::named(&place), line_count(content));
    let current = (Version::Present(image.fingerprint()), Some(image.stamp()), target);
    let request = request(&place, WriteKind::Overwrite, current, cites);
    let lines = lines::written(without_mark(content), desk.limits);
    Ok(Intent::Overwrite(Writing { place, request, before: Some(image), contents, lines, summary }))
}

/// Says the new text in the encoding that the file has (DEC-7); with it comes what the gate is asked
/// of the old one.
fn encoded(
    content: &str,
    image: &FileImage,
    place: &Place,
    desk: &Desk<'_>,
) -> Result<(Option<EvidenceTarget>, Vec<u8>), PlanError> {
    let shown = place.shown();
    let anew = "if it may go, delete it with bash; write_file then creates it anew, in UTF-8";
    // No read can show it, so no overwrite of it can ever be permitted.
    let file = workspace::decode(image.bytes(), desk.limits)
        .map_err(|why| ToolFailure { next: anew.to_owned(), ..not_text(why, shown) })?;
    file.writable()
        .map_err(|why| ToolFailure { next: anew.to_owned(), ..not_encoded(why, shown) })?;
    let text = with_line_ends_of(file.text(), without_mark(content));
    let contents = file.encode(&text).map_err(|why| not_encoded(why, shown))?;
    let source = (place.path(), image.fingerprint());
    Ok((lines::whole_of(file.text(), source, desk.limits), contents))
}

/// Returns a text without a byte order mark, as a read shows it.
fn without_mark(content: &str) -> &str {
    content.strip_prefix('\u{FEFF}').unwrap_or(content)
}

fn request(
    place: &Place,
    kind: WriteKind,
    (current, stamp, target): (Version, Option<Stamp>, Option<EvidenceTarget>),
    cites: Option<String>,
) -> WriteRequest {
    WriteRequest {
        path: place.path().clone(),
        shown: place.shown().to_owned(),
        kind,
        target,
        current,
        stamp,
        cites,
        is_rebuild: false,
    }
}

fn line_count(content: &str) -> String {
    text::count(content.split_inclusive('\n').count(), "line")
}

/// A model is shown plain line ends, and writes what it was shown: a file in which every line has the
/// same end keeps it (EN-7).
fn with_line_ends_of<'a>(text: &str, content: &'a str) -> Cow<'a, str> {
    let end =
        |line: &str| line.strip_suffix('\n').map(|it| it.len() - it.trim_end_matches('\r').len());
    let mut returns = text.split_inclusive('\n').filter_map(end);
    let first = returns.next().unwrap_or_default();
    if first == 0 || content.contains('\r') || returns.any(|it| it != first) {
        return content.into();
    }
    content.replace('\n', &format!("{}\n", "\r".repeat(first))).into()
}
