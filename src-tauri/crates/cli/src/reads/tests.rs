use expect_test::{Expect, expect};
use protocol::{READ_PROTOCOL, ReadIntent};

use super::*;

/// Plays what became of a read: `READ STATE LINES|- of END|-`, where a state is written small and one
/// with a bang is that of a turn that is over.
fn statuses(script: &str) -> Vec<ReadStatus> {
    let one = |(seq, step): (usize, &str)| {
        let words: Vec<&str> = step.trim().split(' ').collect();
        let number = |text: &str| text.parse::<u32>().ok();
        let range = |text: &str| {
            let (start, end) = text.split_once('-')?;
            Some(LineRange::new(number(start)? - 1, number(end)?))
        };
        let source_end = number(words[4]);
        let covered: Vec<LineRange> = words[2].split(',').filter_map(range).collect();
        let start = covered.last().map_or(0, |it| it.end);
        let missing = source_end.map(|end| LineRange::new(start, end));
        let (state, reason) = match words[1].trim_end_matches('!') {
            "fetching" => (ReadState::Fetching, None),
            "more" => (ReadState::NeedsMore, None),
            "stale" => (ReadState::Stale, None),
            "blocked" => (ReadState::Blocked, Some(ReadStopCode::NoProgress)),
            "scope" => (ReadState::NeedsScope, Some(ReadStopCode::NoHeadroom)),
            "met" => (ReadState::Satisfied, None),
            "cancelled" => (ReadState::Cancelled, None),
            other => panic!("no such state: {other}"),
        };
        ReadStatus {
            version: READ_PROTOCOL,
            read_id: ReadId::minted(words[0]),
            generation: 0,
            seq: u32::try_from(seq).expect("a short script"),
            path: words[0].to_owned(),
            intent: ReadIntent::Full,
            state,
            verdict: None,
            covered,
            missing: missing.filter(|it| !it.is_empty()).into_iter().collect(),
            source_end,
            has_more: false,
            reason,
            recovery: None,
            active: !words[1].ends_with('!'),
        }
    };
    script.trim().lines().enumerate().map(one).collect()
}

/// One read that pauses and goes on, one that is cancelled, one that a turn leaves as it is, and one
/// that was a single page.
const SCRIPT: &str = "
    src/a.rs fetching - of -
    src/a.rs more 1-2000 of 6105
    b.txt more 1-10,21-30 of 40
    src/a.rs fetching 1-2000 of 6105
    src/a.rs more 1-4000 of 6105
    src/a.rs blocked 1-4000 of 6105
    文件/读取.rs scope 1-5 of 9
    src/a.rs more 1-5000 of 6105
    one-page.txt fetching - of -
    one-page.txt met 1-9 of 9
    src/a.rs met 1-6105 of 6105
    b.txt cancelled! 1-10,21-30 of 40
    c.txt more 1-2000 of -
    c.txt stale - of -
    文件/读取.rs scope! 1-5 of 9
    c.txt more! 1-2000 of 2001";

fn check(said: &str, expected: Expect) {
    expected.assert_eq(said);
}

/// HL-9, RS-10: where lines stay, a read says when it starts, pauses and ends, and nothing of pages.
#[test]
fn a_read_says_when_it_starts_pauses_and_ends() {
    let mut lines = Lines::default();
    let said: Vec<String> = statuses(SCRIPT).iter().filter_map(|it| lines.take(it)).collect();
    check(
        &said.join("\n"),
        expect![[r#"
            [reading src/a.rs to its end]
            [reading b.txt to its end]
            [reading src/a.rs paused: the same lines came again and again; lines 4001-6105; send a message to go on]
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            [reading src/a.rs to its end]
            [src/a.rs was read to its end; lines 1-6105]
            [reading b.txt was stopped; lines 31-40]
            [reading c.txt to its end]
            [reading c.txt paused: the model did not go on; lines 2001-2001; send a message to go on]"#]],
    );
}

fn played(columns: usize) -> String {
    let mut rows = Rows::default();
    let mut said: Vec<String> = Vec::new();
    for status in statuses(SCRIPT) {
        said.extend(rows.take(&status).map(|it| format!("stays: {it}")));
        said.push(rows.fitted(columns).join("\n"));
        said.dedup();
    }
    said.push(rows.end().join("\n"));
    said.join("\n---\n")
}

/// HL-9, RS-4, RS-5: in a terminal each read has one row with its lines, until one line stays of it.
#[test]
fn a_read_has_one_row_until_one_line_stays_of_it() {
    check(
        &played(200),
        expect![[r#"

            ---
            [reading src/a.rs; lines 1-2000 of 6105]
            ---
            [reading src/a.rs; lines 1-2000 of 6105]
            [reading b.txt; lines 1-10, 21-30 of 40]
            ---
            [reading src/a.rs; lines 1-4000 of 6105]
            [reading b.txt; lines 1-10, 21-30 of 40]
            ---
            [reading src/a.rs paused: the same lines came again and again; lines 4001-6105; send a message to go on]
            [reading b.txt; lines 1-10, 21-30 of 40]
            ---
            [reading src/a.rs paused: the same lines came again and again; lines 4001-6105; send a message to go on]
            [reading b.txt; lines 1-10, 21-30 of 40]
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            ---
            [reading src/a.rs; lines 1-5000 of 6105]
            [reading b.txt; lines 1-10, 21-30 of 40]
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            ---
            stays: [src/a.rs was read to its end; lines 1-6105]
            ---
            [reading b.txt; lines 1-10, 21-30 of 40]
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            ---
            stays: [reading b.txt was stopped; lines 31-40]
            ---
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            ---
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            [reading c.txt; lines 1-2000]
            ---
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            [reading c.txt paused: the model did not go on; lines 2001-2001; send a message to go on]
            ---
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            [reading c.txt paused: the model did not go on; lines 2001-2001; send a message to go on]"#]],
    );
}

/// HL-9: of a long path its end is shown, and no row is wider than the terminal.
#[test]
fn a_row_fits_the_terminal() {
    check(
        &played(36),
        expect![[r#"

            ---
            [reading src/a.rs; lines 1-2000 ...
            ---
            [reading src/a.rs; lines 1-2000 ...
            [reading b.txt; lines 1-10, 21-3...
            ---
            [reading src/a.rs; lines 1-4000 ...
            [reading b.txt; lines 1-10, 21-3...
            ---
            [reading src/a.rs paused: the sa...
            [reading b.txt; lines 1-10, 21-3...
            ---
            [reading src/a.rs paused: the sa...
            [reading b.txt; lines 1-10, 21-3...
            [reading 文件/读取.rs paused: th...
            ---
            [reading src/a.rs; lines 1-5000 ...
            [reading b.txt; lines 1-10, 21-3...
            [reading 文件/读取.rs paused: th...
            ---
            stays: [src/a.rs was read to its end; lines 1-6105]
            ---
            [reading b.txt; lines 1-10, 21-3...
            [reading 文件/读取.rs paused: th...
            ---
            stays: [reading b.txt was stopped; lines 31-40]
            ---
            [reading 文件/读取.rs paused: th...
            ---
            [reading 文件/读取.rs paused: th...
            [reading c.txt; lines 1-2000]
            ---
            [reading 文件/读取.rs paused: th...
            [reading c.txt paused: the model...
            ---
            [reading 文件/读取.rs paused: the model's context has no room left for it; lines 6-9; send a message to go on]
            [reading c.txt paused: the model did not go on; lines 2001-2001; send a message to go on]"#]],
    );
}

/// RS-3: what comes late changes no row.
#[test]
fn what_comes_late_changes_no_row() {
    let frames = statuses("a more 1-5 of 99\na more 1-9 of 99\na more 1-20 of 99");
    let mut rows = Rows::default();
    for at in [0, 2, 1, 0] {
        rows.take(&frames[at]);
    }
    assert_eq!(rows.fitted(80), ["[reading a; lines 1-20 of 99]"]);
    let anew = ReadStatus { generation: 1, covered: Vec::new(), ..frames[0].clone() };
    rows.take(&anew);
    assert_eq!(rows.fitted(80), ["[reading a]"]);
}

/// RS-4: a hundred pages are one row.
#[test]
fn a_hundred_pages_are_one_row() {
    let script: Vec<String> = (1..=100).map(|it| format!("a more 1-{it} of 200")).collect();
    let mut rows = Rows::default();
    for status in statuses(&script.join("\n")) {
        assert_eq!(rows.take(&status), None);
        assert_eq!(rows.fitted(80).len(), 1);
    }
    assert_eq!(rows.end(), ["[reading a; lines 1-100 of 200]"]);
}
