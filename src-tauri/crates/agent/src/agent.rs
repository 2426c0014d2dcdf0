//! What a session's turns share: its log, its ledgers, and the tools.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use evidence::{Bounds, EvidenceIndex, EvidenceMode};
use protocol::{
    Clock, IdSource, Limits, ModelMessage, Preset, SessionId, ToolCallId, TurnId, WorkspacePath,
};
use provider::ToolSpec;
use session::{SessionError, SessionLog};
use tools::Registry;
use workspace::Workspace;

use crate::{
    emit::{Emitter, Watchers, blocking},
    jobs::Jobs,
    lifecycle,
    permission::{Approvals, Grants},
    shell::Shell,
};

/// What an agent is made of. Everything in it is made by the host.
#[derive(Debug)]
pub struct AgentParts {
    pub session: SessionId,
    pub log: SessionLog,
    pub workspace: Arc<Workspace>,
    pub watchers: Watchers,
    pub clock: Clock,
    pub ids: IdSource,
    pub limits: Arc<Limits>,
    pub preset: Preset,
    pub approvals: Approvals,
    /// Variables that no command may see (PM-10, AN-13).
    pub hidden_variables: Vec<String>,
    /// Commands that the project's settings name as checks (AN-20).
    pub checks: Vec<String>,
}

/// What is known of the model's reasoning in this session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReasoningSeen {
    NotYet,
    Once,
    /// It came, then did not, and the user was told.
    ToldMissing,
}

/// One session's agent. It runs one turn at a time.
pub struct Agent {
    pub(crate) emitter: Emitter,
    pub(crate) workspace: Arc<Workspace>,
    /// The folders of the workspace.
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) tools: Vec<ToolSpec>,
    pub(crate) shell: Shell,
    pub(crate) clock: Clock,
    pub(crate) ids: IdSource,
    pub(crate) limits: Arc<Limits>,
    pub(crate) preset: Preset,
    pub(crate) approvals: Approvals,
    pub(crate) hidden_variables: Vec<String>,
    pub(crate) checks: Vec<String>,
    pub(crate) grants: Grants,
    pub(crate) jobs: Jobs,
    /// What was read and written, and what is still to be read.
    pub(crate) evidence: EvidenceIndex,
    pub(crate) evidence_mode: EvidenceMode,
    /// The provider-visible view: a copy of the log's messages, in order.
    pub(crate) messages: Vec<ModelMessage>,
    pub(crate) wire_ids: BTreeSet<String>,
    calls: u32,
    /// What the user was told of reasoning that is demanded back (PV-5).
    reasoning: ReasoningSeen,
    next_turn: TurnId,
    /// A turn whose end could not be stored. It is closed before the next one begins.
    left_open: Option<TurnId>,
}

impl Agent {
    /// Takes up a session. A turn that the end of a program had cut off is closed first: what it
    /// left open is told as unknown, nothing is run again (TI-1, TI-4).
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the session cannot be read, or the open turn cannot be closed.
    pub async fn open(parts: AgentParts) -> Result<Self, SessionError> {
        let registry = Registry::new(&parts.limits);
        let tools = registry.boot_surface().into_iter().map(|it| ToolSpec {
            name: it.name,
            description: it.description,
            parameters: it.parameters,
        });
        let tools = tools.collect();
        let evidence = EvidenceIndex::new(
            parts.session.clone(),
            Bounds::of(&parts.limits),
            parts.limits.observed_lines,
        );
        let mut emitter =
            Emitter::new(parts.log, parts.session, parts.clock.clone(), parts.watchers);
        let read = emitter.with_log(|log| {
            Ok::<_, SessionError>((log.take_messages()?, log.reader().last_turn()?))
        });
        let (messages, last_turn) = read.await?;
        let mut agent = Self {
            emitter,
            roots: parts.workspace.roots().map(Path::to_owned).collect(),
            workspace: parts.workspace,
            registry: Arc::new(registry),
            tools,
            shell: Shell::of_this_system(),
            jobs: Jobs::new(&parts.limits),
            clock: parts.clock,
            ids: parts.ids,
            limits: parts.limits,
            preset: parts.preset,
            approvals: parts.approvals,
            hidden_variables: parts.hidden_variables,
            checks: parts.checks,
            grants: Grants::default(),
            evidence,
            evidence_mode: EvidenceMode::default(),
            messages: Vec::new(),
            wire_ids: BTreeSet::new(),
            calls: 0,
            reasoning: ReasoningSeen::NotYet,
            next_turn: last_turn.map_or(TurnId(0), TurnId::next),
            left_open: last_turn,
        };
        messages.into_iter().for_each(|message| agent.remember(message));
        agent.close_left_open().await?;
        Ok(agent)
    }

    /// Returns the files that a prompt asks to be written anew, by their paths (WB-40).
    pub(crate) async fn rebuilds(&mut self, prompt: &str) -> BTreeSet<WorkspacePath> {
        let named = evidence::rebuilds(prompt);
        if named.is_empty() {
            return BTreeSet::new();
        }
        let workspace = Arc::clone(&self.workspace);
        let resolve = move || {
            let places = named.iter().filter_map(|it| workspace.resolve(it).ok());
            places.map(|it| it.path().clone()).collect()
        };
        blocking(resolve).await
    }

    /// Changes what writes need from the next turn on (DEC-1).
    pub fn set_evidence_mode(&mut self, mode: EvidenceMode) {
        self.evidence_mode = mode;
    }

    /// Changes what may run without asking. What was allowed for the session was allowed under the
    /// old one, and is asked for again.
    pub fn set_preset(&mut self, preset: Preset) {
        if self.preset != preset {
            self.preset = preset;
            self.grants = Grants::default();
        }
    }

    /// Closes the turn whose end is not stored, if there is one.
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the session still cannot be written.
    pub(crate) async fn close_left_open(&mut self) -> Result<(), SessionError> {
        if let Some(turn) = self.left_open {
            lifecycle::close_cut_off_turn(self, turn).await?;
            self.left_open = None;
        }
        Ok(())
    }

    /// Remembers that a turn's end is not stored, and goes back to what is.
    pub(crate) async fn leave_open(&mut self, turn: TurnId) {
        self.left_open = Some(turn);
        self.resync().await;
    }

    /// Makes the view what is stored: a commit failed, so the rest of it was never said (SM-6).
    pub(crate) async fn resync(&mut self) {
        self.emitter.discard();
        let last = self.last_turn();
        self.jobs.iter_mut().for_each(|it| it.was_not_stored(last));
        let Ok(messages) = self.emitter.with_log(|log| log.reader().model_messages()).await else {
            return;
        };
        self.messages.clear();
        self.calls = 0;
        messages.into_iter().for_each(|message| self.remember(message));
    }

    /// Removes the details of the oldest turn that is past what is kept of them (TR-28); returns
    /// whether there may be more to remove. Meant for between two turns. If it fails, it is tried
    /// after the next one.
    pub async fn drop_old_details(&mut self) -> bool {
        let limits = Arc::clone(&self.limits);
        let dropped = self.emitter.with_log(move |log| log.drop_old_details(&limits)).await;
        dropped.unwrap_or_else(|_| {
            tracing::debug!("the details of old turns could not be removed");
            false
        })
    }

    /// Returns the number of the next turn.
    pub(crate) fn next_turn(&self) -> TurnId {
        self.next_turn
    }

    /// Returns the last turn that has begun, if there is one.
    pub(crate) fn last_turn(&self) -> Option<TurnId> {
        self.next_turn.0.checked_sub(1).map(TurnId)
    }

    /// Goes on to the number after `turn`, which has begun.
    pub(crate) fn began(&mut self, turn: TurnId) {
        self.next_turn = turn.next();
    }

    /// Adds a message to the view, and puts it into the next commit.
    pub(crate) fn say(&mut self, message: ModelMessage) {
        self.emitter.model(message.clone());
        self.remember(message);
    }

    fn remember(&mut self, message: ModelMessage) {
        if let ModelMessage::Assistant { calls, reasoning, .. } = &message {
            if reasoning.is_some() && self.reasoning == ReasoningSeen::NotYet {
                self.reasoning = ReasoningSeen::Once;
            }
            self.wire_ids.extend(calls.iter().map(|call| call.wire_id.clone()));
            self.calls += u32::try_from(calls.len()).unwrap_or(u32::MAX);
        }
        self.messages.push(message);
    }

    /// Returns whether the user is to be told that reasoning is missing: the model did reason in
    /// this session, and now calls tools without. True once in a session.
    pub(crate) fn misses_reasoning(&mut self) -> bool {
        let missing = self.reasoning == ReasoningSeen::Once;
        if missing {
            self.reasoning = ReasoningSeen::ToldMissing;
        }
        missing
    }

    /// Names the calls of an answer: an id of ours, and the one that goes back to the provider,
    /// which is its own unless that is empty or was used before.
    pub(crate) fn name_call(&mut self, at: usize, wire_id: String) -> (ToolCallId, String) {
        let number = self.calls.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let id = ToolCallId::minted(format!("call{number:05}"));
        let mut wire_id = if wire_id.is_empty() { id.to_string() } else { wire_id };
        if self.wire_ids.contains(&wire_id) {
            wire_id = id.to_string();
        }
        // A provider may have thought of our very id.
        while !self.wire_ids.insert(wire_id.clone()) {
            wire_id.push('x');
        }
        (id, wire_id)
    }
}
