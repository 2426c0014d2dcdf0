use std::{fmt::Write as _, time::Duration};

use expect_test::{Expect, expect};
use protocol::{Fingerprint, RootId};

use super::{super::budget::Room, super::source::SourceKind, *};

mod progress;

const BOUNDS: Bounds = Bounds {
    pages: 64,
    time: Duration::from_secs(120),
    stalls: 2,
    page_lines: 2000,
    ranges: 64,
    reads: 32,
};

/// A turn that reads files of so many lines.
struct Rig {
    reads: ReadCoordinator,
    bounds: Bounds,
    lines: u32,
    version: Option<u8>,
    /// Whether the number of lines is told at the end.
    tells_end: bool,
    room: Room,
    took: Duration,
    cursors: Vec<String>,
    path: WorkspacePath,
    out: String,
}

impl Rig {
    fn new(bounds: Bounds) -> Self {
        Self {
            reads: coordinator(3, 1, bounds),
            bounds,
            lines: 2105,
            version: Some(1),
            tells_end: true,
            room: Room { window_tokens: Some(1_000_000), ..Room::default() },
            took: Duration::from_millis(1),
            cursors: Vec::new(),
            path: path("a.txt"),
            out: String::new(),
        }
    }

    fn ask(&self, intent: Option<ReadIntent>, offset: Option<u32>, limit: Option<u32>) -> ReadAsk {
        let shown = self.path.relative().to_owned();
        ReadAsk { path: self.path.clone(), shown, intent, offset, limit, cursor: None }
    }

    fn snapshot(&self) -> Option<Snapshot> {
        let bytes = Fingerprint([self.version?; 32]);
        Some(Snapshot::of(SourceKind::Disk, &self.path, bytes))
    }

    fn page(&self, fetch: &Fetch) -> Delivery {
        let start = fetch.offset.min(self.lines);
        let end = start.saturating_add(fetch.limit.unwrap_or(self.bounds.page_lines));
        let end = end.min(self.lines);
        let eof = end == self.lines;
        Delivery {
            snapshot: self.snapshot(),
            lines: LineRange::new(start, end),
            eof,
            source_end: (self.tells_end && (eof || self.version.is_some())).then_some(self.lines),
            has_more: !eof,
            took: self.took,
            room: self.room,
        }
    }

    fn read(&mut self, ask: ReadAsk) {
        let fetch = match self.reads.admit(ask) {
            Ok(fetch) => fetch,
            Err(refusal) => return self.say(&format!("{refusal:?}")),
        };
        self.reads.began(&fetch);
        if fetch.must_be.is_some_and(|it| self.snapshot() != Some(it)) {
            let status = self.reads.changed(&fetch);
            return self.say(&format!("changed: {}", brief(status.as_ref())));
        }
        let delivery = self.page(&fetch);
        let progress = self.reads.delivered(&fetch, &delivery);
        self.cursors.extend(progress.cursor.clone());
        let pivot = progress.pivot.map_or(String::new(), |it| format!(" pivot {:?}", it.next));
        let cursor = if progress.cursor.is_some() { " cursor" } else { "" };
        let states: Vec<String> = progress.statuses.iter().map(|it| brief(Some(it))).collect();
        self.say(&format!("{:?} {}{cursor}{pivot}", delivery.lines, states.join(" then ")));
    }

    fn say(&mut self, text: &str) {
        writeln!(self.out, "{}", text.trim_end()).expect("a String takes any text");
    }

    fn step(&mut self, step: &str) {
        let words: Vec<&str> = step.split(' ').collect();
        let number = |at: usize| words.get(at).and_then(|it| it.parse::<u32>().ok());
        match words[0] {
            "full" => self.read(self.ask(Some(ReadIntent::Full), None, None)),
            "inspect" => self.read(self.ask(None, None, None)),
            "range" => self.read(self.ask(None, number(1), number(2))),
            "cursor" => {
                let back = number(1).unwrap_or(0) as usize;
                let cursor = self.cursors[self.cursors.len() - 1 - back].clone();
                let ask = self.ask(None, None, None);
                self.read(ReadAsk { cursor: Some(cursor), ..ask });
            }
            "file" => {
                (self.lines, self.version) = (number(1).unwrap(), number(2).map(|it| it as u8));
            }
            "path" => self.path = path(words[1]),
            "silent-end" => self.tells_end = false,
            "window" => self.room.window_tokens = number(1),
            "visible" => self.room.visible_tokens = number(1).unwrap(),
            "finish" => {
                let (hint, statuses) = self.reads.hint();
                let states: Vec<String> = statuses.iter().map(|it| brief(Some(it))).collect();
                let hint = hint.map_or("ends".to_owned(), |it| {
                    assert_eq!(self.cursors.last(), Some(&it.cursor));
                    format!("is told to go on with {} {:?}", it.shown, it.missing)
                });
                self.say(&format!("{hint} {}", states.join(" ")));
            }
            "stop" => {
                let read = ReadId::minted(words[1]);
                let stopped = self.reads.stop(&read);
                let text = stopped
                    .map(|(status, it)| format!("{} left {:?}", brief(Some(&status)), it.missing));
                self.say(&format!("{text:?}"));
            }
            "owes" => {
                let owed = self.reads.unfinished();
                let owed = owed.map(|(reads, omitted)| {
                    let reads: Vec<_> = reads
                        .iter()
                        .map(|it| (it.path.clone(), it.missing.clone(), it.reason))
                        .collect();
                    (reads, omitted)
                });
                self.say(&format!("owes {owed:?}"));
            }
            other => panic!("no such step: {other}"),
        }
    }
}

fn coordinator(turn: u32, secret: u64, bounds: Bounds) -> ReadCoordinator {
    let binding = Binding::of([secret, 2, 3, 4]);
    ReadCoordinator::new(SessionId::from_bits(5), TurnId(turn), binding, bounds)
}

fn path(relative: &str) -> WorkspacePath {
    WorkspacePath::new(RootId(0), relative).expect("a path")
}

fn brief(status: Option<&ReadStatus>) -> String {
    let Some(it) = status else { return String::new() };
    let reason = it.reason.map_or(String::new(), |reason| format!(" {reason:?}"));
    format!("{:?}{reason} g{} {:?} of {:?}", it.state, it.generation, it.covered, it.source_end)
}

fn check_within(bounds: Bounds, script: &str, expect: Expect) {
    let mut rig = Rig::new(bounds);
    for step in script.split("; ") {
        let before = std::mem::take(&mut rig.out);
        rig.step(step);
        let came = std::mem::replace(&mut rig.out, before);
        let arrow = if came.is_empty() { "\n" } else { " -> " };
        rig.out.push_str(&format!("{step}{arrow}{came}"));
    }
    expect.assert_eq(&rig.out);
}

fn check(script: &str, expect: Expect) {
    check_within(BOUNDS, script, expect);
}

/// B1, RC-6, RE-18: a range read joins the full one; there is one read.
#[test]
fn b1_a_file_is_read_to_its_end_by_its_cursor_or_by_a_range() {
    check(
        "full; range 2000 2000; owes; finish",
        expect![[r#"
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
        range 2000 2000 -> [2000, 2105) Satisfied g0 [[0, 2105)] of Some(2105)
        owes -> owes None
        finish -> ends
    "#]],
    );
    check(
        "full; cursor; owes",
        expect![[r#"
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
        cursor -> [2000, 2105) Satisfied g0 [[0, 2105)] of Some(2105)
        owes -> owes None
    "#]],
    );
}

/// B1, RC-14, RC-15, RC-19: two pages without a new line, another course, two more, a pause.
#[test]
fn b1_a_page_that_is_repeated_pauses_its_read_alone() {
    check(
        "full; range 0 2000; range 0 2000; range 0 2000; range 0 2000; full; inspect; cursor; range 2000 50; \
         path b.txt; inspect; path a.txt; owes; finish",
        expect![[r#"
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            range 0 2000 -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            range 0 2000 -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor pivot [2000, 2105)
            range 0 2000 -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            range 0 2000 -> [0, 2000) Blocked NoProgress g0 [[0, 2000)] of Some(2105)
            full -> Paused { code: NoProgress, recovery: Some(ReadRecovery { offset: 2000, limit: 105 }) }
            inspect -> Paused { code: NoProgress, recovery: Some(ReadRecovery { offset: 2000, limit: 105 }) }
            cursor -> CursorInvalid
            range 2000 50 -> [2000, 2050) NeedsMore g0 [[0, 2050)] of Some(2105) cursor
            path b.txt
            inspect -> [0, 2000)
            path a.txt
            owes -> owes Some(([("a.txt", [[2050, 2105)], None)], 0))
            finish -> is told to go on with a.txt [[2050, 2105)]
        "#]],
    );
}

/// B2, RC-9, RC-10, RC-11: a change of the file empties what came, and never what it cost.
#[test]
fn b2_bounds_hold_over_versions() {
    check_within(
        Bounds { pages: 1, ..BOUNDS },
        "full; full; owes",
        expect![[r#"
        full -> [0, 2000) Blocked PageBudget g0 [[0, 2000)] of Some(2105)
        full -> Paused { code: PageBudget, recovery: Some(ReadRecovery { offset: 2000, limit: 105 }) }
        owes -> owes Some(([("a.txt", [[2000, 2105)], Some(PageBudget))], 0))
    "#]],
    );
    check_within(
        Bounds { time: Duration::from_nanos(1), ..BOUNDS },
        "full; owes",
        expect![[r#"
        full -> [0, 2000) Blocked TimeBudget g0 [[0, 2000)] of Some(2105)
        owes -> owes Some(([("a.txt", [[2000, 2105)], Some(TimeBudget))], 0))
    "#]],
    );
    check_within(
        Bounds { pages: 3, ..BOUNDS },
        "file 9000 1; full; file 9000 2; full; file 9000 3; full",
        expect![[r#"
            file 9000 1
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(9000) cursor
            file 9000 2
            full -> [2000, 4000) Stale g1 [] of None then NeedsMore g1 [[2000, 4000)] of Some(9000) cursor
            file 9000 3
            full -> [0, 2000) Stale g2 [] of None then Blocked PageBudget g2 [[0, 2000)] of Some(9000)
        "#]],
    );
    check_within(
        Bounds { time: Duration::from_millis(3), ..BOUNDS },
        "file 9000 1; full; file 9000 2; full; file 9000 3; full",
        expect![[r#"
            file 9000 1
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(9000) cursor
            file 9000 2
            full -> [2000, 4000) Stale g1 [] of None then NeedsMore g1 [[2000, 4000)] of Some(9000) cursor
            file 9000 3
            full -> [0, 2000) Stale g2 [] of None then Blocked TimeBudget g2 [[0, 2000)] of Some(9000)
        "#]],
    );
}

/// B4, RC-5: the end counts only where it is known how many lines there are.
#[test]
fn b4_a_range_ends_with_its_file() {
    check(
        "file 15 1; range 10 10; owes",
        expect![[r#"
        file 15 1
        range 10 10 -> [10, 15)
        owes -> owes None
    "#]],
    );
    let mut rig = Rig::new(BOUNDS);
    rig.step("file 15 1");
    rig.step("silent-end");
    rig.step("range 10 10");
    assert_eq!(rig.reads.tasks[0].state, ReadState::NeedsMore);
    assert_eq!(rig.reads.unfinished(), None, "RC-18: it holds nothing");
}

/// RC-6, RE-9: an empty file is whole; so is one of which the last page came first.
#[test]
fn a_whole_file_may_come_in_any_order() {
    check(
        "file 0 1; full; owes",
        expect![[r#"
        file 0 1
        full -> [0, 0) Satisfied g0 [] of Some(0)
        owes -> owes None
    "#]],
    );
    check(
        "file 30 1; range 20 10; range 10 10; full; owes",
        expect![[r#"
        file 30 1
        range 20 10 -> [20, 30)
        range 10 10 -> [10, 20)
        full -> [0, 30) Satisfied g2 [[0, 30)] of Some(30)
        owes -> owes None
    "#]],
    );
}

/// RC-7, RE-24, RE-25, RE-26: pages of two versions are never one read.
#[test]
fn another_version_begins_anew() {
    check(
        "file 5000 1; full; file 5000 2; cursor; owes; full; cursor; cursor; owes",
        expect![[r#"
        file 5000 1
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(5000) cursor
        file 5000 2
        cursor -> changed: Stale g1 [] of None
        owes -> owes Some(([("a.txt", [], None)], 0))
        full -> [0, 2000) NeedsMore g1 [[0, 2000)] of Some(5000) cursor
        cursor -> [2000, 4000) NeedsMore g1 [[0, 4000)] of Some(5000) cursor
        cursor -> [4000, 5000) Satisfied g1 [[0, 5000)] of Some(5000)
        owes -> owes None
    "#]],
    );
    check(
        "file 5000 1; full; file 5000 2; range 2000 1000; owes",
        expect![[r#"
        file 5000 1
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(5000) cursor
        file 5000 2
        range 2000 1000 -> [2000, 3000) Stale g1 [] of None then NeedsMore g1 [[2000, 3000)] of Some(5000) cursor
        owes -> owes Some(([("a.txt", [[0, 2000), [3000, 5000)], None)], 0))
    "#]],
    );
    check(
        "file 50 1; full; file 60 2; range 0 10; owes",
        expect![[r#"
        file 50 1
        full -> [0, 50) Satisfied g0 [[0, 50)] of Some(50)
        file 60 2
        range 0 10 -> [0, 10)
        owes -> owes None
    "#]],
    );
}

/// SI-5, SI-6, OL-5, RC-7: pages without a version are not joined, and owe nothing unless all is wanted.
#[test]
fn pages_without_a_version_are_not_joined() {
    check(
        "file 9000000; range 0 10; range 10 10; inspect; owes; full; owes; range 50 5",
        expect![[r#"
            file 9000000
            range 0 10 -> [0, 10)
            range 10 10 -> [10, 20)
            inspect -> [0, 2000)
            owes -> owes None
            full -> [0, 2000) Stale g5 [] of None then NeedsScope UnversionedSource g5 [[0, 2000)] of None
            owes -> owes Some(([("a.txt", [], Some(UnversionedSource))], 0))
            range 50 5 -> [50, 55) Stale UnversionedSource g6 [] of None then NeedsScope UnversionedSource g6 [[50, 55)] of None
        "#]],
    );
}

/// RC-12, RC-17: without room the requirement stands, and its missing lines are named.
#[test]
fn a_read_without_room_asks_to_be_narrowed() {
    check(
        "window none; full; owes; full; range 2000 105; owes",
        expect![[r#"
        window none
        full -> [0, 2000) NeedsScope UnknownWindow g0 [[0, 2000)] of Some(2105)
        owes -> owes Some(([("a.txt", [[2000, 2105)], Some(UnknownWindow))], 0))
        full -> Paused { code: UnknownWindow, recovery: Some(ReadRecovery { offset: 2000, limit: 105 }) }
        range 2000 105 -> [2000, 2105) Satisfied g0 [[0, 2105)] of Some(2105)
        owes -> owes None
    "#]],
    );
    check(
        "window 128000; visible 102000; full; finish; owes",
        expect![[r#"
        window 128000
        visible 102000
        full -> [0, 2000) NeedsScope NoHeadroom g0 [[0, 2000)] of Some(2105)
        finish -> ends
        owes -> owes Some(([("a.txt", [[2000, 2105)], Some(NoHeadroom))], 0))
    "#]],
    );
}

/// RC-20: the model is told to go on once for each page; then the turn ends.
#[test]
fn the_model_is_told_to_go_on_once_for_each_page() {
    check(
        "file 5000 1; full; finish; finish; cursor; finish; cursor; finish; owes",
        expect![[r#"
        file 5000 1
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(5000) cursor
        finish -> is told to go on with a.txt [[2000, 5000)]
        finish -> ends
        cursor -> [2000, 4000) NeedsMore g0 [[0, 4000)] of Some(5000) cursor
        finish -> is told to go on with a.txt [[4000, 5000)]
        cursor -> [4000, 5000) Satisfied g0 [[0, 5000)] of Some(5000)
        finish -> ends
        owes -> owes None
    "#]],
    );
    check(
        "file 5000 1; full; file 5000 2; cursor; finish; owes",
        expect![[r#"
        file 5000 1
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(5000) cursor
        file 5000 2
        cursor -> changed: Stale g1 [] of None
        finish -> ends NeedsScope NoCursor g1 [] of None
        owes -> owes Some(([("a.txt", [], Some(NoCursor))], 0))
    "#]],
    );
}

/// B25, RC-25.
#[test]
fn b25_a_read_that_the_user_stops_is_owed_no_more() {
    check(
        "full; stop read3-0; stop read3-0; owes; cursor; finish; full; owes; stop read9-9",
        expect![[r#"
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            stop read3-0 -> Some("Cancelled g0 [[0, 2000)] of Some(2105) left [[2000, 2105)]")
            stop read3-0 -> None
            owes -> owes None
            cursor -> CursorInvalid
            finish -> ends
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            owes -> owes Some(([("a.txt", [[2000, 2105)], None)], 0))
            stop read9-9 -> None
        "#]],
    );
}

/// RE-22, RE-23: the newest cursor of this read, of this file, in this turn of this process.
#[test]
fn only_the_cursor_that_was_issued_last_is_accepted() {
    check(
        "file 9000 1; full; cursor; cursor 1; cursor; path b.txt; cursor; full; cursor 1; cursor",
        expect![[r#"
            file 9000 1
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(9000) cursor
            cursor -> [2000, 4000) NeedsMore g0 [[0, 4000)] of Some(9000) cursor
            cursor 1 -> CursorInvalid
            cursor -> [4000, 6000) NeedsMore g0 [[0, 6000)] of Some(9000) cursor
            path b.txt
            cursor -> CursorInvalid
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(9000) cursor
            cursor 1 -> CursorInvalid
            cursor -> [2000, 4000) NeedsMore g0 [[0, 4000)] of Some(9000) cursor
        "#]],
    );
    for (turn, secret) in [(4, 1), (3, 9)] {
        let mut rig = Rig::new(BOUNDS);
        rig.step("full");
        let mut other = coordinator(turn, secret, BOUNDS);
        let ask = rig.ask(Some(ReadIntent::Full), None, None);
        let fetch = other.admit(ask.clone()).expect("it may be read");
        other.delivered(&fetch, &rig.page(&fetch));
        let cursor = rig.cursors.last().cloned();
        let refused = other.admit(ReadAsk { intent: None, cursor, ..ask });
        assert_eq!(refused, Err(ReadRefusal::CursorInvalid), "turn {turn}, secret {secret}");
    }
}

/// RC-22, CL-7: a record names 32 files with 64 ranges each, and counts the rest.
#[test]
fn a_record_of_unfinished_reads_is_bounded() {
    let mut rig = Rig::new(BOUNDS);
    rig.lines = 4000;
    for file in 0..40 {
        rig.path = path(&format!("{file:02}.txt"));
        rig.step("full");
    }
    for line in 0..100 {
        rig.read(rig.ask(None, Some(2000 + 2 * line), Some(1)));
    }
    let (reads, omitted) = rig.reads.unfinished().expect("they are owed");
    assert_eq!((reads.len(), omitted), (32, 8));
    let status = rig.reads.end(false).pop().expect("it is open");
    assert_eq!((status.missing.len(), status.active), (64, false));
    assert_eq!(status.recovery.map(|it| (it.offset, it.limit)), Some((2001, 1)));
}

/// RS-8, RC-26: a turn that is stopped cancels each read once; one that ends leaves them as they are.
#[test]
fn the_end_of_a_turn_ends_its_reads() {
    for (is_stopped, expected) in [(true, ReadState::Cancelled), (false, ReadState::NeedsMore)] {
        let mut rig = Rig::new(BOUNDS);
        rig.step("full");
        rig.path = path("b.txt");
        rig.step("inspect");
        let states: Vec<_> =
            rig.reads.end(is_stopped).iter().map(|it| (it.state, it.active)).collect();
        assert_eq!(states, [(expected, false)]);
    }
}

/// RC-3: what is handed out is a copy.
#[test]
fn what_is_handed_out_is_a_copy() {
    let mut rig = Rig::new(BOUNDS);
    rig.step("full");
    let before = rig.reads.unfinished();
    let (mut reads, _) = rig.reads.unfinished().expect("it is owed");
    reads[0].missing.clear();
    assert_eq!(rig.reads.unfinished(), before);
}

/// RC-23: what was met by a part is named as that, and no more is claimed.
#[test]
fn a_part_that_was_enough_is_named() {
    let mut rig = Rig::new(BOUNDS);
    rig.step("inspect");
    rig.path = path("b.txt");
    rig.lines = 3;
    rig.step("inspect");
    let (reads, omitted) = rig.reads.partial().expect("one was read in part");
    let named: Vec<_> = reads.iter().map(|it| (it.path.as_str(), it.covered.clone())).collect();
    assert_eq!((named, omitted), (vec![("a.txt", vec![LineRange::new(0, 2000)])], 0));
}
