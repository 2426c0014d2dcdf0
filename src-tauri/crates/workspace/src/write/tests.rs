use std::{fs, path::PathBuf};

use tempfile::TempDir;

use super::*;

fn file(contents: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    // The way to a temporary folder may go through a link.
    let path = fs::canonicalize(folder.path()).unwrap();
    fs::write(path.join("a"), contents).unwrap();
    (folder, path)
}

fn find<'a>(folder: &'a Folder, name: &'a str) -> Found<'a> {
    let (stat, bytes) = read_whole(folder, name.as_ref(), 100, name).unwrap().unwrap();
    Found { folder, name: name.as_ref(), stat, bytes }
}

/// WB-36: what happens between the look and the replacement is seen by a second look.
#[test]
fn a_file_that_changed_after_it_was_found_is_left_alone() {
    for in_place in [false, true] {
        let (_keep, path) = file("old");
        if in_place {
            fs::hard_link(path.join("a"), path.join("b")).unwrap();
        }
        let folder = Folder::open(&path).unwrap();
        let found = find(&folder, "a");
        fs::write(path.join("a"), "theirs, longer").unwrap();
        assert!(found.put(b"ours").unwrap().is_none());
        assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "theirs, longer");
    }
}

/// WB-36.
#[test]
fn a_file_that_was_replaced_after_it_was_found_is_left_alone() {
    let (_keep, path) = file("old");
    let folder = Folder::open(&path).unwrap();
    let found = find(&folder, "a");
    fs::write(path.join("b"), "new").unwrap();
    fs::rename(path.join("b"), path.join("a")).unwrap();
    assert!(found.put(b"ours").unwrap().is_none());
    fs::remove_file(path.join("a")).unwrap();
    assert!(found.put(b"ours").unwrap().is_none());
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "nothing is left behind");
}

/// WB-36: a change that no time stamp shows, such as one through shared memory, is seen in the bytes.
#[test]
fn a_file_of_which_only_the_bytes_changed_is_left_alone() {
    let (_keep, path) = file("theirs");
    let folder = Folder::open(&path).unwrap();
    let found = Found { bytes: b"before".to_vec(), ..find(&folder, "a") };
    assert!(found.put(b"ours").unwrap().is_none());
    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "theirs");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 1, "nothing is left behind");
}

/// What the test below starts with a limit on the size of files; alone it does nothing.
#[cfg(unix)]
#[test]
fn writes_in_place_below_a_limit() {
    let Some(path) = std::env::var_os("EVIDENT_TEST_LIMITED") else { return };
    let folder = Folder::open(std::path::Path::new(&path)).unwrap();
    let (stat, bytes) = read_whole(&folder, "a".as_ref(), 1 << 20, "a").unwrap().unwrap();
    let found = Found { folder: &folder, name: "a".as_ref(), stat, bytes };
    let put = found.put(&[b'n'; 60_000]);
    assert!(matches!(put, Err(PutError::HalfWritten(_))), "{put:?}");
}

/// CL-6: a write in place that fails, and cannot be undone, is said to be that.
#[cfg(unix)]
#[test]
fn a_write_in_place_that_cannot_be_undone_is_told() {
    let (_keep, path) = file(&"o".repeat(50_000));
    fs::hard_link(path.join("a"), path.join("b")).unwrap();
    let this = std::env::current_exe().unwrap();
    let limited = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact \"$1\""])
        .arg(this)
        .arg("write::tests::writes_in_place_below_a_limit")
        .env("EVIDENT_TEST_LIMITED", &path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&limited.stdout);
    assert!(limited.status.success() && said.contains("1 passed"), "{said}");
}

/// WB-11: a file that appears after the last look is not overwritten.
#[test]
fn a_new_file_never_takes_the_place_of_another() {
    let (_keep, path) = file("theirs");
    let folder = Folder::open(&path).unwrap();
    let refused = put_new(&folder, "a".as_ref(), b"ours").map(drop).unwrap_err();
    let is_taken = |it: &io::Error| it.kind() == io::ErrorKind::AlreadyExists;
    assert!(matches!(&refused, PutError::Untouched(it) if is_taken(it)), "{refused:?}");
    assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "theirs");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 1, "nothing is left behind");
}

/// WB-37: a file that has two names has one lock. How many it has is not known on Windows.
#[cfg(unix)]
#[test]
fn a_file_is_not_written_under_two_names_at_once() {
    let (_keep, path) = file("old");
    fs::hard_link(path.join("a"), path.join("b")).unwrap();
    let folders = [path.clone()];
    let workspace = Workspace::open(&folders, &[], &protocol::Limits::default()).unwrap();
    let place = workspace.resolve("b").unwrap();
    let stat = Folder::open(&path).unwrap().stat("a".as_ref()).unwrap().unwrap();
    let held = lock(Key::File(stat.identity));
    let text = || fs::read_to_string(path.join("a")).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| workspace.replace(&place, fingerprint(b"old"), b"new"));
        for _ in 0..10_000 {
            assert_eq!(text(), "old");
        }
        drop(held);
        drop(writer.join().unwrap().unwrap());
    });
    assert_eq!(text(), "new");
}
