//! Reads one page of a file.

use std::time::Duration;

use evidence::{
    Fetch, Known, PageSeen, ReadAsk, ReadRefusal, Recorded, Room, Shown, Snapshot, SourceKind,
    Version,
};
use protocol::{
    FailureCode, Fingerprint, Limits, LineRange, READ_PROTOCOL, ReadCut, ReadEnvelope, ReadIntent,
    ReadSource, ReadStopCode, ToolCallId, ToolFailure, WorkspacePath,
};
use serde_json::json;
use workspace::{Cut, Depth, FileError, PageError, Place, Window, Workspace};

use crate::{
    failure::{failure, file_failure, no_page, not_text},
    intent::PlanError,
};

/// A page of a file that would be read.
#[derive(Debug)]
pub struct Reading {
    /// The file, which may be missing.
    pub(crate) place: Place,
    pub(crate) intent: Option<ReadIntent>,
    /// The first line, counted from 0.
    pub(crate) offset: Option<u32>,
    /// How many lines; as many as a page has if missing.
    pub(crate) limit: Option<u32>,
    pub(crate) cursor: Option<String>,
    pub(crate) limits: Limits,
}

/// What reading a page came to.
#[derive(Debug)]
pub enum ReadOutcome {
    /// The page, perhaps of an empty file.
    Page(ReadPage),
    /// Nothing is there, and that was confirmed (OL-9). The model gets the failure.
    Absent {
        /// The path that leads to nothing.
        path: WorkspacePath,
        /// What the model is told.
        failure: ToolFailure,
    },
}

/// One page of a file, and what the host knows of it.
#[derive(Debug)]
pub struct ReadPage {
    /// The file, links followed.
    pub path: WorkspacePath,
    /// The version of which the page is.
    pub known: Known,
    /// The same for pages that are to be joined; missing where the bytes are not known (SI-7).
    pub snapshot: Option<Snapshot>,
    fingerprint: Option<Fingerprint>,
    window: Window,
    /// Lines that were asked for.
    asked: u32,
    offset: u32,
    /// Whether lines were left out since the model's context has no room for them (RE-15).
    is_short: bool,
}

impl Reading {
    /// Returns a read of some lines of a file, as a call that names them asks for it.
    pub fn of_lines(place: Place, lines: LineRange, limits: &Limits) -> Self {
        Self {
            place,
            intent: Some(ReadIntent::Range),
            offset: Some(lines.start),
            limit: Some(lines.len()),
            cursor: None,
            limits: limits.clone(),
        }
    }

    /// Returns what is asked for.
    pub fn ask(&self) -> ReadAsk {
        ReadAsk {
            path: self.place.path().clone(),
            shown: self.place.shown().to_owned(),
            intent: self.intent,
            offset: self.offset,
            limit: self.limit,
            cursor: self.cursor.clone(),
        }
    }

    /// Returns how many bytes the lines are, numbered; nothing if they cannot be read. Blocks.
    pub fn page_bytes(&self, workspace: &Workspace) -> Option<usize> {
        let offset = self.offset.unwrap_or_default();
        let page = workspace.page(&self.place, offset, self.limit, Depth::Local).ok()?;
        Some(page.window.numbered.len())
    }

    /// Reads the page that was let through. Blocks.
    ///
    /// # Errors
    ///
    /// [`PlanError::Failed`] if the file cannot be read, is no text, or has a line that is too long.
    /// That nothing is there is an outcome, no error.
    pub fn run(&self, workspace: &Workspace, fetch: &Fetch) -> Result<ReadOutcome, PlanError> {
        let (place, limits) = (&self.place, &self.limits);
        let (path, shown) = (place.path().clone(), place.shown());
        let depth = if fetch.needs_version { Depth::Whole } else { Depth::Local };
        let page = match workspace.page(place, fetch.offset, fetch.limit, depth) {
            Ok(page) => page,
            Err(PageError::File(error @ FileError::Missing { .. })) => {
                return Ok(ReadOutcome::Absent { path, failure: file_failure(&error) });
            }
            Err(PageError::File(error)) => return Err(file_failure(&error).into()),
            Err(PageError::NotText(why)) => return Err(not_text(why, shown).into()),
            Err(PageError::Window(error)) => return Err(no_page(&error, shown).into()),
        };
        let version = |it| Known::Version(Version::Present(it));
        Ok(ReadOutcome::Page(ReadPage {
            known: page.fingerprint.map_or(Known::Stamp(page.stamp), version),
            snapshot: page.fingerprint.map(|it| Snapshot::of(SourceKind::Disk, &path, it)),
            fingerprint: page.fingerprint,
            path,
            window: page.window,
            asked: fetch.limit.unwrap_or(limits.page_lines),
            offset: fetch.offset,
            is_short: false,
        }))
    }
}

impl ReadPage {
    /// Returns the lines of the page.
    pub fn lines(&self) -> LineRange {
        LineRange::new(self.window.first, self.window.end)
    }

    /// Returns the texts of the lines, without their ends.
    pub fn texts(&self) -> Vec<&str> {
        if self.lines().is_empty() {
            return Vec::new();
        }
        let text = |line: &'_ str| line.find('\t').map_or(0, |at| at + 1);
        self.window.numbered.split('\n').map(|line| &line[text(line)..]).collect()
    }

    /// Leaves out all but the first `lines` lines.
    pub fn shorten(&mut self, lines: u32) {
        if self.lines().len() <= lines {
            return;
        }
        let ends = self.window.numbered.match_indices('\n').map(|(at, _)| at);
        let end = lines.checked_sub(1).and_then(|last| ends.into_iter().nth(last as usize));
        self.window.numbered.truncate(end.unwrap_or(0));
        self.window.end = self.window.first + lines;
        self.window.eof = false;
        self.window.cut = Some(Cut::PageLimit);
        self.is_short = true;
    }

    /// Returns the page's numbered lines alone: the evidence is taken from them.
    pub fn body(&self) -> &str {
        if self.lines().is_empty() { self.marker() } else { &self.window.numbered }
    }

    fn marker(&self) -> &'static str {
        if self.window.is_empty_file() { "[empty file]" } else { "[no lines: none]" }
    }

    /// Returns what was read, for the index of what was read.
    pub fn seen<'a>(&self, texts: &'a [&'a str], took: Duration, room: Room) -> PageSeen<'a> {
        PageSeen {
            path: self.path.clone(),
            known: self.known,
            snapshot: self.snapshot,
            first: self.window.first,
            lines: texts,
            eof: self.window.eof,
            source_end: self.window.total_lines,
            took,
            room,
        }
    }

    /// Returns the page as the model gets it: its lines, where it ends if that is not the end, and
    /// what goes on with it.
    pub fn told(&self, recorded: &Recorded) -> String {
        let Window { numbered, first, end, total_lines, cut, .. } = &self.window;
        let mut text = if self.window.is_empty_file() {
            return "[empty file]".to_owned();
        } else if self.window.is_past_end() {
            let (offset, last) = (self.offset, total_lines.unwrap_or(*end));
            return format!("[no lines: offset {offset} is past the end, line {last}]");
        } else {
            numbered.clone()
        };
        let (from, of, go_on) = (first + 1, self.of_total(), go_on(recorded));
        match cut {
            None if go_on.is_empty() => {}
            Some(Cut::PageLimit) if self.lines().is_empty() => {
                text = format!("[no lines: there is no room for them{of}; next offset {end}]");
            }
            // A page that ends with the file may leave lines unread before it.
            Some(Cut::PageLimit) | None => {
                text.push_str(&format!(
                    "\n[page limit: lines {from}-{end}{of}; next offset {end}{go_on}]"
                ));
            }
            Some(Cut::SafetyPage) => {
                let wanted = first.saturating_add(self.asked);
                let wanted = total_lines.map_or(wanted, |total| wanted.min(total));
                text.push_str(&format!(
                    "\n[safety page: lines {from}-{end}{of}; next offset {end}, \
                     requested end {wanted}{go_on}]"
                ));
            }
        }
        text.push_str(&remarks(recorded));
        text
    }

    /// Returns what the model gets where an earlier result shows the page already (RE-31), and what
    /// goes on with it.
    pub fn referred(&self, recorded: &Recorded) -> String {
        let (from, end) = (self.window.first + 1, self.window.end);
        let (of, go_on) = (self.of_total(), go_on(recorded));
        let text = format!(
            "[unchanged: lines {from}-{end}{of} are as an earlier read_file result of yours shows \
             them; they are not repeated{go_on}]"
        );
        text + &remarks(recorded)
    }

    fn of_total(&self) -> String {
        self.window.total_lines.map_or(String::new(), |total| format!(" of {total}"))
    }

    /// Returns whether an earlier result shows every line of the page, word for word.
    pub fn stands_in(&self, result: &str) -> bool {
        let Some(shown) = Shown::parse(result) else { return false };
        let lines = self.texts();
        let skip = (self.window.first as usize).checked_sub(shown.first as usize);
        skip.and_then(|skip| shown.lines.get(skip..skip + lines.len())) == Some(&lines)
    }

    /// Returns what the host keeps of the page (RE-11).
    pub fn envelope(&self, fetch: &Fetch, call: &ToolCallId, recorded: &Recorded) -> ReadEnvelope {
        let is_named = fetch.intent == ReadIntent::Range;
        let asked = LineRange::new(self.offset, self.offset.saturating_add(self.asked));
        let source_cut = match self.window.cut {
            Some(Cut::PageLimit) if self.is_short => Some(ReadCut::Budget),
            Some(Cut::PageLimit) => Some(ReadCut::PageLimit),
            Some(Cut::SafetyPage) => Some(ReadCut::SafetyPage),
            None => None,
        };
        ReadEnvelope {
            protocol_version: READ_PROTOCOL,
            read_id: fetch.read.clone(),
            result_ref: call.clone(),
            source: ReadSource {
                path: self.path.clone(),
                kind: SourceKind::Disk.name().to_owned(),
                identity: self.fingerprint,
                snapshot: self.snapshot.map(|it| it.to_string()),
            },
            intent: fetch.intent,
            requested_range: is_named.then_some(asked),
            delivered_ranges: Some(recorded.lines)
                .into_iter()
                .filter(|it| !it.is_empty())
                .collect(),
            window_digest: recorded.digest.to_string(),
            has_more: recorded.is_cut || !self.window.eof,
            eof: self.window.eof && !recorded.is_cut,
            source_end: self.window.total_lines.filter(|_| !recorded.is_cut),
            has_cursor: recorded.progress.cursor.is_some(),
            source_cut_reason: source_cut,
            transport_cut_reason: recorded.is_cut.then_some(ReadCut::ToolOutput),
        }
    }
}

/// Says what goes on with a read, at the end of a page's last line.
fn go_on(recorded: &Recorded) -> String {
    let cursor = recorded.progress.cursor.as_ref();
    cursor.map_or(String::new(), |it| format!("; cursor {it}"))
}

/// Says what the host makes of how a read goes.
fn remarks(recorded: &Recorded) -> String {
    let mut text = String::new();
    if let Some(pivot) = &recorded.progress.pivot {
        let LineRange { start, .. } = pivot.next;
        text.push_str(&format!(
            "\n[nothing new: these lines were delivered before; read on with offset {start}, limit {}]",
            pivot.next.len()
        ));
    }
    if let Some(code) = recorded.progress.stop {
        text.push_str(&format!("\n[paused: the whole file is not read: {}]", why(code)));
    }
    text
}

/// Tells a model why a page may not be read, and what may.
pub fn read_refused(refusal: &ReadRefusal, shown: &str) -> ToolFailure {
    match refusal {
        ReadRefusal::CursorInvalid => failure(
            FailureCode::ReadCursorInvalid,
            format!(
                "READ_CURSOR_INVALID: that is not the cursor that the newest page of {shown} printed \
                 in this turn"
            ),
            format!("send the newest one, or begin anew: read_file {}", json!({ "path": shown })),
        ),
        ReadRefusal::Paused { code, recovery } => {
            let (offset, limit) = recovery.map_or((0, 200), |it| (it.offset, it.limit));
            failure(
                FailureCode::ReadPaused,
                format!("READ_HARD_STOP: reading all of {shown} has paused: {}", why(*code)),
                format!(
                    "name the lines that you need, such as read_file {}",
                    json!({ "path": shown, "offset": offset, "limit": limit })
                ),
            )
        }
    }
}

/// Tells a model that a file is not the version that its cursor was bound to (RE-24).
pub fn source_changed(shown: &str) -> ToolFailure {
    failure(
        FailureCode::ReadSourceChanged,
        format!("READ_SOURCE_CHANGED: {shown} is another version than the pages before it"),
        format!("read it anew: read_file {}", json!({ "path": shown, "intent": "full" })),
    )
}

/// Says why a read stopped.
fn why(code: ReadStopCode) -> &'static str {
    match code {
        ReadStopCode::PageBudget => "it took as many pages as one read may",
        ReadStopCode::TimeBudget => "it took as much time as one read may",
        ReadStopCode::NoProgress => "the same lines came again and again",
        ReadStopCode::UnversionedSource => "it is too large for its version to be told",
        ReadStopCode::UnknownWindow => "the size of the model's context is not known",
        ReadStopCode::NoHeadroom => "the model's context has no room left for it",
        ReadStopCode::NoCursor => "there is no cursor to go on with",
    }
}
