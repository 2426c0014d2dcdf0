//! Which lines of a file a write replaces, and by which: what the gate asks for, and what the model
//! knows after it.

use evidence::{EvidenceTarget, LineHash, Snapshot, SourceKind, Splice, TargetPart, Written};
use protocol::{Fingerprint, Limits, LineRange, WorkspacePath};
use workspace::{FileImage, plain};

use crate::passage::Change;

/// The lines that an edit replaces, as they are and as they will be.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Affected {
    pub(crate) parts: Vec<TargetPart>,
    pub(crate) splices: Vec<Splice>,
}

impl Affected {
    /// Compares two texts that differ in `changes` alone. `touched` are the lines of the first one
    /// that the edit names: every change is in one of them, and no two of them meet.
    ///
    /// Where an edit takes the end of a line away, the line after it is replaced too.
    pub(crate) fn of(before: &str, after: &str, changes: &[Change], touched: &[LineRange]) -> Self {
        let mut affected = Self::default();
        let mut starts = LineStarts::new(before);
        let mut changes = changes.iter().peekable();
        // How much farther behind a place is in the text after.
        let mut moved = 0_i64;
        let in_after = |at: usize, moved: i64| usize::try_from(at as i64 + moved).unwrap_or(0);
        for range in touched {
            let (mut lines, mut old) = (*range, starts.of(range.start)..starts.of(range.end));
            let start = in_after(old.start, moved);
            while let Some(change) = changes.next_if(|it| it.before.start <= old.end) {
                moved += change.after.len() as i64 - change.before.len() as i64;
            }
            let mut new = start..in_after(old.end, moved);
            if !new.is_empty() && !after[..new.end].ends_with('\n') && new.end < after.len() {
                lines.end += 1;
                old.end = starts.of(lines.end);
                new.end = in_after(old.end, moved);
            }
            affected.parts.push(TargetPart { first: lines.start, hashes: hashes(&before[old]) });
            affected.splices.push(Splice { before: lines, after: hashes(&after[new]) });
        }
        affected
    }
}

/// Returns what the gate is asked of the whole of a text; nothing if it has too many lines (WB-31).
pub(crate) fn whole_of(
    text: &str,
    (path, bytes): (&WorkspacePath, Fingerprint),
    limits: &Limits,
) -> Option<EvidenceTarget> {
    let hashes = all_hashes(text, limits)?;
    let parts = vec![TargetPart { first: 0, hashes }];
    let parts = parts.into_iter().filter(|it| !it.hashes.is_empty()).collect();
    Some(EvidenceTarget { is_whole: true, ..target(parts, (path, bytes)) })
}

/// Returns what the gate is asked of parts of a file that has these bytes.
pub(crate) fn target(
    parts: Vec<TargetPart>,
    (path, bytes): (&WorkspacePath, Fingerprint),
) -> EvidenceTarget {
    let snapshot = Some(Snapshot::of(SourceKind::Disk, path, bytes));
    EvidenceTarget { snapshot, is_whole: false, parts }
}

/// Returns what is known of a file that the model wrote as a whole.
pub(crate) fn written(text: &str, limits: &Limits) -> Written {
    Written::Whole(all_hashes(text, limits))
}

/// Returns every line of the file that a plan found; none if it cannot be read as a text.
pub fn lines_before(before: &FileImage, limits: &Limits) -> Vec<LineHash> {
    workspace::decode(before.bytes(), limits).map_or(Vec::new(), |it| hashes(it.text()))
}

fn all_hashes(text: &str, limits: &Limits) -> Option<Vec<LineHash>> {
    let most = limits.overwrite_pages.saturating_mul(limits.page_lines);
    (text.matches('\n').count() < most as usize).then(|| hashes(text))
}

/// Hashes the lines of a text, each as its page shows it.
fn hashes(text: &str) -> Vec<LineHash> {
    let plain = plain(text);
    let lines = plain.split_inclusive('\n').map(|it| it.strip_suffix('\n').unwrap_or(it));
    lines.map(LineHash::of).collect()
}

/// Finds where lines start, forward only.
struct LineStarts<'a> {
    text: &'a str,
    line: u32,
    offset: usize,
}

impl<'a> LineStarts<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, line: 0, offset: 0 }
    }

    /// Returns where a line starts; the end of the text if it has no such line.
    fn of(&mut self, line: u32) -> usize {
        while self.line < line && self.offset < self.text.len() {
            let rest = &self.text[self.offset..];
            self.offset += rest.find('\n').map_or(rest.len(), |at| at + 1);
            self.line += 1;
        }
        self.offset
    }
}

#[cfg(test)]
mod tests;
