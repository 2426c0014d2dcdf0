//! A workspace in a temporary folder, and a model that calls tools in it.

use std::{fs, path::PathBuf};

use std::time::Duration;

use evidence::{Bounds, EvidenceIndex, OwnWrite, Room, Verdict, Version};
use protocol::{Diagnostic, Limits, ReceiptId, SessionId, ToolCallId, ToolFailure};
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
    pub(crate) index: EvidenceIndex,
    calls: u32,
    /// The room of the model's context.
    pub(crate) room: Room,
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
        let index = EvidenceIndex::new(SessionId::from_bits(1), Bounds::of(limits), 1_000_000);
        let room = Room { window_tokens: Some(1_000_000), ..Room::default() };
        let it = Self { folder, workspace, registry, index, calls: 0, room };
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
        self.plan_text(tool, &arguments.to_string())
    }

    /// The same for arguments as they were written.
    pub(crate) fn plan_text(&self, tool: &str, arguments: &str) -> Result<Planned, PlanError> {
        self.registry.plan(tool, arguments, &self.workspace)
    }

    /// Makes a call and carries it out, as an answer of its own.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Told {
        self.index.begin_batch();
        self.calls += 1;
        match self.plan(tool, arguments)?.intent {
            Intent::Read(reading) => self.read_page(&reading),
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

    pub(crate) fn page(&mut self, reading: &Reading) -> ReadPage {
        let fetch = self.index.admit(reading.ask()).expect("it may be read");
        match reading.run(&self.workspace, &fetch).expect("a text") {
            ReadOutcome::Page(page) => page,
            ReadOutcome::Absent { path, .. } => panic!("there is no {path:?}"),
        }
    }

    fn read_page(&mut self, reading: &Reading) -> Told {
        let fetch = match self.index.admit(reading.ask()) {
            Ok(fetch) => fetch,
            Err(refusal) => return Err(tools::read_refused(&refusal, "it").into()),
        };
        let call = ToolCallId::minted(format!("call{}", self.calls));
        let token = ReceiptId::minted(format!("r_{}", self.calls));
        match reading.run(&self.workspace, &fetch)? {
            ReadOutcome::Page(page) => {
                let texts = page.texts();
                let seen = page.seen(&texts, Duration::ZERO, self.room);
                let recorded = self.index.delivered(&fetch, (call, token), &seen, page.body());
                Ok(page.told(&recorded))
            }
            ReadOutcome::Absent { path, failure } => {
                self.index.absent(path, call, token);
                Err(failure.into())
            }
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

    fn write(&mut self, writing: Writing) -> Told {
        let Writing { request, contents, lines, summary, .. } = writing;
        let before = request.current;
        match self.index.check_write(request) {
            Verdict::Refuse(refusal) => Err(refusal.into()),
            Verdict::Permit(permit) => {
                let applied = self.workspace.write(permit, &contents).expect("nobody else writes");
                let after = applied.after.fingerprint.map_or(Version::Absent, Version::Present);
                self.index.written(applied.path, OwnWrite { before, after, lines });
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
