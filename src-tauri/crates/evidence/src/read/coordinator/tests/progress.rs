//! What is progress of a read and what is not, and what comes too late to be any.

use super::*;

/// RC-14, RC-15: a new line resets the count, and a cursor that is turned away is none; the other
/// course is proposed once.
#[test]
fn another_course_is_proposed_once() {
    check(
        "full; range 0 10; range 0 10; range 2000 10; range 0 10; range 0 10; range 2010 10; range 0 9",
        expect![[r#"
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            range 0 10 -> [0, 10) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
            range 0 10 -> [0, 10) NeedsMore g0 [[0, 2000)] of Some(2105) cursor pivot [2000, 2105)
            range 2000 10 -> [2000, 2010) NeedsMore g0 [[0, 2010)] of Some(2105) cursor
            range 0 10 -> [0, 10) NeedsMore g0 [[0, 2010)] of Some(2105) cursor
            range 0 10 -> [0, 10) Blocked NoProgress g0 [[0, 2010)] of Some(2105)
            range 2010 10 -> [2010, 2020) NeedsMore g0 [[0, 2020)] of Some(2105) cursor
            range 0 9 -> [0, 9) NeedsMore g0 [[0, 2020)] of Some(2105) cursor
        "#]],
    );
    check(
        "file 9000 1; full; cursor; cursor 1; range 0 10; cursor",
        expect![[r#"
            file 9000 1
            full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(9000) cursor
            cursor -> [2000, 4000) NeedsMore g0 [[0, 4000)] of Some(9000) cursor
            cursor 1 -> CursorInvalid
            range 0 10 -> [0, 10) NeedsMore g0 [[0, 4000)] of Some(9000) cursor pivot [4000, 6000)
            cursor -> [4000, 6000) NeedsMore g0 [[0, 6000)] of Some(9000) cursor
        "#]],
    );
}

/// RC-8: what comes for a read that is over, or that went on without it, changes nothing.
#[test]
fn what_comes_late_changes_nothing() {
    let mut rig = Rig::new(BOUNDS);
    let fetch = rig.reads.admit(rig.ask(Some(ReadIntent::Full), None, None)).expect("it may");
    let late = rig.page(&fetch);
    rig.reads.stop(&fetch.read).expect("it is open");
    assert_eq!(rig.reads.delivered(&fetch, &late), Progress::default());
    assert_eq!(rig.reads.failed(&fetch), None);

    let again = rig.reads.admit(rig.ask(Some(ReadIntent::Full), None, None)).expect("it may");
    rig.reads.delivered(&again, &late);
    let old = rig.reads.admit(rig.ask(None, Some(2000), Some(10))).expect("it may");
    rig.reads.changed(&old);
    let none = Progress::default();
    assert_eq!(rig.reads.delivered(&old, &rig.page(&old)), none, "it waits for no page");
    let new = rig.reads.admit(rig.ask(None, Some(0), Some(10))).expect("it may");
    assert_eq!(rig.reads.delivered(&old, &rig.page(&old)), none, "it waits for another one");
    assert_eq!(rig.reads.failed(&old), None);
    let progress = rig.reads.delivered(&new, &rig.page(&new));
    let covered = progress.statuses.last().map(|it| it.covered.clone());
    assert_eq!(covered, Some(vec![LineRange::new(0, 10)]));
}

/// RC-15: a read of which nothing came was none, and one that failed later counts.
#[test]
fn a_read_that_fails_owes_nothing_new() {
    let mut rig = Rig::new(BOUNDS);
    let fetch = rig.reads.admit(rig.ask(Some(ReadIntent::Full), None, None)).expect("it may");
    let status = rig.reads.failed(&fetch).expect("it had a row");
    assert_eq!((status.state, status.active), (ReadState::Cancelled, false));
    assert_eq!(rig.reads.unfinished(), None);
    rig.step("full");
    for _ in 0..3 {
        let fetch = rig.reads.admit(rig.ask(Some(ReadIntent::Full), None, None)).expect("it may");
        assert_eq!(rig.reads.failed(&fetch).map(|it| it.state), Some(ReadState::NeedsMore));
    }
    rig.step("range 0 10");
    assert!(rig.out.ends_with("cursor pivot [2000, 2105)\n"), "{}", rig.out);
}

/// RC-15: an answer of the model's that brings nothing of what is owed is no progress.
#[test]
fn an_answer_that_brings_nothing_is_no_progress() {
    check(
        "full; finish; range 0 10",
        expect![[r#"
        full -> [0, 2000) NeedsMore g0 [[0, 2000)] of Some(2105) cursor
        finish -> is told to go on with a.txt [[2000, 2105)]
        range 0 10 -> [0, 10) NeedsMore g0 [[0, 2000)] of Some(2105) cursor pivot [2000, 2105)
    "#]],
    );
}
