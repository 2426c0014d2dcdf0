//! Closes a turn that the end of a program had cut off: nothing is run again, nothing is made up.

use std::collections::{BTreeMap, BTreeSet};

use checkpoint::{Checkpoint, Frozen};
use protocol::{
    CappedText, CheckKind, EventKind, Gap, GapReason, JobId, JobState, MessageId, ModelCall,
    ModelMessage, Notice, RefusedWrite, ResultId, ResultNote, SessionEvent, ToolCallId,
    ToolCallStatus, TurnId, TurnOutcome, Verification,
};
use session::{Holes, LocalRecord, SessionError};
use tools::Registry;

use crate::{agent::Agent, checks::has_no_end, finish, refused::refused_write};

/// What a started call is answered when its end was never seen.
const UNKNOWN: &str = "unknown: the end of this was not stored. It may have had its effect, in \
                       part or in whole, and a command may still run. Look at the files before you \
                       do it again.";
/// What a call is answered that was never started.
const NOT_STARTED: &str = "not started: the turn ended before this ran";

/// Ends `turn` if it has no end: text that was streaming is kept as interrupted, each open call
/// gets its one answer, and what the turn changed is frozen from its stored captures (TI-1, TI-5).
/// Of a turn whose records are not all there the end and the result are unknown (TR-3).
///
/// # Errors
///
/// [`SessionError`] if the session cannot be read or written.
pub(crate) async fn close_cut_off_turn(
    agent: &mut Agent,
    turn: TurnId,
) -> Result<(), SessionError> {
    let events = turn_events(agent, turn).await?;
    let (lost, writing) = (lost_jobs(agent, &events), jobs_that_may_write(agent, &events));
    let holes = agent.emitter.with_log(move |log| log.reader().holes(turn)).await?;
    if has_ended(&events) {
        lost.into_iter().for_each(|it| agent.emitter.event(it));
        answer_open_calls(agent, &events);
        tell_of_holes(agent, holes);
        return agent.emitter.flush(turn).await;
    }
    let scratch = agent.emitter.with_log(|log| log.reader().scratch_text()).await?;
    for it in scratch.into_iter().filter(|it| it.turn == turn) {
        keep_partial(agent, it.message, it.text, it.reasoning);
    }
    answer_open_calls(agent, &events);
    tell_of_holes(agent, holes);
    let records = agent.emitter.with_log(move |log| log.reader().local_records(turn)).await?;
    let mut checks = checks(&records, &events);
    let is_whole = holes == Holes::None;
    let frozen = match result(&events) {
        Some(result) if is_whole || is_frozen(&records) => {
            let mut checkpoint = Checkpoint::replay(turn, result, &records);
            for call in writing {
                let gap = Gap { reason: GapReason::ActiveWriter, path: None, call: Some(call) };
                let record = checkpoint.gap(gap);
                agent.emitter.local(record, []);
            }
            finish::freeze(agent, checkpoint).await
        }
        // What is left of its records may be the smaller part of what it did.
        result => {
            checks.iter_mut().for_each(|check| check.stale = true);
            let unnamed = || Checkpoint::new(turn, agent.clock.now()).id().clone();
            Frozen::unknown(turn, result.unwrap_or_else(unnamed))
        }
    };
    lost.into_iter().for_each(|it| agent.emitter.event(it));
    let (notice, outcome) = if is_whole {
        (Notice::TurnRecovered, TurnOutcome::Interrupted)
    } else {
        (Notice::RecordIncomplete, TurnOutcome::Unknown)
    };
    let refused = refused(&agent.registry, &events);
    let mut receipt = finish::receipt(&frozen, is_whole, checks, refused);
    // What is missing may have been a check.
    receipt.notes.retain(|it| is_whole || *it != ResultNote::NoRecordedCheck);
    let (record, blobs) = frozen.into_commit_parts();
    agent.emitter.local([record], blobs);
    agent.emitter.event(EventKind::Notice { notice });
    agent.emitter.event(EventKind::TurnDone { outcome, receipt });
    let closed = agent.emitter.flush(turn).await;
    if closed.is_err() {
        agent.resync().await;
    }
    closed
}

async fn turn_events(agent: &mut Agent, turn: TurnId) -> Result<Vec<SessionEvent>, SessionError> {
    let page =
        agent.emitter.with_log(move |log| log.reader().history(Some(turn.next()), 1)).await?;
    let found = page.turns.into_iter().find(|it| it.turn == turn);
    Ok(found.map(|it| it.events).unwrap_or_default())
}

/// Puts an answer to each call that has none into the next commit.
fn answer_open_calls(agent: &mut Agent, events: &[SessionEvent]) {
    let started = started(events);
    for call in open_calls(&agent.messages) {
        answer_open_call(agent, call, &started);
    }
}

/// Tells the model, once, that the rest of a turn is missing (CL-6). It comes after all that is there,
/// so that no byte before it is another one (CL-9).
fn tell_of_holes(agent: &mut Agent, holes: Holes) {
    match holes {
        Holes::Untold => agent.say(session::rest_is_lost()),
        Holes::None | Holes::Told => {}
    }
}

impl Agent {
    /// Goes back to what is stored, and puts an answer to each call that has none there into the next
    /// commit, which is that of the turn's end: no request may hold a call without one (PX-8).
    pub(crate) async fn answer_what_is_open(&mut self, turn: TurnId) {
        self.resync().await;
        // If the events cannot be read now, the calls are told as not started, which is the less
        // certain; the turn's end will hardly be stored then either.
        let events = turn_events(self, turn).await.unwrap_or_default();
        answer_open_calls(self, &events);
    }
}

/// Returns, as unknown, the jobs that ran when their program ended. A turn names all that run.
fn lost_jobs(agent: &Agent, events: &[SessionEvent]) -> Vec<EventKind> {
    let lost = running(events).into_iter().filter(|(job, _)| !agent.jobs.knows(job));
    lost.map(|(job, (call, title, check))| EventKind::JobChanged {
        job: job.clone(),
        call: call.clone(),
        title: title.clone(),
        check,
        state: JobState::Unknown,
        exit_code: None,
    })
    .collect()
}

/// What is known of a job that runs: the call that began it, its title, and what it checks.
type Begun<'a> = (&'a ToolCallId, &'a CappedText, Option<CheckKind>);

/// Returns the jobs that the events of a turn leave running.
fn running(events: &[SessionEvent]) -> BTreeMap<&JobId, Begun<'_>> {
    let mut running = BTreeMap::new();
    for event in events {
        let EventKind::JobChanged { job, call, title, check, state, .. } = &event.kind else {
            continue;
        };
        if *state == JobState::Running {
            running.insert(job, (call, title, *check));
        } else {
            running.remove(job);
        }
    }
    running
}

/// Returns the calls of jobs that may write when a turn is closed: those that run, and those of
/// which nothing is known.
fn jobs_that_may_write(agent: &Agent, events: &[SessionEvent]) -> Vec<ToolCallId> {
    let lost = running(events).into_iter().filter(|(job, _)| !agent.jobs.knows(job));
    let lost = lost.map(|(_, (call, ..))| call);
    let ours = agent.jobs.running().filter(|it| it.may_write).map(|it| &it.call);
    lost.chain(ours).cloned().collect()
}

/// Returns whether the end of a turn is stored.
fn has_ended(events: &[SessionEvent]) -> bool {
    events.iter().any(|event| matches!(event.kind, EventKind::TurnDone { .. }))
}

/// Returns the result id of a turn, which its start has.
fn result(events: &[SessionEvent]) -> Option<ResultId> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::TurnStarted { result, .. } => Some(result.clone()),
        EventKind::TurnDone { .. }
        | EventKind::MessageCommitted { .. }
        | EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. } => None,
    })
}

/// Returns whether the result of a turn is stored.
fn is_frozen(records: &[LocalRecord]) -> bool {
    records.iter().any(|record| matches!(record, LocalRecord::Frozen { .. }))
}

/// Returns the checks that had ended, and those that were under way, which are interrupted (CK-5);
/// stale where something was written, or may have been, after them (CK-4).
fn checks(records: &[LocalRecord], events: &[SessionEvent]) -> Vec<Verification> {
    let mut checks: Vec<Verification> = Vec::new();
    for record in records {
        match record {
            LocalRecord::Check { check } => {
                match checks.iter_mut().find(|it| it.tool_call_id == check.tool_call_id) {
                    Some(known) => *known = check.clone(),
                    None => checks.push(check.clone()),
                }
            }
            LocalRecord::Before { .. } | LocalRecord::After { .. } => {
                checks.iter_mut().for_each(|check| check.stale = true);
            }
            LocalRecord::Opened { .. }
            | LocalRecord::Gap { .. }
            | LocalRecord::Output { .. }
            | LocalRecord::Read { .. }
            | LocalRecord::ReadPause { .. }
            | LocalRecord::ReadCompletion { .. }
            | LocalRecord::Frozen { .. } => {}
        }
    }
    // One whose call ended without it, and that is no job, could not be started.
    let mut over = ended(events);
    for (call, ..) in running(events).into_values() {
        over.remove(call);
    }
    checks.retain(|check| !(has_no_end(check) && over.contains(&check.tool_call_id)));
    checks
}

/// Keeps the text that had been streaming when the program ended, marked as interrupted (JR-2).
fn keep_partial(agent: &mut Agent, message: MessageId, text: String, reasoning: String) {
    agent.emitter.event(EventKind::MessageCommitted {
        message: message.clone(),
        text: CappedText::cut(&text),
        reasoning: (!reasoning.is_empty()).then(|| CappedText::cut(&reasoning)),
        interrupted: true,
    });
    agent.emitter.clear_scratch(message);
    if !text.is_empty() {
        // Its reasoning goes with calls only, and it had none that were whole.
        agent.say(ModelMessage::Assistant { text, reasoning: None, calls: Vec::new() });
    }
}

/// Returns the calls without an answer, in their order.
fn open_calls(messages: &[ModelMessage]) -> Vec<ModelCall> {
    let mut open: Vec<ModelCall> = Vec::new();
    for message in messages {
        match message {
            ModelMessage::Assistant { calls, .. } => open.extend(calls.iter().cloned()),
            ModelMessage::Tool { call, .. } => open.retain(|it| it.id != *call),
            ModelMessage::Context { .. } | ModelMessage::User { .. } => {}
        }
    }
    open
}

/// Answers a call whose end was never seen, or that never began.
fn answer_open_call(agent: &mut Agent, call: ModelCall, started: &BTreeSet<ToolCallId>) {
    let (status, text) = if started.contains(&call.id) {
        (ToolCallStatus::Unknown, UNKNOWN)
    } else {
        (ToolCallStatus::Cancelled, NOT_STARTED)
    };
    let label = agent.registry.label(&call.name, &call.arguments);
    agent.emitter.event(EventKind::ToolFinished {
        call: call.id.clone(),
        tool: label.tool,
        title: CappedText::cut(&label.title),
        status,
        output: CappedText::cut(text),
        exit_code: None,
        duration_ms: None,
        failure: None,
        refusal: None,
    });
    let text = text.to_owned();
    agent.say(ModelMessage::Tool { call: call.id, wire_id: call.wire_id, text });
}

fn started(events: &[SessionEvent]) -> BTreeSet<ToolCallId> {
    let call = |event: &SessionEvent| match &event.kind {
        EventKind::ToolStarted { call, .. } => Some(call.clone()),
        EventKind::TurnStarted { .. }
        | EventKind::MessageCommitted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. }
        | EventKind::TurnDone { .. } => None,
    };
    events.iter().filter_map(call).collect()
}

fn ended(events: &[SessionEvent]) -> BTreeSet<ToolCallId> {
    let call = |event: &SessionEvent| match &event.kind {
        EventKind::ToolFinished { call, .. } => Some(call.clone()),
        EventKind::TurnStarted { .. }
        | EventKind::MessageCommitted { .. }
        | EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. }
        | EventKind::TurnDone { .. } => None,
    };
    events.iter().filter_map(call).collect()
}

/// Returns the writes that had been turned away before the end.
fn refused(registry: &Registry, events: &[SessionEvent]) -> Vec<RefusedWrite> {
    let write = |event: &SessionEvent| match &event.kind {
        EventKind::ToolFinished { call, tool, refusal, failure, .. } => {
            let writes = registry.writes_files(tool);
            refused_write(call, writes, refusal.as_ref(), failure.as_ref())
        }
        EventKind::TurnStarted { .. }
        | EventKind::MessageCommitted { .. }
        | EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. }
        | EventKind::TurnDone { .. } => None,
    };
    events.iter().filter_map(write).collect()
}
