//! Checks of every text in a request: nothing host-only, nothing that drifts.

use std::path::Path;

use protocol::SessionId;
use serde_json::Value;

use super::{Fault, Found, Scope};

/// Words of the host's own records. Found in any spelling, as `read_id` and as `readId`.
const HOST_WORDS: [&str; 8] = [
    "read_id",
    "result_ref",
    "window_digest",
    "snapshot",
    "source_cut_reason",
    "transport_cut_reason",
    "next_cursor",
    "envelope",
];

/// Checks all names and texts of a request.
pub(super) fn check(request: &Value, scope: &Scope) -> Result<(), Found> {
    let mut folders = Vec::new();
    if let Some(folder) = &scope.workspace {
        folders.push(folder.clone());
        folders.extend(folder.canonicalize());
    }
    let folders = Vec::from_iter(folders.iter().flat_map(|it| spellings(it)));
    every_text(request, String::new(), &mut |pointer, text| {
        let below = |it: &String| {
            pointer.strip_prefix(it.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/'))
        };
        let fault = host_only(text)
            .or_else(|| folders.iter().any(|it| text.contains(it)).then_some(Fault::WorkspacePath))
            .or_else(|| {
                (scope.host_written.iter().any(below) && has_moment(text)).then_some(Fault::Moment)
            });
        fault.map_or(Ok(()), |fault| Err((pointer.to_owned(), fault)))
    })
}

/// The path as it is, with `/`, and as it stands in JSON.
fn spellings(folder: &Path) -> [String; 3] {
    let plain = folder.display().to_string();
    [plain.replace('\\', "/"), plain.replace('\\', "\\\\"), plain]
}

/// Calls `check` with the pointer and the text of every name and every string.
fn every_text(
    value: &Value,
    pointer: String,
    check: &mut impl FnMut(&str, &str) -> Result<(), Found>,
) -> Result<(), Found> {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
        Value::String(text) => check(&pointer, text),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(at, item)| every_text(item, format!("{pointer}/{at}"), check)),
        Value::Object(members) => members.iter().try_for_each(|(name, member)| {
            let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
            check(&pointer, name)?;
            every_text(member, pointer, check)
        }),
    }
}

fn host_only(text: &str) -> Option<Fault> {
    let plain = |word: &str| word.replace('_', "").to_ascii_lowercase();
    for word in text.split(|it: char| !it.is_ascii_alphanumeric() && it != '_') {
        if SessionId::parse(word).is_ok() {
            return Some(Fault::SessionId);
        }
        if let Some(known) = HOST_WORDS.into_iter().find(|it| plain(it) == plain(word)) {
            return Some(Fault::HostWord(known));
        }
    }
    let mut runs = text.split(|it: char| !it.is_ascii_hexdigit());
    runs.any(|run| run.len() == 64).then_some(Fault::Fingerprint)
}

/// Whether a date (`2026-11-30`), a time of day (`12:30`) or a count of seconds since 1970 or of
/// parts of them (10 digits or more) stands in a text.
fn has_moment(text: &str) -> bool {
    let mut runs = text.split(|it: char| !it.is_ascii_digit());
    if runs.any(|run| 10 <= run.len()) {
        return true;
    }
    let shape = Vec::from_iter(text.chars().map(|it| if it.is_ascii_digit() { '0' } else { it }));
    ["0000-00-00", "00:00"].into_iter().any(|moment| {
        let moment = Vec::from_iter(moment.chars());
        shape.windows(moment.len()).enumerate().any(|(at, window)| {
            let before = at.checked_sub(1).and_then(|it| shape.get(it));
            let after = shape.get(at + moment.len());
            window == moment && !matches!(before, Some('0' | ':')) && after != Some(&'0')
        })
    })
}
