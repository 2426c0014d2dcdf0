//! Whom a command asks, and what it answers when that cannot be done.

use std::fmt::Display;

use host::Host;
use protocol::{CommandError, ErrorKind};
use tauri::State;

/// What a command answers.
pub(crate) type Answer<T> = Result<T, CommandError>;

/// Whom a command asks.
pub(crate) type Asked<'a> = State<'a, Host>;

/// Makes an error of one that is the window's own.
pub(crate) fn internal(error: impl Display) -> CommandError {
    CommandError { kind: ErrorKind::Internal, message: error.to_string() }
}
