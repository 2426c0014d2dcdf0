//! Where a path really leads: links followed, names as the folders have them.

use std::{
    collections::VecDeque,
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

use crate::system;

/// More links than this on one way are a circle, as on Linux.
const LINKS_ON_A_WAY: u32 = 40;

/// What has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket or a device.
    Special,
}

/// Where a path leads.
#[derive(Debug)]
pub(crate) struct Followed {
    /// Without links and without `..`.
    pub real: PathBuf,
    /// What is there; never a link.
    pub kind: Option<Kind>,
    pub by_link: bool,
}

/// Why a path leads nowhere, and how far it went.
#[derive(Debug)]
pub(crate) struct Lost {
    pub at: PathBuf,
    pub source: io::Error,
}

/// Follows `path` from the canonical folder `from`. What does not exist keeps its spelling.
pub(crate) fn follow(from: &Path, path: &Path) -> Result<Followed, Lost> {
    let mut ahead: VecDeque<OsString> = parts(path).collect();
    let mut real = from.to_owned();
    let mut kind = kind_of(&real)?;
    let mut links = 0;
    while let Some(name) = ahead.pop_front() {
        if kind.is_some_and(|it| it != Kind::Folder) {
            return Err(Lost { at: real, source: io::ErrorKind::NotADirectory.into() });
        }
        if name == ".." {
            // Only a link's text has it, and where the link stands is a real folder.
            if kind.is_none() {
                return Err(Lost { at: real, source: io::ErrorKind::NotFound.into() });
            }
            real.pop();
            continue;
        }
        if kind.is_none() {
            real.push(name);
            continue;
        }
        let here = real.join(&name);
        let found = kind_of(&here)?;
        if found == Some(Kind::Link) {
            links += 1;
            if LINKS_ON_A_WAY < links {
                return Err(Lost { at: real, source: io::ErrorKind::TooManyLinks.into() });
            }
            let target = fs::read_link(&here).map_err(|source| Lost { at: here, source })?;
            let target = system::plain(target);
            if target.has_root() {
                real = root_of(&real.join(&target));
            }
            for part in parts(&target).rev() {
                ahead.push_front(part);
            }
            continue;
        }
        // In a folder that cannot be listed the name stays as it is spelled.
        let settled = found.and_then(|_| system::settled_name(&real, &name).ok());
        real.push(settled.unwrap_or(name));
        kind = found;
    }
    Ok(Followed { real, kind, by_link: 0 < links })
}

/// Follows an absolute path.
pub(crate) fn follow_absolute(path: &Path) -> Result<Followed, Lost> {
    follow(&root_of(path), path)
}

/// Takes `.` and `..` out of an absolute path, as it is spelled.
pub(crate) fn normalised(path: &Path) -> PathBuf {
    let mut plain = root_of(path);
    for part in parts(path) {
        if part == ".." {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

fn root_of(path: &Path) -> PathBuf {
    path.ancestors().last().unwrap_or(path).to_owned()
}

/// Returns the names in a path, and its `..`.
fn parts(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    let named = |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().filter(named).map(|part| part.as_os_str().to_owned())
}

fn kind_of(path: &Path) -> Result<Option<Kind>, Lost> {
    match fs::symlink_metadata(path) {
        Ok(it) if it.is_symlink() => Ok(Some(Kind::Link)),
        Ok(it) if it.is_dir() => Ok(Some(Kind::Folder)),
        Ok(it) if it.is_file() => Ok(Some(Kind::File)),
        Ok(_) => Ok(Some(Kind::Special)),
        Err(it) if it.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Lost { at: path.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests;
