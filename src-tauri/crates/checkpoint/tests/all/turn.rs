//! A turn as the agent plays it, on folders of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use checkpoint::{Capture, Checkpoint, Frozen};
use evidence::{
    Batch, Evidence, EvidenceMode, Known, ObservationLedger, SeenRead, Verdict, Version, WriteKind,
    WritePermit, WriteRequest, check_write,
};
use protocol::{
    Clock, Limits, Moment, ReceiptId, SessionId, ToolCallId, TurnFile, TurnId, UnixSeconds,
};
use session::{Commit, LocalRecord, Record, SessionLog};
use tempfile::TempDir;
use workspace::{AppliedWrite, FileImage, FileState, Place, PlaceKind, Workspace};

/// A workspace, a folder that was added, a session, and one turn after the other.
pub(crate) struct Turn {
    folder: Rc<TempDir>,
    pub(crate) workspace: Workspace,
    pub(crate) log: SessionLog,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) limits: Limits,
    turn: TurnId,
    calls: u32,
}

impl Turn {
    pub(crate) fn new() -> Self {
        Self::within(Limits::default())
    }

    /// Begins a turn that is frozen within `limits`.
    pub(crate) fn within(limits: Limits) -> Self {
        let folder = Rc::new(tempfile::tempdir().unwrap());
        for name in ["work", "added", "sessions"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self::of_session(1, folder, limits)
    }

    /// Begins the turn of another session in the same folders.
    pub(crate) fn beside(&self) -> Self {
        Self::of_session(2, Rc::clone(&self.folder), self.limits.clone())
    }

    fn of_session(number: u64, folder: Rc<TempDir>, limits: Limits) -> Self {
        let inside = |name: &str| -> PathBuf { folder.path().join(name) };
        let roots = [inside("work"), inside("added")];
        let workspace = Workspace::open(&roots, &[], &Limits::default()).unwrap();
        let (id, now) = (SessionId::from_bits(number), UnixSeconds(1));
        let sessions = inside("sessions");
        let log = SessionLog::create(&sessions, id, "work", &[], now, &Limits::default()).unwrap();
        let turn = TurnId(0);
        let checkpoint = Checkpoint::new(turn, started(turn));
        Self { folder, workspace, log, checkpoint, limits, turn, calls: 0 }
    }

    /// Ends the turn, stores what was frozen, and begins the next.
    pub(crate) fn next_turn(&mut self) {
        let (record, blobs) = self.freeze().into_commit_parts();
        self.commit(vec![record], blobs);
        self.turn = self.turn.next();
        self.checkpoint = Checkpoint::new(self.turn, started(self.turn));
    }

    /// Returns where a file of the workspace is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    /// The user writes a file.
    pub(crate) fn put(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub(crate) fn place(&self, name: &str) -> Place {
        self.workspace.resolve(name).unwrap()
    }

    pub(crate) fn image(&self, place: &Place) -> Option<FileImage> {
        match place.kind() {
            PlaceKind::Absent => None,
            PlaceKind::File => Some(self.workspace.read(place).unwrap()),
            PlaceKind::Folder => panic!("{} is a folder", place.shown()),
        }
    }

    pub(crate) fn commit(&mut self, records: Vec<LocalRecord>, blobs: Vec<Vec<u8>>) {
        let records = records.into_iter().map(Record::Local).collect();
        let (turn, at) = (self.turn, UnixSeconds(2));
        self.log.commit(Commit { turn, at, records, blobs, clear_scratch: None }).unwrap();
    }

    /// Begins a write, up to where its before-image is stored.
    pub(crate) fn begin(&mut self, name: &str) -> (ToolCallId, WritePermit) {
        self.calls += 1;
        let call = ToolCallId::minted(format!("c{}", self.calls));
        let place = self.place(name);
        let image = self.image(&place);
        let capture = self.checkpoint.before(&place, image.as_ref(), &call, &self.limits);
        let Capture { records, blobs } = capture;
        self.commit(records, blobs);
        (call, permit(&place, image.as_ref()))
    }

    /// The agent writes a file, and the write is recorded.
    pub(crate) fn write(&mut self, name: &str, contents: impl AsRef<[u8]>) -> ToolCallId {
        let (call, permit) = self.begin(name);
        let applied = self.workspace.write(permit, contents.as_ref()).unwrap();
        self.applied(&applied, &call);
        call
    }

    /// The agent changes a file as none of its tools can yet: deletes it, or changes its bits.
    pub(crate) fn change(&mut self, name: &str, change: impl FnOnce(&Path)) -> ToolCallId {
        let (call, _) = self.begin(name);
        let state = |turn: &Self| -> (Place, FileState) {
            let place = turn.place(name);
            let none = FileState { fingerprint: None, mode: None };
            let state = turn.image(&place).map_or(none, |it| it.state());
            (place, state)
        };
        let (_, before) = state(self);
        change(&self.path(name));
        let (place, after) = state(self);
        let (path, shown) = (place.path().clone(), place.shown().to_owned());
        let applied = AppliedWrite { path, shown, before, after, hardlinked: false };
        self.applied(&applied, &call);
        call
    }

    /// The agent begins to write a file, and the disk or the gate does not let it.
    pub(crate) fn refuse(&mut self, name: &str) {
        let (call, _) = self.begin(name);
        let path = self.place(name).path().clone();
        let records = self.checkpoint.unwritten(&path, &call);
        self.commit(records, Vec::new());
    }

    pub(crate) fn applied(&mut self, write: &AppliedWrite, call: &ToolCallId) {
        let records = self.checkpoint.applied(write, call);
        self.commit(records, Vec::new());
    }

    /// Freezes by a clock that stands still.
    pub(crate) fn freeze(&self) -> Frozen {
        let clock = Clock::new(|| Moment { unix_nanos: 0, steady: Duration::ZERO });
        self.checkpoint.freeze(&self.workspace, self.log.reader(), &self.limits, &clock)
    }

    /// Returns the captures as another process would find them.
    pub(crate) fn replayed(&self) -> Checkpoint {
        let records = self.log.reader().local_records(self.turn).unwrap();
        Checkpoint::replay(self.turn, self.checkpoint.id().clone(), &records)
    }

    /// Takes captures that were not lived through.
    pub(crate) fn replay(&mut self, records: &[LocalRecord]) {
        self.checkpoint = Checkpoint::replay(self.turn, self.checkpoint.id().clone(), records);
    }
}

fn started(turn: TurnId) -> Moment {
    Moment { unix_nanos: 1_700_000_000_000_000_000 + u64::from(turn.0), steady: Duration::ZERO }
}

/// Gets the gate's permission for a file that was just read.
fn permit(place: &Place, image: Option<&FileImage>) -> WritePermit {
    let path = place.path().clone();
    let (kind, current) = match image {
        None => (WriteKind::Create, Version::Absent),
        Some(image) => (WriteKind::Overwrite, Version::Present(image.fingerprint())),
    };
    let mut seen = ObservationLedger::new(0);
    let read = Batch::default();
    let (token, call) = (ReceiptId::minted("r"), ToolCallId::minted("call"));
    let known = Known::Version(current);
    seen.delivered(read, path.clone(), SeenRead { known, token, call, window: None });
    let shown = place.shown().to_owned();
    let (target, stamp, cites) = (None, None, None);
    let request =
        WriteRequest { path, shown, kind, target, current, stamp, cites, is_rebuild: false };
    let (batch, turn, mode) = (read.next(), read, EvidenceMode::Version);
    match check_write(Evidence { seen: &seen, batch, turn, mode }, request) {
        Verdict::Permit(permit) => permit,
        Verdict::Refuse(diagnostic) => panic!("{diagnostic:?}"),
    }
}

/// Says what a result is, in one line a file and one a reason.
pub(crate) fn told(frozen: &Frozen) -> String {
    let changes = &frozen.changes;
    let file = |it: &TurnFile| {
        let flags = [(it.binary, " binary"), (it.mode_only, " mode"), (it.uncounted, " uncounted")];
        let flags: String = flags.iter().filter(|it| it.0).map(|it| it.1).collect();
        let calls: Vec<&str> = it.call_ids.iter().map(ToolCallId::as_str).collect();
        let unavailable = it.unavailable.map_or(String::new(), |it| format!(" {it:?}"));
        let (kind, path) = (it.kind, &it.path);
        format!("{kind:?} {path} +{} -{}{flags}{unavailable} {calls:?}\n", it.added, it.removed)
    };
    let reason = |it: &protocol::Gap| {
        let path = it.path.as_deref().unwrap_or("-");
        format!("{:?} {path}\n", it.reason)
    };
    let head = format!("{:?} +{} -{}\n", changes.coverage, changes.added, changes.removed);
    let files: String = changes.files.iter().map(file).collect();
    head + &files + &changes.reasons.iter().map(reason).collect::<String>()
}
