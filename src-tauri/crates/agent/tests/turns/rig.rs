//! A project, a session, and an agent that runs turns against scripts.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use agent::{Agent, AgentParts, Answer, Approvals, Reins, TurnEnd, TurnError, Watchers};
use protocol::{
    Clock, CompletionReceipt, EventKind, Feed, IdSource, Limits, ModelMessage, Moment, Preset,
    ReadId, Seq, SessionEvent, SessionId, ToolCallId, ToolCallStatus, TurnChanges,
};
use provider::{Endpoint, Provider, catalog};
use session::{SessionLog, SessionReader};
use testkit::{
    Project, Scope, check_requests,
    script::{Script, ScriptServer, SeenRequest},
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use workspace::Workspace;

/// How long a turn may take until its test fails, rather than wait for ever.
const PATIENCE: Duration = Duration::from_secs(180);

/// A command that goes on for minutes, in whatever shell.
pub(crate) const LONG: &str = if cfg!(windows) { "ping -n 300 127.0.0.1" } else { "sleep 300" };

/// A command that looks for a word in `notes.txt`, in whatever shell.
pub(crate) const LOOK_FOR_TWO: &str =
    if cfg!(windows) { "findstr TWO notes.txt" } else { "grep -c TWO notes.txt" };

/// What a test may choose.
#[derive(Clone)]
pub(crate) struct Choices {
    pub(crate) preset: Preset,
    pub(crate) approvals: Approvals,
    pub(crate) limits: Limits,
    pub(crate) checks: Vec<String>,
    /// A catalogue entry whose rules hold, whatever the address.
    pub(crate) vendor: &'static str,
    /// What the model is called: one of the catalogue has a context window that is known.
    pub(crate) model: &'static str,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            preset: Preset::DangerFullAccess,
            approvals: Approvals::None,
            limits: Limits::default(),
            checks: Vec::new(),
            vendor: "custom",
            model: "scripted",
        }
    }
}

/// A session of a project, and everything its turns have sent.
pub(crate) struct Rig {
    pub(crate) project: Project,
    pub(crate) choices: Choices,
    pub(crate) watchers: Watchers,
    sessions: tempfile::TempDir,
    agent: Option<Agent>,
    requests: Vec<SeenRequest>,
}

impl Rig {
    pub(crate) async fn new(files: &[(&str, &str)]) -> Self {
        Self::with(files, Choices::default()).await
    }

    pub(crate) async fn with(files: &[(&str, &str)], choices: Choices) -> Self {
        let project = Project::new(files.iter().copied());
        let sessions = tempfile::tempdir().expect("a folder for the session");
        let mut rig = Self {
            project,
            choices,
            watchers: Watchers::new(1024),
            sessions,
            agent: None,
            requests: Vec::new(),
        };
        let roots = [rig.project.path().display().to_string()];
        let limits = &rig.choices.limits;
        let log = SessionLog::create(
            rig.sessions.path(),
            session_id(),
            &roots[0],
            &roots,
            clock().now().unix_seconds(),
            limits,
        );
        let agent = rig.take_up(log.expect("a session")).await;
        rig.agent = Some(agent);
        rig
    }

    async fn take_up(&self, log: SessionLog) -> Agent {
        let limits = &self.choices.limits;
        let workspace = Workspace::open(&[self.project.path()], &[], limits).expect("a workspace");
        Agent::open(AgentParts {
            session: session_id(),
            log,
            workspace: Arc::new(workspace),
            watchers: self.watchers.clone(),
            clock: clock(),
            ids: ids(),
            limits: Arc::new(limits.clone()),
            preset: self.choices.preset,
            approvals: self.choices.approvals,
            hidden_variables: vec!["EVIDENT_API_KEY".to_owned()],
            checks: self.choices.checks.clone(),
        })
        .await
        .expect("an agent")
    }

    /// Ends the agent without a goodbye and takes the session up again, as a new program would.
    pub(crate) async fn restart(&mut self) {
        self.agent = None;
        let log = SessionLog::open(self.sessions.path(), session_id(), &self.choices.limits);
        self.watchers = Watchers::new(1024);
        self.agent = Some(self.take_up(log.expect("the session is free again")).await);
    }

    /// Ends the agent, lets something happen to the file of its session, and takes that up again.
    pub(crate) async fn restart_after(&mut self, happens: impl FnOnce(&std::path::Path)) {
        self.agent = None;
        happens(self.sessions.path());
        self.restart().await;
    }

    /// Changes what may run without asking.
    pub(crate) fn set_preset(&mut self, preset: Preset) {
        self.agent.as_mut().expect("an agent").set_preset(preset);
    }

    /// Ends what runs in the background, as closing the session does.
    #[cfg(unix)]
    pub(crate) async fn end_jobs(&mut self) {
        self.agent.as_mut().expect("it is put back by restart").end_jobs().await;
    }

    /// Waits, between two turns, until a job has ended, and stores that, as a session's task does.
    #[cfg(unix)]
    pub(crate) async fn note_a_job_that_ends(&mut self) {
        let agent = self.agent.as_mut().expect("it is put back by restart");
        let ended = tokio::time::timeout(Duration::from_secs(120), agent.job_ended());
        ended.await.expect("it ends");
        agent.note_ended_jobs().await;
    }

    /// Runs one turn against a script, and checks the requests it sent.
    pub(crate) async fn turn(&mut self, prompt: &str, script: Script) -> TurnEnd {
        self.turn_while(prompt, script, async |_, _, _| {}).await
    }

    /// Runs one turn; `meanwhile` may stop it, or answer questions, or change the world.
    pub(crate) async fn turn_while(
        &mut self,
        prompt: &str,
        script: Script,
        meanwhile: impl AsyncFnOnce(&ScriptServer, &CancellationToken, &mpsc::Sender<Answer>),
    ) -> TurnEnd {
        self.turn_with(prompt, script, async |server, stop, answers, _| {
            meanwhile(server, stop, answers).await;
        })
        .await
    }

    /// The same; `meanwhile` may stop reads too.
    pub(crate) async fn turn_with(
        &mut self,
        prompt: &str,
        script: Script,
        meanwhile: impl AsyncFnOnce(
            &ScriptServer,
            &CancellationToken,
            &mpsc::Sender<Answer>,
            &mpsc::Sender<ReadId>,
        ),
    ) -> TurnEnd {
        let server = ScriptServer::start(script).await.expect("a loopback port");
        let provider = self.provider(server.base_url());
        let stop = CancellationToken::new();
        let (answers, mut received) = mpsc::channel(8);
        let agent = self.agent.as_mut().expect("it is put back by restart");
        let turn = agent.begin_turn(&provider, prompt.to_owned()).await.expect("it begins");
        let (stop_read, mut stopped_reads) = mpsc::channel(8);
        let reins =
            Reins { answers: &mut received, stopped_reads: &mut stopped_reads, stop: &stop };
        let running = turn.run(&provider, reins);
        let meanwhile = meanwhile(&server, &stop, &answers, &stop_read);
        let both = async { tokio::join!(running, meanwhile) };
        let ended = tokio::time::timeout(PATIENCE, both).await;
        let (end, ()) = ended.expect("the turn waits for what does not come, or is waited for");
        self.requests.extend(server.requests());
        end
    }

    /// Runs a turn that is stopped once it waits for a job.
    #[cfg(unix)]
    pub(crate) async fn turn_stopped_in_a_wait(&mut self, prompt: &str, script: Script) -> TurnEnd {
        let mut frames = self.watchers.frames.subscribe();
        let is_wait = |it: &Feed| match it {
            Feed::Event(event) => {
                matches!(&event.kind, EventKind::ToolStarted { tool, .. } if tool == "wait")
            }
            Feed::Delta(_) => false,
        };
        self.turn_while(prompt, script, async |_, stop, _| {
            Self::frame(&mut frames, is_wait).await;
            stop.cancel();
        })
        .await
    }

    /// Begins a turn, and no more.
    pub(crate) async fn begin_only(&mut self, prompt: &str) -> Result<(), TurnError> {
        let provider = self.provider("http://127.0.0.1:9/v1".to_owned());
        let agent = self.agent.as_mut().expect("it is put back by restart");
        agent.begin_turn(&provider, prompt.to_owned()).await.map(drop)
    }

    /// Begins a turn and drops it once `until` is done: what the end of a program does to it.
    pub(crate) async fn cut_off(
        &mut self,
        prompt: &str,
        script: Script,
        until: impl AsyncFnOnce(&ScriptServer),
    ) {
        let server = ScriptServer::start(script).await.expect("a loopback port");
        let provider = self.provider(server.base_url());
        let stop = CancellationToken::new();
        let (_answers, mut received) = mpsc::channel(8);
        let agent = self.agent.as_mut().expect("it is put back by restart");
        let turn = agent.begin_turn(&provider, prompt.to_owned()).await.expect("it begins");
        let (_stop_read, mut stopped_reads) = mpsc::channel(8);
        let reins =
            Reins { answers: &mut received, stopped_reads: &mut stopped_reads, stop: &stop };
        tokio::select! {
            _ = turn.run(&provider, reins) => panic!("the turn ended by itself"),
            () = until(&server) => {}
        }
        self.requests.extend(server.requests());
        self.restart().await;
    }

    fn provider(&self, base_url: String) -> Provider {
        let entry = catalog::entry(self.choices.vendor).expect("a catalogue entry");
        let endpoint =
            Endpoint { entry, base_url, model: self.choices.model.to_owned(), key: None };
        Provider::new(endpoint, &self.choices.limits).expect("a provider")
    }

    /// Checks every request of every turn: calls and results pair up, nothing of the host's is in
    /// them, and each begins with the one before (CA-1, PX-8).
    pub(crate) fn check_requests(&self) {
        check_requests(&self.requests, &Scope::of(self.project.path())).expect("whole requests");
    }

    pub(crate) fn requests(&self) -> &[SeenRequest] {
        &self.requests
    }

    pub(crate) fn reader(&self) -> SessionReader {
        SessionReader::open(self.sessions.path(), &session_id()).expect("the session is there")
    }

    pub(crate) fn sessions_folder(&self) -> &std::path::Path {
        self.sessions.path()
    }

    pub(crate) fn events(&self) -> Vec<SessionEvent> {
        self.reader().events_after(Seq(0), u32::MAX).expect("events")
    }

    pub(crate) fn messages(&self) -> Vec<ModelMessage> {
        self.reader().model_messages().expect("messages")
    }

    /// Returns how each ended call came out, in order: its tool, its status, what the model was told.
    pub(crate) fn ended(&self) -> Vec<(String, ToolCallStatus, String)> {
        let messages = self.messages();
        let told = |of: &ToolCallId| {
            let text = messages.iter().find_map(|it| match it {
                ModelMessage::Tool { call, text, .. } if call == of => Some(text.clone()),
                _ => None,
            });
            text.expect("each ended call has its message")
        };
        let ended = |event: SessionEvent| match event.kind {
            EventKind::ToolFinished { call, tool, status, .. } => Some((tool, status, told(&call))),
            _ => None,
        };
        self.events().into_iter().filter_map(ended).collect()
    }

    /// Waits for a frame of the feed.
    pub(crate) async fn frame(
        frames: &mut tokio::sync::broadcast::Receiver<Feed>,
        mut is_it: impl FnMut(&Feed) -> bool,
    ) -> Feed {
        let wait = async {
            loop {
                let frame = frames.recv().await.expect("the feed goes on");
                if is_it(&frame) {
                    return frame;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(120), wait).await.expect("it comes")
    }
}

pub(crate) fn session_id() -> SessionId {
    SessionId::from_bits(7)
}

/// A clock that moves by a millisecond at each look.
pub(crate) fn clock() -> Clock {
    let looks = AtomicU64::new(0);
    Clock::new(move || {
        let look = looks.fetch_add(1, Ordering::Relaxed);
        Moment {
            unix_nanos: 1_700_000_000_000_000_000 + look * 1_000_000,
            steady: Duration::from_millis(look),
        }
    })
}

fn ids() -> IdSource {
    let next = AtomicU64::new(1);
    IdSource::new(move || next.fetch_add(1, Ordering::Relaxed) << 32)
}

/// The changes of a turn that ended with a result.
pub(crate) fn changes(receipt: &CompletionReceipt) -> &TurnChanges {
    receipt.diff.as_ref().expect("every turn that ended has a result (TR-33)")
}

/// One line per file: `M a.txt +1 -1`.
pub(crate) fn files(receipt: &CompletionReceipt) -> Vec<String> {
    let line = |it: &protocol::TurnFile| {
        format!("{:?} {} +{} -{}", it.kind, it.path, it.added, it.removed)
    };
    changes(receipt).files.iter().map(line).collect()
}
