//! What the model was shown of each file, or wrote itself. No text is kept, only hashes (OL-1).

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
};

use protocol::{Fingerprint, LineRange, ReceiptId, ToolCallId, WorkspacePath};

use crate::read::source::{LineHash, Snapshot, WindowDigest};

mod coverage;
mod own_write;

pub use own_write::{OwnWrite, Splice, Written};

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
    Read { batch: Batch, known: Known, token: ReceiptId, call: ToolCallId },
    /// The host wrote it itself.
    OwnWrite { version: Version },
}

#[derive(Clone, Debug)]
struct Entry {
    seq: Sequence,
    source: Source,
    window: Option<SeenWindow>,
    /// The last write of the host that the window was carried over (DEC-2).
    carried: Option<Sequence>,
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
        let SeenRead { known, token, call, window } = read;
        let seq = self.next_sequence();
        self.push(path, (seq, Source::Read { batch, known, token, call }), window);
    }

    /// Drops what is known of a file whose write came to an unknown end.
    pub fn forget(&mut self, path: &WorkspacePath) {
        for entry in self.seen.remove(path).unwrap_or_default() {
            self.kept_lines -= entry.lines();
        }
        self.kept.retain(|it| it.0 != *path);
    }

    /// Returns the newest version known before `batch`: what a call of that answer can rely on.
    ///
    /// A read of the same batch is not among them, since the model had not seen it when it asked
    /// for the write; the host's own writes are, whenever they were made (OL-3, DEC-2).
    pub fn version_before(&self, path: &WorkspacePath, batch: Batch) -> Option<Known> {
        self.seen.get(path)?.iter().rev().find_map(|entry| match &entry.source {
            Source::Read { batch: of, known, .. } => (*of < batch).then_some(*known),
            Source::OwnWrite { version } => Some(Known::Version(*version)),
        })
    }

    /// Returns whether `token` was printed by a read of `path` in `since` or later, and before
    /// `batch` (OL-10).
    pub fn issued(
        &self,
        path: &WorkspacePath,
        token: &str,
        (since, batch): (Batch, Batch),
    ) -> bool {
        self.entries(path).any(|it| match &it.source {
            Source::Read { batch: of, token: printed, .. } => {
                since <= *of && *of < batch && printed.as_str() == token
            }
            Source::OwnWrite { .. } => false,
        })
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
        let after = self.last_write(path);
        let shows = |it: &SeenWindow| {
            it.snapshot == Some(snapshot) && it.first <= lines.start && lines.end <= it.lines().end
        };
        self.entries(path).rev().filter(|it| after < Some(it.seq)).find_map(|it| match &it.source {
            Source::Read { batch: of, call, .. } => {
                (*of < batch && it.window.as_ref().is_some_and(shows)).then_some(call)
            }
            Source::OwnWrite { .. } => None,
        })
    }

    fn entries(&self, path: &WorkspacePath) -> impl DoubleEndedIterator<Item = &Entry> {
        self.seen.get(path).map(Vec::as_slice).unwrap_or_default().iter()
    }

    fn last_write(&self, path: &WorkspacePath) -> Option<Sequence> {
        let is_write = |it: &&Entry| matches!(it.source, Source::OwnWrite { .. });
        self.entries(path).rev().find(is_write).map(|it| it.seq)
    }

    fn next_sequence(&mut self) -> Sequence {
        self.last.0 += 1;
        self.last
    }

    fn push(
        &mut self,
        path: WorkspacePath,
        (seq, source): (Sequence, Source),
        window: Option<SeenWindow>,
    ) {
        let entry = Entry { seq, source, window, carried: None };
        let lines = entry.lines();
        if 0 < lines {
            self.kept.push_back((path.clone(), entry.seq));
            self.kept_lines += lines;
        }
        self.seen.entry(path).or_default().push(entry);
        self.forget_oldest_lines();
    }

    fn forget_oldest_lines(&mut self) {
        while self.most_lines < self.kept_lines {
            let Some((path, seq)) = self.kept.pop_front() else { break };
            let entries = self.seen.get_mut(&path).map(Vec::as_mut_slice).unwrap_or_default();
            let has_lines = |it: &&mut Entry| it.seq == seq && it.window.is_some();
            if let Some(entry) = entries.iter_mut().find(has_lines) {
                self.kept_lines -= entry.lines();
                entry.window = None;
            }
        }
    }
}

impl Entry {
    /// Returns how many lines' hashes it keeps.
    fn lines(&self) -> usize {
        self.window.as_ref().map_or(0, |it| it.hashes.len())
    }

    /// Returns whether a call of `batch` can rely on it: what it read in the same answer it had not
    /// seen when it asked (OL-3); what the host wrote for it, it had.
    fn counts_in(&self, batch: Batch) -> bool {
        match self.source {
            Source::Read { batch: of, .. } => of < batch,
            Source::OwnWrite { .. } => true,
        }
    }
}

fn lines_of(first: u32, hashes: &[LineHash]) -> LineRange {
    let count = u32::try_from(hashes.len()).unwrap_or(u32::MAX);
    LineRange::new(first, first.saturating_add(count))
}

#[cfg(test)]
mod tests;
