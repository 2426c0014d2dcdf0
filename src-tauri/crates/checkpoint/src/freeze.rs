//! Finds out what a turn changed, net, when it ends.

use protocol::{Clock, Gap, GapReason, Limits, TrustLevel, TurnFile, WorkspacePath};
use session::SessionReader;
use workspace::{FileError, FileImage, FileState, Workspace};

use crate::{
    capture::{CapturedFile, Checkpoint, captured},
    coverage::Reasons,
    diff::{Change, FileDiff, Side, diff},
    frozen::Frozen,
};

/// A freeze under way.
struct Freeze<'a> {
    workspace: &'a Workspace,
    blobs: &'a SessionReader,
    limits: &'a Limits,
    clock: &'a Clock,
    /// Bytes of contents and patches that may still be handled (TR-11).
    left_bytes: u64,
    files: Vec<TurnFile>,
    patches: Vec<(String, Vec<u8>)>,
    reasons: Reasons,
}

impl Checkpoint {
    /// Returns what the turn changed: its files as they are now, against the before-images.
    ///
    /// To be called once, when the turn's work has ended and no next turn has begun (TR-1); a
    /// result that was stored is returned as it is (TR-3). Waits for nothing and cannot fail: what
    /// it cannot know is a reason, and is never guessed (TR-14).
    pub fn freeze(
        &self,
        workspace: &Workspace,
        blobs: &SessionReader,
        limits: &Limits,
        clock: &Clock,
    ) -> Frozen {
        if let Some((changes, patches)) = &self.frozen {
            return Frozen::stored(changes, patches, blobs);
        }
        let mut freeze = Freeze {
            workspace,
            blobs,
            limits,
            clock,
            left_bytes: limits.result_bytes,
            files: Vec::new(),
            patches: Vec::new(),
            reasons: self.gaps.clone(),
        };
        if let Some(_nothing_is_written) = workspace.barrier().try_freeze() {
            for (path, file) in self.files.iter().filter(|(_, file)| file.is_written()) {
                if let Err(reason) = freeze.take_in(path, file) {
                    freeze.reasons.add(Gap { reason, path: Some(file.shown.clone()), call: None });
                }
            }
        } else {
            let reason = GapReason::ActiveWriter;
            freeze.reasons.add(Gap { reason, path: None, call: None });
        }
        let Freeze { files, patches, reasons, .. } = freeze;
        Frozen::new(self.turn, self.id.clone(), files, patches, reasons)
    }
}

impl Freeze<'_> {
    /// Lists a file if it is not what it was. The error is the reason why nothing is known of it.
    /// The steps are those of TR-4, in its order.
    fn take_in(&mut self, path: &WorkspacePath, file: &CapturedFile) -> Result<(), GapReason> {
        let before = self.before_image(file)?;

        let after = file.after().ok_or(GapReason::OwnershipUnknown)?;
        self.must_not_be(GapReason::OwnershipUnknown, file)?;

        let before_bytes = before.as_ref().map_or(0, |it| it.len() as u64);
        if self.left_bytes <= before_bytes {
            return Err(GapReason::SizeLimit);
        }

        let current = self.current_image(path)?;

        let state = captured(current.as_ref().map_or(FileState::ABSENT, FileImage::state));
        if state != after {
            return Err(GapReason::ExternalChange);
        }
        self.must_not_be(GapReason::ExternalChange, file)?;

        if state == file.before {
            return Ok(());
        }

        let before = before.as_ref().map(|bytes| Side { bytes, mode: file.before.mode });
        let current = current.as_ref().map(|it| Side { bytes: it.bytes(), mode: it.mode() });
        let change = match (before, current) {
            (None, None) => return Ok(()),
            (None, Some(after)) => Change::Create(after),
            (Some(before), None) => Change::Delete(before),
            (Some(before), Some(after)) => Change::Modify { before, after },
        };
        let left_bytes = self.left_bytes.checked_sub(change.content_bytes());
        self.left_bytes = left_bytes.ok_or(GapReason::SizeLimit)?;
        self.list(file, change);
        Ok(())
    }

    /// Refuses a file of which a gap said during the turn that not all of it is the turn's.
    fn must_not_be(&self, reason: GapReason, file: &CapturedFile) -> Result<(), GapReason> {
        if self.reasons.has(reason, Some(&file.shown)) { Err(reason) } else { Ok(()) }
    }

    /// Returns the bytes that the turn found, checked; `None` if there was no file.
    fn before_image(&self, file: &CapturedFile) -> Result<Option<Vec<u8>>, GapReason> {
        let Some(fingerprint) = file.before.fingerprint else { return Ok(None) };
        if file.blob != Some(fingerprint) {
            return Err(GapReason::SnapshotUnavailable);
        }
        match self.blobs.blob(fingerprint) {
            Ok(Some(bytes)) => Ok(Some(bytes)),
            Ok(None) | Err(_) => Err(GapReason::SnapshotUnavailable),
        }
    }

    /// Returns the file as it is now; `None` if there is none.
    fn current_image(&self, path: &WorkspacePath) -> Result<Option<FileImage>, GapReason> {
        use FileError as E;
        match self.workspace.place(path).and_then(|place| self.workspace.read(&place)) {
            Ok(image) if self.limits.capture_file_bytes < image.bytes().len() as u64 => {
                Err(GapReason::SizeLimit)
            }
            Ok(image) => Ok(Some(image)),
            Err(E::Missing { .. } | E::Vanished { .. }) => Ok(None),
            Err(E::TooLarge { .. }) => Err(GapReason::SizeLimit),
            Err(
                E::NotAFolder { .. }
                | E::IsFolder { .. }
                | E::Outside { .. }
                | E::LinkOutside { .. }
                | E::LinkCircle { .. }
                | E::Changed { .. }
                | E::Appeared { .. }
                | E::Special { .. }
                | E::NoPermission { .. }
                | E::DiskFull { .. }
                | E::HalfWritten { .. }
                | E::ReadOnlyDisk { .. }
                | E::InvalidPath { .. }
                | E::Io { .. },
            ) => Err(GapReason::FileUnavailable),
        }
    }

    /// Adds a file to the list, with its counts where there are any, and its patch if it fits.
    fn list(&mut self, file: &CapturedFile, change: Change<'_>) {
        let mut entry = TurnFile {
            path: file.shown.clone(),
            kind: change.kind(),
            added: 0,
            removed: 0,
            binary: false,
            mode_only: false,
            uncounted: false,
            unavailable: None,
            level: Some(TrustLevel::Written),
            call_ids: file.calls.clone(),
        };
        let patch = match diff(&file.shown, change, self.limits, self.clock) {
            FileDiff::Lines { added, removed, patch } => {
                (entry.added, entry.removed) = (added, removed);
                patch
            }
            FileDiff::ModeOnly { patch } => {
                entry.mode_only = true;
                patch
            }
            FileDiff::Binary => {
                entry.binary = true;
                Vec::new()
            }
            FileDiff::Cut => {
                let reason = GapReason::SizeLimit;
                (entry.uncounted, entry.unavailable) = (true, Some(reason));
                self.reasons.add(Gap { reason, path: Some(file.shown.clone()), call: None });
                Vec::new()
            }
        };
        match self.left_bytes.checked_sub(patch.len() as u64) {
            _ if patch.is_empty() => {}
            Some(left_bytes) => {
                self.left_bytes = left_bytes;
                self.patches.push((entry.path.clone(), patch));
            }
            // The counts are exact all the same, so the result is no less complete (TR-10).
            None => entry.unavailable = Some(GapReason::SizeLimit),
        }
        self.files.push(entry);
    }
}
