//! Commands, run for real by the shells of each system.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use super::*;
