use std::{fs, io::Write as _, os::unix::fs::symlink};

use tempfile::TempDir;

use super::*;
use crate::image::stamp;

fn folder() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    // The way to a temporary folder may go through a link.
    let path = fs::canonicalize(folder.path()).unwrap();
    (folder, path)
}

/// WB-11, where the file system has no rename that spares what is there.
#[test]
fn a_claimed_name_is_never_taken_from_another_file() {
    let (_keep, path) = folder();
    let folder = Folder::open(&path).unwrap();
    fs::write(path.join("theirs"), "theirs").unwrap();
    let mut temp = folder.temp_for_new().unwrap();
    temp.file.write_all(b"ours").unwrap();
    let taken = temp.claim("theirs".as_ref()).unwrap_err();
    assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
    temp.claim("free".as_ref()).unwrap();
    drop(temp);
    assert_eq!(fs::read_to_string(path.join("theirs")).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(path.join("free")).unwrap(), "ours");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
}

/// SI-12: a stamp is made of all that tells two states of a file apart.
#[test]
fn every_difference_that_the_system_tells_is_another_stamp() {
    let (_keep, path) = folder();
    fs::write(path.join("a"), "a").unwrap();
    let stat = Stat::of(&fs::File::open(path.join("a")).unwrap()).unwrap();
    let [written, written_ns, changed, changed_ns] = stat.changed;
    let others = [
        Stat { kind: Kind::Special, ..stat },
        Stat { size_bytes: 2, ..stat },
        Stat { mode: stat.mode.map(|it| it ^ 0o100), ..stat },
        Stat { mode: None, ..stat },
        Stat { links: 2, ..stat },
        Stat { identity: (stat.identity.0 + 1, stat.identity.1), ..stat },
        Stat { identity: (stat.identity.0, stat.identity.1 + 1), ..stat },
        Stat { owner: (stat.owner.0 + 1, stat.owner.1), ..stat },
        Stat { owner: (stat.owner.0, stat.owner.1 + 1), ..stat },
        Stat { changed: [written + 1, written_ns, changed, changed_ns], ..stat },
        Stat { changed: [written, written_ns + 1, changed, changed_ns], ..stat },
        Stat { changed: [written, written_ns, changed + 1, changed_ns], ..stat },
        Stat { changed: [written, written_ns, changed, changed_ns + 1], ..stat },
    ];
    for other in others {
        assert_ne!(stamp(&other), stamp(&stat), "{other:?}");
    }
}

/// WB-37, SI-10: a link that takes the place of a file or of a folder on the way is not followed.
#[test]
fn no_step_follows_a_link() {
    let (_keep, path) = folder();
    fs::create_dir(path.join("real")).unwrap();
    fs::write(path.join("real/a"), "").unwrap();
    symlink("real", path.join("folder")).unwrap();
    symlink("a", path.join("real/link")).unwrap();
    let stopped = |it: io::Result<()>| it.unwrap_err().kind() == io::ErrorKind::NotADirectory;
    assert!(stopped(Folder::open(&path.join("folder")).map(drop)));
    assert!(stopped(Folder::open(&path.join("real/a")).map(drop)));
    let real = Folder::open(&path.join("real")).unwrap();
    assert!(stopped(real.open_file("link".as_ref()).map(drop)));
    assert!(stopped(real.open_in_place("link".as_ref()).map(drop)));
}

/// A folder that was opened is the one that is used, wherever its name leads by now.
#[test]
fn a_folder_that_is_swapped_for_a_link_is_not_written_through_it() {
    let (_keep, path) = folder();
    let (_outside, outside) = self::folder();
    fs::create_dir(path.join("inner")).unwrap();
    let folder = Folder::open(&path.join("inner")).unwrap();
    fs::rename(path.join("inner"), path.join("moved")).unwrap();
    symlink(&outside, path.join("inner")).unwrap();
    folder.temp_for_new().unwrap().create("a".as_ref()).unwrap();
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    assert!(path.join("moved/a").exists());
}
