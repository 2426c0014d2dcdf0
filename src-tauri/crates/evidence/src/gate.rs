//! The one door to a write.

use protocol::{Diagnostic, LineRange, WorkspacePath};

use crate::{
    observation::{Batch, Known, ObservationLedger, Stamp, Version},
    refusal,
};

/// How much of a file a write replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    Whole,
    Lines(Vec<LineRange>),
}

/// What kind of write is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteKind {
    /// A file where there is none (WB-11).
    Create,
    /// Some lines of a file (WB-12).
    Edit,
    /// The whole of a file (WB-14).
    Overwrite,
}

/// A write as its tool planned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteRequest {
    pub path: WorkspacePath,
    /// The path as a person sees it, for the refusal.
    pub shown: String,
    pub kind: WriteKind,
    pub extent: Extent,
    /// What the plan found at the path.
    pub current: Version,
    /// What the file system told of it meanwhile, to compare with a page that had no more.
    pub stamp: Option<Stamp>,
    /// The token the model cites, unproven.
    pub cites: Option<String>,
}

/// The right to write one file once, while it is still what the gate saw.
///
/// Only [`check_write`] makes one, and the workspace consumes it: code that skips the gate does
/// not compile.
#[derive(Debug, PartialEq, Eq)]
pub struct WritePermit {
    path: WorkspacePath,
    expects: Version,
    extent: Extent,
}

impl WritePermit {
    /// Returns the file that may be written.
    pub fn path(&self) -> &WorkspacePath {
        &self.path
    }

    /// Returns what must still be there when it is written.
    pub fn expects(&self) -> Version {
        self.expects
    }

    /// Returns how much of it may be replaced.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }
}

/// The gate's answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Go ahead, once.
    Permit(WritePermit),
    /// No; why, and what works instead.
    Refuse(Diagnostic),
}

/// Decides whether the model knows the version that it is about to replace (DEC-1, layer A).
pub fn check_write(seen: &ObservationLedger, batch: Batch, request: WriteRequest) -> Verdict {
    let WriteRequest { path, shown, kind, extent, current, stamp, cites } = request;
    let observed = seen.version_before(&path, batch);
    match (kind, current, observed) {
        (WriteKind::Create, Version::Absent, _) => {}
        (WriteKind::Create, Version::Present(_), _) => {
            return Verdict::Refuse(refusal::already_exists(shown));
        }
        (WriteKind::Edit | WriteKind::Overwrite, Version::Absent, _) => {
            return Verdict::Refuse(refusal::absent(shown));
        }
        (WriteKind::Edit | WriteKind::Overwrite, Version::Present(_), None) => {
            return Verdict::Refuse(refusal::not_observed(shown));
        }
        (WriteKind::Edit | WriteKind::Overwrite, Version::Present(_), Some(known)) => {
            let is_same = match known {
                Known::Version(version) => version == current,
                Known::Stamp(known) => stamp == Some(known),
            };
            if !is_same {
                return Verdict::Refuse(refusal::stale(shown));
            }
        }
    }
    // A token that this file's reads did not print proves nothing (RT-7). A new file needs none.
    let is_new = kind == WriteKind::Create;
    if !is_new && cites.is_some_and(|token| !seen.issued(&path, &token, batch)) {
        return Verdict::Refuse(refusal::token_unknown(shown));
    }
    Verdict::Permit(WritePermit { path, expects: current, extent })
}

#[cfg(test)]
mod tests;
