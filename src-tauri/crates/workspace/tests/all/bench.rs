//! A workspace in a temporary folder, and permits from the gate.

use std::{
    fs,
    path::{Path, PathBuf},
};

use evidence::{
    Batch, Evidence, EvidenceMode, Known, ObservationLedger, SeenRead, Verdict, Version, WriteKind,
    WritePermit, WriteRequest, check_write,
};
use protocol::{Limits, ReceiptId, ToolCallId};
use tempfile::TempDir;
use workspace::{AppliedWrite, FileError, FileState, Workspace};

/// A temporary folder with two folders in it: `root`, which is the workspace, and `outside`.
pub(crate) struct Bench {
    _keep: TempDir,
    /// The temporary folder itself.
    pub(crate) top: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) outside: PathBuf,
    pub(crate) workspace: Workspace,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(&Limits::default())
    }

    pub(crate) fn with(limits: &Limits) -> Self {
        let keep = TempDir::new().expect("a temporary folder");
        let top = workspace_form(keep.path());
        let [root, outside] = ["root", "outside"].map(|name| top.join(name));
        fs::create_dir(&root).expect("a new folder");
        fs::create_dir(&outside).expect("a new folder");
        let workspace = open(&[&root], limits);
        Self { _keep: keep, top, root, outside, workspace }
    }

    /// Puts a file below the root, and the folders that it needs.
    pub(crate) fn put(&self, relative: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        put(&self.root, relative, contents)
    }

    pub(crate) fn text(&self, relative: &str) -> String {
        fs::read_to_string(self.root.join(relative)).expect("a text")
    }

    /// Writes as the product does: with a permit for what is there now.
    pub(crate) fn write(&self, text: &str, contents: &str) -> Result<AppliedWrite, FileError> {
        let permit = permit(&self.workspace, text);
        self.workspace.write(permit, contents.as_bytes())
    }

    pub(crate) fn state(&self, text: &str) -> Result<FileState, FileError> {
        self.workspace.state(&self.workspace.resolve(text)?)
    }

    /// Returns the names in a folder, to see what a write left.
    pub(crate) fn names(&self, folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

/// Returns a path as the workspace says it: links followed, no `\\?\`.
pub(crate) fn workspace_form(folder: &Path) -> PathBuf {
    let workspace = open(&[folder], &Limits::default());
    workspace.roots().next().expect("a root").to_owned()
}

pub(crate) fn open(roots: &[&Path], limits: &Limits) -> Workspace {
    let roots: Vec<PathBuf> = roots.iter().map(|it| (*it).to_owned()).collect();
    Workspace::open(&roots, &[], limits).expect("a workspace")
}

pub(crate) fn put(root: &Path, relative: &str, contents: impl AsRef<[u8]>) -> PathBuf {
    let path = root.join(relative);
    fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    fs::write(&path, contents).expect("a file");
    path
}

/// Gets a permit from the gate: for a new file if nothing is there, else for what is there.
pub(crate) fn permit(workspace: &Workspace, text: &str) -> WritePermit {
    try_permit(workspace, text).expect("something that can be written")
}

/// The same, where what is there may not stay.
pub(crate) fn try_permit(workspace: &Workspace, text: &str) -> Result<WritePermit, FileError> {
    let place = workspace.resolve(text)?;
    let state = workspace.state(&place)?;
    let current = state.fingerprint.map_or(Version::Absent, Version::Present);
    let kind = match current {
        Version::Absent => WriteKind::Create,
        Version::Present(_) => WriteKind::Overwrite,
    };
    let mut seen = ObservationLedger::new(0);
    let (token, call) = (ReceiptId::minted("r_0"), ToolCallId::minted("call"));
    let read = SeenRead { known: Known::Version(current), token, call, window: None };
    seen.delivered(Batch(0), place.path().clone(), read);
    let request = WriteRequest {
        path: place.path().clone(),
        shown: place.shown().to_owned(),
        kind,
        target: None,
        current,
        stamp: None,
        cites: None,
        is_rebuild: false,
    };
    let (turn, mode) = (Batch(0), EvidenceMode::Version);
    match check_write(Evidence { seen: &seen, batch: Batch(1), turn, mode }, request) {
        Verdict::Permit(permit) => Ok(permit),
        Verdict::Refuse(why) => panic!("refused: {why:?}"),
    }
}
