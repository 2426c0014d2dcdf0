//! Writing with a permit.

use std::{
    fs,
    sync::{
        Barrier,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use protocol::Limits;
use workspace::{FileError, FileState};

use crate::bench::{Bench, open, permit};

/// WB-11: a new file needs no folders beforehand, and what it was before is known.
#[test]
fn a_file_is_created_with_the_folders_it_lacks() {
    let bench = Bench::new();
    let applied = bench.write("new/folders/a.txt", "text").unwrap();
    assert_eq!(bench.text("new/folders/a.txt"), "text");
    assert_eq!(applied.path.relative(), "new/folders/a.txt");
    assert_eq!(applied.shown, "new/folders/a.txt");
    assert_eq!(applied.before, FileState { fingerprint: None, mode: None });
    assert_eq!(applied.after, bench.state("new/folders/a.txt").unwrap(), "CP-3");
    assert!(!applied.hardlinked);
    assert_eq!(bench.names(&bench.root.join("new/folders")), ["a.txt"], "no temporary file stays");
}

/// CP-3: both states are those of the disk.
#[test]
fn a_file_is_replaced_and_both_states_are_known() {
    let bench = Bench::new();
    bench.put("a", "old");
    let before = bench.state("a").unwrap();
    let applied = bench.write("a", "new").unwrap();
    assert_eq!(bench.text("a"), "new");
    assert_eq!((applied.before, applied.after), (before, bench.state("a").unwrap()));
    assert_eq!(bench.names(&bench.root), ["a"]);
}

/// WB-36, between the gate and the write.
#[test]
fn a_file_that_changed_since_the_permit_is_left_alone() {
    let bench = Bench::new();
    let path = bench.put("a", "old");
    let permit = permit(&bench.workspace, "a");
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "own").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let refused = bench.workspace.write(permit, b"ours");
    assert!(matches!(refused, Err(FileError::Changed { shown }) if shown == "a"));
    assert_eq!(bench.text("a"), "own");
    assert_eq!(bench.names(&bench.root), ["a"]);
}

/// WB-36.
#[test]
fn a_file_that_vanished_since_the_permit_stays_away() {
    let bench = Bench::new();
    let path = bench.put("src/a", "old");
    let permits = [permit(&bench.workspace, "src/a"), permit(&bench.workspace, "src/a")];
    let [one, two] = permits;
    fs::remove_file(&path).unwrap();
    assert!(matches!(bench.workspace.write(one, b"ours"), Err(FileError::Vanished { .. })));
    fs::remove_dir(bench.root.join("src")).unwrap();
    assert!(matches!(bench.workspace.write(two, b"ours"), Err(FileError::Vanished { .. })));
    assert_eq!(bench.names(&bench.root), [""; 0]);
}

/// WB-11: what appeared is not overwritten, be it empty or a folder.
#[test]
fn what_appeared_since_the_permit_is_left_alone() {
    let bench = Bench::new();
    let one = permit(&bench.workspace, "a");
    let two = permit(&bench.workspace, "b");
    bench.put("a", "");
    bench.put("b/c", "theirs");
    for (permit, name) in [(one, "a"), (two, "b")] {
        let refused = bench.workspace.write(permit, b"ours");
        assert!(matches!(refused, Err(FileError::Appeared { shown }) if shown == name));
    }
    assert_eq!((bench.text("a"), bench.text("b/c")), (String::new(), "theirs".to_owned()));
}

/// WB-36: a folder in the file's place is another thing, and so is a file in a folder's.
#[test]
fn what_took_the_files_place_is_left_alone() {
    let bench = Bench::new();
    bench.put("a", "old");
    bench.put("src/b", "old");
    let one = permit(&bench.workspace, "a");
    let two = permit(&bench.workspace, "src/b");
    fs::remove_file(bench.root.join("a")).unwrap();
    bench.put("a/inner", "theirs");
    fs::remove_dir_all(bench.root.join("src")).unwrap();
    bench.put("src", "theirs");
    assert!(matches!(bench.workspace.write(one, b"ours"), Err(FileError::Changed { .. })));
    assert!(matches!(bench.workspace.write(two, b"ours"), Err(FileError::NotAFolder { .. })));
    assert_eq!((bench.text("a/inner"), bench.text("src")), ("theirs".into(), "theirs".into()));
}

/// SI-6: the bound holds for what is written, too.
#[test]
fn contents_at_the_limit_are_written_and_one_byte_more_is_too_large() {
    let limits = Limits { whole_file_bytes: 10, ..Limits::default() };
    let bench = Bench::with(&limits);
    drop(bench.write("a", "0123456789").unwrap());
    let refused = bench.write("a", "0123456789a");
    assert!(matches!(refused, Err(FileError::TooLarge { limit_bytes: 10, .. })));
    assert_eq!(bench.text("a"), "0123456789");
    // It grew over what could have been read: that is a change.
    let permit = permit(&bench.workspace, "a");
    bench.put("a", "0123456789a");
    assert!(matches!(bench.workspace.write(permit, b""), Err(FileError::Changed { .. })));
}

/// WB-36, WB-37: of many writers that saw the same version one writes, and the others are told;
/// they need not share the workspace.
#[test]
fn of_parallel_writers_of_one_file_one_wins() {
    // How many names a file has is not known on Windows.
    for (round, hard_link) in [(0, false), (1, cfg!(unix)), (2, false), (3, cfg!(unix))] {
        let bench = Bench::new();
        bench.put("a", format!("old {round}"));
        let names = if hard_link { ["a", "b"] } else { ["a", "./a"] };
        if hard_link {
            fs::hard_link(bench.root.join("a"), bench.root.join("b")).unwrap();
        }
        let start = Barrier::new(8);
        let outcomes: Vec<Result<_, FileError>> = thread::scope(|scope| {
            let writers: Vec<_> = (0..8)
                .map(|writer| {
                    let (bench, start) = (&bench, &start);
                    scope.spawn(move || {
                        let workspace = open(&[&bench.root], &Limits::default());
                        let permit = permit(&workspace, names[writer % 2]);
                        start.wait();
                        let contents = format!("writer {writer}").repeat(1000);
                        workspace.write(permit, contents.as_bytes()).map(|_| contents)
                    })
                })
                .collect();
            writers.into_iter().map(|it| it.join().unwrap()).collect()
        });
        let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        assert!(lost.iter().all(|it| matches!(it, Err(FileError::Changed { .. }))), "{lost:?}");
        let won: Vec<String> = won.into_iter().map(Result::unwrap).collect();
        assert!(won == [bench.text("a")], "{} have written", won.len());
    }
}

/// WB-11, WB-37.
#[test]
fn of_parallel_creators_of_one_file_one_wins() {
    let bench = Bench::new();
    let start = Barrier::new(8);
    let created = thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let (bench, start) = (&bench, &start);
                scope.spawn(move || {
                    let permit = permit(&bench.workspace, "new/a");
                    start.wait();
                    bench.workspace.write(permit, format!("{writer}").as_bytes())
                })
            })
            .collect();
        writers.into_iter().map(|it| it.join().unwrap()).filter(Result::is_ok).count()
    });
    assert_eq!(created, 1);
    assert_eq!(bench.names(&bench.root.join("new")), ["a"]);
}

/// TR-2: while a result is frozen, no write is under way: what is there stays, and is whole.
#[test]
fn nothing_is_written_while_a_result_is_frozen() {
    let bench = Bench::new();
    bench.put("a", "0");
    let frozen = AtomicU32::new(0);
    let is_enough = || 5 <= frozen.load(Ordering::Relaxed);
    thread::scope(|scope| {
        // Until it was frozen between two of its writes, however the threads take turns.
        let writer = scope.spawn(|| {
            for round in (0..10_000).take_while(|_| !is_enough()) {
                drop(bench.write("a", &i32::to_string(&round)).unwrap());
                thread::yield_now();
            }
        });
        while !writer.is_finished() {
            let Some(guard) = bench.workspace.barrier().try_freeze() else { continue };
            let before = bench.state("a").unwrap();
            for _ in 0..5 {
                assert_eq!(bench.names(&bench.root), ["a"]);
                assert_eq!(bench.state("a").unwrap(), before);
            }
            drop(guard);
            frozen.fetch_add(1, Ordering::Relaxed);
            thread::yield_now();
        }
    });
    assert!(is_enough());
}

/// A writer that is slow holds a freeze off, which does not wait.
#[test]
fn a_write_under_way_holds_a_freeze_off() {
    let bench = Bench::new();
    let writing = bench.workspace.barrier().enter();
    drop(bench.write("a", "two writers do not hinder each other").unwrap());
    assert!(bench.workspace.barrier().try_freeze().is_none());
    drop(writing);
    assert!(bench.workspace.barrier().try_freeze().is_some());
}
