//! What two states of one file differ in, line by line: the counts, and the patch they come from.

use std::ops::Range;

use protocol::{Clock, FileChangeKind, Limits};
use similar::{Algorithm, DiffOp, TextDiff, group_diff_ops};

use crate::{
    patch::{self, CONTEXT_LINES, Patch},
    utf16::Utf16,
};

/// One state of a file that exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side<'a> {
    pub(crate) bytes: &'a [u8],
    /// Permission bits; `None` where the system has none.
    pub(crate) mode: Option<u32>,
}

/// A file that is not what it was.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    Create(Side<'a>),
    Delete(Side<'a>),
    Modify { before: Side<'a>, after: Side<'a> },
}

/// What is known of a change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FileDiff {
    /// The lines were counted, and the patch holds exactly these.
    Lines { added: u32, removed: u32, patch: Vec<u8> },
    /// A side is no text, or the two are in different encodings: there are no lines to count.
    Binary,
    /// The bytes are equal. The patch is empty where git knows no such bits.
    ModeOnly { patch: Vec<u8> },
    /// The time was up before the diff was whole: nothing is known of its lines (TR-9).
    Cut,
}

impl<'a> Change<'a> {
    /// Returns the change as a result names it (TR-5).
    pub(crate) fn kind(self) -> FileChangeKind {
        match self {
            Self::Create(_) => FileChangeKind::Create,
            Self::Delete(_) => FileChangeKind::Delete,
            Self::Modify { .. } => FileChangeKind::Modify,
        }
    }

    fn sides(self) -> (Option<Side<'a>>, Option<Side<'a>>) {
        match self {
            Self::Create(after) => (None, Some(after)),
            Self::Delete(before) => (Some(before), None),
            Self::Modify { before, after } => (Some(before), Some(after)),
        }
    }

    /// Returns how many bytes of content the change is about.
    pub(crate) fn content_bytes(self) -> u64 {
        let (before, after) = self.sides();
        (bytes(before).len() + bytes(after).len()) as u64
    }
}

fn bytes(side: Option<Side<'_>>) -> &[u8] {
    side.map_or(b"", |it| it.bytes)
}

/// Compares the two states of the file shown as `path`.
///
/// Works at most `limits.diff_time`; created and deleted files are counted directly and are
/// always exact (AN-22).
pub(crate) fn diff(path: &str, change: Change<'_>, limits: &Limits, clock: &Clock) -> FileDiff {
    let (before, after) = change.sides();
    let (old, new) = (bytes(before), bytes(after));
    let modes = |side: Option<Side<'_>>| side.map(|it| it.mode);
    let mut patch = Patch::new(path, modes(before), modes(after));
    if let Change::Modify { .. } = change
        && old == new
    {
        return FileDiff::ModeOnly { patch: patch.into_bytes() };
    }
    let texts;
    let (mut old, mut new) = (old, new);
    if has_nul(old) || has_nul(new) {
        let Some((order, decoded)) = Utf16::texts(old, new, limits) else {
            return FileDiff::Binary;
        };
        patch.encoding(order.label());
        texts = decoded;
        [old, new] = [texts[0].as_bytes(), texts[1].as_bytes()];
    }
    let (old, new) = (lines(old), lines(new));
    let Some(ops) = ops(&old, &new, limits, clock) else { return FileDiff::Cut };
    let count = |lines: fn(&DiffOp) -> Range<usize>| {
        let changed = ops.iter().filter(|op| !patch::is_equal(op));
        u32::try_from(changed.map(|op| lines(op).len()).sum::<usize>()).unwrap_or(u32::MAX)
    };
    let (added, removed) = (count(DiffOp::new_range), count(DiffOp::old_range));
    for group in group_diff_ops(ops, CONTEXT_LINES) {
        patch.hunk(&group, &old, &new);
    }
    FileDiff::Lines { added, removed, patch: patch.into_bytes() }
}

/// Splits after each `\n`, as git does; a lone `\r` ends no line.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Bytes that are no UTF-8 are compared all the same: a patch is bytes. But where there is a NUL,
/// a `\n` need not end a line.
fn has_nul(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}

/// Returns the steps from `old` to `new`, or `None` if the time was up: the engine then stops
/// early without a word, and what it gives is no longer the shortest way it would have found.
fn ops(old: &[&[u8]], new: &[&[u8]], limits: &Limits, clock: &Clock) -> Option<Vec<DiffOp>> {
    let (old_index, new_index) = (0, 0);
    match (old.len(), new.len()) {
        (0, 0) => return Some(Vec::new()),
        (0, new_len) => return Some(vec![DiffOp::Insert { old_index, new_index, new_len }]),
        (old_len, 0) => return Some(vec![DiffOp::Delete { old_index, old_len, new_index }]),
        _ => {}
    }
    let started = clock.now();
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .timeout(limits.diff_time)
        .diff_slices(old, new);
    let spent = clock.now().steady.saturating_sub(started.steady);
    (spent < limits.diff_time).then(|| diff.ops().to_vec())
}

#[cfg(test)]
mod tests;
