//! One logical read: what is wanted of a file, what came, and what it has cost (RC-4 to RC-14).

use std::time::Duration;

use protocol::{
    Limits, LineRange, PartialRead, READ_PROTOCOL, ReadId, ReadIntent, ReadRecovery, ReadState,
    ReadStatus, ReadStopCode, ReadVerdict, WorkspacePath,
};

use super::{
    budget::Room,
    cursor::Cursor,
    ranges::Ranges,
    source::Snapshot,
    state::{self, Fact},
};

/// What bounds a read. The numbers are the host's [`protocol::Limits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Pages of one read of a whole file.
    pub pages: u32,
    /// The time that those took.
    pub time: Duration,
    /// Pages without a new line before another course is proposed, and after that.
    pub stalls: u32,
    /// Lines of a page.
    pub page_lines: u32,
    /// Ranges that a status or a record names.
    pub ranges: usize,
    /// Reads that a record names.
    pub reads: usize,
}

impl Bounds {
    /// Returns those of the host.
    pub fn of(limits: &Limits) -> Self {
        Self {
            pages: limits.read_pages,
            time: limits.read_time,
            stalls: limits.read_stalls,
            page_lines: limits.page_lines,
            ranges: limits.read_ranges as usize,
            reads: limits.paused_reads as usize,
        }
    }
}

/// What a page came to: what the model got of it, and what the host knows of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The version that the page is of; missing where it could not be told.
    pub snapshot: Option<Snapshot>,
    /// The lines that the model got whole (RE-13).
    pub lines: LineRange,
    /// The page reached the end of the file, and the model got all of it.
    pub eof: bool,
    /// The number of lines, where it is certain.
    pub source_end: Option<u32>,
    pub has_more: bool,
    /// What reading it took, without waiting for the model.
    pub took: Duration,
    /// What is left for a read that goes on.
    pub room: Room,
}

/// Another course, once in a read: the exact lines to read next (RC-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pivot {
    pub next: LineRange,
}

/// One read of a file, over all its pages.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) id: ReadId,
    pub(crate) path: WorkspacePath,
    pub(crate) shown: String,
    pub(crate) intent: ReadIntent,
    pub(crate) state: ReadState,
    pub(crate) generation: u32,
    pub(crate) snapshot: Option<Snapshot>,
    /// The lines that are wanted, where it is not the whole file.
    pub(crate) asked: Ranges,
    pub(crate) covered: Ranges,
    /// Pages of this version that came.
    delivered: u32,
    saw_eof: bool,
    source_end: Option<u32>,
    has_more: bool,
    /// These two count on over versions (RC-11).
    pub(crate) pages: u32,
    active: Duration,
    stagnant: u32,
    /// Whether the other course was proposed, and after how many pages without a new line.
    pivoted: Option<u32>,
    pub(crate) stop: Option<ReadStopCode>,
    /// What came may not be what is there: the host wrote the file, or saw that it was gone.
    pub(crate) is_outdated: bool,
    /// The one cursor that is accepted.
    pub(crate) issued: Option<Cursor>,
    /// The pages that had come when the model was last told to go on.
    pub(crate) hinted: Option<u32>,
}

impl Task {
    pub(crate) fn new(id: ReadId, path: WorkspacePath, shown: String) -> Self {
        Self {
            id,
            path,
            shown,
            intent: ReadIntent::Inspect,
            state: ReadState::Created,
            generation: 0,
            snapshot: None,
            asked: Ranges::default(),
            covered: Ranges::default(),
            delivered: 0,
            saw_eof: false,
            source_end: None,
            has_more: false,
            pages: 0,
            active: Duration::ZERO,
            stagnant: 0,
            pivoted: None,
            stop: None,
            is_outdated: false,
            issued: None,
            hinted: None,
        }
    }

    /// Adds to what is wanted. It never takes anything away (RE-4).
    pub(crate) fn want(&mut self, intent: ReadIntent, lines: Option<LineRange>) {
        self.intent = self.intent.max(intent);
        if let Some(lines) = lines {
            self.asked.insert(lines);
        }
    }

    /// Returns whether a wish asks for more than was met.
    pub(crate) fn is_wider(&self, intent: ReadIntent, lines: Option<LineRange>) -> bool {
        let is_whole = self.covers_whole();
        match intent {
            ReadIntent::Full => !is_whole,
            ReadIntent::Range => lines.is_some_and(|lines| {
                let known = self.source_end.filter(|_| self.saw_eof).unwrap_or(u32::MAX);
                let lines = LineRange::new(lines.start, lines.end.min(known));
                !is_whole && !self.covered.covers(lines)
            }),
            ReadIntent::Inspect => false,
        }
    }

    /// Returns whether it is over: nothing of it is open.
    pub(crate) fn is_over(&self) -> bool {
        state::is_over(self.state)
    }

    /// Returns whether it waits for somebody to narrow it, or for the user.
    pub(crate) fn is_paused(&self) -> bool {
        matches!(self.state, ReadState::Blocked | ReadState::NeedsScope)
    }

    /// Returns whether its pages are to be joined, or were.
    pub(crate) fn needs_version(&self) -> bool {
        self.intent == ReadIntent::Full || self.snapshot.is_some()
    }

    /// Returns whether the whole file is wanted, and did not come.
    pub(crate) fn owes_whole(&self) -> bool {
        self.intent == ReadIntent::Full && !self.is_over()
    }

    /// Returns the first line of this version that did not come.
    pub(crate) fn unread_start(&self) -> u32 {
        if self.snapshot.is_none() {
            return 0;
        }
        self.covered.as_slice().first().filter(|it| it.start == 0).map_or(0, |it| it.end)
    }

    pub(crate) fn was_delivered(&self) -> bool {
        0 < self.delivered
    }

    /// Moves on, where the fact can be true; else nothing changes (RC-26).
    pub(crate) fn mark(&mut self, fact: Fact) {
        match state::next(self.state, fact) {
            Ok(state) => self.state = state,
            Err(error) => tracing::error!(%error, "a read was told what cannot be"),
        }
    }

    /// Forgets what came of a version that is gone. Its cost counts on (RC-7, RC-11).
    pub(crate) fn begin_version(&mut self, snapshot: Option<Snapshot>) {
        self.generation = self.generation.saturating_add(1);
        self.snapshot = snapshot;
        self.covered = Ranges::default();
        self.delivered = 0;
        self.saw_eof = false;
        self.source_end = None;
        self.has_more = false;
        self.is_outdated = false;
        self.issued = None;
    }

    /// Takes in a page of the version that this read is at; returns the other course, if it is time
    /// for one.
    pub(crate) fn take(&mut self, delivery: &Delivery, bounds: &Bounds) -> Option<Pivot> {
        self.mark(Fact::Recorded);
        self.delivered += 1;
        self.snapshot = delivery.snapshot;
        self.saw_eof |= delivery.eof;
        self.source_end = delivery.source_end.or(self.source_end);
        self.has_more = delivery.has_more;
        let fresh = self.covered.insert(delivery.lines);
        self.count(fresh);
        if self.intent == ReadIntent::Full {
            self.pages += 1;
            self.active += delivery.took;
        }
        if self.is_met() {
            self.stop = None;
            self.issued = None;
            self.mark(Fact::Met);
            return None;
        }
        let pivot = self.pivot(bounds);
        if let Some(code) = self.bound_reached(bounds) {
            self.stop = Some(code);
            self.mark(Fact::BoundReached);
            return None;
        }
        if let Some(code) = self.scope_needed(delivery) {
            self.stop = Some(code);
            self.mark(Fact::NeedsScope);
            return None;
        }
        self.stop = None;
        self.mark(Fact::Missing);
        pivot
    }

    /// Counts something that brought so many new lines (RC-15).
    pub(crate) fn count(&mut self, fresh: u32) {
        if fresh == 0 {
            self.stagnant = self.stagnant.saturating_add(1);
        } else {
            self.stagnant = 0;
            self.pivoted = self.pivoted.map(|_| 0);
        }
    }

    fn pivot(&mut self, bounds: &Bounds) -> Option<Pivot> {
        if self.pivoted.is_some() || self.stagnant < bounds.stalls {
            return None;
        }
        self.pivoted = Some(self.stagnant);
        Some(Pivot { next: self.next_page(bounds.page_lines)? })
    }

    fn bound_reached(&self, bounds: &Bounds) -> Option<ReadStopCode> {
        if self.intent == ReadIntent::Full && bounds.pages <= self.pages {
            return Some(ReadStopCode::PageBudget);
        }
        if self.intent == ReadIntent::Full && bounds.time <= self.active {
            return Some(ReadStopCode::TimeBudget);
        }
        let since = self.pivoted.map_or(0, |it| self.stagnant.saturating_sub(it));
        (bounds.stalls <= since).then_some(ReadStopCode::NoProgress)
    }

    fn scope_needed(&self, delivery: &Delivery) -> Option<ReadStopCode> {
        if self.intent != ReadIntent::Full {
            return None;
        }
        if self.snapshot.is_none() {
            return Some(ReadStopCode::UnversionedSource);
        }
        delivery.room.page_tokens().err()
    }

    fn is_met(&self) -> bool {
        match self.intent {
            ReadIntent::Inspect => true,
            ReadIntent::Range => {
                self.covered.missing_of(&self.asked).is_empty()
                    || self.known_end().is_some_and(|end| {
                        self.covered.missing_of(&self.asked.before(end)).is_empty()
                    })
            }
            ReadIntent::Full => self.covers_whole(),
        }
    }

    /// A lone end proves nothing: it must be known how many lines there are (RC-5, RC-6).
    fn covers_whole(&self) -> bool {
        self.known_end().is_some_and(|end| self.covered.covers(LineRange::new(0, end)))
    }

    fn known_end(&self) -> Option<u32> {
        self.source_end.filter(|_| self.saw_eof)
    }

    /// Returns what is wanted and did not come; nothing where that is not known.
    pub(crate) fn missing(&self) -> Ranges {
        match self.intent {
            ReadIntent::Inspect => Ranges::default(),
            ReadIntent::Range => {
                self.covered.missing_of(&self.asked.before(self.source_end.unwrap_or(u32::MAX)))
            }
            ReadIntent::Full => {
                let all = Ranges::of(LineRange::new(0, self.source_end.unwrap_or(0)));
                self.covered.missing_of(&all)
            }
        }
    }

    /// Returns the lines that a cursor goes on with: the first that are missing. Where it is not known
    /// how many there are, those are all from the first that did not come (RE-13).
    pub(crate) fn rest(&self) -> Option<LineRange> {
        let is_endless = self.intent == ReadIntent::Full && self.source_end.is_none();
        let endless = is_endless.then(|| LineRange::new(self.unread_start(), u32::MAX));
        self.missing().as_slice().first().copied().or(endless)
    }

    /// Returns the lines to read next: the first that are missing, and a page of them at most.
    pub(crate) fn next_page(&self, page_lines: u32) -> Option<LineRange> {
        let missing = self.missing();
        let first = missing.as_slice().first()?;
        Some(LineRange::new(first.start, first.end.min(first.start.saturating_add(page_lines))))
    }

    pub(crate) fn status(&self, seq: u32, active: bool, bounds: &Bounds) -> ReadStatus {
        let verdict = match self.state {
            ReadState::Blocked | ReadState::NeedsScope => Some(ReadVerdict::ReadHardStop),
            ReadState::Satisfied if self.intent != ReadIntent::Full && !self.covers_whole() => {
                Some(ReadVerdict::PartialReadSufficient)
            }
            ReadState::Satisfied | ReadState::Cancelled => None,
            ReadState::Created
            | ReadState::Fetching
            | ReadState::Delivered
            | ReadState::NeedsMore
            | ReadState::Stale => {
                (self.intent == ReadIntent::Full).then_some(ReadVerdict::FullReadPending)
            }
        };
        let is_paused = self.is_paused() || (!active && self.owes_whole());
        let next = self.next_page(bounds.page_lines).filter(|_| is_paused);
        ReadStatus {
            version: READ_PROTOCOL,
            read_id: self.id.clone(),
            generation: self.generation,
            seq,
            path: self.shown.clone(),
            intent: self.intent,
            state: self.state,
            verdict,
            covered: self.covered.first(bounds.ranges),
            missing: self.missing().first(bounds.ranges),
            source_end: self.source_end,
            has_more: self.has_more,
            reason: self.stop,
            recovery: next.map(|it| ReadRecovery { offset: it.start, limit: it.len() }),
            active: active && !self.is_over() && !self.is_paused(),
        }
    }

    pub(crate) fn partial(&self, bounds: &Bounds) -> PartialRead {
        PartialRead {
            read_id: self.id.clone(),
            path: self.shown.clone(),
            snapshot: self.snapshot.map(|it| it.to_string()),
            intent: self.intent,
            covered: self.covered.first(bounds.ranges),
            missing: self.missing().first(bounds.ranges),
            reason: self.stop,
            source_end: self.source_end,
        }
    }

    /// Returns whether it was met by a part of the file (RC-23).
    pub(crate) fn is_partial(&self) -> bool {
        self.state == ReadState::Satisfied && !self.covers_whole()
    }
}

#[cfg(test)]
mod tests;
