//! One index of what was read: what is met, what is owed, what stands before the model already, and
//! what may be written are four questions to it (DEC-4, RE-36).

use std::time::Duration;

use protocol::{LineRange, ReceiptId, SessionId, ToolCallId, TurnId, WorkspacePath};

use crate::{
    gate::{self, Evidence, EvidenceMode, Verdict, WriteRequest},
    observation::{
        Batch, Known, ObservationLedger, OwnWrite, SeenRead, SeenWindow, TargetPart, Version,
    },
    read::{
        budget::Room,
        coordinator::{Fetch, Progress, ReadAsk, ReadCoordinator, ReadRefusal},
        cursor::Binding,
        shown,
        source::{LineHash, Snapshot, WindowDigest},
        task::{Bounds, Delivery},
    },
};

/// A page as it was read, before it is known what of it the model gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSeen<'a> {
    pub path: WorkspacePath,
    pub known: Known,
    /// The version that the page is of; missing where it could not be told.
    pub snapshot: Option<Snapshot>,
    /// The first line, counted from 0.
    pub first: u32,
    /// Every line of the page, without its end.
    pub lines: &'a [&'a str],
    /// The page reaches the end of the file.
    pub eof: bool,
    /// The number of lines of the file, where it is certain.
    pub source_end: Option<u32>,
    /// What reading it took.
    pub took: Duration,
    /// What is left for a read that goes on.
    pub room: Room,
}

impl PageSeen<'_> {
    /// Returns whether the model gets less than the page.
    fn is_cut(&self, shown: u32) -> bool {
        (shown as usize) < self.lines.len()
    }

    /// Returns what the page comes to where the model has its first `shown` lines. Where it was cut,
    /// its end is not known to the model, and proves nothing (RE-13).
    fn delivery(&self, shown: u32) -> Delivery {
        let is_cut = self.is_cut(shown);
        Delivery {
            snapshot: self.snapshot,
            lines: LineRange::new(self.first, self.first.saturating_add(shown)),
            eof: self.eof && !is_cut,
            source_end: self.source_end.filter(|_| !is_cut),
            has_more: is_cut || !self.eof,
            took: self.took,
            room: self.room,
        }
    }
}

/// What the index knows after a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub progress: Progress,
    /// The lines that the model got whole.
    pub lines: LineRange,
    /// What exactly they are.
    pub digest: WindowDigest,
    /// Whether something between the host and the model cut the page.
    pub is_cut: bool,
}

/// What a session read and wrote, and what its running turn still has to read.
#[derive(Debug)]
pub struct EvidenceIndex {
    seen: ObservationLedger,
    reads: ReadCoordinator,
    batch: Batch,
    /// The first answer of the turn.
    turn: Batch,
    mode: EvidenceMode,
    session: SessionId,
    bounds: Bounds,
}

impl EvidenceIndex {
    /// Begins with nothing read. Of the oldest pages the lines are forgotten once there are more
    /// than `most_lines`.
    pub fn new(session: SessionId, bounds: Bounds, most_lines: u32) -> Self {
        let nobody = Binding::of([0; 4]);
        Self {
            seen: ObservationLedger::new(most_lines),
            reads: ReadCoordinator::new(session.clone(), TurnId::default(), nobody, bounds),
            batch: Batch::default(),
            turn: Batch::default(),
            mode: EvidenceMode::default(),
            session,
            bounds,
        }
    }

    /// Begins a turn: what was read before is known (DEC-13), and no cursor or token of it is accepted
    /// (RE-25, OL-11).
    pub fn begin_turn(&mut self, turn: TurnId, binding: Binding, mode: EvidenceMode) {
        (self.turn, self.mode) = (self.batch.next(), mode);
        self.reads = ReadCoordinator::new(self.session.clone(), turn, binding, self.bounds);
    }

    /// Begins the calls of the model's next answer: they can rely on what came before it (OL-3).
    pub fn begin_batch(&mut self) {
        self.batch = self.batch.next();
    }

    /// Returns the reads of the turn.
    pub fn reads(&mut self) -> &mut ReadCoordinator {
        &mut self.reads
    }

    /// Lets a call read, or says why not.
    ///
    /// # Errors
    ///
    /// [`ReadRefusal`].
    pub fn admit(&mut self, ask: ReadAsk) -> Result<Fetch, ReadRefusal> {
        self.reads.admit(ask)
    }

    /// Records a page, as far as `text` shows it to the model (RE-13).
    pub fn delivered(
        &mut self,
        fetch: &Fetch,
        (call, token): (ToolCallId, ReceiptId),
        page: &PageSeen<'_>,
        text: &str,
    ) -> Recorded {
        let shown = shown::lines_shown(text, page.first, page.lines);
        let hashes = page.lines.iter().take(shown as usize).map(|it| LineHash::of(it)).collect();
        let window = SeenWindow { first: page.first, hashes, snapshot: page.snapshot };
        let (lines, digest) = (window.lines(), window.digest(&page.path));
        let read = SeenRead { known: page.known, token, call, window: Some(window) };
        self.seen.delivered(self.batch, page.path.clone(), read);
        let progress = self.reads.delivered(fetch, &page.delivery(shown));
        Recorded { progress, lines, digest, is_cut: page.is_cut(shown) }
    }

    /// Records a page that was read again and is not shown again, since an earlier result shows it
    /// and stands before the model: nothing is delivered, and what was asked for is there (RE-32).
    pub fn referred(
        &mut self,
        fetch: &Fetch,
        (call, token): (ToolCallId, ReceiptId),
        page: &PageSeen<'_>,
    ) -> Recorded {
        let read = SeenRead { known: page.known, token, call, window: None };
        self.seen.delivered(self.batch, page.path.clone(), read);
        let all = u32::try_from(page.lines.len()).unwrap_or(u32::MAX);
        let progress = self.reads.delivered(fetch, &page.delivery(all));
        let digest = WindowDigest::of(&page.path, page.first, &[]);
        let lines = LineRange::new(page.first, page.first);
        Recorded { progress, lines, digest, is_cut: false }
    }

    /// Records that nothing is at a path, and that this was confirmed by a read (OL-9).
    pub fn absent(&mut self, path: WorkspacePath, call: ToolCallId, token: ReceiptId) {
        let known = Known::Version(Version::Absent);
        self.reads.outdate(&path);
        self.seen.delivered(self.batch, path, SeenRead { known, token, call, window: None });
    }

    /// Records what the host's own write left (WB-39).
    pub fn written(&mut self, path: WorkspacePath, write: OwnWrite) {
        self.reads.outdate(&path);
        self.seen.written(path, self.batch, write);
    }

    /// Drops what is known of a file whose write came to an unknown end.
    pub fn forget(&mut self, path: &WorkspacePath) {
        self.seen.forget(path);
        self.reads.outdate(path);
    }

    /// Decides whether a write may happen.
    pub fn check_write(&self, request: WriteRequest) -> Verdict {
        let Self { seen, batch, turn, mode, .. } = self;
        let evidence = Evidence { seen, batch: *batch, turn: *turn, mode: *mode };
        let mut verdict = gate::check_write(evidence, request);
        if let Verdict::Refuse(refusal) = &mut verdict {
            refusal.required_ranges.truncate(self.bounds.ranges);
        }
        verdict
    }

    /// Returns where a file has changed since it was shown, beside a part that was known; `now` are all
    /// of its lines.
    pub fn changed_beside(
        &self,
        path: &WorkspacePath,
        part: &TargetPart,
        now: &[LineHash],
    ) -> Vec<LineRange> {
        self.seen.changed_beside(path, self.batch, part, now)
    }

    /// Returns whether all that was asked of this version was delivered (RE-35).
    pub fn is_satisfied(&self, path: &WorkspacePath, snapshot: Snapshot) -> bool {
        self.reads.is_satisfied(path, snapshot)
    }

    /// Returns the call whose result shows all these lines of this version, as far as the ledger
    /// knows; whether that result still stands in the request is not known here (RE-31).
    pub fn shown_by(
        &self,
        path: &WorkspacePath,
        snapshot: Snapshot,
        lines: LineRange,
    ) -> Option<&ToolCallId> {
        self.seen.shown_by(path, self.batch, snapshot, lines)
    }
}

#[cfg(test)]
mod tests;
