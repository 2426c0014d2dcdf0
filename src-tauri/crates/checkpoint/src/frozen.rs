//! A frozen result: the summary that everyone is shown, and the patches that are pulled.

use protocol::{
    Coverage, Gap, GapReason, LevelTotals, ResultId, TrustLevel, TurnChanges, TurnFile, TurnId,
};
use session::{LocalRecord, SessionReader, StoredPatch};

use crate::coverage::Reasons;

/// What one turn changed. Nothing in it is computed again, whatever becomes of the files (TR-26).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    pub changes: TurnChanges,
    /// Paths as in `changes`, and what `git apply` takes.
    pub patches: Vec<(String, Vec<u8>)>,
}

impl Frozen {
    /// Returns what can be said of a turn of which nothing was recorded (TR-3).
    pub fn unknown(turn: TurnId, id: ResultId) -> Self {
        Self { changes: TurnChanges::unknown(turn, id), patches: Vec::new() }
    }

    /// Sums up what was found out.
    pub(crate) fn new(
        turn: TurnId,
        id: ResultId,
        mut files: Vec<TurnFile>,
        patches: Vec<(String, Vec<u8>)>,
        reasons: Reasons,
    ) -> Self {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let sum =
            |lines: fn(&TurnFile) -> u32| files.iter().map(lines).fold(0, u32::saturating_add);
        let (added, removed) = (sum(|it| it.added), sum(|it| it.removed));
        let total_files = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let totals = LevelTotals { level: TrustLevel::Written, files: total_files, added, removed };
        let levels = if files.is_empty() { Vec::new() } else { vec![totals] };
        let coverage = reasons.coverage();
        let reasons = reasons.into_gaps();
        let changes =
            TurnChanges { id, turn, coverage, files, total_files, added, removed, levels, reasons };
        Self { changes, patches }
    }

    /// Restores a result that was stored; patches that are no longer there are left out (TR-29).
    pub(crate) fn stored(
        changes: &TurnChanges,
        patches: &[StoredPatch],
        blobs: &SessionReader,
    ) -> Self {
        let turn = changes.turn;
        let load = |it: &StoredPatch| Some((it.path.clone(), blobs.detail(turn, it.blob).ok()??));
        Self { changes: changes.clone(), patches: patches.iter().filter_map(load).collect() }
    }

    /// Returns the record to commit, and the bytes it names.
    pub fn into_commit_parts(self) -> (LocalRecord, Vec<Vec<u8>>) {
        let (stored, blobs) = self
            .patches
            .into_iter()
            .map(|(path, patch)| (StoredPatch { path, blob: session::fingerprint(&patch) }, patch))
            .unzip();
        (LocalRecord::Frozen { changes: self.changes, patches: stored }, blobs)
    }
}

/// Marks a result that could not be stored (TR-25).
pub fn not_saved(changes: &mut TurnChanges) {
    changes.reasons.push(Gap { reason: GapReason::ResultNotSaved, path: None, call: None });
    if changes.coverage == Coverage::Complete {
        changes.coverage = Coverage::Partial;
    }
}
