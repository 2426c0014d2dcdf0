//! What a path in the workspace names.

use std::{
    io,
    path::{Path, PathBuf},
};

use protocol::WorkspacePath;

use crate::system;

/// What a path names, as it was a moment ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(crate) path: WorkspacePath,
    pub(crate) absolute: PathBuf,
    pub(crate) shown: String,
    pub(crate) link_target: Option<String>,
    pub(crate) kind: PlaceKind,
}

/// What was found at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// Nothing, and that is certain.
    Absent,
    File,
    Folder,
}

impl Place {
    /// Returns the one name of what is there, links followed.
    pub fn path(&self) -> &WorkspacePath {
        &self.path
    }

    /// Returns where it is on this machine, links followed.
    pub fn absolute(&self) -> &Path {
        &self.absolute
    }

    /// Returns the path as a person sees it: relative in the workspace, absolute in an added
    /// folder, always with `/`. Where a link was followed, the path with the link in it.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns where the link leads, as a person sees it, if one was followed.
    pub fn link_target(&self) -> Option<&str> {
        self.link_target.as_deref()
    }

    /// Returns what was found.
    pub fn kind(&self) -> PlaceKind {
        self.kind
    }
}

/// Returns where a path leads, links followed, in the form that a workspace's folders have: the two
/// can be compared part by part.
///
/// # Errors
///
/// What the system says if nothing is there, or it cannot be looked at.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    Ok(system::plain(path.canonicalize()?))
}
