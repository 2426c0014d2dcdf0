//! The one place that stores what happened and then shows it, in this order (CL-5).

use protocol::{
    Clock, Decision, Delta, EventKind, Feed, MessageId, ModelMessage, PermissionId, SessionEvent,
    SessionId, TurnId,
};
use session::{Commit, LocalRecord, Record, SessionError, SessionLog};
use tokio::{
    sync::{broadcast, watch},
    task::{JoinError, spawn_blocking},
};

use crate::turn::Reins;

/// A message that is streaming: all of it so far, for whoever comes late (AN-4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    pub turn: TurnId,
    pub message: MessageId,
    /// The number of the next frame.
    pub next_part: u32,
    pub text: String,
    pub reasoning: String,
}

/// Who watches a session: the frames, and the message that is streaming.
#[derive(Clone, Debug)]
pub struct Watchers {
    pub frames: broadcast::Sender<Feed>,
    pub running: watch::Sender<Option<Running>>,
    /// The question that waits for an answer.
    pub pending: watch::Sender<Option<PermissionId>>,
}

impl Watchers {
    /// Starts without watchers. One that falls behind by `backlog` frames must follow again.
    pub fn new(backlog: usize) -> Self {
        Self {
            frames: broadcast::Sender::new(backlog),
            running: watch::Sender::new(None),
            pending: watch::Sender::new(None),
        }
    }

    /// Shows a frame; without watchers that is nothing.
    fn show(&self, frame: Feed) {
        // It fails only when nobody watches.
        drop(self.frames.send(frame));
    }
}

/// The session's log, what waits to be stored in it, and who is shown what was.
#[derive(Debug)]
pub(crate) struct Emitter {
    /// Away only while a commit runs on its blocking thread.
    log: Option<Box<SessionLog>>,
    session: SessionId,
    clock: Clock,
    watchers: Watchers,
    records: Vec<Record>,
    blobs: Vec<Vec<u8>>,
    clear: Option<MessageId>,
}

impl Emitter {
    pub(crate) fn new(
        log: SessionLog,
        session: SessionId,
        clock: Clock,
        watchers: Watchers,
    ) -> Self {
        Self {
            log: Some(Box::new(log)),
            session,
            clock,
            watchers,
            records: Vec::new(),
            blobs: Vec::new(),
            clear: None,
        }
    }

    /// Returns the session.
    pub(crate) fn session(&self) -> &SessionId {
        &self.session
    }

    /// Puts an event into the next commit.
    pub(crate) fn event(&mut self, kind: EventKind) {
        self.records.push(Record::Event(kind));
    }

    /// Puts a message for the model into the next commit.
    pub(crate) fn model(&mut self, message: ModelMessage) {
        self.records.push(Record::Model(message));
    }

    /// Puts host-only records, and the bytes they name, into the next commit.
    pub(crate) fn local(
        &mut self,
        records: impl IntoIterator<Item = LocalRecord>,
        blobs: impl IntoIterator<Item = Vec<u8>>,
    ) {
        self.records.extend(records.into_iter().map(Record::Local));
        self.blobs.extend(blobs);
    }

    /// Drops the scratch text of a message with the next commit, which stores the message.
    pub(crate) fn clear_scratch(&mut self, message: MessageId) {
        self.clear = Some(message);
    }

    /// Stores what waits, in one transaction, and shows its events. Nothing waiting costs nothing.
    ///
    /// # Errors
    ///
    /// What the session says if it could not be stored; nothing is shown then.
    pub(crate) async fn flush(&mut self, turn: TurnId) -> Result<(), SessionError> {
        if self.records.is_empty() {
            return Ok(());
        }
        let commit = Commit {
            turn,
            at: self.clock.now().unix_seconds(),
            records: std::mem::take(&mut self.records),
            blobs: std::mem::take(&mut self.blobs),
            clear_scratch: self.clear.take(),
        };
        let events = self.with_log(move |log| log.commit(commit)).await?;
        for event in events {
            if matches!(event.kind, EventKind::MessageCommitted { .. }) {
                self.watchers.running.send_replace(None);
            }
            self.watchers.show(Feed::Event(Box::new(event)));
        }
        Ok(())
    }

    /// Drops what waits: it could not be stored.
    pub(crate) fn discard(&mut self) {
        self.records.clear();
        self.blobs.clear();
        self.clear = None;
    }

    /// Shows an event that could not be stored, and that says so itself (TR-25).
    pub(crate) fn show_unsaved(&mut self, turn: TurnId, kind: EventKind) {
        let seq = self
            .log
            .as_ref()
            .and_then(|log| log.reader().last_seq().ok())
            .unwrap_or_default()
            .next();
        let at = self.clock.now().unix_seconds();
        let event = SessionEvent { session: self.session.clone(), turn, seq, at, kind }.capped();
        self.watchers.running.send_replace(None);
        self.watchers.show(Feed::Event(Box::new(event)));
    }

    /// Waits for the answer to a question; `None` if the turn was stopped instead. An answer to
    /// another question is dropped (PM-4, CL-8).
    pub(crate) async fn decision(
        &mut self,
        permission: &PermissionId,
        reins: &mut Reins<'_>,
    ) -> Option<Decision> {
        self.watchers.pending.send_replace(Some(permission.clone()));
        let decision = loop {
            tokio::select! {
                () = reins.stop.cancelled() => break None,
                answer = reins.answers.recv() => match answer {
                    Some(answer) if answer.permission == *permission => {
                        break Some(answer.decision);
                    }
                    Some(_) => {}
                    // Whoever could answer is gone.
                    None => break None,
                },
            }
        };
        self.watchers.pending.send_replace(None);
        decision
    }

    /// Shows streamed text as the next frame of its message.
    pub(crate) fn delta(&mut self, turn: TurnId, message: &MessageId, text: &str, reasoning: &str) {
        let mut part = 0;
        self.watchers.running.send_modify(|running| {
            let it = running.get_or_insert_with(|| Running {
                turn,
                message: message.clone(),
                next_part: 0,
                text: String::new(),
                reasoning: String::new(),
            });
            part = it.next_part;
            it.next_part += 1;
            it.text.push_str(text);
            it.reasoning.push_str(reasoning);
        });
        self.watchers.show(Feed::Delta(Delta {
            session: self.session.clone(),
            turn,
            message: message.clone(),
            part,
            text: text.to_owned(),
            reasoning: reasoning.to_owned(),
        }));
    }

    /// Puts the running message's text aside, without waiting for the disk (JR-2). If that fails the
    /// turn goes on: the text is still shown, and is stored with its message.
    pub(crate) async fn scratch(&mut self, turn: TurnId, message: &MessageId) {
        let Some(running) = self.watchers.running.borrow().clone() else { return };
        let message = message.clone();
        let put = self
            .with_log(move |log| log.scratch(turn, &message, &running.text, &running.reasoning));
        if put.await.is_err() {
            tracing::warn!(turn = turn.0, "streamed text could not be put aside");
        }
    }

    /// Says that no message is streaming any more, however it ended.
    pub(crate) fn stream_ended(&self) {
        self.watchers.running.send_replace(None);
    }

    /// Runs something with the log on a blocking thread. The one place where this crate does.
    ///
    /// # Panics
    ///
    /// If `run` does: there is nothing left to work with then.
    pub(crate) async fn with_log<T: Send + 'static>(
        &mut self,
        run: impl FnOnce(&mut SessionLog) -> T + Send + 'static,
    ) -> T {
        let mut log = self.log.take().expect("it is put back below, and nobody else is here");
        let ran = spawn_blocking(move || {
            let out = run(&mut log);
            (log, out)
        });
        let (log, out) = ran.await.unwrap_or_else(resume);
        self.log = Some(log);
        out
    }
}

/// Goes on with a panic of a blocking thread, here.
fn resume<T>(error: JoinError) -> T {
    std::panic::resume_unwind(error.into_panic())
}

/// Runs something that blocks, and carries its panic over.
///
/// # Panics
///
/// If `run` does.
pub(crate) async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    spawn_blocking(run).await.unwrap_or_else(resume)
}
