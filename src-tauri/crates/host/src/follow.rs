//! Following a session: what is stored, then what happens, with no gap between.

use std::{collections::VecDeque, path::PathBuf};

use agent::{Running, Watchers};
use protocol::{Delta, EventKind, Feed, MessageId, Seq, SessionEvent, SessionId};
use session::{SessionError, SessionReader};
use tokio::{
    sync::{
        broadcast::{self, error::RecvError},
        watch,
    },
    task::spawn_blocking,
};

/// Events that are read from the store at once.
const PAGE: u32 = 256;

/// A session's feed, from some event on (AN-4). One that falls too far behind reads what it missed
/// from the store and goes on: no event is lost, and none comes twice.
#[derive(Debug)]
pub struct Follow {
    folder: PathBuf,
    session: SessionId,
    running: watch::Receiver<Option<Running>>,
    live: broadcast::Receiver<Feed>,
    ready: VecDeque<Feed>,
    /// The last event that was given out.
    last: Seq,
    /// The last frame of a running message that was given out.
    part_told: Option<(MessageId, u32)>,
    /// Whether the store may hold events after `last` that `live` will not bring.
    behind: bool,
}

impl Follow {
    /// Follows from after `after`. Nothing that happens from now on is missed.
    ///
    /// It holds no sender: when the session is closed its feed ends.
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the store cannot be read.
    pub(crate) async fn start(
        folder: PathBuf,
        session: SessionId,
        watchers: &Watchers,
        after: Seq,
    ) -> Result<Self, SessionError> {
        let mut follow = Self {
            folder,
            session,
            running: watchers.running.subscribe(),
            live: watchers.frames.subscribe(),
            ready: VecDeque::new(),
            last: after,
            part_told: None,
            behind: true,
        };
        follow.catch_up().await?;
        Ok(follow)
    }

    /// Returns the next frame; `None` when the session was closed and all of it was given out.
    ///
    /// # Errors
    ///
    /// [`SessionError`] if the store cannot be read.
    pub async fn next(&mut self) -> Result<Option<Feed>, SessionError> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                self.told(&frame);
                return Ok(Some(frame));
            }
            if self.behind {
                self.catch_up().await?;
                continue;
            }
            match self.live.recv().await {
                Ok(frame) if self.is_new(&frame) => self.ready.push_back(frame),
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }

    /// Reads a page of what is stored after `last`; after the last page comes the running message.
    async fn catch_up(&mut self) -> Result<(), SessionError> {
        // What waits in the feed is in the store, or in the running message.
        self.live = self.live.resubscribe();
        // Looked at before the store: a message that is committed meanwhile is found there.
        let running = self.running.borrow().clone();
        let (folder, session, last) = (self.folder.clone(), self.session.clone(), self.last);
        let read = move || SessionReader::open(&folder, &session)?.events_after(last, PAGE);
        let events: Vec<SessionEvent> = match spawn_blocking(read).await {
            Ok(events) => events?,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        self.behind = events.len() == PAGE as usize;
        let running = running
            .filter(|it| !self.behind && !events.iter().any(|event| commits(event, &it.message)));
        self.ready.extend(events.into_iter().map(|event| Feed::Event(Box::new(event))));
        self.ready.extend(running.map(|it| {
            Feed::Delta(Delta {
                session: self.session.clone(),
                turn: it.turn,
                message: it.message,
                part: it.next_part.saturating_sub(1),
                text: it.text,
                reasoning: it.reasoning,
            })
        }));
        Ok(())
    }

    /// Returns whether a live frame says something that was not given out yet.
    fn is_new(&self, frame: &Feed) -> bool {
        match frame {
            Feed::Event(event) => self.last < event.seq,
            Feed::Delta(delta) => match &self.part_told {
                Some((message, part)) if *message == delta.message => *part < delta.part,
                Some(_) | None => true,
            },
        }
    }

    fn told(&mut self, frame: &Feed) {
        match frame {
            Feed::Event(event) => self.last = self.last.max(event.seq),
            Feed::Delta(delta) => self.part_told = Some((delta.message.clone(), delta.part)),
        }
    }
}

fn commits(event: &SessionEvent, running: &MessageId) -> bool {
    matches!(&event.kind, EventKind::MessageCommitted { message, .. } if message == running)
}
