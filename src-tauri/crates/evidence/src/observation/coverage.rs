//! Which lines of a target the model knows as they are now.

use protocol::{LineRange, WorkspacePath};

use super::{Batch, EvidenceTarget, ObservationLedger, SeenWindow, Source, TargetPart};
use crate::read::{ranges::Ranges, source::LineHash};

impl ObservationLedger {
    /// Returns the lines of a target that the model neither was shown as they are now nor wrote
    /// itself, before `batch` (OL-4, OL-6, DEC-2). Where it cites a token, of what was read only
    /// that read counts (RT-6).
    pub fn missing(
        &self,
        path: &WorkspacePath,
        batch: Batch,
        target: &EvidenceTarget,
        cites: Option<&str>,
    ) -> Vec<LineRange> {
        let windows: Vec<&SeenWindow> = self.eligible(path, batch, cites).collect();
        let missing = target.parts.iter().map(|part| {
            let lines = part.lines();
            // Without a version a window proves a part alone, or not at all (OL-5, OL-8).
            let proves = |it: &&SeenWindow| it.snapshot.is_none() && same(it, part).covers(lines);
            if !target.is_whole && windows.iter().any(proves) {
                return Vec::new();
            }
            let mut shown = Ranges::default();
            for window in &windows {
                if window.snapshot.is_some() && window.snapshot == target.snapshot {
                    shown.extend(&same(window, part));
                }
            }
            shown.missing(lines)
        });
        missing.flatten().collect()
    }

    /// Returns whether the model knows the very lines of a part, wherever they stood, although the
    /// file has changed since (DEC-2 b).
    pub fn knows(&self, path: &WorkspacePath, batch: Batch, part: &TargetPart) -> bool {
        self.last_shown(path, batch, part).is_some()
    }

    /// Returns where a file has changed beside a part that the model knows: the lines of `now` between
    /// those that are still as the newest page with that part had them.
    pub fn changed_beside(
        &self,
        path: &WorkspacePath,
        batch: Batch,
        part: &TargetPart,
        now: &[LineHash],
    ) -> Vec<LineRange> {
        let Some((window, at)) = self.last_shown(path, batch, part) else { return Vec::new() };
        let lines = part.lines();
        let (above, below) = (&window.hashes[..at], &window.hashes[at + part.hashes.len()..]);
        let before = now.get(..lines.start as usize).unwrap_or_default();
        let after = now.get(lines.end as usize..).unwrap_or_default();
        // What stands above the page was not shown.
        let before = before.get(window.first as usize..).unwrap_or_default();
        let first = count(same_count(above.iter(), before.iter()));
        let kept = count(same_count(above.iter().rev(), before.iter().rev()));
        let changed_above = LineRange::new(
            window.first.saturating_add(first).min(lines.start),
            lines.start.saturating_sub(kept),
        );
        let kept = same_count(below.iter(), after.iter());
        // To where the page ended, counted from the part.
        let shown = below.len().min(after.len());
        let changed_below = LineRange::new(
            lines.end.saturating_add(count(kept)),
            lines.end.saturating_add(count(shown)),
        );
        let changed = [changed_above, changed_below].into_iter();
        changed.filter(|it| it.start < it.end).collect()
    }

    /// Returns the newest page that has the very lines of a part, and at which of its lines.
    fn last_shown(
        &self,
        path: &WorkspacePath,
        batch: Batch,
        part: &TargetPart,
    ) -> Option<(&SeenWindow, usize)> {
        let size = part.hashes.len();
        let at = |it: &SeenWindow| it.hashes.windows(size).position(|run| run == part.hashes);
        let mut newest = self.entries(path).rev().filter(|it| 0 < size && it.counts_in(batch));
        newest.find_map(|it| it.window.as_ref().and_then(|it| Some((it, at(it)?))))
    }

    /// Returns the windows that count: what was shown after the last write of the file or was carried
    /// over it, and what was written (OL-4, DEC-2 a).
    fn eligible<'a>(
        &'a self,
        path: &WorkspacePath,
        batch: Batch,
        cites: Option<&str>,
    ) -> impl Iterator<Item = &'a SeenWindow> {
        let after = self.last_write(path);
        let is_cited = move |source: &Source| match (source, cites) {
            (Source::Read { token, .. }, Some(cited)) => token.as_str() == cited,
            (Source::Read { .. } | Source::OwnWrite { .. }, _) => true,
        };
        self.entries(path)
            .filter(move |it| it.counts_in(batch) && after <= Some(it.seq).max(it.carried))
            .filter(move |it| is_cited(&it.source))
            .filter_map(|it| it.window.as_ref())
    }
}

/// Returns the lines of a part that stand in a window as they are now.
fn same(window: &SeenWindow, part: &TargetPart) -> Ranges {
    let (seen, wanted) = (window.lines(), part.lines());
    let mut same = Ranges::default();
    for line in seen.start.max(wanted.start)..seen.end.min(wanted.end) {
        let seen = window.hashes[(line - seen.start) as usize];
        if seen == part.hashes[(line - wanted.start) as usize] {
            same.insert(LineRange::new(line, line + 1));
        }
    }
    same
}

/// Counts the lines that two lists begin with.
fn same_count<'a>(
    one: impl Iterator<Item = &'a LineHash>,
    other: impl Iterator<Item = &'a LineHash>,
) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

fn count(lines: usize) -> u32 {
    u32::try_from(lines).unwrap_or(u32::MAX)
}
