//! Extended attributes and ACLs, on Linux: a file that is replaced keeps its own.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::Path,
};

use rustix::{
    buffer::spare_capacity,
    fs::{XattrFlags, getxattr, setxattr},
    io::Errno,
    process::geteuid,
};

use crate::{
    bench::Bench,
    rights::{NOBODY, as_user},
};

const ACCESS: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

/// Sets an attribute. Where that cannot be done it says so.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    match setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(Errno::NOTSUP | Errno::PERM) => {
            eprintln!("NOT PROVED: {name} cannot be set here");
            false
        }
        Err(other) => panic!("{other}"),
    }
}

fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(1 << 10);
    match getxattr(path, name, spare_capacity(&mut value)) {
        Ok(_) => Some(value),
        Err(Errno::NODATA) => None,
        Err(other) => panic!("{other}"),
    }
}

/// An ACL as the kernel takes it: what the owner, nobody, the group and all others may do.
fn acl(owner: u16, nobody: u16, group: u16, others: u16) -> Vec<u8> {
    const ANY: u32 = u32::MAX;
    let mask = nobody | group;
    let entries = [
        (1_u16, owner, ANY),
        (2, nobody, NOBODY),
        (4, group, ANY),
        (16, mask, ANY),
        (32, others, ANY),
    ];
    let entry = |(tag, may, id): (u16, u16, u32)| {
        [&tag.to_le_bytes()[..], &may.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    [2_u32.to_le_bytes().to_vec(), entries.map(entry).concat()].concat()
}

#[test]
fn a_replaced_file_keeps_its_attributes() {
    let bench = Bench::new();
    let path = bench.put("a", "old");
    if !set(&path, "user.evident", b"kept") || !set(&path, "user.empty", b"") {
        return;
    }
    let inode = fs::metadata(&path).unwrap().ino();
    drop(bench.write("a", "new").unwrap());
    assert_ne!(fs::metadata(&path).unwrap().ino(), inode, "it was replaced");
    assert_eq!(get(&path, "user.evident").as_deref(), Some(&b"kept"[..]));
    assert_eq!(get(&path, "user.empty").as_deref(), Some(&b""[..]));
}

#[test]
fn a_replaced_file_keeps_its_acl() {
    let bench = Bench::new();
    let path = bench.put("a", "old");
    let rights = acl(6, 6, 4, 0);
    if !set(&path, ACCESS, &rights) {
        return;
    }
    let applied = bench.write("a", "new").unwrap();
    assert_eq!(get(&path, ACCESS), Some(rights));
    assert_eq!(applied.before.mode, applied.after.mode);
}

/// A folder's default ACL is for new files. It gives nobody a right on a file that is replaced.
#[test]
fn the_default_acl_of_a_folder_does_not_widen_the_rights_on_a_file() {
    let bench = Bench::new();
    let path = bench.put("a", "old");
    fs::set_permissions(&path, Permissions::from_mode(0o660)).unwrap();
    if !set(&bench.root, DEFAULT, &acl(7, 7, 7, 7)) {
        return;
    }
    let inode = fs::metadata(&path).unwrap().ino();
    drop(bench.write("a", "new").unwrap());
    assert_ne!(fs::metadata(&path).unwrap().ino(), inode, "it was replaced");
    assert_eq!(get(&path, ACCESS), None);
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o660);
    drop(bench.write("b", "new").unwrap());
    assert!(get(&bench.root.join("b"), ACCESS).is_some(), "a new file is as the folder says");
}

/// What this user cannot give to another file is not lost: the file is written in place.
#[test]
fn an_attribute_that_cannot_be_carried_over_stays() {
    let bench = Bench::new();
    let path = bench.put("a", "old");
    if !geteuid().is_root() || !set(&path, "security.evident", b"kept") {
        eprintln!("NOT PROVED: only root can set such an attribute");
        return;
    }
    chown(&path, Some(NOBODY), Some(NOBODY)).unwrap();
    let inode = fs::metadata(&path).unwrap().ino();
    as_user(&bench, || drop(bench.write("a", "new").unwrap()));
    assert_eq!(bench.text("a"), "new");
    assert_eq!(get(&path, "security.evident").as_deref(), Some(&b"kept"[..]));
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
    assert_eq!(bench.names(&bench.root), ["a"]);
}
