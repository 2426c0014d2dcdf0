//! Three facts of a read, kept apart: whose bytes, which version, what this page showed (SI-1).

use std::fmt;

use protocol::{Fingerprint, WorkspacePath};
use sha2::{Digest, Sha256};

/// Where the text of a read came from. A buffer is never proven by the file on the disk (SI-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SourceKind {
    Disk,
    /// An editor's buffer that was not saved.
    Overlay,
}

impl SourceKind {
    /// Names it, as envelopes do.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Overlay => "overlay",
        }
    }
}

/// The version that the pages of one logical read belong to (SI-4, SI-7). Printed `ss2:` and hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Snapshot([u8; 32]);

impl Snapshot {
    /// Names the version of a source by the bytes it was made from.
    pub fn of(kind: SourceKind, path: &WorkspacePath, identity: Fingerprint) -> Self {
        let mut hash = Sha256::new();
        feed(&mut hash, kind.name().as_bytes());
        feed(&mut hash, &path.root().0.to_le_bytes());
        feed(&mut hash, path.relative().as_bytes());
        feed(&mut hash, &identity.0);
        Self(hash.finalize().into())
    }
}

/// What one page delivered: its path, its first line, and each of its lines. Printed `wd2:` and hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct WindowDigest([u8; 32]);

impl WindowDigest {
    /// Names a page by what stands on it.
    pub fn of(path: &WorkspacePath, first: u32, hashes: &[LineHash]) -> Self {
        let mut hash = Sha256::new();
        feed(&mut hash, &path.root().0.to_le_bytes());
        feed(&mut hash, path.relative().as_bytes());
        feed(&mut hash, &first.to_le_bytes());
        for line in hashes {
            hash.update(line.0);
        }
        Self(hash.finalize().into())
    }
}

/// SHA-256 of one line's text, without its end.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineHash([u8; 32]);

impl LineHash {
    /// Hashes a line as its page shows it.
    pub fn of(line: &str) -> Self {
        Self(Sha256::digest(line.as_bytes()).into())
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ss2:")?;
        Fingerprint(self.0).fmt(f)
    }
}

impl fmt::Display for WindowDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("wd2:")?;
        Fingerprint(self.0).fmt(f)
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ss2:{:?}", Fingerprint(self.0))
    }
}

impl fmt::Debug for WindowDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wd2:{:?}", Fingerprint(self.0))
    }
}

impl fmt::Debug for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Fingerprint(self.0).fmt(f)
    }
}

/// Hashes a field after its length, so that no two lists of fields are the same bytes.
pub(crate) fn feed(hash: &mut Sha256, field: &[u8]) {
    hash.update((field.len() as u64).to_le_bytes());
    hash.update(field);
}

#[cfg(test)]
mod tests {
    use protocol::RootId;

    use super::*;

    fn path(root: u32, relative: &str) -> WorkspacePath {
        WorkspacePath::new(RootId(root), relative).expect("a path")
    }

    /// SI-1, SI-7, SI-9: another kind, path, root or bytes are another version.
    #[test]
    fn a_snapshot_is_of_kind_path_and_bytes() {
        let bytes = Fingerprint([1; 32]);
        let snapshots = [
            Snapshot::of(SourceKind::Disk, &path(0, "a"), bytes),
            Snapshot::of(SourceKind::Overlay, &path(0, "a"), bytes),
            Snapshot::of(SourceKind::Disk, &path(1, "a"), bytes),
            Snapshot::of(SourceKind::Disk, &path(0, "b"), bytes),
            Snapshot::of(SourceKind::Disk, &path(0, "a"), Fingerprint([2; 32])),
        ];
        for (at, one) in snapshots.iter().enumerate() {
            assert!(snapshots[at + 1..].iter().all(|it| it != one), "{at}");
        }
        assert_eq!(snapshots[0], Snapshot::of(SourceKind::Disk, &path(0, "a"), bytes));
        assert!(snapshots[0].to_string().starts_with("ss2:"));
    }

    /// SI-1: a page is named by what stands on it and where, not by the file's bytes.
    #[test]
    fn a_window_digest_is_of_path_place_and_lines() {
        let lines = |texts: &[&str]| texts.iter().map(|it| LineHash::of(it)).collect::<Vec<_>>();
        let digest =
            |at: &str, first, texts: &[&str]| WindowDigest::of(&path(0, at), first, &lines(texts));
        let one = digest("a", 0, &["x", "y"]);
        assert_eq!(one, digest("a", 0, &["x", "y"]));
        for other in
            [digest("b", 0, &["x", "y"]), digest("a", 1, &["x", "y"]), digest("a", 0, &["xy"])]
        {
            assert_ne!(one, other);
        }
        assert!(one.to_string().starts_with("wd2:"));
    }
}
