//! What a killed process leaves, and folders that keep everything, on Linux.

use std::{
    fs::{self, File},
    process,
    time::{Duration, SystemTime},
};

use rustix::{
    fs::{IFlags, ioctl_setflags},
    io::Errno,
};

use crate::bench::Bench;

/// No process has this id: Linux gives out smaller ones.
const DEAD: u32 = i32::MAX as u32;

fn old(bench: &Bench, name: &str) {
    let path = bench.put(name, "left");
    let then = SystemTime::now() - Duration::from_secs(3_600);
    let file = File::options().write(true).open(path).expect("it is ours");
    file.set_modified(then).expect("it is ours");
}

/// A temporary file of a dead process goes with the next write in its folder; nothing else does.
#[test]
fn what_a_killed_process_left_is_taken_away() {
    let bench = Bench::new();
    let this = process::id();
    for name in ["in/a", "in/b"] {
        bench.put(name, "old");
    }
    old(&bench, &format!("in/.evident-{DEAD}-0.tmp"));
    old(&bench, &format!("in/.evident-{this}-4000000000.tmp"));
    old(&bench, &format!("elsewhere/.evident-{DEAD}-0.tmp"));
    let kept = [
        ".evident-1-0.tmp".to_owned(),
        format!(".evident-{DEAD}-0.tmp.txt"),
        format!(".evident-{DEAD}-.tmp"),
        format!(".evident-{DEAD}-x.tmp"),
        "evident-1-0.tmp".to_owned(),
    ];
    for name in &kept {
        old(&bench, &format!("in/{name}"));
    }
    // Of a process that only seems dead, in another container.
    let young = format!(".evident-{DEAD}-1.tmp");
    bench.put(&format!("in/{young}"), "in use");
    fs::create_dir(bench.root.join(format!("in/.evident-{DEAD}-2.tmp"))).unwrap();
    drop(bench.write("in/a", "new").unwrap());
    let mut expected = kept.to_vec();
    expected.extend([young, format!(".evident-{DEAD}-2.tmp"), "a".into(), "b".into()]);
    expected.sort();
    assert_eq!(bench.names(&bench.root.join("in")), expected);
    assert_eq!(bench.names(&bench.root.join("elsewhere")).len(), 1);
}

/// Where nothing can be renamed or removed, a write leaves no second file behind.
#[test]
fn a_folder_that_only_takes_names_is_written_in_place() {
    let bench = Bench::new();
    let folder = bench.put("log/a", "old").parent().unwrap().to_owned();
    let lock = |flags| ioctl_setflags(File::open(&folder).unwrap(), flags);
    match lock(IFlags::APPEND) {
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOTTY) => {
            eprintln!("NOT PROVED: only root can lock a folder, and not on every file system");
            return;
        }
        locked => locked.unwrap(),
    }
    let outcomes = ["log/a", "log/b", "log/c/d"].map(|name| bench.write(name, "new"));
    lock(IFlags::empty()).unwrap();
    for outcome in outcomes {
        let applied = outcome.unwrap();
        assert_eq!(bench.text(&applied.shown), "new");
        assert_eq!(applied.after, bench.state(&applied.shown).unwrap());
    }
    assert_eq!(bench.names(&folder), ["a", "b", "c"]);
}
