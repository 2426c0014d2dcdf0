//! What a freeze counts, what it does not, and why: the steps of TR-4, the budget, the store.

use std::{fs, time::Duration};

use checkpoint::{Frozen, not_saved};
use expect_test::{Expect, expect};
use protocol::{Coverage, Gap, GapReason, Limits, ResultId, TurnId};
use session::LocalRecord;

use crate::turn::{Turn, told};

fn check(turn: &Turn, expect: Expect) {
    expect.assert_eq(&told(&turn.freeze()));
}

/// A turn that changed one line of `a.txt`, with its records changed by `change` afterwards.
fn one_line(change: impl Fn(&mut LocalRecord)) -> Turn {
    let mut turn = Turn::new();
    turn.put("a.txt", "old\n");
    turn.write("a.txt", "new\n");
    let mut records = turn.log.reader().local_records(TurnId(0)).unwrap();
    records.iter_mut().for_each(change);
    turn.replay(&records);
    turn
}

#[test]
fn a_turn_that_touched_nothing_is_complete_and_empty() {
    // TR-33; TL-2: a level without files has no totals.
    assert_eq!(Turn::new().freeze().changes.levels, []);
    check(
        &Turn::new(),
        expect![[r"
        Complete +0 -0
    "]],
    );
    let unknown = Frozen::unknown(TurnId(7), ResultId::minted("7:0")).changes;
    assert_eq!((unknown.coverage, unknown.files.len()), (Coverage::Unknown, 0), "TR-3");
}

#[test]
fn step_1_a_before_image_that_is_gone_or_another_is_not_diffed() {
    let expired = one_line(|record| {
        if let LocalRecord::Before { blob, .. } = record {
            *blob = None;
        }
    });
    let missing = one_line(|record| {
        if let LocalRecord::Before { before, blob, .. } = record {
            let other = session::fingerprint(b"never stored");
            (before.fingerprint, *blob) = (Some(other), Some(other));
        }
    });
    let swapped = one_line(|record| {
        if let LocalRecord::Before { before, .. } = record {
            before.fingerprint = Some(session::fingerprint(b"something else"));
        }
    });
    let of_another = one_line(|record| {
        if let LocalRecord::Before { blob, .. } = record {
            *blob = Some(session::fingerprint(b"something else"));
        }
    });
    for turn in [expired, missing, swapped, of_another] {
        check(
            &turn,
            expect![[r"
            Partial +0 -0
            SnapshotUnavailable a.txt
        "]],
        );
    }
}

#[test]
fn step_2_without_an_after_fingerprint_nothing_is_owned() {
    // B13 (f): the turn was killed between its write and the record of it.
    let mut turn = Turn::new();
    turn.put("a.txt", "old\n");
    let (_, permit) = turn.begin("a.txt");
    let _unrecorded = turn.workspace.write(permit, b"new\n").unwrap();
    turn.checkpoint = turn.replayed();
    check(
        &turn,
        expect![[r"
        Partial +0 -0
        OwnershipUnknown a.txt
    "]],
    );
}

#[test]
fn step_3_a_before_image_as_large_as_the_budget_is_too_large() {
    for (result_bytes, expect) in [
        (
            4,
            expect![[r"
            Partial +0 -0
            SizeLimit a.txt
        "]],
        ),
        (
            5,
            expect![[r#"
            Complete +0 -1
            Delete a.txt +0 -1 SizeLimit ["c1"]
        "#]],
        ),
    ] {
        let mut turn = Turn::within(Limits { result_bytes, ..Limits::default() });
        turn.put("a.txt", "old\n");
        turn.change("a.txt", |path| fs::remove_file(path).unwrap());
        check(&turn, expect);
    }
}

#[test]
fn step_4_a_file_that_grew_too_large_is_size_limit_and_another_trouble_is_not() {
    // 08, table 8.3 row 14
    let mut turn = Turn::within(Limits { capture_file_bytes: 8, ..Limits::default() });
    for name in ["grown.txt", "vast.txt", "folder.txt", "linked.txt"] {
        turn.put(name, "old\n");
    }
    turn.write("grown.txt", "nine byte");
    turn.write("vast.txt", "new\n");
    let vast = fs::File::options().write(true).open(turn.path("vast.txt")).unwrap();
    vast.set_len(Limits::default().whole_file_bytes + 1).unwrap();
    turn.write("folder.txt", "new\n");
    turn.write("linked.txt", "new\n");
    fs::remove_file(turn.path("folder.txt")).unwrap();
    fs::create_dir(turn.path("folder.txt")).unwrap();
    #[cfg(unix)]
    {
        turn.put("elsewhere.txt", "new\n");
        fs::remove_file(turn.path("linked.txt")).unwrap();
        std::os::unix::fs::symlink("elsewhere.txt", turn.path("linked.txt")).unwrap();
        check(
            &turn,
            expect![[r"
            Partial +0 -0
            SizeLimit grown.txt
            SizeLimit vast.txt
            FileUnavailable folder.txt
            FileUnavailable linked.txt
        "]],
        );
    }
}

#[test]
fn step_5_a_foreign_write_after_the_last_owned_one_is_not_counted() {
    // B13 (a)
    let mut turn = Turn::new();
    turn.put("gone.txt", "old\n");
    for name in ["bytes.txt", "gone.txt", "ours.txt"] {
        turn.write(name, "new\n");
    }
    turn.put("bytes.txt", "the user's\n");
    fs::remove_file(turn.path("gone.txt")).unwrap();
    check(
        &turn,
        expect![[r#"
        Partial +1 -0
        Create ours.txt +1 -0 ["c3"]
        ExternalChange bytes.txt
        ExternalChange gone.txt
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn step_5_foreign_permission_bits_are_a_foreign_write() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut turn = Turn::new();
    turn.write("a.sh", "new\n");
    fs::set_permissions(turn.path("a.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    check(
        &turn,
        expect![[r"
        Partial +0 -0
        ExternalChange a.sh
    "]],
    );
}

#[test]
fn step_5_a_foreign_write_between_two_owned_ones_is_not_counted_either() {
    // CO-6, TR-6: the user's lines would be among the turn's.
    let mut turn = Turn::new();
    turn.put("a.txt", "old\n");
    turn.write("a.txt", "new\n");
    turn.put("a.txt", "new\nthe user's\n");
    turn.write("a.txt", "newer\nthe user's\n");
    check(
        &turn,
        expect![[r"
        Partial +0 -0
        ExternalChange a.txt
    "]],
    );
    assert_eq!(turn.replayed(), turn.checkpoint);
}

#[test]
fn step_6_a_file_put_back_has_no_entry() {
    // B14, TR-6
    let mut turn = Turn::new();
    turn.put("a.txt", "old\n");
    turn.write("a.txt", "new\n");
    turn.write("a.txt", "old\n");
    turn.write("b.txt", "new\n");
    turn.change("b.txt", |path| fs::remove_file(path).unwrap());
    check(
        &turn,
        expect![[r"
        Complete +0 -0
    "]],
    );
}

#[test]
fn step_7_contents_over_the_budget_are_not_counted() {
    // B13 (d)
    let two_mib = 2 << 20;
    let mut turn = Turn::new();
    turn.write("fits.txt", "x".repeat(two_mib));
    check(
        &turn,
        expect![[r#"
        Complete +1 -0
        Create fits.txt +1 -0 SizeLimit ["c1"]
    "#]],
    );
    let mut turn = Turn::new();
    turn.write("large.txt", "x".repeat(two_mib + 1));
    check(
        &turn,
        expect![[r"
        Partial +0 -0
        SizeLimit large.txt
    "]],
    );
}

#[test]
fn the_budget_is_one_for_the_turn_contents_and_kept_patches_together() {
    // TR-11: 8 bytes of content and 90 of patch a file.
    let patch_bytes = {
        let mut turn = Turn::new();
        turn.put("1.txt", "old\n");
        turn.write("1.txt", "new\n");
        turn.freeze().patches[0].1.len() as u64
    };
    let two_files_and_a_content = 2 * (8 + patch_bytes) + 8;
    let mut turn =
        Turn::within(Limits { result_bytes: two_files_and_a_content, ..Limits::default() });
    for name in ["1.txt", "2.txt", "3.txt", "4.txt"] {
        turn.put(name, "old\n");
        turn.write(name, "new\n");
    }
    check(
        &turn,
        expect![[r#"
        Partial +3 -3
        Modify 1.txt +1 -1 ["c1"]
        Modify 2.txt +1 -1 ["c2"]
        Modify 3.txt +1 -1 SizeLimit ["c3"]
        SizeLimit 4.txt
    "#]],
    );
    let patches: Vec<_> = turn.freeze().patches.into_iter().map(|(path, _)| path).collect();
    assert_eq!(patches, ["1.txt", "2.txt"]);
}

#[test]
fn a_patch_that_does_not_fit_leaves_counts_and_coverage() {
    // TR-10
    let mut turn = Turn::within(Limits { result_bytes: 20, ..Limits::default() });
    turn.put("a.txt", "old\n");
    turn.write("a.txt", "new\n");
    check(
        &turn,
        expect![[r#"
        Complete +1 -1
        Modify a.txt +1 -1 SizeLimit ["c1"]
    "#]],
    );
    assert_eq!(turn.freeze().patches, []);
}

#[test]
fn a_diff_that_was_cut_is_listed_without_numbers() {
    // TR-9, B13 (e)
    let mut turn = Turn::within(Limits { diff_time: Duration::ZERO, ..Limits::default() });
    turn.put("a.txt", "old\n");
    turn.write("a.txt", "new\n");
    check(
        &turn,
        expect![[r#"
        Partial +0 -0
        Modify a.txt +0 -0 uncounted SizeLimit ["c1"]
        SizeLimit a.txt
    "#]],
    );
    assert_eq!(turn.freeze().patches, []);

    let mut turn = Turn::new();
    turn.write("new.txt", "line\n".repeat(2_100));
    check(
        &turn,
        expect![[r#"
        Complete +2100 -0
        Create new.txt +2100 -0 ["c1"]
    "#]],
    );
}

#[test]
fn a_held_barrier_gives_no_counts() {
    // TR-2, B13 (b)
    let mut turn = Turn::new();
    turn.write("a.txt", "new\n");
    let gap = Gap { reason: GapReason::Hardlink, path: Some("b.txt".to_owned()), call: None };
    turn.checkpoint.gap(gap);
    let guard = turn.workspace.barrier().enter();
    check(
        &turn,
        expect![[r"
        Partial +0 -0
        ActiveWriter -
        Hardlink b.txt
    "]],
    );
    drop(guard);
    assert_eq!(turn.freeze().changes.total_files, 1);
}

#[test]
fn gaps_of_the_turn_are_copied_and_counts_are_kept() {
    // TR-12, B13 (c); DEC-14: a living job forces nothing, and what is proven is counted.
    let mut turn = Turn::new();
    turn.write("a.txt", "new\n");
    for reason in [GapReason::BashSideEffect, GapReason::ActiveWriter] {
        turn.checkpoint.gap(Gap { reason, path: None, call: None });
    }
    check(
        &turn,
        expect![[r#"
        Partial +1 -0
        Create a.txt +1 -0 ["c1"]
        ActiveWriter -
        BashSideEffect -
    "#]],
    );
}

#[test]
fn the_users_own_lines_are_the_baseline_and_a_stored_result_never_changes() {
    // B12, TR-3, TR-6, TR-24, TR-25
    let mut turn = Turn::new();
    turn.put("a.txt", "user line\nold\n");
    turn.write("a.txt", "user line\ntemporary\n");
    turn.write("a.txt", "user line\nnew\n");
    turn.write("b.txt", "one line\n");
    let frozen = turn.freeze();
    expect![[r#"
        Complete +2 -1
        Modify a.txt +1 -1 ["c1", "c2"]
        Create b.txt +1 -0 ["c3"]
    "#]]
    .assert_eq(&told(&frozen));
    let patch = String::from_utf8(frozen.patches[0].1.clone()).unwrap();
    assert!(patch.contains("\n-old\n") && !patch.contains("-user line"), "{patch}");

    let (first, id) = (TurnId(0), turn.checkpoint.id().clone());
    turn.next_turn();
    turn.write("a.txt", "user line\nnewest\n");
    turn.put("b.txt", "the user's\n");
    let records = turn.log.reader().local_records(first).unwrap();
    let mut detached = {
        let mut again = Turn::new();
        std::mem::swap(&mut again.log, &mut turn.log);
        again.checkpoint = checkpoint::Checkpoint::replay(first, id, &records);
        let loaded = again.freeze();
        assert_eq!(loaded, frozen, "and without the workspace");
        std::mem::swap(&mut again.log, &mut turn.log);
        loaded
    };
    detached.changes.files.clear();
    assert_eq!(frozen.changes.files.len(), 2);
}

#[test]
fn a_result_that_could_not_be_stored_says_so() {
    // TR-25
    let mut turn = Turn::new();
    turn.write("a.txt", "new\n");
    let mut frozen = turn.freeze();
    not_saved(&mut frozen.changes);
    expect![[r#"
        Partial +1 -0
        Create a.txt +1 -0 ["c1"]
        ResultNotSaved -
    "#]]
    .assert_eq(&told(&frozen));
    let mut unknown = Frozen::unknown(TurnId(0), ResultId::minted("0:0")).changes;
    not_saved(&mut unknown);
    assert_eq!(unknown.coverage, Coverage::Unknown);
}
