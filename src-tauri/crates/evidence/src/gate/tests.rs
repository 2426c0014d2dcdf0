use std::fmt::Write as _;

use expect_test::{Expect, expect};
use protocol::{Fingerprint, ReceiptId, RootId, ToolCallId};

use super::*;
use crate::observation::SeenRead;

fn stamp_of(bytes: Fingerprint) -> Stamp {
    Stamp(std::array::from_fn(|at| bytes.0[at]))
}

/// Plays a script, one step a line. What the gate says to each write is compared with `expect`.
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
                seen.written(path.clone(), version);
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
            extent: Extent::Whole,
            current: version.expect("a version"),
            stamp: version.and_then(|it| match it {
                Version::Present(bytes) => Some(stamp_of(bytes)),
                Version::Absent => None,
            }),
            cites: words.get(3).map(|token| (*token).to_owned()),
        };
        let answer = match check_write(&seen, batch, request) {
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
