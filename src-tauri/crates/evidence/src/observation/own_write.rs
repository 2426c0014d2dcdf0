//! What the host's own writes leave known: the lines that were written, and those that were known
//! before and are only elsewhere now (DEC-2 a, WB-39).

use protocol::{LineRange, WorkspacePath};

use super::{Batch, ObservationLedger, SeenWindow, Sequence, Source, Version};
use crate::read::source::{LineHash, Snapshot, SourceKind};

/// A write of the host that was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnWrite {
    /// What was there before.
    pub before: Version,
    /// What is there now.
    pub after: Version,
    pub lines: Written,
}

/// What of a file was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// All of it. No lines where there are too many to be looked at (WB-31).
    Whole(Option<Vec<LineHash>>),
    /// Some lines, in order; no two of the splices overlap.
    Lines(Vec<Splice>),
}

/// Lines in place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The lines that were replaced, as the file was before. None for an insertion.
    pub before: LineRange,
    /// One for each line that stands in their place.
    pub after: Vec<LineHash>,
}

impl ObservationLedger {
    /// Records what a write of the host left. The next edit needs no read (WB-39): what was known
    /// before `batch` of the lines that stayed is carried over, and what was written is known.
    pub fn written(&mut self, path: WorkspacePath, batch: Batch, write: OwnWrite) {
        let snapshot = |version| match version {
            Version::Absent => None,
            Version::Present(bytes) => Some(Snapshot::of(SourceKind::Disk, &path, bytes)),
        };
        let (before, after) = (snapshot(write.before), snapshot(write.after));
        let version = write.after;
        let mut own = match write.lines {
            Written::Whole(hashes) => {
                let hashes = hashes.unwrap_or_default();
                vec![SeenWindow { first: 0, hashes, snapshot: after }]
            }
            Written::Lines(splices) => {
                let joined = self.carry(&path, batch, &splices, (before, after));
                own_windows(splices, &joined, after)
            }
        };
        own.retain(|it| !it.hashes.is_empty());
        let seq = self.next_sequence();
        let mut own = own.into_iter();
        // One entry at least, since the version counts without lines too.
        self.push(path.clone(), (seq, Source::OwnWrite { version }), own.next());
        for window in own {
            self.push(path.clone(), (seq, Source::OwnWrite { version }), Some(window));
        }
    }

    /// Carries the windows of the version before, and those without one, over a write. Returns which
    /// of the splices stand in a window now that a call of `batch` can rely on.
    fn carry(
        &mut self,
        path: &WorkspacePath,
        batch: Batch,
        splices: &[Splice],
        (before, after): (Option<Snapshot>, Option<Snapshot>),
    ) -> Vec<bool> {
        let mut joined = vec![false; splices.len()];
        let write = Sequence(self.last.0 + 1);
        let last_write = self.last_write(path);
        for entry in self.seen.get_mut(path).map(Vec::as_mut_slice).unwrap_or_default() {
            let is_current = last_write <= Some(entry.seq).max(entry.carried);
            let (old, counts) = (entry.lines(), entry.counts_in(batch));
            let Some(window) = entry.window.as_mut().filter(|_| is_current) else { continue };
            if window.snapshot.is_some() && window.snapshot != before {
                continue;
            }
            let touched = window.splice(splices);
            if window.snapshot.is_some() {
                window.snapshot = after;
            }
            entry.carried = Some(write);
            self.kept_lines = self.kept_lines - old + entry.lines();
            if counts {
                joined.iter_mut().zip(touched).for_each(|(all, it)| *all |= it);
            }
        }
        joined
    }
}

impl SeenWindow {
    /// Puts what was written into the window, and moves it to where it stands now. Returns which of
    /// the splices are in it.
    fn splice(&mut self, splices: &[Splice]) -> Vec<bool> {
        let LineRange { start, end } = self.lines();
        let (mut hashes, mut first, mut at) = (Vec::new(), start, start);
        let (mut lines_before, mut is_begun) = (0_i64, false);
        let mut touched = vec![false; splices.len()];
        for (splice, touched) in splices.iter().zip(&mut touched) {
            let LineRange { start: from, end: to } = splice.before;
            if to <= start {
                lines_before += splice.after.len() as i64 - i64::from(to - from);
            } else if from < end {
                *touched = true;
                if !is_begun && from < start {
                    first = from;
                }
                hashes.extend(self.between(at, from));
                hashes.extend(&splice.after);
                at = to;
            }
            is_begun |= *touched;
        }
        hashes.extend(self.between(at, end));
        let moved = i64::from(first).saturating_add(lines_before);
        *self = Self { first: u32::try_from(moved).unwrap_or(0), hashes, snapshot: self.snapshot };
        touched
    }

    /// Returns the lines of the window from `from` up to `to`; none where there are none.
    fn between(&self, from: u32, to: u32) -> &[LineHash] {
        let LineRange { start, end } = self.lines();
        let (from, to) = (from.clamp(start, end), to.clamp(start, end));
        self.hashes.get((from - start) as usize..(to - start) as usize).unwrap_or_default()
    }
}

/// Returns what was written and is in no window yet, where it stands now.
fn own_windows(
    splices: Vec<Splice>,
    joined: &[bool],
    snapshot: Option<Snapshot>,
) -> Vec<SeenWindow> {
    let mut lines_before = 0_i64;
    let mut own = Vec::new();
    for (Splice { before, after: hashes }, is_joined) in splices.into_iter().zip(joined) {
        let moved = i64::from(before.start).saturating_add(lines_before);
        lines_before += hashes.len() as i64 - i64::from(before.len());
        if !is_joined {
            own.push(SeenWindow { first: u32::try_from(moved).unwrap_or(0), hashes, snapshot });
        }
    }
    own
}

#[cfg(test)]
mod tests;
