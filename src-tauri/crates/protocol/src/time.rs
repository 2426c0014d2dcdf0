//! Time as a value: made by the host, handed down, so that a test can give its own.

use std::{fmt, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use specta::Type;

/// Seconds since 1970-01-01T00:00:00Z, until 2106.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
)]
#[serde(transparent)]
pub struct UnixSeconds(pub u32);

/// One look at the clock: the calendar's time and a time that only moves forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Nanoseconds since 1970-01-01T00:00:00Z. May jump when the user sets the clock.
    pub unix_nanos: u64,
    /// Time since an arbitrary start. Never goes back.
    pub steady: Duration,
}

impl Moment {
    /// Returns the calendar's time in whole seconds.
    pub fn unix_seconds(self) -> UnixSeconds {
        UnixSeconds(u32::try_from(self.unix_nanos / 1_000_000_000).unwrap_or(u32::MAX))
    }

    /// Returns the whole milliseconds from `earlier` to here; 49 days at most.
    pub fn ms_since(self, earlier: Self) -> u32 {
        u32::try_from(self.steady.saturating_sub(earlier.steady).as_millis()).unwrap_or(u32::MAX)
    }
}

/// Tells the time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Moment + Send + Sync>);

impl Clock {
    /// Wraps a source of moments.
    pub fn new(now: impl Fn() -> Moment + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// Returns the present moment.
    pub fn now(&self) -> Moment {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
