//! The end of a turn: freeze, receipt, one transaction.

use std::sync::Arc;

use checkpoint::{Checkpoint, Frozen};
use protocol::{
    AssessmentKind, CompletionReceipt, Coverage, EventKind, RefusedWrite, ResultNote, TurnOutcome,
    Verdict, Verification,
};

use crate::{
    agent::Agent,
    turn::{Turn, TurnEnd},
};

impl Turn<'_> {
    /// Freezes the result and stores it with the turn's end (TR-1, JR-2). It waits for nothing.
    ///
    /// If it cannot be stored the result says so (TR-25), is shown all the same, and the turn is
    /// closed once more when the session can be written again.
    pub(crate) async fn finish(mut self, outcome: TurnOutcome) -> TurnEnd {
        let interrupted = matches!(outcome, TurnOutcome::Interrupted);
        self.note_living_jobs();
        self.end_reads(&outcome);
        let mut checks = self.checks;
        checks.extend(self.agent.unfinished_checks());
        let frozen = freeze(self.agent, self.checkpoint).await;
        let mut receipt = receipt(&frozen, interrupted, checks, self.refused);
        receipt.reads_stopped = self.reading.stopped;
        let (record, blobs) = frozen.into_commit_parts();
        let emitter = &mut self.agent.emitter;
        emitter.local([record], blobs);
        emitter.event(EventKind::TurnDone { outcome: outcome.clone(), receipt: receipt.clone() });
        emitter.stream_ended();
        let saved = emitter.flush(self.id).await;
        if saved.is_err() {
            tracing::warn!(turn = self.id.0, "the result was not stored");
            if let Some(diff) = &mut receipt.diff {
                checkpoint::not_saved(diff);
            }
            self.agent.leave_open(self.id).await;
            let kind = EventKind::TurnDone { outcome: outcome.clone(), receipt: receipt.clone() };
            self.agent.emitter.show_unsaved(self.id, kind);
        }
        TurnEnd { turn: self.id, outcome, receipt, saved: saved.is_ok() }
    }
}

/// Freezes a turn's changes on a blocking thread.
pub(crate) async fn freeze(agent: &mut Agent, checkpoint: Checkpoint) -> Frozen {
    let workspace = Arc::clone(&agent.workspace);
    let (limits, clock) = (Arc::clone(&agent.limits), agent.clock.clone());
    agent
        .emitter
        .with_log(move |log| checkpoint.freeze(&workspace, log.reader(), &limits, &clock))
        .await
}

/// Puts a turn's facts together. The lines under the answer are counted here, once (AN-24).
pub(crate) fn receipt(
    frozen: &Frozen,
    interrupted: bool,
    verifications: Vec<Verification>,
    refused: Vec<RefusedWrite>,
) -> CompletionReceipt {
    let mut notes = Vec::new();
    if verifications.is_empty() {
        notes.push(ResultNote::NoRecordedCheck);
    }
    let changes = &frozen.changes;
    if changes.total_files == 0 && changes.coverage == Coverage::Complete {
        notes.push(ResultNote::NoNetChanges);
    }
    if !refused.is_empty() {
        let count = u32::try_from(refused.len()).unwrap_or(u32::MAX);
        notes.push(ResultNote::WritesRefused { count });
    }
    if verifications.last().is_some_and(|it| it.stale) {
        notes.push(ResultNote::LastCheckIsOld);
    }
    CompletionReceipt {
        diff: Some(frozen.changes.clone()),
        interrupted,
        verdict: Verdict::Unknown,
        assessment_kind: AssessmentKind::Facts,
        verifications,
        refused,
        reads_stopped: Vec::new(),
        notes,
    }
}
