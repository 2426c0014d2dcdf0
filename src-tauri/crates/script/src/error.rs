//! What can be wrong with a script.

use thiserror::Error;

/// Why a script cannot be used, or did not get where it was waited for.
#[derive(Debug, Error)]
pub enum ScriptError {
    /// The text is no script.
    #[error("no script: line {line}, column {column}")]
    Unreadable { line: usize, column: usize, source: serde_json::Error },
    /// What was waited for did not come in time.
    #[error("not in time: {awaited}")]
    NotInTime { awaited: String },
}
