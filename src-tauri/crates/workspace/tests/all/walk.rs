//! Walks and listings.

use std::fs;

use protocol::Limits;
use workspace::WalkEntry;

use crate::bench::{Bench, open, put};

fn shown(entries: impl Iterator<Item = WalkEntry>) -> Vec<String> {
    entries.map(|it| it.shown().to_owned()).collect()
}

/// Hidden files are files; what Git ignores and Git's own are left out.
#[test]
fn a_walk_is_in_order_and_leaves_out_what_git_ignores() {
    let bench = Bench::new();
    fs::create_dir(bench.root.join(".git")).unwrap();
    // Rules of other programs, and of another repository.
    put(&bench.top, ".ignore", "*");
    put(&bench.top, ".gitignore", "*");
    bench.put(".git/config", "");
    bench.put(".gitignore", "target/\n*.log\n");
    for name in ["target/x", "src/b.rs", "src/a.rs", "src/z/c.rs", "src/.git", ".env", "B", "a.log"]
    {
        bench.put(name, "text");
    }
    bench.put("src/.gitignore", "z/\n");
    let from = bench.workspace.folder(None).unwrap();
    let all = shown(bench.workspace.walk(&from));
    let expected = [".env", ".gitignore", "B", "src", "src/.gitignore", "src/a.rs", "src/b.rs"];
    assert_eq!(all, expected);
    let below = bench.workspace.folder(Some("src")).unwrap();
    assert_eq!(shown(bench.workspace.walk(&below)), &expected[4..]);
    let listed = shown(bench.workspace.list(&from));
    assert_eq!(listed, [".env", ".gitignore", "B", "a.log", "src", "target"]);
}

/// An entry can be read, and says how large that would be.
#[test]
fn an_entry_is_a_place() {
    let bench = Bench::new();
    put(&bench.outside, "字/é a", "text");
    let workspace = open(&[&bench.root, &bench.outside], &Limits::default());
    let from = workspace.folder(Some(bench.outside.to_str().unwrap())).unwrap();
    let entries: Vec<WalkEntry> = workspace.walk(&from).collect();
    let [folder, file] = entries.as_slice() else { panic!("{entries:?}") };
    assert!(folder.is_folder() && !file.is_folder());
    assert_eq!((folder.size_bytes(), file.size_bytes()), (0, 4));
    assert_eq!(file.place(), &workspace.resolve(file.shown()).unwrap());
    assert_eq!(file.absolute(), bench.outside.join("字/é a"));
    assert_eq!(workspace.read(file.place()).unwrap().bytes(), b"text");
}

/// Links are listed as what they lead to, not entered, and left out where they lead out.
#[cfg(unix)]
#[test]
fn a_walk_never_leaves_the_roots() {
    use std::os::unix::fs::symlink;

    let bench = Bench::new();
    put(&bench.outside, "secret", "");
    bench.put("real/a", "text");
    symlink("real", bench.root.join("folder")).unwrap();
    symlink("real/a", bench.root.join("file")).unwrap();
    symlink(&bench.outside, bench.root.join("out")).unwrap();
    symlink("nowhere", bench.root.join("dangling")).unwrap();
    symlink("../real", bench.root.join("real/circle")).unwrap();
    let from = bench.workspace.folder(None).unwrap();
    let entries: Vec<WalkEntry> = bench.workspace.walk(&from).collect();
    let seen: Vec<_> = entries.iter().map(|it| (it.shown(), it.place().link_target())).collect();
    let expected = [
        ("file", Some("real/a")),
        ("folder", Some("real")),
        ("real", None),
        ("real/a", None),
        ("real/circle", Some("real")),
    ];
    assert_eq!(seen, expected);
    assert!(entries[1].is_folder() && entries[0].size_bytes() == 4);
}

/// Names that are not Unicode cannot be said to a model; the others are still walked.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_named_is_left_out() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    let bench = Bench::new();
    fs::write(bench.root.join(OsStr::from_bytes(b"\xFF")), "").unwrap();
    fs::create_dir(bench.root.join(OsStr::from_bytes(b"a\xFF"))).unwrap();
    fs::write(bench.root.join(OsStr::from_bytes(b"a\xFF/inner")), "").unwrap();
    bench.put("line\nbreak", "");
    let from = bench.workspace.folder(None).unwrap();
    assert_eq!(shown(bench.workspace.walk(&from)), ["line\nbreak"]);
}
