//! Small texts that a person or a model reads.

use workspace::Place;

/// Most bytes of a title.
const TITLE_BYTES: usize = 200;

/// Returns the first line of a text that has something in it, cut to a title's size.
pub(crate) fn title(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    cut(line, TITLE_BYTES)
}

/// Cuts a text to `bytes`, and says so with an ellipsis.
pub(crate) fn cut(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    format!("{}…", protocol::head(text, bytes.saturating_sub('…'.len_utf8())))
}

/// Counts something in words: `1 line`, `3 lines`, `2 matches`.
pub(crate) fn count(number: usize, one: &str) -> String {
    let ending = match (number, one.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {one}{ending}")
}

/// Names a file; where a link was followed, the file that it leads to as well.
pub(crate) fn named(place: &Place) -> String {
    match place.link_target() {
        Some(target) => format!("{} (a link to {target})", place.shown()),
        None => place.shown().to_owned(),
    }
}

/// Names a folder; the workspace's own path is a dot.
pub(crate) fn folder(shown: &str) -> &str {
    if shown == "." { "the workspace" } else { shown }
}
