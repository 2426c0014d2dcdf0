//! Which file a text names.

use std::{fs, path::PathBuf};

use protocol::{Limits, RootId, WorkspacePath};
use workspace::{FileError, OpenError, PlaceKind, Workspace};

use crate::bench::{Bench, open, permit, put};

/// AN-11: one file has one path, however it is spelled, as long as it ends inside.
#[test]
fn every_spelling_of_a_file_names_it_once() {
    let bench = Bench::new();
    let absolute = bench.put("src/main.rs", "");
    let spelled = [
        "src/main.rs",
        "./src//./main.rs",
        "src/../src/main.rs",
        "../root/src/main.rs",
        "not/there/../../src/main.rs",
        absolute.to_str().unwrap(),
    ];
    for text in spelled {
        let place = bench.workspace.resolve(text).expect(text);
        assert_eq!(place.path(), &WorkspacePath::new(RootId(0), "src/main.rs").unwrap());
        assert_eq!(place.shown(), "src/main.rs");
        assert_eq!((place.absolute(), place.kind()), (absolute.as_path(), PlaceKind::File));
        assert_eq!(place.link_target(), None);
    }
}

#[test]
fn a_place_says_what_is_there() {
    let bench = Bench::new();
    bench.put("src/a", "");
    let kind = |text: &str| bench.workspace.resolve(text).map(|it| it.kind());
    assert_eq!(kind("src").unwrap(), PlaceKind::Folder);
    assert_eq!(kind(".").unwrap(), PlaceKind::Folder);
    assert_eq!(kind("src/a").unwrap(), PlaceKind::File);
    assert_eq!(kind("src/b").unwrap(), PlaceKind::Absent);
    assert_eq!(kind("new/folders/b").unwrap(), PlaceKind::Absent);
    assert!(matches!(kind("src/a/b"), Err(FileError::NotAFolder { shown }) if shown == "src/a"));
}

/// AN-11.
#[test]
fn home_and_variables_are_names_like_others() {
    let bench = Bench::new();
    for text in ["~/notes", "$HOME/notes", "%USERPROFILE%"] {
        let place = bench.workspace.resolve(text).expect(text);
        assert_eq!((place.shown(), place.kind()), (text, PlaceKind::Absent));
    }
}

/// PM-2: nothing but the roots. What is outside is not even looked at.
#[test]
fn what_is_in_no_root_is_outside() {
    let bench = Bench::new();
    put(&bench.outside, "a", "");
    // A name that only starts like the root's.
    put(&bench.top, "root2/a", "");
    let paths = [bench.top.join("root2/a"), bench.outside.join("a"), bench.top.clone()];
    let absolute = paths.iter().map(|it| it.to_str().unwrap());
    for text in absolute.chain(["..", "../outside/a", "../root2/a", "src/../../outside"]) {
        let refused = bench.workspace.resolve(text);
        assert!(matches!(refused, Err(FileError::Outside { shown }) if shown == text), "{text}");
    }
}

#[test]
fn a_text_that_can_name_nothing_is_no_path() {
    let bench = Bench::new();
    for text in ["", "a\0b", &"a/".repeat(4096), &"a".repeat(256), &"字".repeat(256)] {
        let refused = bench.workspace.resolve(text);
        assert!(matches!(refused, Err(FileError::InvalidPath { .. })), "{text:?}");
    }
    // Long as a whole, but not in its parts.
    let deep = "deep-folder/".repeat(100) + "a";
    drop(bench.write(&deep, "text").expect("a long path"));
    assert_eq!(bench.text(&deep), "text");
}

/// On Unix `\` is a character like others; on Windows it separates.
#[test]
fn a_backslash_separates_on_windows_only() {
    let bench = Bench::new();
    let place = bench.workspace.resolve(r"a\b").unwrap();
    assert_eq!(place.path().relative(), if cfg!(windows) { "a/b" } else { r"a\b" });
    assert_eq!(place.shown(), place.path().relative());
}

/// AN-11: an added folder is addressed absolutely; a file in two roots belongs to the first.
#[test]
fn added_folders_are_named_by_their_root_and_shown_absolutely() {
    let bench = Bench::new();
    put(&bench.outside, "a", "");
    let workspace =
        open(&[&bench.root, &bench.outside, &bench.root, &bench.top], &Limits::default());
    let at = |text: &str| workspace.resolve(text).expect(text);
    let place = at(bench.outside.join("a").to_str().unwrap());
    assert_eq!(place.path(), &WorkspacePath::new(RootId(1), "a").unwrap());
    let shown = bench.outside.join("a").to_str().unwrap().replace('\\', "/");
    assert_eq!(place.shown(), shown);
    assert_eq!(at("../outside/a"), place);
    assert_eq!(at(bench.root.join("b").to_str().unwrap()).path().root(), RootId(0));
    assert_eq!(at("../c").path(), &WorkspacePath::new(RootId(3), "c").unwrap());
    assert_eq!(workspace.roots().count(), 4);
    assert_eq!(workspace.name(), "root");
}

#[test]
fn a_folder_is_asked_for_and_a_file_is_none() {
    let bench = Bench::new();
    bench.put("src/a", "");
    let folder = |text| bench.workspace.folder(text);
    assert_eq!(folder(None).unwrap().absolute(), bench.root);
    assert_eq!(folder(None).unwrap().shown(), ".");
    assert_eq!(folder(Some("src/")).unwrap().shown(), "src");
    assert!(matches!(folder(Some("src/a")), Err(FileError::NotAFolder { .. })));
    assert!(matches!(folder(Some("no")), Err(FileError::Missing { .. })));
    assert!(matches!(folder(Some("..")), Err(FileError::Outside { .. })));
}

/// PM-2: the root of the file system and our own state can never be granted.
#[test]
fn some_folders_are_never_a_root() {
    let bench = Bench::new();
    let own = bench.top.join("own/state");
    let refused = |roots: &[PathBuf]| {
        Workspace::open(roots, std::slice::from_ref(&own), &Limits::default()).err()
    };
    let state_does_not_exist_yet = bench.top.join("own");
    assert!(refused(std::slice::from_ref(&bench.root)).is_none());
    for made in [false, true] {
        fs::create_dir_all(own.join("inner")).unwrap();
        for root in [&bench.top, &state_does_not_exist_yet, &own, &own.join("inner")] {
            let roots = [bench.root.clone(), root.clone()];
            assert!(matches!(refused(&roots), Some(OpenError::OwnState { path }) if path == *root));
        }
        if !made {
            fs::remove_dir_all(&own).unwrap();
        }
    }
    let fs_root = bench.top.ancestors().last().unwrap().to_owned();
    assert!(matches!(refused(&[fs_root]), Some(OpenError::FilesystemRoot { .. })));
    assert!(matches!(refused(&[]), Some(OpenError::NoFolder)));
    let file = bench.put("a", "");
    for root in [file, bench.top.join("no")] {
        assert!(matches!(refused(&[root]), Some(OpenError::NotAFolder { .. })));
    }
}

/// A path that was stored is looked at again.
#[test]
fn a_stored_path_is_looked_up_again() {
    let bench = Bench::new();
    bench.put("a", "");
    let path = bench.workspace.resolve("a").unwrap().path().clone();
    assert_eq!(bench.workspace.place(&path).unwrap().kind(), PlaceKind::File);
    fs::remove_file(bench.root.join("a")).unwrap();
    assert_eq!(bench.workspace.place(&path).unwrap().kind(), PlaceKind::Absent);
    let elsewhere = WorkspacePath::new(RootId(7), "a").unwrap();
    assert!(matches!(bench.workspace.place(&elsewhere), Err(FileError::Outside { .. })));
}

/// WB-37, AN-11: where cases are not told apart, a file still has one path, and it is shown by
/// its name as the folder has it. Windows and macOS are so; on Linux a disk is mounted.
#[test]
fn a_file_has_one_path_where_cases_are_not_told_apart() {
    let bench = Bench::new();
    let disk = bench.top.join("disk");
    #[cfg(target_os = "linux")]
    let _mounted = crate::disks::Mounted::case_folding(&disk);
    put(&disk, "Root/a", "");
    if !disk.join("rOOT/A").exists() {
        // Said by the mount. A folder of another kind may be named in TMPDIR.
        return;
    }
    let root = disk.join("Root");
    put(&root, "Src/ReadMe.MD", "text");
    put(&root, "Src/Écran 字", "");
    let workspace = open(&[&disk.join("rOOT")], &Limits::default());
    assert_eq!((workspace.name(), workspace.roots().next()), ("Root", Some(root.as_path())));
    let place = |text: &str| workspace.resolve(text).expect(text);
    let upper = disk.join("ROOT/SRC/README.MD");
    for text in ["Src/ReadMe.MD", "src/readme.md", upper.to_str().unwrap()] {
        assert_eq!(place(text).path().relative(), "Src/ReadMe.MD");
        assert_eq!((place(text).shown(), place(text).link_target()), ("Src/ReadMe.MD", None));
    }
    assert_eq!(place("SRC/éCRAN 字").shown(), "Src/Écran 字");
    assert_eq!(place("SRC/New.txt").shown(), "Src/New.txt");
    let applied = workspace.write(permit(&workspace, "src/README.md"), b"new").unwrap();
    assert_eq!(applied.shown, "Src/ReadMe.MD");
    let names: Vec<_> =
        fs::read_dir(root.join("Src")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert!(names.contains(&"ReadMe.MD".into()), "{names:?}");
}
