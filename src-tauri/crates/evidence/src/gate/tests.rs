use std::fmt::Write as _;

use expect_test::{Expect, expect};
use protocol::{Fingerprint, ReceiptId, RootId, ToolCallId};

use super::*;
use crate::{
    observation::{OwnWrite, SeenRead, SeenWindow, TargetPart, Written},
    read::source::{LineHash, Snapshot, SourceKind},
};

fn stamp_of(bytes: Fingerprint) -> Stamp {
    Stamp(std::array::from_fn(|at| bytes.0[at]))
}

/// Plays a script in `version` mode, one step a line. What the gate says to each write is compared with `expect`.
///
/// `BATCH read vVERSION|absent`, `BATCH looked vVERSION` for a page of a file too large to be
/// fingerprinted, `BATCH wrote vVERSION`, `BATCH forget`, and
/// `BATCH edit|create|overwrite vVERSION|absent [TOKEN]`, all of one file. A read prints the
/// token `r_BATCH`.
fn check(script: &str, expect: Expect) {
    let path = WorkspacePath::new(RootId(0), "notes.txt").expect("a path");
    let mut seen = ObservationLedger::new(100);
    let mut answers = String::new();
    for step in script.trim().lines() {
        let words: Vec<&str> = step.split(' ').collect();
        let batch = Batch(words[0].parse().expect("a batch"));
        let version = words.get(2).map(|text| match text.strip_prefix('v') {
            Some(number) => Version::Present(Fingerprint([number.parse().expect("a number"); 32])),
            None => Version::Absent,
        });
        let kind = match (words[1], version) {
            ("read", Some(version)) => {
                let token = ReceiptId::minted(format!("r_{}", words[0]));
                let call = ToolCallId::minted("call00001");
                let known = Known::Version(version);
                seen.delivered(batch, path.clone(), SeenRead { known, token, call, window: None });
                continue;
            }
            ("looked", Some(Version::Present(stamp))) => {
                let (token, call) = (ReceiptId::minted("r_0"), ToolCallId::minted("call00001"));
                let known = Known::Stamp(stamp_of(stamp));
                seen.delivered(batch, path.clone(), SeenRead { known, token, call, window: None });
                continue;
            }
            ("wrote", Some(version)) => {
                let lines = Written::Lines(Vec::new());
                seen.written(
                    path.clone(),
                    batch,
                    OwnWrite { before: version, after: version, lines },
                );
                continue;
            }
            ("forget", None) => {
                seen.forget(&path);
                continue;
            }
            ("edit", _) => WriteKind::Edit,
            ("create", _) => WriteKind::Create,
            ("overwrite", _) => WriteKind::Overwrite,
            (verb, _) => panic!("no such step: {verb}"),
        };
        let request = WriteRequest {
            path: path.clone(),
            shown: "notes.txt".to_owned(),
            kind,
            target: None,
            current: version.expect("a version"),
            stamp: version.and_then(|it| match it {
                Version::Present(bytes) => Some(stamp_of(bytes)),
                Version::Absent => None,
            }),
            cites: words.get(3).map(|token| (*token).to_owned()),
            is_rebuild: false,
        };
        let mode = EvidenceMode::Version;
        let evidence = Evidence { seen: &seen, batch, turn: Batch(0), mode };
        let answer = match check_write(evidence, request) {
            Verdict::Permit(permit) => format!("permit {:?}", permit.expects()),
            Verdict::Refuse(it) => format!("{:?} {:?}", it.code, it.allowed_recovery),
        };
        writeln!(answers, "{} {} -> {answer}", words[0], words[1])
            .expect("a String takes any text");
    }
    expect.assert_eq(&answers);
}

/// B26, in `version` mode.
#[test]
fn b26_an_unread_file_is_not_observed() {
    check(
        "1 edit v7\n1 overwrite v7",
        expect![[r#"
        1 edit -> FsNotObserved [RereadTarget, AbandonEdit]
        1 overwrite -> FsNotObserved [RereadTarget, AbandonEdit]
    "#]],
    );
}

/// OL-3, DEC-2: the model cannot have seen a result that was not delivered yet.
#[test]
fn a_read_of_the_same_batch_licenses_nothing() {
    check(
        "1 read v7\n1 edit v7\n2 edit v7",
        expect![[r#"
        1 edit -> FsNotObserved [RereadTarget, AbandonEdit]
        2 edit -> permit Present(07070707)
    "#]],
    );
}

/// B26, WB-36.
#[test]
fn a_file_that_changed_since_is_stale_until_it_is_read_again() {
    check(
        "1 read v7\n2 edit v8\n3 read v8\n3 edit v8\n4 edit v8",
        expect![[r#"
        2 edit -> FsStaleVersion [RereadTarget, AbandonEdit]
        3 edit -> FsStaleVersion [RereadTarget, AbandonEdit]
        4 edit -> permit Present(08080808)
    "#]],
    );
}

/// WB-39: edits after edits need no read, in the same batch either.
#[test]
fn own_writes_are_known() {
    check(
        "1 read v7\n2 edit v7\n2 wrote v8\n2 edit v8\n3 edit v8\n3 edit v7",
        expect![[r#"
        2 edit -> permit Present(07070707)
        2 edit -> permit Present(08080808)
        3 edit -> permit Present(08080808)
        3 edit -> FsStaleVersion [RereadTarget, AbandonEdit]
    "#]],
    );
}

/// WB-39, last sentence.
#[test]
fn a_write_of_unknown_end_is_forgotten() {
    check(
        "1 read v7\n2 forget\n2 edit v7",
        expect![[r#"
        2 edit -> FsNotObserved [RereadTarget, AbandonEdit]
    "#]],
    );
}

/// WB-11, R013.
#[test]
fn a_create_needs_an_absent_target_and_no_read() {
    check(
        "1 create absent\n1 create absent r_9\n1 create v7\n2 read absent\n3 overwrite v7\n3 edit absent",
        expect![[r#"
            1 create -> permit Absent
            1 create -> permit Absent
            1 create -> FsAlreadyExists [RereadTarget, AbandonEdit]
            3 overwrite -> FsStaleVersion [RereadTarget, AbandonEdit]
            3 edit -> WriteTargetAbsent [AbandonEdit]
        "#]],
    );
}

/// RT-6 step 1, RT-7.
#[test]
fn a_token_must_come_from_a_read_of_this_file_before_this_batch() {
    check(
        "1 read v7\n2 edit v7 r_1\n2 edit v7 r_9\n2 read v7\n2 edit v7 r_2\n3 edit v7 r_2",
        expect![[r#"
            2 edit -> permit Present(07070707)
            2 edit -> FsNotObserved [RereadTarget, AbandonEdit]
            2 edit -> FsNotObserved [RereadTarget, AbandonEdit]
            3 edit -> permit Present(07070707)
        "#]],
    );
}

/// SI-5, DEC-1: of a file that is too large to be read whole with each page, what the file system
/// tells is the version that was observed.
#[test]
fn a_large_file_is_known_by_what_the_system_tells_of_it() {
    check(
        "1 looked v7\n1 edit v7\n2 edit v7\n2 edit v8\n2 wrote v8\n3 edit v8",
        expect![[r#"
        1 edit -> FsNotObserved [RereadTarget, AbandonEdit]
        2 edit -> permit Present(07070707)
        2 edit -> FsStaleVersion [RereadTarget, AbandonEdit]
        3 edit -> permit Present(08080808)
    "#]],
    );
}

/// One file of lines that are words, and a model that reads and writes it.
struct File {
    seen: ObservationLedger,
    lines: Vec<&'static str>,
    batch: Batch,
    turn: Batch,
    mode: EvidenceMode,
    reads: u32,
}

impl File {
    fn new(text: &'static str) -> Self {
        Self {
            seen: ObservationLedger::new(1000),
            lines: text.split(' ').collect(),
            batch: Batch(1),
            turn: Batch(1),
            mode: EvidenceMode::Coverage,
            reads: 0,
        }
    }

    fn path() -> WorkspacePath {
        WorkspacePath::new(RootId(0), "notes.txt").expect("a path")
    }

    fn bytes(&self) -> Fingerprint {
        let mut bytes = [0_u8; 32];
        for (at, byte) in self.lines.join(" ").bytes().enumerate() {
            bytes[at % 32] = bytes[at % 32].wrapping_mul(31).wrapping_add(byte);
        }
        Fingerprint(bytes)
    }

    fn hashes(&self, first: usize, end: usize) -> Vec<LineHash> {
        self.lines[first..end].iter().map(|it| LineHash::of(it)).collect()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::of(SourceKind::Disk, &Self::path(), self.bytes())
    }

    /// Reads some lines, as the next answer; its token is `r_` and a number from 1.
    fn read(&mut self, first: usize, end: usize) {
        self.batch = self.batch.next();
        self.reads += 1;
        let window = SeenWindow {
            first: first as u32,
            hashes: self.hashes(first, end),
            snapshot: Some(self.snapshot()),
        };
        let read = SeenRead {
            known: Known::Version(Version::Present(self.bytes())),
            token: ReceiptId::minted(format!("r_{}", self.reads)),
            call: ToolCallId::minted("call00001"),
            window: Some(window),
        };
        self.seen.delivered(self.batch, Self::path(), read);
    }

    /// Asks to replace some lines, as the next answer.
    fn edit(&mut self, first: usize, end: usize, cites: Option<&str>) -> String {
        let part = TargetPart { first: first as u32, hashes: self.hashes(first, end) };
        self.ask(WriteKind::Edit, Some((false, vec![part])), cites)
    }

    fn overwrite(&mut self) -> String {
        let part = TargetPart { first: 0, hashes: self.hashes(0, self.lines.len()) };
        self.ask(WriteKind::Overwrite, Some((true, vec![part])), None)
    }

    fn ask(
        &mut self,
        kind: WriteKind,
        target: Option<(bool, Vec<TargetPart>)>,
        cites: Option<&str>,
    ) -> String {
        self.batch = self.batch.next();
        self.ask_again(kind, target, cites, false)
    }

    /// Asks in the same answer as what came before.
    fn ask_again(
        &self,
        kind: WriteKind,
        target: Option<(bool, Vec<TargetPart>)>,
        cites: Option<&str>,
        is_rebuild: bool,
    ) -> String {
        let snapshot = Some(self.snapshot());
        let request = WriteRequest {
            path: Self::path(),
            shown: "notes.txt".to_owned(),
            kind,
            target: target.map(|(is_whole, parts)| EvidenceTarget { snapshot, is_whole, parts }),
            current: Version::Present(self.bytes()),
            stamp: None,
            cites: cites.map(str::to_owned),
            is_rebuild,
        };
        let Self { seen, batch, turn, mode, .. } = self;
        let evidence = Evidence { seen, batch: *batch, turn: *turn, mode: *mode };
        match check_write(evidence, request) {
            Verdict::Permit(permit) => {
                assert_eq!(permit.expects(), Version::Present(self.bytes()));
                "permit".to_owned()
            }
            Verdict::Refuse(it) => {
                assert!(it.allowed_recovery.contains(&protocol::RecoveryAction::AbandonEdit));
                format!("{:?} {:?}", it.code, it.required_ranges)
            }
        }
    }
}

/// B26, WB-12, DG-9: who speaks in which mode, and which lines are missing.
#[test]
fn b26_lines_that_were_not_shown_are_named_and_each_mode_has_its_codes() {
    for (mode, unread, stale) in [
        (EvidenceMode::Coverage, "WriteEvidenceMissing [[1, 2)]", "WriteEvidenceStale [[1, 2)]"),
        (EvidenceMode::Version, "FsNotObserved []", "FsStaleVersion []"),
    ] {
        let mut file = File { mode, ..File::new("a b c d e") };
        assert_eq!(file.edit(1, 2, None), unread);
        file.read(0, 5);
        assert_eq!(file.edit(1, 2, None), "permit");
        file.lines[1] = "changed";
        assert_eq!(file.edit(1, 2, None), stale);
        // DEC-2 (b): changed in other lines only, even if they moved these.
        file.lines.insert(0, "above");
        assert_eq!(file.edit(4, 5, None), "permit");
    }
}

/// DEC-2 (b): where the file changed beside the part that is replaced is named.
#[test]
fn what_changed_beside_a_known_part_is_named() {
    let changed = |text: &'static str, at: usize| {
        let mut file = File::new("a b c d e f g");
        file.read(0, 7);
        file.batch = file.batch.next();
        file.lines = text.split(' ').collect();
        let part = TargetPart { first: at as u32, hashes: file.hashes(at, at + 1) };
        let now = file.hashes(0, file.lines.len());
        let changed = file.seen.changed_beside(&File::path(), file.batch, &part, &now);
        crate::refusal::named(&changed)
    };
    assert_eq!(changed("x y a b c d e f g", 5), "lines 1-2");
    assert_eq!(changed("a X c d e f g", 3), "line 2");
    assert_eq!(changed("a b c d e F g", 3), "lines 6-7");
    assert_eq!(changed("a b X c d e", 4), "line 3");
    assert_eq!(changed("b c d e f g", 2), "it", "what is gone has no lines");
    assert_eq!(changed("a b c d e f g more", 3), "it", "what follows the page was not shown");
}

/// WB-12, OL-6: what was shown in part licenses that part.
#[test]
fn a_part_that_was_read_licenses_edits_in_it_alone() {
    let mut file = File::new("a b c d e f");
    file.read(0, 3);
    assert_eq!(file.edit(0, 3, None), "permit");
    assert_eq!(file.edit(2, 5, None), "WriteEvidenceStale [[3, 5)]");
    assert_eq!(file.overwrite(), "WriteEvidenceStale [[3, 6)]");
    file.read(3, 6);
    assert_eq!(file.edit(2, 5, None), "permit");
    assert_eq!(file.overwrite(), "permit");
}

/// WB-14, OL-7: all of a file is replaced only as it was shown, whatever is the same in it.
#[test]
fn a_whole_file_is_replaced_only_in_the_version_that_was_shown() {
    let mut file = File::new("a b c");
    file.read(0, 3);
    file.lines.push("d");
    assert_eq!(file.overwrite(), "WriteEvidenceStale [[0, 4)]");
    file.read(3, 4);
    assert_eq!(file.overwrite(), "WriteEvidenceStale [[0, 3)]");
}

/// WB-31, WB-40: what is too long to be looked at is replaced only where the user asked for it.
#[test]
fn a_file_too_long_to_be_looked_at_is_replaced_only_when_the_user_asks() {
    let mut file = File::new("a b c");
    file.read(0, 3);
    assert_eq!(file.ask(WriteKind::Overwrite, None, None), "WriteEvidenceMissing []");
    assert_eq!(file.ask_again(WriteKind::Overwrite, None, None, true), "permit");
    assert_eq!(file.ask_again(WriteKind::Edit, None, None, true), "WriteEvidenceMissing []");
}

/// WB-32, OL-3: a read licenses nothing in its own answer.
#[test]
fn a_read_licenses_nothing_in_its_own_answer() {
    let mut file = File::new("a b c");
    file.read(0, 3);
    let part = TargetPart { first: 0, hashes: file.hashes(0, 1) };
    let target = Some((false, vec![part]));
    let refused = "WriteEvidenceMissing [[0, 1)]";
    assert_eq!(file.ask_again(WriteKind::Edit, target.clone(), None, false), refused);
    assert_eq!(file.ask(WriteKind::Edit, target, None), "permit");
}

/// RT-6, RT-7: a cited token stands for the version and the lines that its read showed, in this turn.
#[test]
fn a_token_stands_for_what_its_read_showed() {
    let mut file = File::new("a b c d");
    file.read(0, 2);
    file.read(2, 4);
    assert_eq!(file.edit(0, 1, Some("r_1")), "permit");
    assert_eq!(file.edit(0, 1, Some("r_2")), "WriteEvidenceStale [[0, 1)]");
    assert_eq!(file.edit(0, 1, Some("r_9")), "WriteEvidenceMissing []");
    // DEC-2 (b) is for edits that cite nothing.
    file.lines[3] = "changed";
    assert_eq!(file.edit(0, 1, Some("r_1")), "WriteEvidenceStale [[0, 1)]");
    assert_eq!(file.edit(0, 1, None), "permit");
    file.lines[3] = "d";
    file.turn = file.batch.next();
    assert_eq!(file.edit(0, 1, Some("r_1")), "WriteEvidenceMissing []");
    assert_eq!(file.edit(0, 1, None), "permit", "DEC-13");
}

/// An edit whose passage is not there asks only whether the version is known.
#[test]
fn an_edit_that_is_nowhere_is_a_question_of_the_version() {
    let mut file = File::new("a b c");
    assert_eq!(file.ask(WriteKind::Edit, Some((false, vec![])), None), "WriteEvidenceMissing []");
    file.read(0, 1);
    assert_eq!(file.ask(WriteKind::Edit, Some((false, vec![])), None), "permit");
    file.lines[2] = "changed";
    assert_eq!(file.ask(WriteKind::Edit, Some((false, vec![])), None), "WriteEvidenceStale []");
}
