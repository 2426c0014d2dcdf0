//! A session in a temporary folder, and records to put into it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use protocol::{
    CappedText, EventKind, Gap, GapReason, Limits, MessageId, ModelCall, ModelMessage, Notice,
    Preset, Reasoning, ResultId, Seq, SessionEvent, SessionId, ToolCallId, ToolCallStatus, TurnId,
    UnixSeconds,
};
use session::{Commit, LocalRecord, Record, SessionLog, SessionReader};
use tempfile::TempDir;

pub(crate) struct Fixture {
    pub(crate) folder: PathBuf,
    pub(crate) id: SessionId,
    pub(crate) limits: Limits,
    _kept: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let kept = TempDir::new().unwrap();
        let folder = kept.path().join("sessions");
        Self { folder, id: SessionId::from_bits(1), limits: Limits::default(), _kept: kept }
    }

    pub(crate) fn create(&self) -> SessionLog {
        let roots = ["/srv/shop".to_owned()];
        let now = UnixSeconds(100);
        SessionLog::create(&self.folder, self.id.clone(), "/srv/shop", &roots, now, &self.limits)
            .unwrap()
    }

    pub(crate) fn open(&self) -> SessionLog {
        SessionLog::open(&self.folder, self.id.clone(), &self.limits).unwrap()
    }

    pub(crate) fn reader(&self) -> SessionReader {
        SessionReader::open(&self.folder, &self.id).unwrap()
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.folder.join(format!("{}.sqlite", self.id))
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(&self.folder)
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn commit(turn: u32, records: Vec<Record>) -> Commit {
    let at = UnixSeconds(1_000 + turn);
    Commit { turn: TurnId(turn), at, records, blobs: Vec::new(), clear_scratch: None }
}

pub(crate) fn all_events(reader: &SessionReader) -> Vec<SessionEvent> {
    reader.events_after(Seq(0), u32::MAX).unwrap()
}

pub(crate) fn started(turn: u32, prompt: &str) -> Record {
    Record::Event(EventKind::TurnStarted {
        result: ResultId::minted(format!("{turn}:17")),
        prompt: CappedText::cut(prompt),
        model: "m".to_owned(),
        preset: Preset::WorkspaceWrite,
    })
}

pub(crate) fn notice() -> Record {
    Record::Event(EventKind::Notice { notice: Notice::AnswerCut })
}

pub(crate) fn message(id: &str) -> MessageId {
    MessageId::minted(id)
}

pub(crate) fn committed(id: &str, text: &str) -> Record {
    Record::Event(EventKind::MessageCommitted {
        message: message(id),
        text: CappedText::cut(text),
        reasoning: None,
        interrupted: false,
    })
}

pub(crate) fn assistant(text: &str) -> Record {
    let calls = vec![ModelCall {
        id: call("c_1"),
        wire_id: "w".to_owned(),
        name: "ls".to_owned(),
        arguments: "{}".to_owned(),
        signature: None,
    }];
    let reasoning = Reasoning { field: "reasoning_content".to_owned(), text: "so".to_owned() };
    Record::Model(ModelMessage::Assistant {
        text: text.to_owned(),
        reasoning: Some(reasoning),
        calls,
    })
}

pub(crate) fn user(text: &str) -> Record {
    Record::Model(ModelMessage::User { text: text.to_owned() })
}

pub(crate) fn call(id: &str) -> ToolCallId {
    ToolCallId::minted(id)
}

pub(crate) fn call_made(id: &str, arguments: &str) -> Record {
    let made = ModelCall {
        id: call(id),
        wire_id: "call_0".to_owned(),
        name: "bash".to_owned(),
        arguments: arguments.to_owned(),
        signature: None,
    };
    Record::Model(ModelMessage::Assistant {
        text: String::new(),
        reasoning: None,
        calls: vec![made],
    })
}

pub(crate) fn gap(path: &str) -> Record {
    let path = Some(path.to_owned());
    let gap = Gap { reason: GapReason::BashSideEffect, path, call: None };
    Record::Local(LocalRecord::Gap { gap })
}

pub(crate) fn told(id: &str, text: &str) -> Record {
    let wire_id = "call_0".to_owned();
    Record::Model(ModelMessage::Tool { call: call(id), wire_id, text: text.to_owned() })
}

pub(crate) fn finished(id: &str, output: &str) -> Record {
    Record::Event(EventKind::ToolFinished {
        call: call(id),
        tool: "bash".to_owned(),
        title: CappedText::cut("ls"),
        status: ToolCallStatus::Completed,
        output: CappedText::cut(output),
        exit_code: Some(0),
        duration_ms: None,
        failure: None,
        refusal: None,
    })
}

/// Numbers that look random and are the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}
