//! The signals that ask the program to stop, counted for as long as it runs.

use std::io;

use tokio::sync::watch;

/// How often the program was asked to stop. One listener for its whole life: none is missed while
/// something else is waited for.
#[derive(Clone, Debug)]
pub(crate) struct Stops(watch::Receiver<u32>);

impl Stops {
    /// Starts listening: to Ctrl-C, and to the system's polite ways.
    pub(crate) fn listen() -> Self {
        let (count, stops) = watch::channel(0);
        tokio::spawn(async move {
            if count_requests(&count).await.is_err() {
                // The system tells us of no signals; then nobody asks.
                count.closed().await;
            }
        });
        Self(stops)
    }

    /// Returns once the program was asked so often, at once if it was already.
    pub(crate) async fn reached(&self, times: u32) {
        // It fails only when the listener is gone, and then nobody asks.
        if self.0.clone().wait_for(|count| times <= *count).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(unix)]
async fn count_requests(count: &watch::Sender<u32>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    loop {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        count.send_modify(|times| *times += 1);
    }
}

#[cfg(not(unix))]
async fn count_requests(count: &watch::Sender<u32>) -> io::Result<()> {
    loop {
        tokio::signal::ctrl_c().await?;
        count.send_modify(|times| *times += 1);
    }
}
