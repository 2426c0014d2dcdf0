//! What disks do: full, read-only, mounted on a file.

use std::{
    ffi::CStr,
    fs::{self, File},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{IFlags, ioctl_setflags},
    io::Errno,
    mount::{MountFlags, UnmountFlags, mount, mount_bind, mount_remount, unmount},
};
use workspace::FileError;

use crate::bench::{Bench, put};

/// The kernel's `FS_CASEFOLD_FL`.
const FOLDS_CASE: IFlags = IFlags::from_bits_retain(0x4000_0000);

/// Something mounted for one test.
pub(crate) struct Mounted(PathBuf);

impl Mounted {
    /// Mounts a disk in memory. Where that cannot be done it says so.
    fn memory(at: &Path, options: &CStr) -> Option<Self> {
        fs::create_dir_all(at).expect("a folder");
        Self::or_say_so(at, mount("none", at, "tmpfs", MountFlags::empty(), options))
    }

    fn or_say_so(at: &Path, mounted: Result<(), Errno>) -> Option<Self> {
        match mounted {
            Ok(()) => Some(Self(at.to_owned())),
            Err(Errno::PERM) => {
                eprintln!("NOT PROVED: only root can mount what this test needs");
                None
            }
            Err(Errno::INVAL) => {
                eprintln!("NOT PROVED: this kernel has no disk that this test needs");
                None
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// Mounts a disk with one folder, `Root`, that does not tell cases apart.
    pub(crate) fn case_folding(at: &Path) -> Option<Self> {
        let mounted = Self::memory(at, c"casefold")?;
        let root = at.join("Root");
        fs::create_dir(&root).expect("a folder");
        let folder = File::open(&root).expect("the new folder");
        ioctl_setflags(folder, FOLDS_CASE).expect("an empty folder can be set so");
        Some(mounted)
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        unmount(&self.0, UnmountFlags::DETACH).expect("nobody else unmounts it");
    }
}

/// A full disk is told as that; the file is as it was and nothing else is left.
#[test]
fn a_full_disk_leaves_the_old_file() {
    let bench = Bench::new();
    let Some(_disk) = Mounted::memory(&bench.root, c"size=64k") else { return };
    bench.put("a", "old");
    bench.put("linked", "old");
    fs::hard_link(bench.root.join("linked"), bench.root.join("other")).unwrap();
    let large = "x".repeat(100_000);
    for name in ["a", "linked", "new/folder/b"] {
        let refused = bench.write(name, &large);
        assert!(matches!(refused, Err(FileError::DiskFull { shown }) if shown == name));
    }
    assert_eq!((bench.text("a"), bench.text("linked")), ("old".into(), "old".into()));
    assert_eq!(bench.names(&bench.root), ["a", "linked", "other"]);
    drop(bench.write("a", "there is room for this").unwrap());
}

#[test]
fn a_disk_that_can_only_be_read_says_so() {
    let bench = Bench::new();
    let Some(_disk) = Mounted::memory(&bench.root, c"size=64k") else { return };
    bench.put("a", "old");
    mount_remount(&bench.root, MountFlags::RDONLY, "").unwrap();
    for name in ["a", "b", "new/c"] {
        let refused = bench.write(name, "new");
        assert!(matches!(refused, Err(FileError::ReadOnlyDisk { shown }) if shown == name));
    }
    assert_eq!(bench.text("a"), "old");
    assert!(bench.state("a").is_ok());
}

/// A file that something is mounted on cannot be replaced; it is written in place.
#[test]
fn a_mounted_file_is_written_in_place() {
    let bench = Bench::new();
    let path = bench.put("a", "");
    let source = put(&bench.outside, "source", "old");
    let Some(_file) = Mounted::or_say_so(&path, mount_bind(&source, &path)) else { return };
    let applied = bench.write("a", "new").unwrap();
    assert_eq!(
        (bench.text("a"), fs::read_to_string(&source).unwrap()),
        ("new".into(), "new".into())
    );
    assert_eq!(applied.after, bench.state("a").unwrap());
    assert_eq!(bench.names(&bench.root), ["a"]);
}
