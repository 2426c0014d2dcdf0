//! One task per session: it owns the agent, and with it the log and the running turn.

use std::sync::Arc;

use agent::{Agent, Answer, Reins, Watchers};
use protocol::{Preset, ReadId, SessionId, TurnId};
use provider::Provider;
use session::Index;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::{HostError, demo::Demo, history::blocking};

/// Messages that wait for a session's task.
pub(crate) const INBOX: usize = 64;
/// Answers that wait for the running turn. Only the one it asks for is passed on.
const ANSWERS: usize = 8;

/// What a turn asks. A scripted one runs as long as this lives.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) provider: Arc<Provider>,
    pub(crate) _demo: Option<Demo>,
}

/// What can wake a session's task. The list is whole.
pub(crate) enum Wake {
    Prompt {
        text: String,
        model: Model,
        /// Told when the prompt is stored.
        began: oneshot::Sender<Result<TurnId, HostError>>,
    },
    Interrupt,
    Answer {
        answer: Answer,
        taken: oneshot::Sender<Result<(), HostError>>,
    },
    /// Ends a read of the running turn.
    StopReading(ReadId),
    SetPreset(Preset),
    /// Asks whether a turn runs.
    Look {
        is_running: oneshot::Sender<bool>,
    },
}

/// Runs a session until its inbox is closed; a running turn is stopped then, and frozen, and what
/// runs in the background is ended.
pub(crate) async fn run(
    mut agent: Agent,
    session: SessionId,
    watchers: Watchers,
    index: Index,
    mut inbox: mpsc::Receiver<Wake>,
) {
    let mut indexing = JoinSet::new();
    loop {
        let wake = tokio::select! {
            wake = inbox.recv() => wake,
            () = agent.job_ended() => {
                agent.note_ended_jobs().await;
                continue;
            }
        };
        match wake {
            Some(Wake::Prompt { text, model, began }) => {
                let next =
                    turn(&mut agent, text, &model.provider, began, &watchers, &mut inbox).await;
                if let Some(preset) = next {
                    agent.set_preset(preset);
                }
                // Beside what comes next: the turn is over, and its result is stored.
                while indexing.try_join_next().is_some() {}
                let (index, session) = (index.clone(), session.clone());
                indexing.spawn(blocking(move || take_in(&index, &session)));
                // As long as nobody waits.
                while agent.drop_old_details().await && inbox.is_empty() && !inbox.is_closed() {}
            }
            // There is nothing to stop.
            Some(Wake::Interrupt | Wake::StopReading(_)) => {}
            Some(Wake::Answer { taken, .. }) => drop(taken.send(Err(HostError::NotPending))),
            Some(Wake::SetPreset(preset)) => agent.set_preset(preset),
            Some(Wake::Look { is_running }) => drop(is_running.send(false)),
            None => break,
        }
    }
    agent.end_jobs().await;
    indexing.join_all().await;
}

/// Takes a turn that ended into the index. If that fails, the next question does it.
fn take_in(index: &Index, session: &SessionId) {
    if index.take_in(session).is_err() {
        tracing::debug!(session = session.as_str(), "the index could not be written");
    }
}

/// Runs one turn, and listens meanwhile. Returns the preset of the turns after it, if another one
/// was chosen.
async fn turn(
    agent: &mut Agent,
    text: String,
    provider: &Provider,
    began: oneshot::Sender<Result<TurnId, HostError>>,
    watchers: &Watchers,
    inbox: &mut mpsc::Receiver<Wake>,
) -> Option<Preset> {
    let closing = agent.closing();
    let turn = match agent.begin_turn(provider, text).await {
        Ok(turn) => turn,
        Err(error) => {
            drop(began.send(Err(error.into())));
            return None;
        }
    };
    drop(began.send(Ok(turn.id())));
    let stop = CancellationToken::new();
    let (answers, mut received) = mpsc::channel(ANSWERS);
    let (stop_read, mut stopped_reads) = mpsc::channel(ANSWERS);
    let reins = Reins { answers: &mut received, stopped_reads: &mut stopped_reads, stop: &stop };
    let running = turn.run(provider, reins);
    tokio::pin!(running);
    let mut listening = true;
    let mut next = None;
    loop {
        tokio::select! {
            _end = &mut running => return next,
            wake = inbox.recv(), if listening => match wake {
                Some(Wake::Interrupt) => stop.cancel(),
                // Full is full of stops: the user presses again.
                Some(Wake::StopReading(read)) => drop(stop_read.try_send(read)),
                Some(Wake::SetPreset(preset)) => next = Some(preset),
                Some(Wake::Look { is_running }) => drop(is_running.send(true)),
                Some(Wake::Prompt { began, .. }) => drop(began.send(Err(HostError::TurnRunning))),
                Some(Wake::Answer { answer, taken }) => {
                    let asked = watchers.pending.borrow().as_ref() == Some(&answer.permission);
                    let sent = asked && answers.try_send(answer).is_ok();
                    drop(taken.send(if sent { Ok(()) } else { Err(HostError::NotPending) }));
                }
                None => {
                    listening = false;
                    stop.cancel();
                    closing.cancel();
                }
            },
        }
    }
}
