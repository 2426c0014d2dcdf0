//! What is kept of a file before the turn writes it, and what is not.

use checkpoint::{Capture, CaptureCoverage};
use expect_test::expect;
use protocol::{Gap, GapReason, Limits, ToolCallId};
use session::LocalRecord;
use workspace::{AppliedWrite, FileState};

use crate::turn::{Turn, told};

fn call() -> ToolCallId {
    ToolCallId::minted("c")
}

#[test]
fn the_before_image_is_stored_once_and_first_touch_wins() {
    // CP-2
    let mut turn = Turn::new();
    turn.put("a.txt", "first\n");
    let image = turn.image(&turn.place("a.txt")).unwrap();
    turn.write("a.txt", "second\n");
    turn.write("a.txt", "third\n");
    let stored = turn.log.reader().blob(image.fingerprint()).unwrap();
    assert_eq!(stored.as_deref(), Some(&b"first\n"[..]));
    expect![[r#"
        Complete +1 -1
        Modify a.txt +1 -1 ["c1", "c2"]
    "#]]
    .assert_eq(&told(&turn.freeze()));
    assert!(String::from_utf8(turn.freeze().patches[0].1.clone()).unwrap().contains("-first\n"));
}

#[test]
fn a_later_touch_keeps_no_second_image_and_a_call_is_named_once() {
    // CP-2
    let mut turn = Turn::new();
    turn.put("a.txt", "first\n");
    let (call, permit) = turn.begin("a.txt");
    let applied = turn.workspace.write(permit, b"second\n").unwrap();
    turn.applied(&applied, &call);
    let place = turn.place("a.txt");
    let image = turn.image(&place);
    let again = turn.checkpoint.before(&place, image.as_ref(), &call, &turn.limits.clone());
    assert_eq!((again.records.len(), again.blobs.len()), (1, 0));
    turn.commit(again.records, again.blobs);
    let applied = AppliedWrite { before: applied.after, after: FileState::ABSENT, ..applied };
    std::fs::remove_file(turn.path("a.txt")).unwrap();
    turn.applied(&applied, &call);
    expect![[r#"
        Complete +0 -1
        Delete a.txt +0 -1 ["c1"]
    "#]]
    .assert_eq(&told(&turn.freeze()));
}

#[test]
fn a_file_that_did_not_exist_is_captured_as_that() {
    // CP-2
    let mut turn = Turn::new();
    let place = turn.place("new/a.txt");
    let Capture { records, blobs } =
        turn.checkpoint.before(&place, None, &call(), &Limits::default());
    assert_eq!(blobs.len(), 0);
    let [LocalRecord::Before { before, blob, .. }] = &records[..] else { panic!("{records:?}") };
    assert_eq!((before.fingerprint, *blob), (None, None));
    assert!(turn.checkpoint.touched());
}

#[test]
fn what_cannot_be_captured_is_a_gap_and_stays_one() {
    // CP-5
    let limits = Limits { capture_file_bytes: 8, ..Limits::default() };
    let mut turn = Turn::within(limits);
    turn.put("large.txt", "too many\n");
    turn.put("fits.txt", "eight of");
    turn.put("unreadable.txt", "");
    let place = turn.place("unreadable.txt");
    let Capture { records, .. } =
        turn.checkpoint.before(&place, None, &call(), &turn.limits.clone());
    assert_eq!(records.len(), 1, "there is a file, and no image of it");
    turn.write("large.txt", "small\n");
    turn.write("large.txt", "less\n");
    turn.write("unreadable.txt", "x\n");
    turn.write("fits.txt", "fit");
    expect![[r#"
        Partial +1 -1
        Modify fits.txt +1 -1 ["c4"]
        Unreadable unreadable.txt
        Oversized large.txt
    "#]]
    .assert_eq(&told(&turn.freeze()));
    assert_eq!(turn.checkpoint.coverage(), CaptureCoverage::Partial);
}

#[test]
fn a_file_of_32_mib_is_kept_and_one_byte_more_is_a_gap() {
    // CP-5
    let mut turn = Turn::new();
    for (name, more) in [("fits.bin", 0), ("large.bin", 1)] {
        turn.put(name, "");
        let file = std::fs::File::options().write(true).open(turn.path(name)).unwrap();
        file.set_len((32 << 20) + more).unwrap();
        let place = turn.place(name);
        let image = turn.image(&place);
        let limits = turn.limits.clone();
        let Capture { records, blobs } =
            turn.checkpoint.before(&place, image.as_ref(), &call(), &limits);
        let is_kept = matches!(records[..], [LocalRecord::Before { .. }]);
        let reason = match &records[..] {
            [LocalRecord::Gap { gap }] => Some(gap.reason),
            _ => None,
        };
        let wanted =
            if more == 0 { (true, 1, None) } else { (false, 0, Some(GapReason::Oversized)) };
        assert_eq!((is_kept, blobs.len(), reason), wanted, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_with_several_names_is_a_gap() {
    // CP-5
    use std::fs;
    let mut turn = Turn::new();
    turn.put("one.txt", "shared\n");
    fs::hard_link(turn.path("one.txt"), turn.path("two.txt")).unwrap();
    turn.write("one.txt", "changed\n");
    // This one got its second name after its before-image was taken.
    turn.put("late.txt", "alone\n");
    let (call, permit) = turn.begin("late.txt");
    fs::hard_link(turn.path("late.txt"), turn.path("other.txt")).unwrap();
    let applied = turn.workspace.write(permit, b"changed\n").unwrap();
    turn.applied(&applied, &call);
    expect![[r#"
        Partial +1 -1
        Modify late.txt +1 -1 ["c2"]
        Hardlink late.txt
        Hardlink one.txt
    "#]]
    .assert_eq(&told(&turn.freeze()));
}

#[cfg(unix)]
#[test]
fn a_file_behind_a_link_has_its_own_name() {
    // WB-37
    let mut turn = Turn::new();
    turn.put("real/a.txt", "first\n");
    std::os::unix::fs::symlink("real", turn.path("link")).unwrap();
    turn.write("link/a.txt", "second\n");
    turn.write("real/a.txt", "third\n");
    expect![[r#"
        Complete +1 -1
        Modify real/a.txt +1 -1 ["c1", "c2"]
    "#]]
    .assert_eq(&told(&turn.freeze()));
}

#[test]
fn a_write_whose_end_is_not_known_takes_the_proof_away() {
    // CP-3, B13 (f)
    let mut turn = Turn::new();
    turn.put("first.txt", "1\n");
    turn.put("again.txt", "1\n");
    turn.write("again.txt", "2\n");
    for name in ["first.txt", "again.txt"] {
        let (_, permit) = turn.begin(name);
        let _unrecorded = turn.workspace.write(permit, b"3\n").unwrap();
    }
    expect![[r"
        Partial +0 -0
        OwnershipUnknown again.txt
        OwnershipUnknown first.txt
    "]]
    .assert_eq(&told(&turn.freeze()));
    assert_eq!(turn.replayed(), turn.checkpoint);
}

#[test]
fn a_later_write_does_not_make_an_unknown_one_ours() {
    // CP-3
    let mut turn = Turn::new();
    turn.put("a.txt", "1\n");
    let (_, permit) = turn.begin("a.txt");
    let _unrecorded = turn.workspace.write(permit, b"2\n").unwrap();
    turn.write("a.txt", "3\n");
    expect![[r"
        Partial +0 -0
        OwnershipUnknown a.txt
    "]]
    .assert_eq(&told(&turn.freeze()));
}

#[test]
fn a_later_write_that_did_not_happen_tells_nothing_of_an_unknown_one() {
    // CP-3
    let mut turn = Turn::new();
    turn.put("a.txt", "1\n");
    let (_, permit) = turn.begin("a.txt");
    let _unrecorded = turn.workspace.write(permit, b"2\n").unwrap();
    turn.refuse("a.txt");
    expect![[r"
        Partial +0 -0
        OwnershipUnknown a.txt
    "]]
    .assert_eq(&told(&turn.freeze()));
}

#[test]
fn a_later_write_that_finds_all_as_it_was_proves_that_an_unknown_one_did_nothing() {
    // CP-3
    let mut turn = Turn::new();
    turn.put("a.txt", "1\n");
    turn.begin("a.txt");
    turn.write("a.txt", "2\n");
    expect![[r#"
        Complete +1 -1
        Modify a.txt +1 -1 ["c2"]
    "#]]
    .assert_eq(&told(&turn.freeze()));
}

#[test]
fn a_write_that_did_not_happen_leaves_the_proof_as_it_was() {
    // CP-3
    let mut turn = Turn::new();
    turn.put("untouched.txt", "1\n");
    turn.put("written.txt", "1\n");
    turn.write("written.txt", "2\n");
    for name in ["untouched.txt", "written.txt"] {
        turn.refuse(name);
    }
    expect![[r#"
        Complete +1 -1
        Modify written.txt +1 -1 ["c1"]
    "#]]
    .assert_eq(&told(&turn.freeze()));
    assert_eq!(turn.replayed(), turn.checkpoint);
}

#[test]
fn a_write_without_a_before_image_is_a_gap() {
    let mut turn = Turn::new();
    turn.put("a.txt", "1\n");
    let mut other = turn.checkpoint.clone();
    let (call, permit) = turn.begin("a.txt");
    let applied = turn.workspace.write(permit, b"2\n").unwrap();
    let records = other.applied(&applied, &call);
    let gap = Gap {
        reason: GapReason::CaptureFailed,
        path: Some("a.txt".to_owned()),
        call: Some(call.clone()),
    };
    assert_eq!(records, [LocalRecord::Gap { gap }]);
    assert_eq!(other.applied(&applied, &call), []);
}

#[test]
fn a_gap_is_noted_once() {
    // CP-4
    let mut turn = Turn::new();
    let gap = Gap { reason: GapReason::BashSideEffect, path: None, call: Some(call()) };
    assert!(!turn.checkpoint.touched());
    assert!(turn.checkpoint.gap(gap.clone()).is_some());
    assert!(turn.checkpoint.gap(Gap { call: None, ..gap.clone() }).is_none());
    assert!(turn.checkpoint.gap(Gap { path: Some("a".to_owned()), ..gap }).is_some());
    assert!(turn.checkpoint.touched());
}

#[test]
fn captures_are_complete_partial_or_none() {
    // CP-7
    let mut turn = Turn::new();
    turn.put("a.txt", "1\n");
    assert_eq!(turn.checkpoint.coverage(), CaptureCoverage::None);
    turn.write("a.txt", "2\n");
    assert_eq!(turn.checkpoint.coverage(), CaptureCoverage::Complete);
    let mut records = turn.log.reader().local_records(protocol::TurnId(0)).unwrap();
    for record in &mut records {
        if let LocalRecord::Before { blob, .. } = record {
            *blob = None;
        }
    }
    turn.replay(&records);
    assert_eq!(turn.checkpoint.coverage(), CaptureCoverage::Partial);
}

#[test]
fn a_result_is_named_by_its_turn_and_start() {
    // TR-22
    let mut turn = Turn::new();
    assert_eq!(turn.checkpoint.id().as_str(), "0:1700000000000000000");
    turn.next_turn();
    assert_eq!(turn.checkpoint.id().as_str(), "1:1700000000000000001");
    assert_eq!(turn.freeze().changes.id, *turn.checkpoint.id());
}
