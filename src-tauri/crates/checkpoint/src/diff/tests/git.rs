//! The patches, by the judgement of git itself.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output},
};

use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};

use super::{counted, edited, patch, text};
use crate::diff::{Change, FileDiff, Side};

/// One state of a generated file; the flag is the executable bit.
type Owned = (Vec<u8>, bool);

fn side((bytes, executable): &Owned) -> Side<'_> {
    Side { bytes, mode: Some(if *executable { 0o755 } else { 0o644 }) }
}

/// Two states of a file, of which at least one exists; `None` where they are equal.
fn change<'a>(before: Option<&'a Owned>, after: Option<&'a Owned>) -> Option<Change<'a>> {
    match (before, after) {
        (None, None) => None,
        (None, Some(after)) => Some(Change::Create(side(after))),
        (Some(before), None) => Some(Change::Delete(side(before))),
        (Some(before), Some(after)) if before == after => None,
        (Some(before), Some(after)) => {
            Some(Change::Modify { before: side(before), after: side(after) })
        }
    }
}

fn states() -> impl Strategy<Value = (Option<Owned>, Option<Owned>)> {
    let texts = prop_oneof![4 => edited(), 1 => (text(), text())];
    (texts, any::<[bool; 2]>(), 0..8_u8).prop_map(|((before, after), executable, kind)| {
        let (before, after) = ((before, executable[0]), (after, executable[1]));
        match kind {
            0 => (None, Some(after)),
            1 => (Some(before), None),
            _ => (Some(before), Some(after)),
        }
    })
}

fn git(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("git")
        .args(["-c", "core.autocrlf=false", "-c", "core.quotePath=true"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", folder.join("no such file"))
        .output()
        .unwrap()
}

fn put(path: &Path, (bytes, executable): &Owned) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    set_executable(path, *executable);
}

fn set_executable(path: &Path, executable: bool) {
    let mode = if executable { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).unwrap().permissions().mode() & 0o100 != 0
}

const NAMES: [&str; 10] = [
    "plain.txt",
    "in a folder/with spaces .txt",
    "tab\tand\nnewline",
    "quote\"and\\backslash",
    "\u{fc}n\u{ef}c\u{f6}de \u{5b57}",
    "bell\u{7}\u{8}\u{b}\u{c}\r\u{1}\u{7f}",
    "-dash",
    "a b/a b/x",
    "b/a",
    "dev/null",
];

/// AN-21: `git apply` takes the patches, makes the very bytes of them, and counts as we do.
#[test]
fn git_makes_the_after_image_of_hundreds_of_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let mut runner = TestRunner::deterministic();
    let mut patches = Vec::new();
    let (mut expected, mut numstat) = (Vec::new(), String::new());
    for number in 0..400 {
        let (before, after) = states().new_tree(&mut runner).unwrap().current();
        let Some(change) = change(before.as_ref(), after.as_ref()) else { continue };
        let name = format!("{number}/{}", NAMES[number % NAMES.len()]);
        let (added, removed, patch) = match counted(&name, change) {
            FileDiff::Lines { added, removed, patch } => (added, removed, patch),
            FileDiff::ModeOnly { patch } => (0, 0, patch),
            it @ (FileDiff::Binary | FileDiff::Cut) => panic!("{it:?}"),
        };
        numstat += &format!("{added}\t{removed}\t{name}\0");
        patches.extend(patch);
        if let Some(before) = &before {
            put(&folder.path().join(&name), before);
        }
        expected.push((name, after));
    }
    assert!(350 < expected.len());
    fs::write(folder.path().join("patch"), patches).unwrap();

    let counts = git(folder.path(), &["apply", "--numstat", "-z", "patch"]);
    assert_eq!(String::from_utf8(counts.stdout).unwrap(), numstat);
    let applied = git(folder.path(), &["apply", "--whitespace=nowarn", "patch"]);
    assert_eq!(String::from_utf8(applied.stderr).unwrap(), "");
    for (name, after) in expected {
        let path = folder.path().join(&name);
        match after {
            None => assert!(!path.exists(), "{name:?}"),
            Some((bytes, executable)) => {
                assert!(fs::read(&path).unwrap() == bytes, "{name:?}");
                assert_eq!(is_executable(&path), executable, "{name:?}");
            }
        }
    }
}

/// AN-21: names are quoted, heads are written and hunks are counted as git does it.
#[test]
fn a_patch_is_gits_own_but_for_the_object_names() {
    let text = |it: &str| (it.as_bytes().to_vec(), false);
    let many: String = (0..40).map(|it| format!("{it}\n")).collect();
    let cases = [
        (None, Some(text("one\ntwo"))),
        (None, Some(text(""))),
        (Some(text("gone\n")), None),
        (Some(text("")), None),
        (Some(text("")), Some(text("full\n"))),
        (Some(text("full\n")), Some(text(""))),
        (Some(text("no end")), Some(text("no end\n"))),
        (Some(text("bits\n")), Some((b"bits\n".to_vec(), true))),
        (Some(text("both\n")), Some((b"changed\n".to_vec(), true))),
        (Some(text(&many)), Some(text(&many.replace("12\n", "new\n12\n").replace("19\n", "")))),
        (Some(text(&many)), Some(text(&many.replace("12\n", "").replace("20\n", "new\n")))),
    ];
    let folder = tempfile::tempdir().unwrap();
    let named = || {
        let all = cases.iter().enumerate();
        all.flat_map(|(at, case)| NAMES.map(|name| (format!("{at}/{name}"), case)))
    };
    let stage = || {
        git(folder.path(), &["add", "--all"]);
    };
    git(folder.path(), &["init", "--quiet"]);
    for (name, (before, _)) in named() {
        before.iter().for_each(|it| put(&folder.path().join(&name), it));
    }
    stage();
    git(folder.path(), &["-c", "user.name=a", "-c", "user.email=b", "commit", "-m", "before"]);
    for (name, (_, after)) in named() {
        let path = folder.path().join(&name);
        match after {
            Some(it) => put(&path, it),
            None => fs::remove_file(&path).unwrap(),
        }
    }
    stage();
    let theirs = git(folder.path(), &["diff", "--cached", "--no-renames", "--patience"]).stdout;
    let theirs = String::from_utf8(theirs).unwrap();
    let theirs = theirs.split_inclusive('\n').filter(|line| !line.starts_with("index "));
    let mut ours: Vec<(String, String)> = named()
        .map(|(name, (before, after))| {
            let change = change(before.as_ref(), after.as_ref()).unwrap();
            (name.clone(), patch(counted(&name, change)))
        })
        .collect();
    ours.sort();
    let ours: String = ours.into_iter().map(|(_, patch)| patch).collect();
    assert_eq!(ours, theirs.collect::<String>());
}
