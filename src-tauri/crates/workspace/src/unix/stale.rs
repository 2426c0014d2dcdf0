//! Takes away what killed processes left: files without their final name.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt as _,
    process,
};

use rustix::{
    fs::{AtFlags, Dir, Mode, OFlags, openat, unlinkat},
    io::Errno,
    process::{Pid, test_kill_process},
};

use super::{FOLDER, Folder, Stat};
use crate::follow::Kind;

/// Most names of a folder that are looked at.
const NAMES: usize = 100_000;
/// A process of another machine, or of another container, seems dead here. Its file is younger.
const AGE_SECONDS: i128 = 60;

/// Returns the name of a temporary file of this process.
pub(super) fn temp_name(count: u32) -> OsString {
    format!(".evident-{}-{count}.tmp", process::id()).into()
}

/// Removes the temporary files of dead processes from a folder, as far as it can. `fresh` is a file
/// that was just made there, and tells what time it is; `count` is the next name of this process.
pub(super) fn sweep(folder: &Folder, fresh: &Stat, count: u32) {
    let listed = openat(&folder.0, ".", FOLDER | OFlags::RDONLY, Mode::empty());
    let Ok(names) = listed.and_then(Dir::new) else { return };
    for entry in names.take(NAMES).map_while(Result::ok) {
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        let Some((owner, number)) = name.to_str().and_then(parsed) else { continue };
        let is_left = if owner == process::id() { count <= number } else { is_dead(owner) };
        let is_old = |it: &Stat| it.changed[0] + AGE_SECONDS < fresh.changed[0];
        if is_left
            && let Ok(Some(stat)) = folder.stat(name)
            && stat.kind == Kind::File
            && is_old(&stat)
        {
            // If it stays, the next write tries again.
            let _ = unlinkat(&folder.0, name, AtFlags::empty());
        }
    }
}

/// Reads `.evident-PID-N.tmp`.
fn parsed(name: &str) -> Option<(u32, u32)> {
    let numbers = name.strip_prefix(".evident-")?.strip_suffix(".tmp")?;
    let (owner, number) = numbers.split_once('-')?;
    Some((owner.parse().ok()?, number.parse().ok()?))
}

fn is_dead(owner: u32) -> bool {
    let owner = i32::try_from(owner).ok().and_then(Pid::from_raw);
    owner.is_some_and(|it| test_kill_process(it) == Err(Errno::SRCH))
}
