//! What the model was shown of each file, or wrote itself. No text is kept, only hashes (OL-1).

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
};

use protocol::{Fingerprint, LineRange, ReceiptId, ToolCallId, WorkspacePath};

use crate::read::{
    ranges::Ranges,
    source::{LineHash, Snapshot, WindowDigest},
};

/// What a path led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Nothing was there, and that was confirmed.
    Absent,
    Present(Fingerprint),
}

/// What a file system tells of one state of a file, for files too large to be fingerprinted with
/// each page: which file it is, its size, its times and its mode. Two that are equal are the same
/// content as far as it tells; what proves content is a [`Fingerprint`] alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp(pub [u8; 16]);

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(4).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// How well a version is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// By its bytes, or that there are none.
    Version(Version),
    /// By what the file system told, since it was too large to be read whole (SI-5).
    Stamp(Stamp),
}

/// Numbers the model's answers of a session; all calls of one answer share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Batch(pub u32);

impl Batch {
    /// Returns the number of the next answer.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// Orders all that was observed: what came before a write is a comparison of numbers (OL-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Sequence(u64);

/// The lines that one page delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenWindow {
    /// The first line, counted from 0.
    pub first: u32,
    /// One for each line that the model got whole.
    pub hashes: Vec<LineHash>,
    /// The version of the file; missing where it could not be told.
    pub snapshot: Option<Snapshot>,
}

/// One read that was delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRead {
    pub known: Known,
    /// What the read printed, to be cited.
    pub token: ReceiptId,
    /// The call whose result shows it.
    pub call: ToolCallId,
    /// Missing where nothing was there.
    pub window: Option<SeenWindow>,
}

/// Lines as they stand in a file now, which a writer is about to replace (OL-6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceTarget {
    /// The version of the file now.
    pub snapshot: Option<Snapshot>,
    /// Whether all of the file is replaced.
    pub is_whole: bool,
    pub parts: Vec<TargetPart>,
}

/// Some lines that follow one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPart {
    pub first: u32,
    pub hashes: Vec<LineHash>,
}

impl SeenWindow {
    /// Returns the lines of the window.
    pub fn lines(&self) -> LineRange {
        lines_of(self.first, &self.hashes)
    }

    /// Names what the page delivered.
    pub fn digest(&self, path: &WorkspacePath) -> WindowDigest {
        WindowDigest::of(path, self.first, &self.hashes)
    }
}

impl TargetPart {
    /// Returns the lines of the part.
    pub fn lines(&self) -> LineRange {
        lines_of(self.first, &self.hashes)
    }
}

/// How a version became known.
#[derive(Clone, Debug)]
enum Source {
    /// It was read in this batch.
    Read { batch: Batch, read: SeenRead },
    /// The host wrote it itself.
    OwnWrite { version: Version },
}

#[derive(Clone, Debug)]
struct Entry {
    seq: Sequence,
    source: Source,
}

/// What was observed, oldest first. It outlives a turn, since what was delivered in an earlier one
/// still stands before the model (DEC-13), and is dropped with the process: a resumed session reads
/// again (OL-11).
#[derive(Debug)]
pub struct ObservationLedger {
    seen: BTreeMap<WorkspacePath, Vec<Entry>>,
    last: Sequence,
    /// The windows whose hashes are kept, oldest first, and how many hashes they have.
    kept: VecDeque<(WorkspacePath, Sequence)>,
    kept_lines: usize,
    most_lines: usize,
}

impl ObservationLedger {
    /// Begins empty. Of the oldest windows the lines are forgotten once there are more than
    /// `most_lines` in all; their versions are not.
    pub fn new(most_lines: u32) -> Self {
        Self {
            seen: BTreeMap::new(),
            last: Sequence::default(),
            kept: VecDeque::new(),
            kept_lines: 0,
            most_lines: most_lines as usize,
        }
    }

    /// Records what a read of `batch` delivered of `path`.
    pub fn delivered(&mut self, batch: Batch, path: WorkspacePath, read: SeenRead) {
        let lines = read.window.as_ref().map_or(0, |it| it.hashes.len());
        let seq = self.push(path.clone(), Source::Read { batch, read });
        if 0 < lines {
            self.kept.push_back((path, seq));
            self.kept_lines += lines;
            self.forget_oldest_lines();
        }
    }

    /// Records what the host's own write left; the next edit needs no read (WB-39).
    pub fn written(&mut self, path: WorkspacePath, version: Version) {
        self.push(path, Source::OwnWrite { version });
    }

    /// Drops what is known of a file whose write came to an unknown end.
    pub fn forget(&mut self, path: &WorkspacePath) {
        for entry in self.seen.remove(path).unwrap_or_default() {
            self.kept_lines -= entry.window().map_or(0, |it| it.hashes.len());
        }
        self.kept.retain(|it| it.0 != *path);
    }

    /// Returns the newest version known before `batch`: what a call of that answer can rely on.
    ///
    /// A read of the same batch is not among them, since the model had not seen it when it asked
    /// for the write; the host's own writes are, whenever they were made (OL-3, DEC-2).
    pub fn version_before(&self, path: &WorkspacePath, batch: Batch) -> Option<Known> {
        self.seen.get(path)?.iter().rev().find_map(|entry| match &entry.source {
            Source::Read { batch: of, read } => (*of < batch).then_some(read.known),
            Source::OwnWrite { version } => Some(Known::Version(*version)),
        })
    }

    /// Returns whether `token` was printed by a read of `path` before `batch` (OL-10).
    pub fn issued(&self, path: &WorkspacePath, token: &str, batch: Batch) -> bool {
        let is_it = |it: &SeenRead| it.token.as_str() == token;
        self.reads_before(path, batch).any(|(_, read)| is_it(read))
    }

    /// Returns the lines of a target that the model was not shown as they are now, before `batch`
    /// and after the last write of the file (OL-4, OL-6).
    pub fn missing(
        &self,
        path: &WorkspacePath,
        batch: Batch,
        target: &EvidenceTarget,
    ) -> Vec<LineRange> {
        let windows: Vec<&SeenWindow> = self.eligible(path, batch).map(|it| it.1).collect();
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

    /// Returns the call whose result shows all of `lines` of this version, read before `batch` and
    /// after the last write of the file: the newest (RE-31, RE-32, RE-34).
    pub fn shown_by(
        &self,
        path: &WorkspacePath,
        batch: Batch,
        snapshot: Snapshot,
        lines: LineRange,
    ) -> Option<&ToolCallId> {
        let shows = |it: &SeenWindow| {
            it.snapshot == Some(snapshot) && it.first <= lines.start && lines.end <= it.lines().end
        };
        let newest = self.eligible(path, batch).rev().find(|(_, window)| shows(window));
        newest.map(|(call, _)| call)
    }

    /// Returns what was shown before `batch` and after the last write of the file, oldest first, with
    /// the call that shows it (OL-4).
    fn eligible(
        &self,
        path: &WorkspacePath,
        batch: Batch,
    ) -> impl DoubleEndedIterator<Item = (&ToolCallId, &SeenWindow)> {
        let after = self.last_write(path);
        self.reads_before(path, batch)
            .filter(move |(seq, _)| after < Some(*seq))
            .filter_map(|(_, read)| Some((&read.call, read.window.as_ref()?)))
    }

    fn reads_before(
        &self,
        path: &WorkspacePath,
        batch: Batch,
    ) -> impl DoubleEndedIterator<Item = (Sequence, &SeenRead)> {
        let entries = self.seen.get(path).map(Vec::as_slice).unwrap_or_default();
        entries.iter().filter_map(move |entry| match &entry.source {
            Source::Read { batch: of, read } if *of < batch => Some((entry.seq, read)),
            Source::Read { .. } | Source::OwnWrite { .. } => None,
        })
    }

    fn last_write(&self, path: &WorkspacePath) -> Option<Sequence> {
        let is_write = |it: &&Entry| matches!(it.source, Source::OwnWrite { .. });
        Some(self.seen.get(path)?.iter().rev().find(is_write)?.seq)
    }

    fn push(&mut self, path: WorkspacePath, source: Source) -> Sequence {
        self.last.0 += 1;
        self.seen.entry(path).or_default().push(Entry { seq: self.last, source });
        self.last
    }

    fn forget_oldest_lines(&mut self) {
        while self.most_lines < self.kept_lines {
            let Some((path, seq)) = self.kept.pop_front() else { break };
            let entries = self.seen.get_mut(&path).map(Vec::as_mut_slice).unwrap_or_default();
            let Some(entry) = entries.iter_mut().find(|it| it.seq == seq) else { continue };
            if let Source::Read { read, .. } = &mut entry.source {
                self.kept_lines -= read.window.take().map_or(0, |it| it.hashes.len());
            }
        }
    }
}

impl Entry {
    fn window(&self) -> Option<&SeenWindow> {
        match &self.source {
            Source::Read { read, .. } => read.window.as_ref(),
            Source::OwnWrite { .. } => None,
        }
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

fn lines_of(first: u32, hashes: &[LineHash]) -> LineRange {
    let count = u32::try_from(hashes.len()).unwrap_or(u32::MAX);
    LineRange::new(first, first.saturating_add(count))
}

#[cfg(test)]
mod tests;
