//! The one door to a write.

use protocol::{Diagnostic, LineRange, WorkspacePath};

use crate::{
    observation::{Batch, EvidenceTarget, Known, ObservationLedger, Stamp, Version},
    refusal,
};

/// What a write needs beside the version that is checked when it is made (DEC-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvidenceMode {
    /// The model knows the lines that it replaces.
    #[default]
    Coverage,
    /// The model knows the version of the file.
    Version,
}

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
    /// What would be replaced, as it is now. Of a whole file missing where it has too many lines to
    /// be looked at (WB-31); of some lines empty where it is not known which.
    pub target: Option<EvidenceTarget>,
    /// What the plan found at the path.
    pub current: Version,
    /// What the file system told of it meanwhile, to compare with a page that had no more.
    pub stamp: Option<Stamp>,
    /// The token the model cites, unproven.
    pub cites: Option<String>,
    /// The user asked for the file to be written anew, by its path (WB-40).
    pub is_rebuild: bool,
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
    is_behind: bool,
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

    /// Returns whether the file has changed since it was shown, in other lines than those that are
    /// replaced (DEC-2 b).
    pub fn is_behind(&self) -> bool {
        self.is_behind
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

/// What the gate knows when it is asked.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    pub seen: &'a ObservationLedger,
    /// The answer that asks for the write.
    pub batch: Batch,
    /// The first answer of the turn: tokens of an earlier one are not accepted (OL-11).
    pub turn: Batch,
    pub mode: EvidenceMode,
}

/// Decides whether the model knows what it is about to replace: the version (layer A), and the lines
/// (layer B, DEC-1).
pub fn check_write(evidence: Evidence<'_>, request: WriteRequest) -> Verdict {
    match evidence.check(&request) {
        Ok(()) => Verdict::Permit(WritePermit {
            is_behind: request.kind == WriteKind::Edit
                && evidence.knows_version(&request) == Some(false),
            extent: extent(&request),
            path: request.path,
            expects: request.current,
        }),
        Err(refusal) => Verdict::Refuse(refusal),
    }
}

impl Evidence<'_> {
    /// Returns nothing if the write may happen.
    ///
    /// # Errors
    ///
    /// The refusal.
    fn check(self, request: &WriteRequest) -> Result<(), Diagnostic> {
        let shown = || request.shown.clone();
        match (request.kind, request.current) {
            // The model saw nothing of it, and needs to have seen nothing.
            (WriteKind::Create, Version::Absent) => return Ok(()),
            (WriteKind::Create, Version::Present(_)) => {
                return Err(refusal::already_exists(shown()));
            }
            (WriteKind::Edit | WriteKind::Overwrite, Version::Absent) => {
                return Err(refusal::absent(shown()));
            }
            (WriteKind::Edit, Version::Present(_)) => {}
            (WriteKind::Overwrite, Version::Present(_)) if request.is_rebuild => return Ok(()),
            (WriteKind::Overwrite, Version::Present(_)) => {}
        }
        if let Some(token) = &request.cites
            && !self.seen.issued(&request.path, token, (self.turn, self.batch))
        {
            return Err(refusal::token_unknown(shown(), self.mode));
        }
        match self.mode {
            EvidenceMode::Version => self.check_version(request),
            EvidenceMode::Coverage => self.check_lines(request),
        }
    }

    /// Layer A alone.
    fn check_version(self, request: &WriteRequest) -> Result<(), Diagnostic> {
        match self.knows_version(request) {
            None => Err(refusal::not_observed(request.shown.clone())),
            Some(true) => Ok(()),
            Some(false) if self.knows_lines_anywhere(request) => Ok(()),
            Some(false) => Err(refusal::stale(request.shown.clone())),
        }
    }

    /// Layer B, which speaks for both.
    fn check_lines(self, request: &WriteRequest) -> Result<(), Diagnostic> {
        let shown = || request.shown.clone();
        let Some(target) = &request.target else {
            return Err(refusal::unverifiable(shown()));
        };
        let all = || target.parts.iter().map(|it| it.lines()).collect();
        let is_current = match self.knows_version(request) {
            None => return Err(refusal::evidence_missing(shown(), all())),
            Some(is_current) => is_current,
        };
        // It is not known which lines: all that can be asked is whether the version is known.
        if target.parts.is_empty() || (target.is_whole && !is_current) {
            return if is_current { Ok(()) } else { Err(refusal::evidence_stale(shown(), all())) };
        }
        let cites = request.cites.as_deref();
        let missing = self.seen.missing(&request.path, self.batch, target, cites);
        if missing.is_empty() || self.knows_lines_anywhere(request) {
            return Ok(());
        }
        Err(refusal::evidence_stale(shown(), missing))
    }

    /// Returns whether the version that the model knows is the one that is there; nothing if it knows
    /// none.
    fn knows_version(self, request: &WriteRequest) -> Option<bool> {
        let known = self.seen.version_before(&request.path, self.batch)?;
        Some(match known {
            Known::Version(version) => version == request.current,
            Known::Stamp(known) => request.stamp == Some(known),
        })
    }

    /// DEC-2 (b): a passage that stands in the file once, and whose lines the model knows, may be
    /// replaced whatever else has changed. Not one that is bound to a version by its token.
    fn knows_lines_anywhere(self, request: &WriteRequest) -> bool {
        let parts = match (&request.target, &request.cites, request.kind) {
            (Some(target), None, WriteKind::Edit) => target.parts.as_slice(),
            _ => &[],
        };
        matches!(parts, [only] if self.seen.knows(&request.path, self.batch, only))
    }
}

fn extent(request: &WriteRequest) -> Extent {
    match &request.target {
        Some(target) if !target.is_whole => {
            Extent::Lines(target.parts.iter().map(|it| it.lines()).collect())
        }
        Some(_) | None => Extent::Whole,
    }
}

#[cfg(test)]
mod tests;
