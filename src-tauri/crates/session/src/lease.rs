//! The right to write a session: a lock that the kernel frees when its owner dies (AN-8).

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
    thread,
    time::Duration,
};

/// How often a lock that is taken is tried again: whoever only looks holds it for an instant.
const TRIES: u32 = 20;
/// How long to wait between two tries.
const PAUSE: Duration = Duration::from_millis(5);

/// The lock file, held locked.
#[derive(Debug)]
pub(crate) struct Lease {
    locked: File,
}

impl Drop for Lease {
    /// Closing would not do: a process that is being started holds a copy for an instant.
    fn drop(&mut self) {
        self.locked.unlock().unwrap_or_default();
    }
}

impl Lease {
    /// Takes the lease; `None` if another process holds it. Waits a tenth of a second at most.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { locked: file })),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(source)) => return Err(source),
            }
        }
        Ok(None)
    }

    /// Returns whether somebody holds the lease. A file that cannot be looked at counts as held.
    pub(crate) fn is_held(path: &Path) -> bool {
        match File::open(path) {
            Ok(file) => match file.try_lock_shared() {
                Ok(()) => {
                    // Closing alone would do it at some later time on Windows.
                    file.unlock().unwrap_or_default();
                    false
                }
                Err(TryLockError::WouldBlock | TryLockError::Error(_)) => true,
            },
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }
}
