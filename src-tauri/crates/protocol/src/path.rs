//! Paths inside a workspace.

use serde::{Deserialize, Serialize};
use specta::Type;
use thiserror::Error;

/// Numbers the folders the agent may work in: 0 is the workspace, others were added by the user.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(transparent)]
pub struct RootId(pub u32);

/// One file, named once: its root and its canonical path below it, `/`-separated.
///
/// The workspace makes them, after following links and settling case, so one file has one such
/// path however it was spelled. What a person sees is the workspace's `shown`, not this.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(try_from = "Unchecked")]
pub struct WorkspacePath {
    root: RootId,
    relative: String,
}

/// A path as it comes from outside.
#[derive(Deserialize, Type)]
struct Unchecked {
    root: RootId,
    relative: String,
}

/// Why a text is not a [`WorkspacePath`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a path inside the workspace: {0:?}")]
pub struct InvalidPath(pub String);

impl WorkspacePath {
    /// Names the file at `relative` below `root`. An empty text is the root itself.
    ///
    /// # Errors
    ///
    /// [`InvalidPath`] if `relative` is absolute, or has an empty, `.` or `..` component or a NUL.
    pub fn new(root: RootId, relative: &str) -> Result<Self, InvalidPath> {
        let part_is_bad = |part: &str| matches!(part, "" | "." | "..");
        let bad = relative.contains('\0')
            || (!relative.is_empty() && relative.split('/').any(part_is_bad));
        if bad {
            return Err(InvalidPath(relative.to_owned()));
        }
        Ok(Self { root, relative: relative.to_owned() })
    }

    /// Returns the root it lies below.
    pub fn root(&self) -> RootId {
        self.root
    }

    /// Returns the path below the root; empty for the root itself.
    pub fn relative(&self) -> &str {
        &self.relative
    }
}

impl TryFrom<Unchecked> for WorkspacePath {
    type Error = InvalidPath;

    fn try_from(path: Unchecked) -> Result<Self, InvalidPath> {
        Self::new(path.root, &path.relative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leaves_its_root_does_not_parse() {
        for text in ["/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/", "a\0b"] {
            assert!(WorkspacePath::new(RootId(0), text).is_err(), "{text:?}");
        }
        let bad = serde_json::from_str::<WorkspacePath>(r#"{"root":0,"relative":"../x"}"#);
        assert!(bad.is_err(), "the wire is no way round it");
        assert!(WorkspacePath::new(RootId(1), "a/..b/c.rs").is_ok());
    }
}
