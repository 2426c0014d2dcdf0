//! The signals that ask the program to stop.

use std::io;

/// Returns when somebody asks the program to stop: Ctrl-C, or the system's polite ways.
///
/// # Errors
///
/// What the system says if it tells us of no signals.
pub(crate) async fn asked() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = terminate.recv() => Ok(()),
            _ = hangup.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
