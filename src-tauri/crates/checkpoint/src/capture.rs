//! What a turn touched: each file as it was before, and as each write of the host left it.

use std::collections::BTreeMap;

use protocol::{
    Fingerprint, Gap, GapReason, Limits, Moment, ResultId, ToolCallId, TurnChanges, TurnId,
    WorkspacePath,
};
use session::{CapturedState, LocalRecord, StoredPatch};
use workspace::{AppliedWrite, FileImage, FileState, Place, PlaceKind};

use crate::coverage::{CaptureCoverage, Reasons};

/// The captures of one turn: a ledger that only grows.
///
/// Whatever changes it is a [`LocalRecord`], which the caller stores: so [`Checkpoint::replay`]
/// gives what was lived through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(crate) turn: TurnId,
    pub(crate) id: ResultId,
    pub(crate) files: BTreeMap<WorkspacePath, CapturedFile>,
    pub(crate) gaps: Reasons,
    /// The result, if it was frozen already (TR-3).
    pub(crate) frozen: Option<(TurnChanges, Vec<StoredPatch>)>,
}

/// One file that the turn touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CapturedFile {
    pub(crate) shown: String,
    pub(crate) before: CapturedState,
    pub(crate) blob: Option<Fingerprint>,
    /// What the last write left of which the end is known; what was there before, if there is none.
    last: CapturedState,
    /// Calls that began to write it and of which the end is not known.
    begun: Vec<ToolCallId>,
    /// Calls that changed it.
    pub(crate) calls: Vec<ToolCallId>,
}

impl CapturedFile {
    /// Returns whether the turn wrote it, or may have; a write that was turned away did neither.
    pub(crate) fn is_written(&self) -> bool {
        !(self.begun.is_empty() && self.calls.is_empty())
    }

    /// Returns what the turn left behind, if that is known (CP-3).
    pub(crate) fn after(&self) -> Option<CapturedState> {
        self.begun.is_empty().then_some(self.last)
    }
}

/// What must be stored before the file may be written (CP-2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "the file may be written only once this is stored"]
pub struct Capture {
    pub records: Vec<LocalRecord>,
    /// The before-image, where a record names one for the first time.
    pub blobs: Vec<Vec<u8>>,
}

impl Checkpoint {
    /// Begins the captures of a turn, and names its result (TR-22).
    pub fn new(turn: TurnId, started: Moment) -> Self {
        Self::replay(turn, ResultId::minted(format!("{turn}:{}", started.unix_nanos)), &[])
    }

    /// Restores the captures of a turn from what was stored of it, in its order.
    pub fn replay(turn: TurnId, id: ResultId, records: &[LocalRecord]) -> Self {
        let (files, gaps, frozen) = (BTreeMap::new(), Reasons::default(), None);
        let mut checkpoint = Self { turn, id, files, gaps, frozen };
        records.iter().for_each(|record| checkpoint.fold(record));
        checkpoint
    }

    /// Returns the name of the turn's result.
    pub fn id(&self) -> &ResultId {
        &self.id
    }

    /// Returns whether the turn wrote anything, or may have.
    pub fn touched(&self) -> bool {
        !self.files.is_empty() || !self.gaps.is_empty()
    }

    /// Returns how much of what the turn touched was captured.
    pub fn coverage(&self) -> CaptureCoverage {
        let is_lost = |it: &CapturedFile| it.before.fingerprint.is_some() && it.blob.is_none();
        if self.files.is_empty() {
            CaptureCoverage::None
        } else if self.gaps.is_empty() && !self.files.values().any(is_lost) {
            CaptureCoverage::Complete
        } else {
            CaptureCoverage::Partial
        }
    }

    /// Notes that `call` is about to write a file that is `image`, or is not there.
    ///
    /// The first touch keeps the before-image, and no later one changes that (CP-2). Each leaves
    /// open what becomes of the file, until [`Checkpoint::applied`] or [`Checkpoint::unwritten`]
    /// tells (CP-3). A file that cannot be captured is a gap instead (CP-5).
    pub fn before(
        &mut self,
        place: &Place,
        image: Option<&FileImage>,
        call: &ToolCallId,
        limits: &Limits,
    ) -> Capture {
        let (path, call) = (place.path().clone(), call.clone());
        if let Some(file) = self.files.get(&path) {
            let CapturedFile { shown, before, blob, .. } = file.clone();
            let again = self.record(LocalRecord::Before { path, shown, call, before, blob });
            return Capture { records: vec![again], blobs: Vec::new() };
        }
        // What a link leads to is what changes, and has one name however it was reached.
        let shown = place.link_target().unwrap_or(place.shown()).to_owned();
        if self.is_uncaptured(&shown) {
            return Capture::default();
        }
        if let Some(reason) = obstacle(place.kind(), image, limits) {
            let gap = Gap { reason, path: Some(shown), call: Some(call) };
            return Capture { records: self.gap(gap).into_iter().collect(), blobs: Vec::new() };
        }
        let before = captured(image.map_or(FileState::ABSENT, FileImage::state));
        let blob = image.map(FileImage::fingerprint);
        let first = self.record(LocalRecord::Before { path, shown, call, before, blob });
        let blobs = image.map(|it| it.bytes().to_vec()).into_iter().collect();
        Capture { records: vec![first], blobs }
    }

    /// Notes what a write of `call` left (CP-3).
    pub fn applied(&mut self, write: &AppliedWrite, call: &ToolCallId) -> Vec<LocalRecord> {
        let (path, call) = (write.path.clone(), call.clone());
        let mut reasons = Vec::new();
        let mut records = Vec::new();
        match self.files.get(&path) {
            Some(file) => {
                if captured(write.before) != file.last {
                    // It is not as the turn left it, so from here on not all of it is the turn's.
                    let others_end_is_unknown = file.begun.iter().any(|it| *it != call);
                    reasons.push(if others_end_is_unknown {
                        GapReason::OwnershipUnknown
                    } else {
                        GapReason::ExternalChange
                    });
                }
                let (call, after) = (call.clone(), captured(write.after));
                records.push(self.record(LocalRecord::After { path, call, after }));
            }
            None if self.is_uncaptured(&write.shown) => {}
            None => reasons.push(GapReason::CaptureFailed),
        }
        if write.hardlinked {
            // What its other names show has changed too.
            reasons.push(GapReason::Hardlink);
        }
        records.extend(reasons.into_iter().filter_map(|reason| {
            self.gap(Gap { reason, path: Some(write.shown.clone()), call: Some(call.clone()) })
        }));
        records
    }

    /// Notes that a write of `call` did not happen, and is known to have left the file alone.
    pub fn unwritten(&mut self, path: &WorkspacePath, call: &ToolCallId) -> Vec<LocalRecord> {
        let Some(after) = self.files.get(path).map(|it| it.last) else { return Vec::new() };
        vec![self.record(LocalRecord::After { path: path.clone(), call: call.clone(), after })]
    }

    /// Notes something that the result cannot account for; `None` if that is known already.
    pub fn gap(&mut self, gap: Gap) -> Option<LocalRecord> {
        if self.gaps.has(gap.reason, gap.path.as_deref()) {
            return None;
        }
        Some(self.record(LocalRecord::Gap { gap }))
    }

    /// Returns whether the first touch of a file was a gap. A later one would keep a before-image
    /// that is none.
    fn is_uncaptured(&self, shown: &str) -> bool {
        use GapReason as R;
        [R::Hardlink, R::Unreadable, R::Oversized, R::CaptureFailed]
            .into_iter()
            .any(|reason| self.gaps.has(reason, Some(shown)))
    }

    fn record(&mut self, record: LocalRecord) -> LocalRecord {
        self.fold(&record);
        record
    }

    /// The one door: takes in a record that was just made, or was stored.
    fn fold(&mut self, record: &LocalRecord) {
        match record {
            LocalRecord::Before { path, shown, call, before, blob } => {
                let file = self.files.entry(path.clone()).or_insert_with(|| CapturedFile {
                    shown: shown.clone(),
                    before: *before,
                    blob: *blob,
                    last: *before,
                    begun: Vec::new(),
                    calls: Vec::new(),
                });
                file.begun.push(call.clone());
            }
            LocalRecord::After { path, call, after } => {
                let Some(file) = self.files.get_mut(path) else { return };
                if file.last == *after {
                    file.begun.retain(|it| it != call);
                    if !file.is_written() {
                        // Nothing was touched, so the next write finds its own before-image.
                        self.files.remove(path);
                    }
                } else {
                    // A write starts from what it found, so what came before it has ended.
                    file.begun.clear();
                    file.last = *after;
                    if !file.calls.contains(call) {
                        file.calls.push(call.clone());
                    }
                }
            }
            LocalRecord::Gap { gap } => self.gaps.add(gap.clone()),
            LocalRecord::Frozen { changes, patches } => {
                self.frozen = Some((changes.clone(), patches.clone()));
            }
            LocalRecord::Opened { .. }
            | LocalRecord::Check { .. }
            | LocalRecord::Output { .. }
            | LocalRecord::Read { .. }
            | LocalRecord::ReadPause { .. }
            | LocalRecord::ReadCompletion { .. } => {}
        }
    }
}

/// Returns why a file cannot be captured, if it cannot (CP-5).
fn obstacle(kind: PlaceKind, image: Option<&FileImage>, limits: &Limits) -> Option<GapReason> {
    match (image, kind) {
        (Some(image), _) if 1 < image.links() => Some(GapReason::Hardlink),
        (Some(image), _) if limits.capture_file_bytes < image.bytes().len() as u64 => {
            Some(GapReason::Oversized)
        }
        (Some(_), _) | (None, PlaceKind::Absent) => None,
        (None, PlaceKind::File | PlaceKind::Folder) => Some(GapReason::Unreadable),
    }
}

pub(crate) fn captured(state: FileState) -> CapturedState {
    CapturedState { fingerprint: state.fingerprint, mode: state.mode }
}
