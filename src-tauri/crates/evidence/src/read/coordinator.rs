//! Every read of a turn: what may be read, what a page came to, and what is still owed. Nothing is
//! held by it but the end of a turn that was told to read a whole file (OG-7, RC-18).

use protocol::{
    LineRange, PartialRead, ReadId, ReadIntent, ReadRecovery, ReadState, ReadStatus, ReadStopCode,
    SessionId, StoppedRead, TurnId, WorkspacePath,
};

use super::{
    cursor::{Binding, Cursor, Token},
    source::Snapshot,
    state::Fact,
    task::{Bounds, Delivery, Pivot, Task},
};

/// What a call asks for. Arguments that exclude one another were turned away before (RE-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAsk {
    pub path: WorkspacePath,
    /// The path as a person sees it.
    pub shown: String,
    pub intent: Option<ReadIntent>,
    pub offset: Option<u32>,
    pub limit: Option<u32>,
    pub cursor: Option<String>,
}

/// A page that may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    pub read: ReadId,
    /// What this call is for, once its arguments are settled (RE-2).
    pub intent: ReadIntent,
    pub offset: u32,
    /// As many as a page has where it is missing.
    pub limit: Option<u32>,
    /// The version that it must be; missing where any is right.
    pub must_be: Option<Snapshot>,
    /// Whether the page is cut to the room that the model's context has (RE-15).
    pub is_budgeted: bool,
    /// Whether it belongs to a read of the whole file.
    pub is_of_whole: bool,
    /// Whether its version must be told, whatever that costs: its pages are to be joined (SI-6).
    pub needs_version: bool,
    generation: u32,
    before: ReadState,
    /// It repeats what was met: its page changes nothing (RC-8).
    is_repeat: bool,
    wanted: Option<LineRange>,
}

impl Fetch {
    /// Returns a page of a read as that stands, of whatever version.
    fn of(
        task: &Task,
        offset: u32,
        limit: Option<u32>,
        (intent, wanted): (ReadIntent, Option<LineRange>),
    ) -> Self {
        Self {
            read: task.id.clone(),
            intent,
            offset,
            limit,
            must_be: None,
            is_budgeted: intent == ReadIntent::Full,
            is_of_whole: task.intent == ReadIntent::Full,
            needs_version: task.needs_version(),
            generation: task.generation,
            before: task.state,
            is_repeat: false,
            wanted,
        }
    }
}

/// Why a page may not be read, and what may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadRefusal {
    /// The cursor is not the one that was issued last for this file in this turn (RE-23).
    CursorInvalid,
    /// The read of this file is paused; named lines of it can be read (RC-19).
    Paused { code: ReadStopCode, recovery: Option<ReadRecovery> },
}

/// What a page came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Where the read stands, for whoever watches; nothing for a page that was all that was asked.
    pub statuses: Vec<ReadStatus>,
    /// What goes on with it, where the host will have it read on (RE-21).
    pub cursor: Option<String>,
    pub pivot: Option<Pivot>,
    pub stop: Option<ReadStopCode>,
}

/// What the model is told when it would end while a whole file is owed (RC-20).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    pub shown: String,
    pub snapshot: Snapshot,
    pub cursor: String,
    pub missing: Vec<LineRange>,
}

/// The reads of one turn (RC-2).
#[derive(Clone, Debug)]
pub struct ReadCoordinator {
    session: SessionId,
    turn: TurnId,
    binding: Binding,
    bounds: Bounds,
    tasks: Vec<Task>,
    seq: u32,
}

impl ReadCoordinator {
    /// Begins a turn without reads. A cursor of another turn or process is none here (RE-25).
    pub fn new(session: SessionId, turn: TurnId, binding: Binding, bounds: Bounds) -> Self {
        Self { session, turn, binding, bounds, tasks: Vec::new(), seq: 0 }
    }

    /// Lets a call read, or says why not, and what it may do instead.
    ///
    /// # Errors
    ///
    /// [`ReadRefusal`].
    pub fn admit(&mut self, ask: ReadAsk) -> Result<Fetch, ReadRefusal> {
        let at = self
            .tasks
            .iter()
            .position(|it| it.path == ask.path && it.state != ReadState::Cancelled);
        if let Some(text) = &ask.cursor {
            return self.admit_cursor(at, text);
        }
        let (intent, wanted) = self.wish(&ask);
        let Some(at) = at else {
            let number = self.tasks.len();
            let id = ReadId::minted(format!("read{}-{number}", self.turn));
            let mut task = Task::new(id, ask.path, ask.shown);
            task.want(intent, wanted);
            self.tasks.push(task);
            return Ok(self.fetch(number, ask.offset.unwrap_or(0), ask.limit, (intent, wanted)));
        };
        let task = &mut self.tasks[at];
        if let Some(code) = task.stop.filter(|_| task.is_paused() && ask.limit.is_none()) {
            return Err(ReadRefusal::Paused { code, recovery: recovery(task, &self.bounds) });
        }
        if task.state == ReadState::Satisfied {
            if !task.is_wider(intent, wanted) {
                let offset = ask.offset.unwrap_or(0);
                let fetch = Fetch::of(task, offset, ask.limit, (intent, wanted));
                return Ok(Fetch { is_repeat: true, ..fetch });
            }
            // It keeps its coverage, and asks for what is missing (RE-26).
            task.generation = task.generation.saturating_add(1);
        }
        task.want(intent, wanted);
        // Of a whole file, what came already is not asked for again (RE-26).
        let start = if intent == ReadIntent::Full { self.tasks[at].unread_start() } else { 0 };
        Ok(self.fetch(at, ask.offset.unwrap_or(start), ask.limit, (intent, wanted)))
    }

    fn admit_cursor(&mut self, at: Option<usize>, text: &str) -> Result<Fetch, ReadRefusal> {
        let at = at.ok_or(ReadRefusal::CursorInvalid)?;
        let task = &mut self.tasks[at];
        let is_it = |it: &Token, issued: &Cursor| it.is(issued, &self.binding);
        let token = Token::parse(text);
        let issued = token.zip(task.issued.as_ref()).filter(|(token, it)| is_it(token, it));
        let Some((_, cursor)) = issued else {
            // A call that is turned away is no progress either (RC-15).
            task.count(0);
            return Err(ReadRefusal::CursorInvalid);
        };
        if let Some(code) = task.stop.filter(|_| task.is_paused()) {
            return Err(ReadRefusal::Paused { code, recovery: recovery(task, &self.bounds) });
        }
        let (next, snapshot, intent) = (cursor.next, cursor.snapshot, task.intent);
        let limit = next.len().min(self.bounds.page_lines);
        let fetch = self.fetch(at, next.start, Some(limit), (intent, None));
        Ok(Fetch { must_be: Some(snapshot), is_budgeted: true, ..fetch })
    }

    fn fetch(
        &mut self,
        at: usize,
        offset: u32,
        limit: Option<u32>,
        (intent, wanted): (ReadIntent, Option<LineRange>),
    ) -> Fetch {
        let task = &mut self.tasks[at];
        let fetch = Fetch::of(task, offset, limit, (intent, wanted));
        let is_met = task.state == ReadState::Satisfied;
        task.mark(if is_met { Fact::WantedAnew } else { Fact::Admitted });
        fetch
    }

    /// Settles what a call is for (RE-2).
    fn wish(&self, ask: &ReadAsk) -> (ReadIntent, Option<LineRange>) {
        let has_window = ask.offset.is_some() || ask.limit.is_some();
        let intent =
            ask.intent.unwrap_or(if has_window { ReadIntent::Range } else { ReadIntent::Inspect });
        let start = ask.offset.unwrap_or(0);
        let lines = ask.limit.unwrap_or(self.bounds.page_lines);
        let named = LineRange::new(start, start.saturating_add(lines));
        (intent, (intent == ReadIntent::Range).then_some(named))
    }

    /// Says that a page is being read.
    pub fn began(&mut self, fetch: &Fetch) -> Option<ReadStatus> {
        let at = self.open(fetch)?;
        self.shown_status(at)
    }

    /// Takes in what a page came to. What comes late changes nothing (RC-8).
    pub fn delivered(&mut self, fetch: &Fetch, delivery: &Delivery) -> Progress {
        let mut progress = Progress::default();
        let Some(at) = self.of(fetch) else { return progress };
        let task = &mut self.tasks[at];
        let is_other = task.was_delivered()
            && (task.is_outdated
                || delivery.snapshot.is_none()
                || task.snapshot != delivery.snapshot);
        if fetch.is_repeat {
            if !is_other {
                return progress;
            }
            // What was met was met by another version. Of this one, no more is owed than was asked now.
            task.mark(Fact::WantedAnew);
            task.begin_version(delivery.snapshot);
            (task.intent, task.asked) = (ReadIntent::Inspect, Default::default());
            task.want(fetch.intent, fetch.wanted);
        } else if is_other {
            task.mark(Fact::OtherVersion);
            task.begin_version(delivery.snapshot);
            if delivery.snapshot.is_none() && task.intent != ReadIntent::Full {
                // Pages without a version are never joined (OL-5).
                task.asked = Default::default();
                task.want(fetch.intent, fetch.wanted);
            }
            progress.statuses.extend(self.shown_status(at));
            self.tasks[at].mark(Fact::Admitted);
        }
        let task = &mut self.tasks[at];
        progress.pivot = task.take(delivery, &self.bounds);
        progress.stop = task.stop;
        progress.cursor = self.issue(at);
        progress.statuses.extend(self.shown_status(at));
        progress
    }

    /// Takes in that a page could not be read. It counts as no progress (RC-15); a read of which
    /// nothing ever came was none.
    pub fn failed(&mut self, fetch: &Fetch) -> Option<ReadStatus> {
        let at = self.open(fetch)?;
        let task = &mut self.tasks[at];
        task.mark(Fact::Failed { before: fetch.before });
        task.count(0);
        if task.was_delivered() || task.state != ReadState::Created {
            return self.shown_status(at);
        }
        task.mark(Fact::Cancelled);
        self.shown_status(at)
    }

    /// Takes in that the file is not the version that a cursor was bound to (RE-24).
    pub fn changed(&mut self, fetch: &Fetch) -> Option<ReadStatus> {
        let at = self.open(fetch)?;
        let task = &mut self.tasks[at];
        task.mark(Fact::OtherVersion);
        task.begin_version(None);
        self.shown_status(at)
    }

    /// Ends a read that the user stops; nothing if it is over (RC-25).
    pub fn stop(&mut self, read: &ReadId) -> Option<(ReadStatus, StoppedRead)> {
        let at = self.tasks.iter().position(|it| it.id == *read && !it.is_over())?;
        let task = &mut self.tasks[at];
        let missing = task.missing().first(self.bounds.ranges);
        let stopped = StoppedRead { path: task.shown.clone(), missing };
        task.mark(Fact::Cancelled);
        task.issued = None;
        Some((self.status(at, true), stopped))
    }

    /// Returns what the model is told instead of ending, where it can go on with a whole file that
    /// it owes; once for each page that came. A read that was stopped comes first: then the turn
    /// ends (RC-18, RC-20).
    pub fn hint(&mut self) -> (Option<Hint>, Vec<ReadStatus>) {
        if self.tasks.iter().any(Task::is_paused) {
            return (None, Vec::new());
        }
        let Some(at) = self.tasks.iter().position(Task::owes_whole) else {
            return (None, Vec::new());
        };
        let task = &mut self.tasks[at];
        let Some(cursor) = task.issued.clone() else {
            task.stop = Some(ReadStopCode::NoCursor);
            task.mark(Fact::NeedsScope);
            return (None, self.shown_status(at).into_iter().collect());
        };
        if task.hinted == Some(task.pages) {
            return (None, Vec::new());
        }
        task.hinted = Some(task.pages);
        task.count(0);
        let mut missing = task.missing().first(self.bounds.ranges);
        if missing.is_empty() {
            // It is not known how many lines there are, so those of the next page are named.
            let LineRange { start, end } = cursor.next;
            let page_end = start.saturating_add(self.bounds.page_lines);
            missing.push(LineRange::new(start, end.min(page_end)));
        }
        let hint = Hint {
            shown: task.shown.clone(),
            snapshot: cursor.snapshot,
            cursor: cursor.token(&self.binding),
            missing,
        };
        (Some(hint), Vec::new())
    }

    /// Returns the reads that keep the turn from being complete, and how many more there are; nothing
    /// where there are none (RC-21, RC-22).
    pub fn unfinished(&self) -> Option<(Vec<PartialRead>, u32)> {
        self.named(|it| it.owes_whole() || it.is_paused())
    }

    /// Returns the reads that were met by a part of their file, and how many more there are; nothing
    /// where there are none (RC-23).
    pub fn partial(&self) -> Option<(Vec<PartialRead>, u32)> {
        self.named(Task::is_partial)
    }

    fn named(&self, is_it: impl Fn(&Task) -> bool) -> Option<(Vec<PartialRead>, u32)> {
        let all: Vec<&Task> = self.tasks.iter().filter(|it| is_it(it)).collect();
        let named = all.iter().take(self.bounds.reads).map(|it| it.partial(&self.bounds)).collect();
        let omitted =
            u32::try_from(all.len().saturating_sub(self.bounds.reads)).unwrap_or(u32::MAX);
        (!all.is_empty()).then_some((named, omitted))
    }

    /// Ends the turn: what is open stands as it is, and goes on by a message of the user's; where the
    /// turn was stopped it is cancelled (RS-8).
    pub fn end(&mut self, is_stopped: bool) -> Vec<ReadStatus> {
        let mut statuses = Vec::new();
        for at in 0..self.tasks.len() {
            let task = &mut self.tasks[at];
            if task.is_over() {
                continue;
            }
            if is_stopped {
                task.mark(Fact::Cancelled);
            }
            if is_watched(&self.tasks[at]) {
                statuses.push(self.status(at, false));
            }
            self.tasks[at].issued = None;
        }
        statuses
    }

    /// Returns whether all that was asked of a version of a file was delivered (RE-35).
    pub fn is_satisfied(&self, path: &WorkspacePath, snapshot: Snapshot) -> bool {
        let is_it = |it: &Task| it.path == *path && it.snapshot == Some(snapshot);
        let is_met = |it: &Task| it.state == ReadState::Satisfied && !it.is_outdated;
        self.tasks.iter().any(|it| is_it(it) && is_met(it))
    }

    /// Takes in that a file was written, is gone, or was lost track of: what was read of it does not
    /// speak for what is there, until a page says that it does.
    pub fn outdate(&mut self, path: &WorkspacePath) {
        self.tasks.iter_mut().filter(|it| it.path == *path).for_each(|it| it.is_outdated = true);
    }

    /// Returns the read that a page belongs to, unless it went on without it.
    fn of(&self, fetch: &Fetch) -> Option<usize> {
        self.tasks.iter().position(|it| {
            it.id == fetch.read
                && it.generation == fetch.generation
                && (fetch.is_repeat || it.state == ReadState::Fetching)
                && it.state != ReadState::Cancelled
        })
    }

    fn open(&self, fetch: &Fetch) -> Option<usize> {
        self.of(fetch).filter(|_| !fetch.is_repeat)
    }

    fn issue(&mut self, at: usize) -> Option<String> {
        let task = &mut self.tasks[at];
        task.issued = None;
        if task.intent != ReadIntent::Full || task.state != ReadState::NeedsMore {
            return None;
        }
        let cursor = Cursor {
            session: self.session.clone(),
            run: self.turn.0,
            read: task.id.clone(),
            path: task.path.clone(),
            snapshot: task.snapshot?,
            next: task.rest()?,
        };
        let token = cursor.token(&self.binding);
        task.issued = Some(cursor);
        Some(token)
    }

    fn shown_status(&mut self, at: usize) -> Option<ReadStatus> {
        is_watched(&self.tasks[at]).then(|| self.status(at, true))
    }

    fn status(&mut self, at: usize, active: bool) -> ReadStatus {
        self.seq = self.seq.saturating_add(1);
        self.tasks[at].status(self.seq, active, &self.bounds)
    }
}

/// Whether a read has a row of its own: one page that was all that was asked has its call's (RS-5).
fn is_watched(task: &Task) -> bool {
    task.intent == ReadIntent::Full || task.stop.is_some()
}

fn recovery(task: &Task, bounds: &Bounds) -> Option<ReadRecovery> {
    let next = task.next_page(bounds.page_lines)?;
    Some(ReadRecovery { offset: next.start, limit: next.len() })
}

#[cfg(test)]
mod tests;
