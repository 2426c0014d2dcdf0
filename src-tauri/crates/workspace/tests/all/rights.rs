//! Modes, owners, and what a user must not do, on Linux.

use std::{
    fs::{self, File, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::Path,
    thread,
};

use rustix::{
    fs::{Gid, IFlags, Uid, ioctl_setflags},
    io::Errno,
    process::geteuid,
    thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid},
};
use workspace::FileError;

use crate::bench::Bench;

pub(crate) const NOBODY: u32 = 65534;

/// Runs `it` as a user whom permission bits bind: as nobody if the tests run as root.
pub(crate) fn as_user(bench: &Bench, it: impl Fn() + Sync) {
    if !geteuid().is_root() {
        return it();
    }
    for folder in [&bench.top, &bench.root] {
        chown(folder, Some(NOBODY), Some(NOBODY)).expect("root may");
    }
    // On Linux a thread has a user of its own.
    let run = || {
        let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
        set_thread_groups(&[]).expect("root may");
        set_thread_res_gid(gid, gid, gid).expect("root may");
        set_thread_res_uid(uid, uid, uid).expect("root may");
        it();
    };
    thread::scope(|scope| scope.spawn(run).join())
        .unwrap_or_else(|it| std::panic::resume_unwind(it));
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("our own");
}

/// A write keeps the mode of the file, whatever it is and whoever writes; a new file has the usual
/// one.
#[test]
fn the_mode_of_a_file_is_kept() {
    let bench = Bench::new();
    let keep_modes = || {
        for mode in [0o755, 0o600, 0o4711, 0o666] {
            let path = bench.put("a", "old");
            set_mode(&path, mode);
            let applied = bench.write("a", &format!("new {mode}")).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, mode);
            assert_eq!((applied.before.mode, applied.after.mode), (Some(mode), Some(mode)));
        }
        bench.put("usual", "");
        drop(bench.write("made", "").unwrap());
        assert_eq!(bench.state("made").unwrap(), bench.state("usual").unwrap());
        fs::remove_dir_all(&bench.root).unwrap();
        fs::create_dir(&bench.root).unwrap();
    };
    keep_modes();
    as_user(&bench, keep_modes);
}

#[test]
fn what_this_user_must_not_do_is_told_as_that() {
    let bench = Bench::new();
    as_user(&bench, || {
        let secret = bench.put("secret", "x");
        let read_only = bench.put("read-only", "x");
        let closed = bench.put("closed/a", "x").parent().unwrap().to_owned();
        let full = bench.put("full/a", "x").parent().unwrap().to_owned();
        for (path, mode) in [(&secret, 0), (&read_only, 0o444), (&closed, 0), (&full, 0o555)] {
            set_mode(path, mode);
        }
        let no_permission = |it: Result<(), FileError>, name: &str| {
            assert!(
                matches!(it, Err(FileError::NoPermission { shown }) if shown == name),
                "{name}"
            );
        };
        no_permission(bench.state("secret").map(drop), "secret");
        no_permission(bench.workspace.resolve("closed/a").map(drop), "closed/a");
        no_permission(bench.write("read-only", "new").map(drop), "read-only");
        no_permission(bench.write("full/new", "new").map(drop), "full/new");
        no_permission(bench.write("full/new/b", "new").map(drop), "full/new/b");
        assert_eq!((bench.text("read-only"), bench.text("full/a")), ("x".into(), "x".into()));
        set_mode(&closed, 0o755);
        set_mode(&full, 0o755);
    });
}

/// A file may be writable where its folder is not: then it is written in place.
#[test]
fn a_file_in_a_folder_that_takes_no_new_one_is_written_in_place() {
    let bench = Bench::new();
    as_user(&bench, || {
        let folder = bench.put("full/a", "old").parent().unwrap().to_owned();
        set_mode(&folder, 0o555);
        let applied = bench.write("full/a", "new").unwrap();
        assert_eq!(bench.text("full/a"), "new");
        assert_eq!(applied.after, bench.state("full/a").unwrap());
        assert_eq!(bench.names(&folder), ["a"]);
        set_mode(&folder, 0o755);
    });
}

/// A folder that may be passed and not listed holds files like others.
#[test]
fn a_folder_that_cannot_be_listed_can_be_worked_in() {
    let bench = Bench::new();
    as_user(&bench, || {
        let folder = bench.put("dark/a", "old").parent().unwrap().to_owned();
        set_mode(&folder, 0o333);
        drop(bench.write("dark/a", "new").unwrap());
        drop(bench.write("dark/b", "new").unwrap());
        set_mode(&folder, 0o755);
        assert_eq!(bench.names(&folder), ["a", "b"]);
    });
}

#[test]
fn a_walk_skips_what_it_cannot_enter() {
    let bench = Bench::new();
    as_user(&bench, || {
        let closed = bench.put("closed/a", "x").parent().unwrap().to_owned();
        set_mode(&bench.put("secret", "x"), 0);
        bench.put("z", "x");
        set_mode(&closed, 0);
        let from = bench.workspace.folder(None).unwrap();
        let seen: Vec<_> = bench.workspace.walk(&from).map(|it| it.shown().to_owned()).collect();
        assert_eq!(seen, ["closed", "secret", "z"], "they are there, though closed");
        set_mode(&closed, 0o755);
    });
}

/// A file of somebody else stays theirs, whether its owner can be given to another or not.
#[test]
fn a_file_keeps_its_owner() {
    let bench = Bench::new();
    if !geteuid().is_root() {
        eprintln!("NOT PROVED: only root can make a file of another user for this test");
        return;
    }
    let path = bench.put("a", "old");
    chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
    drop(bench.write("a", "new").unwrap());
    let owner = |path: &Path| fs::metadata(path).map(|it| (it.uid(), it.gid())).unwrap();
    assert_eq!(owner(&path), (NOBODY, NOBODY));
    // And the other way round: nobody cannot give a file to root.
    let path = bench.put("b", "old");
    set_mode(&path, 0o666);
    as_user(&bench, || {
        drop(bench.write("b", "new").unwrap());
    });
    assert_eq!((owner(&path), bench.text("b")), ((0, 0), "new".to_owned()));
}

/// The same for root, whom permission bits do not bind: a folder and a file that are locked.
#[test]
fn even_root_is_told_what_it_must_not_do() {
    let bench = Bench::new();
    let folder = bench.put("folder/a", "old").parent().unwrap().to_owned();
    let file = bench.put("b", "old");
    let lock = |path: &Path, flags| ioctl_setflags(File::open(path).unwrap(), flags);
    for path in [&folder, &file] {
        match lock(path, IFlags::IMMUTABLE) {
            Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOTTY) => {
                eprintln!("NOT PROVED: only root can lock a file, and not on every file system");
                return;
            }
            locked => locked.unwrap(),
        }
    }
    let outcomes = ["folder/new", "folder/new/c", "b"].map(|name| bench.write(name, "new"));
    for path in [&folder, &file] {
        lock(path, IFlags::empty()).unwrap();
    }
    for outcome in outcomes {
        assert!(matches!(outcome, Err(FileError::NoPermission { .. })), "{outcome:?}");
    }
    assert_eq!((bench.text("b"), bench.names(&folder)), ("old".into(), vec!["a".to_owned()]));
}
