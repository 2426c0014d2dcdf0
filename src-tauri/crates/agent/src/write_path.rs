//! The write path: save the before-image → write with the permit → record what is there now.

use std::sync::Arc;

use evidence::{OwnWrite, Version, WritePermit};
use protocol::{LineRange, ModelCall};
use session::SessionError;
use tools::Writing;
use workspace::FileError;

use crate::{batch::Done, emit::blocking, turn::Turn};

impl Turn<'_> {
    /// Writes one file. The permit is spent here, whatever comes of it.
    ///
    /// What can go wrong between the gate and the write is the gate's answer too, one step later:
    /// the file is left as it is, and the refusal says what works (WB-36).
    pub(crate) async fn write(
        &mut self,
        call: &ModelCall,
        writing: Writing,
        permit: WritePermit,
    ) -> Result<Done, SessionError> {
        let kept = self.kept_beside(&writing, &permit);
        let Writing { place, request, before, contents, lines, summary } = writing;
        let limits = Arc::clone(&self.agent.limits);
        let capture = self.checkpoint.before(&place, before.as_ref(), &call.id, &limits);
        drop(before);
        self.agent.emitter.local(capture.records, capture.blobs);
        // The before-image, and the start of the call, are on disk before the file is touched.
        self.agent.emitter.flush(self.id).await?;

        let workspace = Arc::clone(&self.agent.workspace);
        let written = blocking(move || workspace.write(permit, &contents)).await;
        let applied = match written {
            Ok(applied) => applied,
            // What the file is now is not known, so its capture stays open and its versions go.
            Err(error @ FileError::HalfWritten { .. }) => {
                self.agent.evidence.forget(place.path());
                return Ok(Done::failed(tools::file_failure(&error)));
            }
            Err(error) => {
                let records = self.checkpoint.unwritten(place.path(), &call.id);
                self.agent.emitter.local(records, []);
                return Ok(not_written(&error, place.shown()));
            }
        };
        let records = self.checkpoint.applied(&applied, &call.id);
        self.agent.emitter.local(records, []);
        self.mark_checks_stale();
        let after = applied.after.fingerprint.map_or(Version::Absent, Version::Present);
        let write = OwnWrite { before: request.current, after, lines };
        self.agent.evidence.written(applied.path, write);
        Ok(Done::completed(summary + &kept))
    }

    /// Tells what somebody else changed in the file that is written, where that stays.
    fn kept_beside(&self, writing: &Writing, permit: &WritePermit) -> String {
        let target = writing.request.target.as_ref().filter(|_| permit.is_behind());
        let (Some(target), Some(before)) = (target, &writing.before) else { return String::new() };
        let now = tools::lines_before(before, &self.agent.limits);
        let changed = target
            .parts
            .iter()
            .flat_map(|part| self.agent.evidence.changed_beside(permit.path(), part, &now));
        let changed: Vec<LineRange> = changed.collect();
        let shown = writing.place.shown();
        let lines =
            if changed.is_empty() { "other lines".to_owned() } else { evidence::named(&changed) };
        format!(
            "\n[{lines} of {shown}, as it was before this write, had changed since they were shown to you, by \
             none of your edits; that was kept]"
        )
    }
}

/// What the call came to when nothing was written.
fn not_written(error: &FileError, shown: &str) -> Done {
    let shown = shown.to_owned();
    if matches!(error, FileError::Changed { .. }) {
        Done::refused(evidence::stale(shown))
    } else if matches!(error, FileError::Appeared { .. }) {
        Done::refused(evidence::already_exists(shown))
    } else if matches!(error, FileError::Vanished { .. }) {
        Done::refused(evidence::not_found(shown))
    } else {
        Done::failed(tools::file_failure(error))
    }
}
