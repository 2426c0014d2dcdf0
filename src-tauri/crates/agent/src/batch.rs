//! The calls of one answer, in their order: each is started, ended, and answered exactly once.

use std::sync::Arc;

use evidence::{Verdict, WritePermit, WriteRequest};
use protocol::{
    AskReason, CappedText, Decision, Diagnostic, EventKind, FailureCode, ModelCall, ModelMessage,
    Moment, Notice, PermissionId, ToolCallStatus, ToolFailure,
};
use provider::BrokenArguments;
use session::SessionError;
use tools::{CommandEffect, GitUse, Intent, PlanError, Planned, Running, Writing};

use crate::{
    emit::blocking,
    git_settings,
    permission::{self, Approvals, Subject},
    refused::refused_write,
    turn::{Reins, Turn},
};

/// Most bytes of what the model was told that stand in the event of a call's end. The message has
/// all of it, and a screen that opens the call asks for it (AN-2): so most of it is stored once.
const EVENT_OUTPUT_BYTES: usize = 256;
/// The same, of a call that did not do what it was asked to.
const EVENT_FAILURE_BYTES: usize = 1 << 10;

/// What a call came to.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) status: ToolCallStatus,
    /// What the model is told.
    pub(crate) text: String,
    pub(crate) exit_code: Option<i32>,
    pub(crate) failure: Option<ToolFailure>,
    pub(crate) refusal: Option<Diagnostic>,
    /// When it started; a call that did not has no duration.
    pub(crate) started: Option<Moment>,
}

impl Done {
    /// It did what it was asked to.
    pub(crate) fn completed(text: String) -> Self {
        Self {
            status: ToolCallStatus::Completed,
            text,
            exit_code: None,
            failure: None,
            refusal: None,
            started: None,
        }
    }

    /// It could not be done, or failed. The model is told why, and what works instead.
    pub(crate) fn failed(failure: ToolFailure) -> Self {
        let text = format!("error: {}\nnext: {}", failure.message, failure.next);
        let status = ToolCallStatus::Failed;
        Self { status, failure: Some(failure), ..Self::completed(text) }
    }

    /// The gate said no (DG-5).
    pub(crate) fn refused(refusal: Diagnostic) -> Self {
        let line = serde_json::json!({
            "code": refusal.code,
            "path": refusal.path,
            "actions": refusal.allowed_recovery,
            "retryable": refusal.retryable,
        });
        let text = format!("refused: {}\nrecovery: {line}", refusal.recovery);
        let status = ToolCallStatus::Rejected;
        Self { status, refusal: Some(refusal), ..Self::completed(text) }
    }

    /// The user, or a setting, said no.
    fn denied(message: &str, next: &str) -> Self {
        let failure = ToolFailure {
            code: FailureCode::Denied,
            message: message.to_owned(),
            next: next.to_owned(),
        };
        Self { status: ToolCallStatus::Rejected, ..Self::failed(failure) }
    }

    /// It was never started (TI-1, PX-8).
    pub(crate) fn cancelled() -> Self {
        let text = "cancelled before it started: the user stopped the turn".to_owned();
        Self { status: ToolCallStatus::Cancelled, ..Self::completed(text) }
    }
}

/// A call that may run: what it would do, and the permit of a write.
pub(crate) struct Licensed {
    pub(crate) planned: Planned,
    pub(crate) permit: Option<WritePermit>,
    /// Whether it is a command that may leave traces the host cannot see.
    pub(crate) leaves_gap: bool,
}

impl Turn<'_> {
    /// Carries out the calls of an answer. A stop lets no further one start.
    pub(crate) async fn run_batch(
        &mut self,
        calls: Vec<(ModelCall, Result<(), BrokenArguments>)>,
        reins: &mut Reins<'_>,
    ) -> Result<(), SessionError> {
        let most = self.agent.limits.calls_per_batch as usize;
        for (at, (call, whole)) in calls.into_iter().enumerate() {
            self.take_stopped_reads(reins).await?;
            let done = if reins.stop.is_cancelled() {
                Done::cancelled()
            } else if most <= at {
                Done::failed(ToolFailure {
                    code: FailureCode::TooManyCalls,
                    message: format!("only the first {most} calls of an answer are carried out"),
                    next: "send this call again in the next answer".to_owned(),
                })
            } else if let Err(broken) = whole {
                Done::failed(ToolFailure {
                    code: FailureCode::BrokenCall,
                    message: format!("nothing was run: {}", broken.reason),
                    next: broken.next.to_owned(),
                })
            } else {
                self.run_call(&call, reins).await?
            };
            self.conclude(call, done);
        }
        Ok(())
    }

    /// Records how a call ended, and answers it. Both wait for the next commit: that of the next
    /// call's start, or of the batch's end.
    fn conclude(&mut self, call: ModelCall, done: Done) {
        self.note_jobs();
        let label = self.agent.registry.label(&call.name, &call.arguments);
        let writes = self.agent.registry.writes_files(&label.tool);
        let (refusal, failure) = (done.refusal.as_ref(), done.failure.as_ref());
        self.refused.extend(refused_write(&call.id, writes, refusal, failure));
        let is_done = done.status == ToolCallStatus::Completed;
        let output_bytes = if is_done { EVENT_OUTPUT_BYTES } else { EVENT_FAILURE_BYTES };
        let now = self.agent.clock.now();
        self.agent.emitter.event(EventKind::ToolFinished {
            call: call.id.clone(),
            tool: label.tool,
            title: CappedText::cut(&label.title),
            status: done.status,
            output: CappedText::cut_to(&done.text, output_bytes),
            exit_code: done.exit_code,
            duration_ms: done.started.map(|started| now.ms_since(started)),
            failure: done.failure,
            refusal: done.refusal,
        });
        self.agent.say(ModelMessage::Tool {
            call: call.id,
            wire_id: call.wire_id,
            text: done.text,
        });
    }

    async fn run_call(
        &mut self,
        call: &ModelCall,
        reins: &mut Reins<'_>,
    ) -> Result<Done, SessionError> {
        let (registry, workspace) =
            (Arc::clone(&self.agent.registry), Arc::clone(&self.agent.workspace));
        let (name, arguments) = (call.name.clone(), call.arguments.clone());
        let planned = blocking(move || registry.plan(&name, &arguments, &workspace)).await;
        let planned = match planned {
            Ok(planned) => planned,
            Err(error) => return self.without_plan(call, error).await,
        };
        match self.license(call, planned, reins).await? {
            Ok(licensed) => self.carry_out(call, licensed, reins.stop).await,
            Err(done) => Ok(done),
        }
    }

    /// What a call without a plan comes to that is no question of the gate.
    pub(crate) fn not_planned(&self, error: PlanError) -> Done {
        match error {
            PlanError::Failed(failure) => Done::failed(failure),
            PlanError::Refused(refusal) => Done::refused(refusal),
            PlanError::Unplaced { why, .. } => self.not_planned(*why),
        }
    }

    /// What a call without a plan comes to. A passage that is not there in a file that somebody else
    /// changed, or that was never read, is a question of the version first.
    async fn without_plan(
        &mut self,
        call: &ModelCall,
        error: PlanError,
    ) -> Result<Done, SessionError> {
        let PlanError::Unplaced { request, near, why } = error else {
            return Ok(self.not_planned(error));
        };
        match self.agent.evidence.check_write(*request) {
            Verdict::Permit(_) => Ok(self.not_planned(*why)),
            Verdict::Refuse(mut refusal) => {
                refusal.required_ranges.extend(near);
                self.turn_away(call, refusal).await
            }
        }
    }

    /// Asks the gate, then the user. In this order: nobody is asked for a write that is refused
    /// anyway, and no yes of a user makes up for a version that was not read (PM-11, WB-3).
    async fn license(
        &mut self,
        call: &ModelCall,
        planned: Planned,
        reins: &mut Reins<'_>,
    ) -> Result<Result<Licensed, Done>, SessionError> {
        let permit = match &planned.intent {
            Intent::Create(writing) | Intent::Replace(writing) | Intent::Overwrite(writing) => {
                match self.check(writing) {
                    Verdict::Permit(permit) => Some(permit),
                    Verdict::Refuse(refusal) => {
                        return Ok(Err(self.turn_away(call, refusal).await?));
                    }
                }
            }
            Intent::Read(_)
            | Intent::List(_)
            | Intent::Search(_)
            | Intent::Unchanged { .. }
            | Intent::Run(_)
            | Intent::Job(_)
            | Intent::Note { .. } => None,
        };
        let effect = match &planned.intent {
            Intent::Run(running) => Some(self.effect(running).await),
            Intent::Create(_)
            | Intent::Replace(_)
            | Intent::Overwrite(_)
            | Intent::Read(_)
            | Intent::List(_)
            | Intent::Search(_)
            | Intent::Unchanged { .. }
            | Intent::Job(_)
            | Intent::Note { .. } => None,
        };
        let leaves_gap = effect.as_ref().is_some_and(|it| !it.is_reader());
        let (preset, grants) = (self.agent.preset, &self.agent.grants);
        if let Some((subject, reason)) =
            permission::asks(preset, grants, &planned.intent, effect.as_ref())
            && let Some(done) = self.ask(call, planned.tool, (&subject, reason), reins).await?
        {
            return Ok(Err(done));
        }
        Ok(Ok(Licensed { planned, permit, leaves_gap }))
    }

    /// Says what a command may do here. A reader of Git is one only where no setting of the
    /// workspace names a program that it would run (SH-5).
    async fn effect(&mut self, running: &Running) -> CommandEffect {
        let (shell, command) = (self.agent.shell.language(), &running.command);
        let effect = tools::classify(shell, command);
        if !effect.is_reader() {
            return effect;
        }
        let folders = match tools::git_use(shell, command) {
            GitUse::None => return effect,
            GitUse::In(folders) => folders,
            GitUse::Unclear => return effect.running_programs_of_the_folder(),
        };
        for folder in folders {
            let folder = running.cwd.absolute().join(folder);
            if git_settings::name_programs(&folder, &self.agent.roots).await {
                return effect.running_programs_of_the_folder();
            }
        }
        effect
    }

    fn check(&self, writing: &Writing) -> Verdict {
        let is_rebuild = self.rebuilds.contains(&writing.request.path);
        self.agent.evidence.check_write(WriteRequest { is_rebuild, ..writing.request.clone() })
    }

    /// Asks for leave; returns what the call came to if there is none.
    async fn ask(
        &mut self,
        call: &ModelCall,
        tool: &str,
        (subject, reason): (&Subject, AskReason),
        reins: &mut Reins<'_>,
    ) -> Result<Option<Done>, SessionError> {
        match self.agent.approvals {
            Approvals::All => return Ok(None),
            Approvals::None => {
                return Ok(Some(Done::denied(
                    "this is not allowed in this run",
                    "finish what can be done without it, and say what is left",
                )));
            }
            Approvals::Nobody => {
                if !std::mem::replace(&mut self.told_nobody, true) {
                    let notice = Notice::NobodyToAsk;
                    self.agent.emitter.event(EventKind::Notice { notice });
                }
                return Ok(Some(Done::denied(
                    "this must be allowed by the user, and nobody is there to ask",
                    "finish what can be done without it, and say what is left",
                )));
            }
            Approvals::Ask => {}
        }
        let permission = PermissionId::minted(format!("p{}-{}", self.id, self.permissions));
        self.permissions += 1;
        self.agent.emitter.event(EventKind::PermissionAsked {
            permission: permission.clone(),
            call: call.id.clone(),
            tool: tool.to_owned(),
            subject: CappedText::cut(subject.text()),
            folder: subject.folder().to_owned(),
            reason,
        });
        self.agent.emitter.flush(self.id).await?;
        let Some(decision) = self.agent.emitter.decision(&permission, reins).await else {
            return Ok(Some(Done::cancelled()));
        };
        self.agent.emitter.event(EventKind::PermissionAnswered {
            permission,
            call: call.id.clone(),
            decision,
        });
        match decision {
            Decision::AllowOnce => Ok(None),
            Decision::AllowSession => {
                self.agent.grants.grant(subject);
                Ok(None)
            }
            Decision::Deny => Ok(Some(Done::denied(
                "the user said no",
                "do something else, or ask the user in your answer",
            ))),
        }
    }
}
