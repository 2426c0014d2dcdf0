//! Which version of each file the model was shown, or wrote itself.

use std::collections::BTreeMap;

use protocol::{Fingerprint, ReceiptId, WorkspacePath};

/// What a path led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Nothing was there, and that was confirmed.
    Absent,
    Present(Fingerprint),
}

/// Numbers the model's answers of a session; all calls of one answer share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Batch(pub u32);

impl Batch {
    /// Returns the number of the next answer.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// How a version became known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// It was read in this batch, under this token.
    Read { batch: Batch, token: ReceiptId },
    /// The host wrote it itself.
    OwnWrite,
}

#[derive(Clone, Debug)]
struct Observation {
    version: Version,
    source: Source,
}

/// The versions that were observed, oldest first. It outlives a turn (OL-11, layer A) and is
/// dropped with the process: a resumed session reads again.
#[derive(Debug, Default)]
pub struct ObservationLedger {
    seen: BTreeMap<WorkspacePath, Vec<Observation>>,
}

impl ObservationLedger {
    /// Records that a read of `batch` delivered `version` of `path` and printed `token`.
    pub fn delivered(
        &mut self,
        batch: Batch,
        path: WorkspacePath,
        version: Version,
        token: ReceiptId,
    ) {
        self.push(path, Observation { version, source: Source::Read { batch, token } });
    }

    /// Records what the host's own write left; the next edit needs no read (WB-39).
    pub fn written(&mut self, path: WorkspacePath, version: Version) {
        self.push(path, Observation { version, source: Source::OwnWrite });
    }

    /// Drops what is known of a file whose write came to an unknown end.
    pub fn forget(&mut self, path: &WorkspacePath) {
        self.seen.remove(path);
    }

    /// Returns the newest version known before `batch`: what a call of that answer can rely on.
    ///
    /// A read of the same batch is not among them, since the model had not seen it when it asked
    /// for the write; the host's own writes are, whenever they were made (OL-3, DEC-2).
    pub fn version_before(&self, path: &WorkspacePath, batch: Batch) -> Option<Version> {
        let eligible = |it: &&Observation| match &it.source {
            Source::Read { batch: of, .. } => *of < batch,
            Source::OwnWrite => true,
        };
        Some(self.seen.get(path)?.iter().rev().find(eligible)?.version)
    }

    /// Returns whether `token` was printed by a read of `path` before `batch`.
    pub fn issued(&self, path: &WorkspacePath, token: &str, batch: Batch) -> bool {
        let is_it = |it: &Observation| match &it.source {
            Source::Read { batch: of, token: issued } => *of < batch && issued.as_str() == token,
            Source::OwnWrite => false,
        };
        self.seen.get(path).is_some_and(|all| all.iter().any(is_it))
    }

    fn push(&mut self, path: WorkspacePath, observation: Observation) {
        self.seen.entry(path).or_default().push(observation);
    }
}
