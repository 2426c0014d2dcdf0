//! Closing: what runs is stopped and frozen, and then the program ends (AN-30).

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use host::Host;
use tauri::{AppHandle, Manager as _, Runtime, async_runtime};
use tokio::time::timeout;

use crate::window;

/// How long a session may take to stop. A turn that takes longer is closed at the next start.
const STOPPING: Duration = Duration::from_millis(4_600);

/// Whether the program is closing already.
#[derive(Debug, Default)]
pub(crate) struct Closing(AtomicBool);

/// Hides the window, stops what runs, and ends the program. A second call does nothing.
pub(crate) fn close<R: Runtime>(app: &AppHandle<R>) {
    if app.state::<Closing>().0.swap(true, Ordering::AcqRel) {
        return;
    }
    window::remember_and_hide(app);
    let app = app.clone();
    async_runtime::spawn(async move {
        stop(&app.state::<Host>()).await;
        app.exit(0);
    });
}

/// Stops what runs and freezes it.
pub(crate) async fn stop(host: &Host) {
    if timeout(STOPPING, host.shutdown()).await.is_err() {
        tracing::warn!("a session did not stop in time");
    }
}

/// Closes when the system asks for the end. Elsewhere it closes the window.
#[cfg(unix)]
pub(crate) fn close_on_signal<R: Runtime>(app: &AppHandle<R>) {
    use tokio::signal::unix::{SignalKind, signal};
    let app = app.clone();
    async_runtime::spawn(async move {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut hangup = signal(SignalKind::hangup())?;
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
        close(&app);
        Ok::<_, std::io::Error>(())
    });
}
