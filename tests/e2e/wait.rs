//! Waiting for a condition, with a bound.

use std::{
    thread,
    time::{Duration, Instant},
};

/// How long anything is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);
/// How often it is looked.
const EVERY: Duration = Duration::from_millis(20);

/// Looks until something is there, and returns it.
///
/// # Panics
///
/// If it is not there in time; `state` then says what is there instead.
pub(crate) fn until<T>(
    what: &str,
    mut look: impl FnMut() -> Option<T>,
    state: impl FnOnce() -> String,
) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{what} did not come; instead:\n{}", state());
        thread::park_timeout(EVERY);
    }
}
