//! What kinds of changes there are, and what is said of each.

use std::fs;

use expect_test::expect;
use protocol::{LevelTotals, TrustLevel};

use crate::turn::{Turn, told};

#[test]
fn files_are_created_modified_and_deleted() {
    // TR-5, B14
    let mut turn = Turn::new();
    turn.put("gone.txt", "1\n2\n");
    turn.put("shorter.txt", "1\n2\n3\n");
    turn.put("moved.txt", "same\n");
    turn.write("new.txt", "1\n");
    turn.write("empty.txt", "");
    turn.write("shorter.txt", "1\n");
    turn.change("gone.txt", |path| fs::remove_file(path).unwrap());
    turn.change("moved.txt", |path| fs::remove_file(path).unwrap());
    turn.write("moved to.txt", "same\n");
    let frozen = turn.freeze();
    // TR-8: a move is what capture saw of it, no more.
    expect![[r#"
        Complete +2 -5
        Create empty.txt +0 -0 ["c2"]
        Delete gone.txt +0 -2 ["c4"]
        Create moved to.txt +1 -0 ["c6"]
        Delete moved.txt +0 -1 ["c5"]
        Create new.txt +1 -0 ["c1"]
        Modify shorter.txt +0 -2 ["c3"]
    "#]]
    .assert_eq(&told(&frozen));
    // TL-1, TL-2
    let written = LevelTotals { level: TrustLevel::Written, files: 6, added: 2, removed: 5 };
    assert_eq!(frozen.changes.levels, [written]);
    assert!(frozen.changes.files.iter().all(|it| it.level == Some(TrustLevel::Written)));
    assert_eq!(frozen.changes.total_files, 6);
}

#[test]
fn a_binary_file_has_no_counts_and_no_patch() {
    // TR-7, B14
    let mut turn = Turn::new();
    turn.put("a.bin", b"a\0b\n");
    turn.put("a.txt", b"\xC4\xE3 is text, if not UTF-8\n");
    turn.put("b.txt", b"\xFF\xFEa\0\n\0b\0\n\0");
    turn.write("a.bin", b"a\0c\nd\n");
    turn.write("a.txt", b"\xBA\xC3 is text, if not UTF-8\n");
    turn.write("b.txt", b"\xFF\xFEa\0\n\0c\0\n\0d\0");
    let frozen = turn.freeze();
    expect![[r#"
        Complete +3 -2
        Modify a.bin +0 -0 binary ["c1"]
        Modify a.txt +1 -1 ["c2"]
        Modify b.txt +2 -1 ["c3"]
    "#]]
    .assert_eq(&told(&frozen));
    assert_eq!(frozen.patches.len(), 2);
}

#[cfg(unix)]
#[test]
fn changed_permission_bits_have_no_counts() {
    // TR-7, B14
    use std::os::unix::fs::PermissionsExt as _;
    let mut turn = Turn::new();
    turn.put("a.sh", "echo\n");
    turn.put("both.sh", "echo\n");
    let executable = |path: &std::path::Path| {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap()
    };
    turn.change("a.sh", executable);
    turn.change("both.sh", executable);
    turn.write("both.sh", "echo 2\n");
    let frozen = turn.freeze();
    expect![[r#"
        Complete +1 -1
        Modify a.sh +0 -0 mode ["c1"]
        Modify both.sh +1 -1 ["c2", "c3"]
    "#]]
    .assert_eq(&told(&frozen));
    let patches: Vec<u8> = frozen.patches.into_iter().flat_map(|(_, patch)| patch).collect();
    expect![[r"
        diff --git a/a.sh b/a.sh
        old mode 100644
        new mode 100755
        diff --git a/both.sh b/both.sh
        old mode 100644
        new mode 100755
        --- a/both.sh
        +++ b/both.sh
        @@ -1 +1 @@
        -echo
        +echo 2
    "]]
    .assert_eq(&String::from_utf8(patches).unwrap());
}

#[test]
fn a_file_of_an_added_folder_is_shown_by_its_whole_path() {
    let mut turn = Turn::new();
    let added = turn.workspace.roots().nth(1).unwrap().join("a.txt");
    let added = added.to_str().unwrap().replace('\\', "/");
    turn.write(&added, "new\n");
    turn.write("a.txt", "new\n");
    let frozen = turn.freeze();
    let paths: Vec<&str> = frozen.changes.files.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, [added.as_str(), "a.txt"]);
    let (path, patch) = &frozen.patches[1];
    assert_eq!(*path, added);
    let head = format!("+++ b/{}\n", added.trim_start_matches('/'));
    assert!(String::from_utf8(patch.clone()).unwrap().contains(&head));
}
