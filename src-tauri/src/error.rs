//! What a command answers when it cannot do what was asked.

use std::fmt::Display;

use protocol::{CommandError, ErrorKind};

/// What a command answers.
pub(crate) type Answer<T> = Result<T, CommandError>;

/// Makes an error of one that is the window's own.
pub(crate) fn internal(error: impl Display) -> CommandError {
    CommandError { kind: ErrorKind::Internal, message: error.to_string() }
}
