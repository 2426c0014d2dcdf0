//! Keeps the writers of one file apart, in the whole process (WB-37).

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::system::Identity;

static HELD: Mutex<BTreeSet<Key>> = Mutex::new(BTreeSet::new());
static FREED: Condvar = Condvar::new();

/// What is locked. Who locks both kinds locks the path first, and one of each kind at most: so
/// nobody waits in a circle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A canonical path, be there a file or not.
    Path(PathBuf),
    /// A file that has several names.
    File(Identity),
}

/// While it lives nobody else writes there.
#[derive(Debug)]
pub(crate) struct Locked(Key);

/// Waits until nobody writes there.
pub(crate) fn lock(key: Key) -> Locked {
    let mut held = FREED
        .wait_while(held(), |held| held.contains(&key))
        .unwrap_or_else(PoisonError::into_inner);
    held.insert(key.clone());
    Locked(key)
}

fn held() -> MutexGuard<'static, BTreeSet<Key>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Locked {
    fn drop(&mut self) {
        held().remove(&self.0);
        FREED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicU32, Ordering},
        thread,
    };

    use super::*;

    /// WB-37: without the lock, one thread stores what another had counted on.
    #[test]
    fn writers_of_one_file_take_turns_and_others_do_not_wait() {
        let key = |name: &str| Key::Path(PathBuf::from(name));
        let count = AtomicU32::new(0);
        let _other = lock(key("/lock-test/b"));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let _locked = lock(key("/lock-test/a"));
                        let seen = count.load(Ordering::Relaxed);
                        thread::yield_now();
                        count.store(seen + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(count.into_inner(), 8 * 200);
    }
}
