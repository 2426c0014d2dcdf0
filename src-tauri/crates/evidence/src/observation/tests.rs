use std::fmt::Write as _;

use expect_test::{Expect, expect};
use protocol::RootId;

use super::*;
use crate::read::source::SourceKind;

fn path() -> WorkspacePath {
    WorkspacePath::new(RootId(0), "a.txt").expect("a path")
}

fn snapshot(version: u8) -> Snapshot {
    Snapshot::of(SourceKind::Disk, &path(), Fingerprint([version; 32]))
}

/// Plays a script over one file of which line `n` of version `v` reads `n`, or `n` and a mark where
/// the version changed it: version 2 changed line 5 of version 1.
///
/// `BATCH read FIRST END vVERSION|-`, `BATCH wrote`, `BATCH part|whole FIRST END vVERSION`.
fn check(script: &str, expect: Expect) {
    let mut seen = ObservationLedger::new(1000);
    let mut answers = String::new();
    for (at, step) in script.trim().lines().enumerate() {
        let words: Vec<&str> = step.trim().split(' ').collect();
        let batch = Batch(words[0].parse().expect("a batch"));
        let number = |at: usize| words[at].parse::<u32>().expect("a number");
        if words[1] == "wrote" {
            let after = Version::Present(Fingerprint([9; 32]));
            let write = OwnWrite { before: after, after, lines: Written::Lines(Vec::new()) };
            seen.written(path(), batch, write);
            continue;
        }
        let (first, end) = (number(2), number(3));
        let version = words[4].strip_prefix('v').map(|it| it.parse::<u8>().expect("a version"));
        // Without a version, the file is as version 2 has it.
        let text = |line: u32| match (line, version.unwrap_or(2)) {
            (5, 2) => "5 changed".to_owned(),
            (line, _) => line.to_string(),
        };
        let hashes: Vec<LineHash> = (first..end).map(|it| LineHash::of(&text(it))).collect();
        match words[1] {
            "read" => {
                let window = SeenWindow { first, hashes, snapshot: version.map(snapshot) };
                seen.delivered(
                    batch,
                    path(),
                    SeenRead {
                        known: Known::Version(Version::Present(Fingerprint([1; 32]))),
                        token: ReceiptId::minted(format!("r_{at}")),
                        call: ToolCallId::minted(format!("call{at}")),
                        window: Some(window),
                    },
                );
            }
            kind => {
                let target = EvidenceTarget {
                    snapshot: version.map(snapshot),
                    is_whole: kind == "whole",
                    parts: vec![TargetPart { first, hashes }],
                };
                let missing = seen.missing(&path(), batch, &target, None);
                writeln!(answers, "{} -> {missing:?}", step.trim()).expect("a String takes any");
            }
        }
    }
    expect.assert_eq(&answers);
}

/// OL-4, OL-5, OL-6: windows of one version are one, those of two are not.
#[test]
fn windows_of_one_version_are_joined() {
    check(
        "1 read 0 4 v1
         1 read 4 8 v1
         1 part 0 8 v1
         2 part 0 8 v1
         2 whole 0 9 v1
         2 part 3 10 v1
         2 part 0 8 v2",
        expect![[r#"
            1 part 0 8 v1 -> [[0, 8)]
            2 part 0 8 v1 -> []
            2 whole 0 9 v1 -> [[8, 9)]
            2 part 3 10 v1 -> [[8, 10)]
            2 part 0 8 v2 -> [[0, 8)]
        "#]],
    );
}

/// OL-6: a line that is another now is missing.
#[test]
fn a_line_counts_as_it_is_now() {
    check(
        "1 read 3 8 -\n2 part 3 8 v1\n2 part 3 5 v1\n2 part 3 8 v2",
        expect![[r#"
        2 part 3 8 v1 -> [[3, 8)]
        2 part 3 5 v1 -> []
        2 part 3 8 v2 -> []
    "#]],
    );
}

/// OL-5, OL-7, OL-8: without a version a window proves a part alone, and never the whole.
#[test]
fn a_window_without_a_version_proves_a_part_alone() {
    check(
        "1 read 0 4 -
         1 read 4 8 -
         2 part 0 4 v2
         2 part 2 6 v2
         2 whole 0 4 v2
         2 part 4 8 v2",
        expect![[r#"
            2 part 0 4 v2 -> []
            2 part 2 6 v2 -> [[2, 6)]
            2 whole 0 4 v2 -> [[0, 4)]
            2 part 4 8 v2 -> []
        "#]],
    );
}

/// OL-3, OL-4: what was read in the same answer, or before a write, does not count.
#[test]
fn what_was_read_before_a_write_does_not_count() {
    check(
        "1 read 0 8 v1\n2 wrote\n2 part 0 4 v1\n3 read 0 8 v1\n3 part 0 4 v1\n4 part 0 4 v1",
        expect![[r#"
            2 part 0 4 v1 -> [[0, 4)]
            3 part 0 4 v1 -> [[0, 4)]
            4 part 0 4 v1 -> []
        "#]],
    );
}

/// CL-7, OL-1: lines are forgotten when there are too many, and versions are not.
#[test]
fn the_lines_of_the_oldest_pages_are_forgotten() {
    let mut seen = ObservationLedger::new(10);
    for first in [0, 4, 8] {
        let hashes = (first..first + 4).map(|it| LineHash::of(&it.to_string())).collect();
        let window = SeenWindow { first, hashes, snapshot: Some(snapshot(1)) };
        let known = Known::Version(Version::Present(Fingerprint([1; 32])));
        let (token, call) = (ReceiptId::minted("r_1"), ToolCallId::minted(format!("call{first}")));
        seen.delivered(Batch(1), path(), SeenRead { known, token, call, window: Some(window) });
    }
    let shown = |first: u32| {
        let lines = LineRange::new(first, first + 4);
        seen.shown_by(&path(), Batch(2), snapshot(1), lines).map(ToString::to_string)
    };
    assert_eq!([shown(0), shown(4)], [None, Some("call4".to_owned())]);
    assert_eq!(seen.kept_lines, 8);
    assert!(seen.version_before(&path(), Batch(2)).is_some());
    assert!(seen.issued(&path(), "r_1", (Batch(0), Batch(2))));
    seen.forget(&path());
    assert_eq!((seen.kept_lines, seen.kept.len()), (0, 0));
}

/// OL-10, OL-11: a token that no read of the turn printed proves nothing.
#[test]
fn only_a_token_that_was_printed_is_known() {
    let mut seen = ObservationLedger::new(10);
    let known = Known::Version(Version::Absent);
    let (token, call) = (ReceiptId::minted("r_1"), ToolCallId::minted("call1"));
    seen.delivered(Batch(1), path(), SeenRead { known, token, call, window: None });
    let other = WorkspacePath::new(RootId(0), "b.txt").expect("a path");
    assert!(seen.issued(&path(), "r_1", (Batch(0), Batch(2))));
    assert!(!seen.issued(&path(), "r_1", (Batch(0), Batch(1))), "the same answer");
    assert!(!seen.issued(&path(), "r_1", (Batch(2), Batch(3))), "another turn");
    assert!(!seen.issued(&path(), "r_2", (Batch(0), Batch(2))));
    assert!(!seen.issued(&other, "r_1", (Batch(0), Batch(2))));
}
