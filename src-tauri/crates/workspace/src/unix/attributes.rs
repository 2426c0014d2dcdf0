//! Extended attributes of files. POSIX ACLs are among them.

use std::{collections::BTreeMap, fs::File};

use rustix::{
    buffer::spare_capacity,
    fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr},
    io::Errno,
};

/// Most bytes of one attribute, and of all their names. Linux knows no larger ones.
const ATTRIBUTE_BYTES: usize = 64 << 10;

type Attributes = BTreeMap<Vec<u8>, Vec<u8>>;

/// Gives a file the attributes of another and takes its own away, such as an ACL that it has from
/// its folder. Returns whether the two are the same by then.
pub(super) fn carry_over(from: &File, to: &File) -> bool {
    let (Ok(wanted), Ok(found)) = (attributes(from), attributes(to)) else { return false };
    for name in found.keys().filter(|it| !wanted.contains_key(*it)) {
        // Whether it worked is seen below.
        let _ = fremovexattr(to, name.as_slice());
    }
    for (name, value) in wanted.iter().filter(|(name, value)| found.get(*name) != Some(*value)) {
        let _ = fsetxattr(to, name.as_slice(), value, XattrFlags::empty());
    }
    attributes(to).is_ok_and(|it| it == wanted)
}

fn attributes(file: &File) -> Result<Attributes, Errno> {
    let mut names = Vec::with_capacity(ATTRIBUTE_BYTES);
    match flistxattr(file, spare_capacity(&mut names)) {
        Ok(_) => {}
        Err(Errno::NOTSUP | Errno::NOSYS) => return Ok(Attributes::new()),
        Err(other) => return Err(other),
    }
    let names = names.split(|it| *it == 0).filter(|it| !it.is_empty());
    names
        .map(|name| {
            let mut value = Vec::with_capacity(ATTRIBUTE_BYTES);
            fgetxattr(file, name, spare_capacity(&mut value))?;
            value.shrink_to_fit();
            Ok((name.to_owned(), value))
        })
        .collect()
}
