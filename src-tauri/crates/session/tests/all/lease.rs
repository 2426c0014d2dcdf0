//! One writer at a time, and readers beside it.

use std::sync::atomic::{AtomicBool, Ordering};

use session::{SessionError, SessionLog};

use crate::fixture::{Fixture, all_events, commit, notice, started};

/// SM-1, AN-8: the second is told who has it.
#[test]
fn a_second_writer_is_told_who_has_the_session() {
    let home = Fixture::new();
    let log = home.create();
    let second = SessionLog::open(&home.folder, home.id.clone(), &home.limits);
    let Err(SessionError::Busy { owner, .. }) = second else { panic!("{second:?}") };
    assert!(owner.contains(&format!("process {}", std::process::id())), "{owner}");
    assert_eq!(home.reader().owner(), Some(owner));
    drop(log);
    assert_eq!(home.reader().owner(), None);
    home.open();
}

/// SM-1: reading takes no lease, before, while and after somebody writes.
#[test]
fn a_reader_sees_each_commit_and_keeps_nobody_from_writing() {
    let home = Fixture::new();
    drop(home.create());
    let early = home.reader();
    assert_eq!(all_events(&early), []);
    let mut log = home.open();
    for turn in 0..20 {
        let live = log.commit(commit(turn, vec![started(turn, "p"), notice()])).unwrap();
        let reader = home.reader();
        for reader in [&early, &reader] {
            let page = reader.history(None, 1).unwrap();
            assert_eq!(page.turns[0].events, live);
            assert_eq!(page.more, turn != 0);
        }
    }
    drop(log);
    assert_eq!(all_events(&early).len(), 40);
    let mut log = home.open();
    log.commit(commit(20, vec![notice()])).unwrap();
    assert_eq!(all_events(&early).len(), 41);
}

/// Whoever only looks must not make a writer think that the session is taken.
#[test]
fn looking_for_the_owner_does_not_turn_a_writer_away() {
    let home = Fixture::new();
    drop(home.create());
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (reader, ended) = (home.reader(), &ended);
            scope.spawn(move || {
                while !ended.load(Ordering::Relaxed) {
                    reader.owner();
                }
            });
        }
        let tries: Vec<_> = (0..50)
            .map(|_| SessionLog::open(&home.folder, home.id.clone(), &home.limits).err())
            .collect();
        ended.store(true, Ordering::Relaxed);
        assert!(tries.iter().all(Option::is_none), "{tries:?}");
    });
}
