//! Commits, made again by the built `evident` and held against git.

use std::{
    path::Path,
    process::{Command, Output},
};

use testkit::{Project, has_git};

fn replay(repository: &Path, count: &str) -> Output {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_bench"));
    bench.arg("replay").arg(repository).arg(count).output().expect("it starts")
}

fn numbered(lines: impl IntoIterator<Item = u32>, end: &str) -> String {
    lines.into_iter().map(|it| format!("line {it}{end}")).collect()
}

/// Latin-1, which is read and not written.
const LATIN: &[u8] = b"un \xe9t\xe9 tr\xe8s chaud \xe0 la plage, o\xf9 nous \xe9tions all\xe9s\n";
/// GB18030, which is written as well.
const GB18030: &[u8] = b"\xd6\xd0\xce\xc4\xb5\xc4\xd7\xd6\xb7\xfb\xb1\xe0\xc2\xeb\n";

/// A text long enough to show its encoding.
fn encoded(words: &[u8], last: &str) -> Vec<u8> {
    [&words.repeat(5), last.as_bytes()].concat()
}

/// AN-21, TR-5: what git counts is counted, and each patch makes the file what it became, whatever
/// its name, its line ends or its encoding.
#[test]
fn a_commit_that_is_made_again_has_the_kinds_the_counts_and_the_patches_of_git() {
    if !has_git("that a replayed commit is counted as by git") {
        return;
    }
    let before = Project::new([
        ("two places.txt", &*numbered(0..200, "\n")),
        ("same lines.txt", &"again\n".repeat(100)),
        ("deep/er/\u{5b57} \u{e9}.txt", "\u{5b57}\nb\n"),
        ("dos.txt", &numbered(0..20, "\r\n")),
        ("mixed.txt", "a\r\nb\nc\rd\n"),
        ("no newline.txt", "a\nb"),
        ("newline.txt", "a\nb\n"),
        ("empty.txt", ""),
        ("full.txt", "a\n"),
        ("mark.txt", "\u{FEFF}a\nb\n"),
        ("gone.txt", "a\n"),
        ("run.sh", "echo\n"),
        ("unix.txt", "a\r\nb\r\n"),
    ]);
    before.write("latin.txt", encoded(LATIN, "end\n"));
    before.write("gb18030.txt", encoded(GB18030, "end\n"));
    before.write("data.bin", b"a\0b");
    let project = before.with_git();
    for (path, text) in [
        ("two places.txt", numbered((1..50).chain(60..150).chain([7]).chain(151..201), "\n")),
        ("same lines.txt", "again\n".repeat(50) + "other\n" + &"again\n".repeat(50)),
        ("deep/er/\u{5b57} \u{e9}.txt", "\u{5b57}\nb\n\u{1F600}".to_owned()),
        ("dos.txt", numbered((0..5).chain(7..25), "\r\n")),
        ("mixed.txt", "a\r\nB\nc\rD\n".to_owned()),
        ("no newline.txt", "a\nb\n".to_owned()),
        ("newline.txt", "a\nb".to_owned()),
        ("empty.txt", "a\n".to_owned()),
        ("full.txt", String::new()),
        ("mark.txt", "\u{FEFF}A\nb\n".to_owned()),
        ("unix.txt", "a\nb\n".to_owned()),
        ("new/ one.txt", "\n\na".to_owned()),
        ("new/none.txt", String::new()),
        ("new/dos.txt", "a\r\n".to_owned()),
    ] {
        project.write(path, text);
    }
    project.write("latin.txt", encoded(LATIN, "the end\n"));
    project.write("gb18030.txt", encoded(GB18030, "the end\n"));
    project.write("data.bin", b"a\0c");
    project.write("new/latin.txt", encoded(LATIN, ""));
    project.remove("gone.txt");
    project.git(&["add", "--all"]);
    project.git(&["update-index", "--chmod=+x", "run.sh"]);
    let target = project.git(&["hash-object", "-w", "newline.txt"]);
    let link = format!("120000,{},link", target.trim());
    project.git(&["update-index", "--add", "--cacheinfo", &link]);
    project.git(&["commit", "--quiet", "--message=change"]);

    let out = replay(&project.path(), "5");
    let printed = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{printed}{}", String::from_utf8_lossy(&out.stderr));
    let wanted = "\
changes: 14 of 1 commits in 1 turns: 3 created, 8 edited, 3 overwritten
left out: 1 deleted, 1 with another mode, 1 links, 1 binary, 2 in an encoding that is not written, \
1 other line ends
patches: 14 applied, 0 not, 0 too long to be kept
kinds: 14 right
added minus removed: 14 equal, 0 not counted
counts: 14 equal to git's (100.0 %), 14 to one of its four ways (100.0 %)
14 passed, 0 failed
";
    assert_eq!(printed, wanted);
}

#[test]
fn what_is_no_repository_or_no_count_is_an_error() {
    let project = Project::new([]);
    assert_eq!(replay(&project.path(), "1").status.code(), Some(1));
    assert_eq!(replay(&project.path(), "all").status.code(), Some(1));
}
