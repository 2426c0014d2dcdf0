//! The system's clock, and its random bits. The only file that asks for them.

use std::{
    hash::{BuildHasher as _, RandomState},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use protocol::{Clock, IdSource, Moment};

/// Returns the system's clock.
pub fn system_clock() -> Clock {
    let start = Instant::now();
    Clock::new(move || {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let unix_nanos = u64::try_from(since.as_nanos()).unwrap_or(u64::MAX);
        Moment { unix_nanos, steady: start.elapsed() }
    })
}

/// Returns a source of random bits.
///
/// The standard library seeds its hasher from the system's randomness once in a thread and counts
/// up from there; hashing the time on top keeps two ids of one program apart in any case.
pub fn random_ids() -> IdSource {
    IdSource::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        RandomState::new().hash_one((since.as_nanos(), std::process::id()))
    })
}
