//! One turn: rounds of asking the model and carrying out what it asks for.

use std::{collections::BTreeSet, sync::Arc};

use checkpoint::Checkpoint;
use evidence::Binding;
use protocol::{
    CappedText, CompletionReceipt, EventKind, Limits, MessageId, ModelCall, ModelMessage,
    NextAction, Notice, ReadId, RefusedWrite, TurnFailure, TurnFailureCode, TurnId, TurnOutcome,
    Verification, WorkspacePath,
};
use provider::{BrokenArguments, Prompt, Provider, StopReason, catalog::ReasoningEcho};
use session::SessionError;
use thiserror::Error;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    agent::Agent,
    answer::{self, AnswerEnding, ModelAnswer},
    emit::blocking,
    environment,
    permission::Answer,
    read_task::TurnReading,
};

/// A turn that ended.
#[derive(Debug)]
pub struct TurnEnd {
    pub turn: TurnId,
    pub outcome: TurnOutcome,
    pub receipt: CompletionReceipt,
    /// Whether the result is in the session; if not, `receipt` says so too.
    pub saved: bool,
}

/// Why a turn did not begin. Nothing was sent to the provider.
#[derive(Debug, Error)]
pub enum TurnError {
    /// The prompt is over its bound.
    #[error(
        "the prompt has {bytes} bytes; at most {limit_bytes} are taken, put the rest into a file"
    )]
    PromptTooLong { bytes: usize, limit_bytes: u32 },
    /// The prompt says nothing.
    #[error("the prompt is empty")]
    PromptEmpty,
    /// The session cannot be written, so no tokens are spent (SM-5).
    #[error("the session cannot be written: {source}")]
    NotWritable { source: SessionError },
}

/// Checks a prompt before anything is stored or sent.
///
/// # Errors
///
/// [`TurnError::PromptTooLong`] or [`TurnError::PromptEmpty`].
pub fn check_prompt(prompt: &str, limits: &Limits) -> Result<(), TurnError> {
    let limit_bytes = limits.prompt_bytes;
    if (limit_bytes as usize) < prompt.len() {
        return Err(TurnError::PromptTooLong { bytes: prompt.len(), limit_bytes });
    }
    if prompt.trim().is_empty() {
        return Err(TurnError::PromptEmpty);
    }
    Ok(())
}

/// A turn that has begun: its prompt is stored.
pub struct Turn<'a> {
    pub(crate) agent: &'a mut Agent,
    pub(crate) id: TurnId,
    pub(crate) checkpoint: Checkpoint,
    pub(crate) refused: Vec<RefusedWrite>,
    pub(crate) checks: Vec<Verification>,
    pub(crate) permissions: u32,
    pub(crate) told_nobody: bool,
    pub(crate) reading: TurnReading,
    /// The files that the user asked to be written anew (WB-40).
    pub(crate) rebuilds: BTreeSet<WorkspacePath>,
}

/// What reaches a turn from outside while it runs.
#[derive(Debug)]
pub struct Reins<'a> {
    /// What the user says to a question.
    pub answers: &'a mut mpsc::Receiver<Answer>,
    /// The reads that the user stops (RC-25).
    pub stopped_reads: &'a mut mpsc::Receiver<ReadId>,
    /// Ends the turn.
    pub stop: &'a CancellationToken,
}

impl Agent {
    /// Begins a turn: stores its prompt, and the session context before the first one.
    ///
    /// # Errors
    ///
    /// [`TurnError`] if it did not begin; nothing of it is stored then.
    pub async fn begin_turn(
        &mut self,
        provider: &Provider,
        prompt: String,
    ) -> Result<Turn<'_>, TurnError> {
        check_prompt(&prompt, &self.limits)?;
        let not_writable = |source| TurnError::NotWritable { source };
        self.close_left_open().await.map_err(not_writable)?;
        let id = self.next_turn();
        let checkpoint = Checkpoint::new(id, self.clock.now());
        self.evidence.begin_turn(id, Binding::of(self.ids.secret()), self.evidence_mode);
        if self.messages.is_empty() {
            let (workspace, shell) = (Arc::clone(&self.workspace), self.shell.clone());
            let limits = Arc::clone(&self.limits);
            let text =
                blocking(move || environment::session_context(&workspace, &shell, &limits)).await;
            self.say(ModelMessage::Context { text });
        }
        self.emitter.event(EventKind::TurnStarted {
            result: checkpoint.id().clone(),
            prompt: CappedText::cut(&prompt),
            model: provider.model().to_owned(),
            preset: self.preset,
        });
        let rebuilds = self.rebuilds(&prompt).await;
        let checks = self.announce_jobs(id);
        self.say(ModelMessage::User { text: prompt });
        if let Err(source) = self.emitter.flush(id).await {
            self.resync().await;
            return Err(TurnError::NotWritable { source });
        }
        self.began(id);
        Ok(Turn {
            agent: self,
            id,
            checkpoint,
            refused: Vec::new(),
            rebuilds,
            checks,
            permissions: 0,
            told_nobody: false,
            reading: TurnReading::default(),
        })
    }
}

impl Turn<'_> {
    /// Returns the turn's number.
    pub fn id(&self) -> TurnId {
        self.id
    }

    /// Runs the turn to its end, which it always has: the model's last answer, a failure, the
    /// bound on rounds, or a stop. Its result is frozen and stored when this returns.
    ///
    /// End it by [`Reins::stop`], never by dropping: a turn that is dropped is closed when the session is
    /// opened again.
    pub async fn run(mut self, provider: &Provider, mut reins: Reins<'_>) -> TurnEnd {
        let outcome = match self.rounds(provider, &mut reins).await {
            Ok(outcome) => outcome,
            Err(error) => {
                self.agent.answer_what_is_open(self.id).await;
                TurnOutcome::Failed { failure: session_failed(&error) }
            }
        };
        self.finish(outcome).await
    }

    async fn rounds(
        &mut self,
        provider: &Provider,
        reins: &mut Reins<'_>,
    ) -> Result<TurnOutcome, SessionError> {
        let model = provider.entry().model(provider.model());
        self.reading.window_tokens = model.and_then(|it| it.context_window_tokens);
        for round in 0..self.agent.limits.rounds_per_turn {
            let message = MessageId::minted(format!("m{}-{round}", self.id));
            let body = provider.body(&Prompt {
                system: environment::SYSTEM,
                tools: &self.agent.tools,
                messages: &self.agent.messages,
            });
            self.agent.evidence.begin_batch();
            let limits = Arc::clone(&self.agent.limits);
            let place = (self.id, &message);
            let emitter = &mut self.agent.emitter;
            let answer = answer::ask(provider, body, place, emitter, &limits, reins.stop).await;
            let owed = provider.entry().reasoning_echo == ReasoningEcho::Always
                && answer.reasoning.is_none()
                && !answer.calls.is_empty();
            if owed && self.agent.misses_reasoning() {
                let notice = Notice::ReasoningMissing;
                self.agent.emitter.event(EventKind::Notice { notice });
            }
            if let Some(outcome) = self.take_in(message, answer, reins).await? {
                return Ok(outcome);
            }
            if reins.stop.is_cancelled() {
                return Ok(TurnOutcome::Interrupted);
            }
        }
        let rounds = self.agent.limits.rounds_per_turn;
        let message = format!(
            "the turn was ended after {rounds} requests; send a message to go on from here"
        );
        let failure = TurnFailure {
            code: TurnFailureCode::RoundLimit,
            message,
            detail: None,
            action: NextAction::Retry,
            retry_after_ms: None,
        };
        Ok(TurnOutcome::Failed { failure })
    }

    /// Takes in an answer and carries out its calls; returns how the turn ended, if it did.
    async fn take_in(
        &mut self,
        message: MessageId,
        answer: ModelAnswer,
        reins: &mut Reins<'_>,
    ) -> Result<Option<TurnOutcome>, SessionError> {
        let ModelAnswer { text, reasoning, calls, usage, ending } = answer;
        let interrupted = !matches!(ending, AnswerEnding::Whole(_));
        let came = !(text.is_empty() && reasoning.is_none() && calls.is_empty());
        if came || !interrupted {
            self.agent.emitter.event(EventKind::MessageCommitted {
                message: message.clone(),
                text: CappedText::cut(&text),
                reasoning: reasoning.as_ref().map(|it| CappedText::cut(&it.text)),
                interrupted,
            });
            self.agent.emitter.clear_scratch(message.clone());
            self.reading.note_usage(&usage, self.agent.messages.len());
            self.agent.emitter.event(EventKind::UsageReported { message, usage });
        }
        let named: Vec<_> =
            calls.into_iter().enumerate().map(|(at, call)| self.name(at, call)).collect();
        let is_empty = text.trim().is_empty() && named.is_empty();
        // A message without text and calls is refused by some providers when it is sent back.
        if !(text.is_empty() && named.is_empty()) {
            let calls = named.iter().map(|(call, _)| call.clone()).collect();
            self.agent.say(ModelMessage::Assistant { text, reasoning, calls });
        }
        let outcome = match ending {
            AnswerEnding::Stopped => Some(TurnOutcome::Interrupted),
            AnswerEnding::Failed(failure) => Some(TurnOutcome::Failed { failure }),
            AnswerEnding::Whole(reason) => {
                self.note(reason, !is_empty);
                if named.is_empty() { self.ending(reins).await? } else { None }
            }
        };
        // The first call's start joins this commit, so an answer with calls is not flushed here.
        if outcome.is_none() && !named.is_empty() {
            self.run_batch(named, reins).await?;
        }
        self.agent.emitter.flush(self.id).await?;
        Ok(outcome)
    }

    fn note(&mut self, reason: StopReason, says_something: bool) {
        let notice = match reason {
            StopReason::Stop | StopReason::ToolCalls if says_something => return,
            StopReason::Stop | StopReason::ToolCalls => Notice::AnswerEmpty,
            StopReason::Length => Notice::AnswerCut,
            StopReason::Filtered => Notice::AnswerFiltered,
        };
        self.agent.emitter.event(EventKind::Notice { notice });
    }

    /// Gives a call its ids. Broken arguments are never run and never sent back as they came.
    fn name(
        &mut self,
        at: usize,
        call: provider::RawCall,
    ) -> (ModelCall, Result<(), BrokenArguments>) {
        let (id, wire_id) = self.agent.name_call(at, call.wire_id);
        let (arguments, whole) = match call.arguments {
            Ok(arguments) => (arguments, Ok(())),
            Err(broken) => ("{}".to_owned(), Err(broken)),
        };
        let (name, signature) = (call.name, call.signature);
        (ModelCall { id, wire_id, name, arguments, signature }, whole)
    }
}

/// The failure of a turn whose session could not be written any more.
fn session_failed(error: &SessionError) -> TurnFailure {
    TurnFailure {
        code: TurnFailureCode::SessionNotWritable,
        message: format!("the session cannot be written: {error}"),
        detail: Some(error.to_string()),
        action: match error {
            SessionError::DiskFull { .. } => NextAction::FreeDiskSpace,
            SessionError::Missing { .. }
            | SessionError::Exists { .. }
            | SessionError::Busy { .. }
            | SessionError::Damaged { .. }
            | SessionError::NotWritable { .. }
            | SessionError::NewerSchema { .. }
            | SessionError::OlderTurn { .. }
            | SessionError::Io { .. }
            | SessionError::Store { .. } => NextAction::Retry,
        },
        retry_after_ms: None,
    }
}
