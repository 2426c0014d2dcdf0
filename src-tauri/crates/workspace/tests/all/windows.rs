//! Paths and locks as Windows has them (CL-10).

use std::{
    fs::{self, OpenOptions},
    os::windows::fs::OpenOptionsExt as _,
    path::PathBuf,
    process::Command,
};

use protocol::Limits;
use workspace::{FileError, PlaceKind, real_path};

use crate::bench::{Bench, open};

/// AN-11, WB-37: a file has one path, whatever case, drive letter, slashes or `\\?\` it is asked
/// for with.
#[test]
fn every_spelling_of_a_file_on_a_drive_names_it_once() {
    let bench = Bench::new();
    let absolute = bench.put("Src/Main.rs", "text");
    let plain = absolute.to_str().expect("Unicode").to_owned();
    let (drive, rest) = plain.split_at(1);
    let spelled = [
        r"src\MAIN.RS".to_owned(),
        r"SRC/.\main.rs".to_owned(),
        plain.to_uppercase(),
        plain.replace('\\', "/"),
        drive.to_lowercase() + rest,
        format!(r"\\?\{plain}"),
    ];
    for text in &spelled {
        let place = bench.workspace.resolve(text).expect(text);
        assert_eq!((place.shown(), place.kind()), ("Src/Main.rs", PlaceKind::File), "{text}");
        assert_eq!(place.absolute(), absolute, "{text}");
    }
}

/// AN-11, WB-37: the short name that the system gives a file is a spelling of its own name.
#[test]
fn a_short_name_names_the_same_file() {
    let bench = Bench::new();
    bench.put("a rather long name.txt", "text");
    let listed = Command::new("cmd").args(["/c", "dir", "/x"]).current_dir(&bench.root).output();
    let listed =
        String::from_utf8_lossy(&listed.expect("every Windows has it").stdout).into_owned();
    let Some(short) = listed.split_whitespace().find(|it| it.contains('~')) else {
        eprintln!("NOT PROVED: short names: this disk has none");
        return;
    };
    let place = bench.workspace.resolve(short).expect(short);
    assert_eq!(
        (place.shown(), place.kind()),
        ("a rather long name.txt", PlaceKind::File),
        "{short}"
    );
}

/// PM-2: another drive, a share, a device, and a path of no drive are outside, or nothing at all.
#[test]
fn other_drives_shares_and_devices_are_outside() {
    let bench = Bench::new();
    for text in [
        r"Q:\a",
        r"Q:a",
        r"\\server\share\a",
        r"//server/share/a",
        r"\\?\UNC\server\share\a",
        r"\\.\PhysicalDrive0",
        r"\\.\pipe\a",
        r"\windows\a",
    ] {
        let refused = bench.workspace.resolve(text);
        let is_refused =
            matches!(refused, Err(FileError::Outside { .. } | FileError::InvalidPath { .. }));
        assert!(is_refused, "{text}: {refused:?}");
    }
}

/// PM-2: the name of a device is no file in any folder, nor is a stream of another file, nor a name
/// that the system would make another of.
#[test]
fn a_reserved_name_is_no_path() {
    let bench = Bench::new();
    bench.put("a.txt", "");
    for name in ["NUL", "con.txt", "src/aux", "COM1.log", "a.txt:stream", "a.txt.", "a.txt ", "a?"]
    {
        let refused = bench.workspace.resolve(name);
        assert!(matches!(refused, Err(FileError::InvalidPath { .. })), "{name}: {refused:?}");
    }
}

/// WB-37: a path may be longer than 260 characters, in the workspace and on the way to it.
#[test]
fn a_long_path_is_read_and_written() {
    let bench = Bench::new();
    let deep = "a-folder-with-a-long-name/".repeat(12) + "a.txt";
    drop(bench.write(&deep, "one").expect("a new file"));
    drop(bench.write(&deep, "two").expect("the same again"));
    let verbatim = PathBuf::from(format!(r"\\?\{}", bench.root.display()));
    let file = verbatim.join(deep.replace('/', "\\"));
    assert_eq!(fs::read_to_string(&file).expect("the file"), "two");
    let folder = file.parent().expect("a folder").to_owned();
    let inner = open(&[&folder], &Limits::default());
    assert_eq!(inner.resolve("a.txt").expect("it is there").kind(), PlaceKind::File);
}

/// WB-37: two Unicode forms of a name are two files, as the file system has them.
#[test]
fn unicode_forms_are_names_of_their_own() {
    let bench = Bench::new();
    for (name, text) in [("\u{e9}.txt", "one"), ("e\u{301}.txt", "two")] {
        drop(bench.write(name, text).expect("a new file"));
    }
    assert_eq!(
        (bench.text("\u{e9}.txt"), bench.text("e\u{301}.txt")),
        ("one".into(), "two".into())
    );
    assert_eq!(bench.names(&bench.root), ["e\u{301}.txt", "\u{e9}.txt"]);
}

/// WB-36: a file that another program keeps for itself is neither read nor written, and is as it
/// was; when that program lets go, it can be.
#[test]
fn a_file_that_another_program_holds_is_left_alone() {
    let bench = Bench::new();
    let file = bench.put("a.txt", "theirs");
    let permit = crate::bench::permit(&bench.workspace, "a.txt");
    let held = OpenOptions::new().read(true).share_mode(0).open(&file).expect("it is free");
    assert!(
        matches!(bench.state("a.txt"), Err(FileError::Io { .. })),
        "{:?}",
        bench.state("a.txt")
    );
    bench.workspace.write(permit, b"ours").expect_err("it is held");
    drop(held);
    assert_eq!(
        (bench.text("a.txt"), bench.names(&bench.root)),
        ("theirs".into(), vec!["a.txt".into()])
    );
    drop(bench.write("a.txt", "ours").expect("it is free"));
    assert_eq!(bench.text("a.txt"), "ours");
}

/// A path of the system's and one of the workspace's can be compared part by part.
#[test]
fn a_real_path_has_the_workspaces_form() {
    let bench = Bench::new();
    let upper = PathBuf::from(bench.root.to_str().expect("Unicode").to_uppercase());
    assert_eq!(real_path(&upper).expect("it is there"), bench.root);
}
