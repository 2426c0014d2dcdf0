//! Makes one text of another by passages that stand in it once, as a model would.

use super::git::Hunk;

/// More places than this are a whole new text.
const MOST_PLACES: usize = 30;
/// Lines around a place that are taken with it, one after the other, until it stands there once.
const CONTEXT_LINES: [usize; 6] = [0, 1, 2, 4, 8, 16];

/// The byte order mark of UTF-8.
pub(super) const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// A passage, and what stands there instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) old: String,
    pub(super) new: String,
}

/// Returns the edits that make `after` of `before`, to be made in this order, if a few will do.
pub(super) fn edits(before: &[u8], after: &[u8], hunks: &[Hunk]) -> Option<Vec<Edit>> {
    if MOST_PLACES < hunks.len() {
        return None;
    }
    // In a file of another encoding only what all encodings have in common can be named.
    let only_ascii = str::from_utf8(before).is_err();
    let [before, after] = shown(before, after)?;
    let (old, new) = (lines(&before), lines(&after));
    let mut made = Vec::new();
    // From the last to the first: what stands before a place is still as it was.
    for hunk in hunks.iter().rev() {
        let (at, instead) = (hunk.old.clone(), new.get(hunk.new.clone())?);
        let text = [old.get(..at.end)?, new.get(hunk.new.end..)?].concat();
        let whole = text.concat();
        made.push(CONTEXT_LINES.into_iter().find_map(|context| {
            let (start, end) = (at.start.saturating_sub(context), text.len().min(at.end + context));
            let old = text[start..end].concat();
            let new = [&text[start..at.start], instead, &text[at.end..end]].concat().concat();
            let can_be_named = !only_ascii || old.is_ascii() && new.is_ascii();
            (can_be_named && stands_once(&whole, &old)).then_some(Edit { old, new })
        })?);
    }
    Some(made)
}

/// Returns both texts as a model sees them: without a mark, and with plain line ends. None where one
/// has a mark alone, or the line ends are not all the same: no edit says these.
fn shown(before: &[u8], after: &[u8]) -> Option<[String; 2]> {
    let texts = match [before, after].map(|it| it.strip_prefix(MARK)) {
        [Some(before), Some(after)] => [before, after],
        [None, None] => [before, after],
        [Some(_), None] | [None, Some(_)] => return None,
    };
    let texts = texts.map(String::from_utf8_lossy);
    if !texts.iter().any(|it| it.contains('\r')) {
        return Some(texts.map(Into::into));
    }
    let is_uniform = |it: &str| {
        let ends = it.matches("\r\n").count();
        0 < ends && it.matches('\r').count() == ends && it.matches('\n').count() == ends
    };
    texts.iter().all(|it| is_uniform(it)).then(|| texts.map(|it| it.replace('\r', "")))
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Two places that overlap are two.
fn stands_once(text: &str, passage: &str) -> bool {
    let Some(first) = passage.chars().next() else { return false };
    text.find(passage).is_some_and(|at| !text[at + first.len_utf8()..].contains(passage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_named_with_what_makes_it_the_only_one() {
        let (before, after) = (b"a\nb\nc\nb\nd\n", b"a\nB\nc\nb\nD\ne\n");
        let hunks = [Hunk { old: 1..2, new: 1..2 }, Hunk { old: 4..5, new: 4..6 }];
        let edit = |old: &str, new: &str| Edit { old: old.to_owned(), new: new.to_owned() };
        let wanted = vec![edit("d\n", "D\ne\n"), edit("a\nb\nc\n", "a\nB\nc\n")];
        assert_eq!(edits(before, after, &hunks), Some(wanted));
        assert_eq!(edits(b"", b"a\n", &[Hunk { old: 0..0, new: 0..1 }]), None);
    }

    #[test]
    fn line_ends_that_no_edit_can_name_are_no_edit() {
        let hunks = [Hunk { old: 0..1, new: 0..1 }];
        let wanted = vec![Edit { old: "a\n".to_owned(), new: "b\n".to_owned() }];
        assert_eq!(edits(b"a\r\n", b"b\r\n", &hunks), Some(wanted));
        assert_eq!(edits(b"a\r\n", b"b\n", &hunks), None);
        assert_eq!(edits(b"a\rb\r\n", b"b\r\n", &hunks), None);
        let (latin, other) = (b"caf\xe9 a\n", b"caf\xe9 b\n");
        assert_eq!(edits(latin, other, &hunks), None);
    }
}
