use proptest::prelude::*;
use protocol::{Fingerprint, LineRange, ReceiptId, RootId, ToolCallId};

use super::*;
use crate::observation::{EvidenceTarget, SeenRead, TargetPart};

fn path() -> WorkspacePath {
    WorkspacePath::new(RootId(0), "a.txt").expect("a path")
}

fn version(lines: &[u32]) -> Version {
    let mut bytes = [0_u8; 32];
    for (at, line) in lines.iter().enumerate() {
        let byte = &mut bytes[at % 32];
        *byte = byte.wrapping_mul(31).wrapping_add(*line as u8).wrapping_add(1);
    }
    Version::Present(Fingerprint(bytes))
}

fn snapshot(lines: &[u32]) -> Option<Snapshot> {
    match version(lines) {
        Version::Absent => None,
        Version::Present(bytes) => Some(Snapshot::of(SourceKind::Disk, &path(), bytes)),
    }
}

fn hashes(lines: &[u32]) -> Vec<LineHash> {
    lines.iter().map(|it| LineHash::of(&it.to_string())).collect()
}

/// A file of lines that are all different, and which of them the model knows.
struct Play {
    seen: ObservationLedger,
    lines: Vec<u32>,
    known: Vec<u32>,
    next: u32,
    is_versioned: bool,
}

impl Play {
    fn new(count: u32, is_versioned: bool) -> Self {
        let (seen, lines) = (ObservationLedger::new(100_000), (0..count).collect());
        Self { seen, lines, known: Vec::new(), next: count, is_versioned }
    }

    fn read(&mut self, first: u32, count: u32) {
        let end = (first + count).min(self.lines.len() as u32);
        let lines = &self.lines[first.min(end) as usize..end as usize];
        self.known.extend(lines);
        let snapshot = snapshot(&self.lines).filter(|_| self.is_versioned);
        let window = SeenWindow { first: first.min(end), hashes: hashes(lines), snapshot };
        let (token, call) = (ReceiptId::minted("r_1"), ToolCallId::minted("call1"));
        let known = crate::observation::Known::Version(version(&self.lines));
        self.seen.delivered(
            Batch(1),
            path(),
            SeenRead { known, token, call, window: Some(window) },
        );
    }

    fn write(&mut self, first: u32, count: u32, fresh: u32) {
        let end = (first + count).min(self.lines.len() as u32);
        let range = LineRange::new(first.min(end), end);
        let new: Vec<u32> = (self.next..self.next + fresh).collect();
        self.next += fresh;
        let before = version(&self.lines);
        self.lines.splice(range.start as usize..range.end as usize, new.iter().copied());
        self.known.extend(&new);
        let lines = Written::Lines(vec![Splice { before: range, after: hashes(&new) }]);
        let write = OwnWrite { before, after: version(&self.lines), lines };
        self.seen.written(path(), Batch(2), write);
    }

    fn missing(&self, first: u32, count: u32) -> Vec<LineRange> {
        let end = (first + count).min(self.lines.len() as u32);
        let part = TargetPart {
            first: first.min(end),
            hashes: hashes(&self.lines[first.min(end) as usize..end as usize]),
        };
        let snapshot = snapshot(&self.lines);
        let target = EvidenceTarget { snapshot, is_whole: false, parts: vec![part] };
        self.seen.missing(&path(), Batch(2), &target, None)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// DEC-2 (a), WB-39: after any writes of the host, what is missing of some lines are just those that
    /// the model was never shown and did not write.
    #[test]
    fn what_was_shown_and_written_stays_known_over_own_writes(
        reads in prop::collection::vec((0..30_u32, 1..12_u32), 0..4),
        writes in prop::collection::vec((0..30_u32, 0..6_u32, 0..5_u32), 0..8),
        (first, count) in (0..30_u32, 1..30_u32),
    ) {
        let mut play = Play::new(30, true);
        reads.into_iter().for_each(|(first, count)| play.read(first, count));
        writes.into_iter().for_each(|(first, count, fresh)| play.write(first, count, fresh));
        let missing = play.missing(first, count);
        let end = (first + count).min(play.lines.len() as u32);
        for line in first.min(end)..end {
            let is_known = play.known.contains(&play.lines[line as usize]);
            let is_missing = missing.iter().any(|it| it.start <= line && line < it.end);
            prop_assert!(is_known != is_missing, "line {} of {:?}: {:?}", line, play.lines, missing);
        }
    }

    /// OL-8: a page without a version, carried over own writes, still proves no line it did not show.
    #[test]
    fn pages_without_a_version_prove_nothing_more_after_own_writes(
        reads in prop::collection::vec((0..30_u32, 1..12_u32), 0..4),
        writes in prop::collection::vec((0..30_u32, 0..6_u32, 0..5_u32), 0..8),
        (first, count) in (0..30_u32, 1..30_u32),
    ) {
        let mut play = Play::new(30, false);
        reads.into_iter().for_each(|(first, count)| play.read(first, count));
        writes.into_iter().for_each(|(first, count, fresh)| play.write(first, count, fresh));
        let missing = play.missing(first, count);
        let end = (first + count).min(play.lines.len() as u32);
        for line in first.min(end)..end {
            let is_missing = missing.iter().any(|it| it.start <= line && line < it.end);
            prop_assert!(is_missing || play.known.contains(&play.lines[line as usize]));
        }
    }
}

/// DEC-2 (a): a page without a version is carried over a write too, with what was written in it.
#[test]
fn a_page_without_a_version_is_carried_over_a_write() {
    let mut play = Play::new(30, false);
    play.read(10, 10);
    play.write(12, 1, 3);
    play.write(0, 0, 2);
    assert_eq!(play.missing(12, 12), []);
    assert_eq!(play.missing(11, 13), [LineRange::new(11, 24)]);
}

/// OL-3: what was read in the same answer is not known to its writes; what they wrote is.
#[test]
fn what_is_written_is_known_in_the_same_answer_and_what_is_read_is_not() {
    let mut play = Play::new(10, true);
    play.read(0, 10);
    let lines = Written::Lines(vec![Splice { before: LineRange::new(4, 5), after: hashes(&[77]) }]);
    let before = version(&play.lines);
    play.lines[4] = 77;
    let write = OwnWrite { before, after: version(&play.lines), lines };
    play.seen.written(path(), Batch(1), write);
    let part = |first: u32, count: usize| {
        let hashes = hashes(&play.lines[first as usize..first as usize + count]);
        let parts = vec![TargetPart { first, hashes }];
        EvidenceTarget { snapshot: snapshot(&play.lines), is_whole: false, parts }
    };
    let missing = |batch, target| play.seen.missing(&path(), Batch(batch), &target, None);
    assert_eq!(missing(1, part(4, 1)), []);
    assert_eq!(missing(1, part(3, 2)), [LineRange::new(3, 4)]);
    assert_eq!(missing(2, part(0, 10)), []);
}

/// CL-7: what is carried over writes counts as often as it is kept.
#[test]
fn kept_lines_are_counted_over_own_writes() {
    let mut play = Play::new(30, true);
    play.read(0, 10);
    play.write(5, 2, 6);
    play.write(20, 1, 3);
    assert_eq!(play.seen.kept_lines, 10 - 2 + 6 + 3);
    play.seen.forget(&path());
    assert_eq!((play.seen.kept_lines, play.seen.kept.len()), (0, 0));
}
