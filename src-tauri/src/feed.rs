//! Passes a session's frames on to the page.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use host::{Follow, HostError};
use protocol::{CommandError, Feed};
use tauri::{async_runtime, ipc::Channel};
use tokio::task::AbortHandle;

/// The feeds that the page listens to.
#[derive(Debug, Default)]
pub(crate) struct Feeds(Mutex<Running>);

#[derive(Debug, Default)]
struct Running {
    last: u32,
    tasks: BTreeMap<u32, AbortHandle>,
}

impl Feeds {
    /// Starts to pass frames on, and returns the number that stops it.
    pub(crate) fn start(
        &self,
        follow: Follow,
        frames: Channel<Feed>,
        broke: Channel<CommandError>,
    ) -> u32 {
        let task = async_runtime::spawn(forward(follow, frames, broke));
        let mut running = self.running();
        running.tasks.retain(|_, it| !it.is_finished());
        running.last += 1;
        let number = running.last;
        running.tasks.insert(number, task.inner().abort_handle());
        number
    }

    /// Stops one feed.
    pub(crate) fn stop(&self, number: u32) {
        let task = self.running().tasks.remove(&number);
        task.inspect(AbortHandle::abort);
    }

    /// Stops all of them: the page that listened is gone.
    pub(crate) fn stop_all(&self) {
        std::mem::take(&mut self.running().tasks).values().for_each(AbortHandle::abort);
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes frames on until the session is closed, or nobody listens any more.
pub(crate) async fn forward(
    mut follow: Follow,
    frames: Channel<Feed>,
    broke: Channel<CommandError>,
) {
    loop {
        let sent = match follow.next().await {
            Ok(Some(frame)) => frames.send(frame),
            Ok(None) => return,
            // Who does not listen to the frames does not listen to this either.
            Err(error) => return drop(broke.send(HostError::from(error).into())),
        };
        if sent.is_err() {
            return;
        }
    }
}
