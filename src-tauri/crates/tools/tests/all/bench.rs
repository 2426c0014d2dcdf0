//! A workspace in a temporary folder, and a model that calls tools in it.

use std::{fs, path::PathBuf};

use evidence::{Batch, ObservationLedger, Verdict, Version, check_write};
use protocol::{Diagnostic, Limits, ReceiptId, ToolFailure};
use serde_json::Value;
use tempfile::TempDir;
use tools::{
    Intent, PlanError, Planned, ReadOutcome, ReadPage, Reading, Registry, Searching, Writing,
};
use workspace::Workspace;

/// One workspace, and what its model has read.
pub(crate) struct Bench {
    folder: TempDir,
    workspace: Workspace,
    registry: Registry,
    seen: ObservationLedger,
    batch: Batch,
}

/// What a call came to: what the model is told, or why not.
pub(crate) type Told = Result<String, PlanError>;

impl Bench {
    pub(crate) fn new(files: &[(&str, &[u8])]) -> Self {
        Self::limited(files, &Limits::default())
    }

    pub(crate) fn limited(files: &[(&str, &[u8])], limits: &Limits) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("workspace");
        fs::create_dir(&root).expect("the folder is ours");
        let workspace = Workspace::open(&[root], &[], limits).expect("a workspace");
        let registry = Registry::new(limits);
        let seen = ObservationLedger::default();
        let it = Self { folder, workspace, registry, seen, batch: Batch::default() };
        for (path, bytes) in files {
            it.put(path, bytes);
        }
        it
    }

    /// Where a file of the workspace is.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("workspace").join(path)
    }

    /// Writes a file behind the tools' back.
    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it is below a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).expect("the file is there")
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).expect("the file is UTF-8")
    }

    pub(crate) fn plan(&self, tool: &str, arguments: &Value) -> Result<Planned, PlanError> {
        self.registry.plan(tool, &arguments.to_string(), &self.workspace)
    }

    /// Makes a call and carries it out, as an answer of its own.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Told {
        self.batch = self.batch.next();
        match self.plan(tool, arguments)?.intent {
            Intent::Read(reading) => match reading.run(&self.workspace)? {
                ReadOutcome::Page(page) => Ok(self.delivered(page)),
                ReadOutcome::Absent { path, failure } => {
                    let token = ReceiptId::minted("r_absent");
                    self.seen.delivered(self.batch, path, Version::Absent, token);
                    Err(failure.into())
                }
            },
            Intent::List(listing) => Ok(listing.run(&self.workspace, &|| false)),
            Intent::Search(searching) => searching.run(&self.workspace, &|| false),
            Intent::Create(it) | Intent::Replace(it) | Intent::Overwrite(it) => self.write(it),
            Intent::Unchanged { shown } => Ok(format!("unchanged {shown}")),
            Intent::Run(running) => Ok(format!("would run {}", running.command)),
            Intent::Job(request) => Ok(format!("would ask {request:?}")),
            Intent::Note { text } => Ok(text),
        }
    }

    pub(crate) fn searched(&self, it: &Searching, stopped: &dyn Fn() -> bool) -> String {
        it.run(&self.workspace, stopped).expect("a search")
    }

    pub(crate) fn page(&self, reading: &Reading) -> ReadPage {
        match reading.run(&self.workspace).expect("a text") {
            ReadOutcome::Page(page) => page,
            ReadOutcome::Absent { path, .. } => panic!("there is no {path:?}"),
        }
    }

    pub(crate) fn read(&mut self, path: &str) -> Told {
        self.call("read_file", &serde_json::json!({ "path": path }))
    }

    pub(crate) fn edit(&mut self, path: &str, old: &str, new: &str) -> Told {
        let arguments = serde_json::json!({ "path": path, "old_string": old, "new_string": new });
        self.call("edit_file", &arguments)
    }

    pub(crate) fn overwrite(&mut self, path: &str, content: &str) -> Told {
        self.call("write_file", &serde_json::json!({ "path": path, "content": content }))
    }

    /// Makes a call of a capability.
    pub(crate) fn capability(&mut self, name: &str, arguments: &Value) -> Told {
        let call = serde_json::json!({ "action": "call", "name": name, "arguments": arguments });
        self.call("use_capability", &call)
    }

    /// Makes the first call of `use_capability` that a `next` text tells to make.
    pub(crate) fn follow(&mut self, next: &str) -> Told {
        let (_, call) = next.split_once("use_capability ").expect("a call is told");
        let mut values = serde_json::Deserializer::from_str(call).into_iter::<Value>();
        let arguments = values.next().expect("it has arguments").expect("they are JSON");
        self.call("use_capability", &arguments)
    }

    fn delivered(&mut self, page: ReadPage) -> String {
        let token = ReceiptId::minted(format!("r_{}", self.batch.0));
        self.seen.delivered(self.batch, page.path, page.version, token);
        page.text
    }

    fn write(&mut self, writing: Writing) -> Told {
        let Writing { request, contents, summary, .. } = writing;
        match check_write(&self.seen, self.batch, request) {
            Verdict::Refuse(refusal) => Err(refusal.into()),
            Verdict::Permit(permit) => {
                let applied = self.workspace.write(permit, &contents).expect("nobody else writes");
                let version = applied.after.fingerprint.map_or(Version::Absent, Version::Present);
                self.seen.written(applied.path, version);
                Ok(summary)
            }
        }
    }
}

/// Returns the failure of a call that failed.
#[track_caller]
pub(crate) fn failed(told: Told) -> ToolFailure {
    match told {
        Err(PlanError::Failed(failure)) => failure,
        Err(PlanError::Unplaced { why, .. }) => failed(Err(*why)),
        other => panic!("it did not fail: {other:?}"),
    }
}

/// Returns the refusal of a call that was refused.
#[track_caller]
pub(crate) fn refused(told: Told) -> Diagnostic {
    match told {
        Err(PlanError::Refused(refusal)) => refusal,
        Err(PlanError::Unplaced { why, .. }) => refused(Err(*why)),
        other => panic!("it was not refused: {other:?}"),
    }
}
