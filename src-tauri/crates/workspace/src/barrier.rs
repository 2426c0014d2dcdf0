//! Keeps a frozen result and a write apart (TR-2).

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

/// Shared by writes, taken whole by a freeze.
#[derive(Debug, Default)]
pub struct Barrier(RwLock<()>);

/// While it lives nothing is frozen.
#[derive(Debug)]
pub struct WriteGuard<'a>(
    #[expect(dead_code, reason = "held for its drop")] RwLockReadGuard<'a, ()>,
);

/// While it lives nothing is written through this workspace.
#[derive(Debug)]
pub struct FreezeGuard<'a>(
    #[expect(dead_code, reason = "held for its drop")] RwLockWriteGuard<'a, ()>,
);

impl Barrier {
    /// Waits until nothing is being frozen, then holds freezes off.
    pub fn enter(&self) -> WriteGuard<'_> {
        WriteGuard(self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Holds writes off, unless one is under way: never waits.
    pub fn try_freeze(&self) -> Option<FreezeGuard<'_>> {
        match self.0.try_write() {
            Ok(guard) => Some(FreezeGuard(guard)),
            Err(TryLockError::Poisoned(poisoned)) => Some(FreezeGuard(poisoned.into_inner())),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TR-2.
    #[test]
    fn a_freeze_does_not_wait_for_a_write() {
        let barrier = Barrier::default();
        let (one, two) = (barrier.enter(), barrier.enter());
        assert!(barrier.try_freeze().is_none());
        drop(one);
        assert!(barrier.try_freeze().is_none());
        drop(two);
        let frozen = barrier.try_freeze();
        assert!(frozen.is_some() && barrier.try_freeze().is_none());
    }
}
