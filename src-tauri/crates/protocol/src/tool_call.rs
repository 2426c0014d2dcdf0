//! Where a tool call stands.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Where a tool call stands. Plain data: whoever waits for an answer is kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum ToolCallStatus {
    /// Asked for by the model; not started.
    Pending,
    AwaitingPermission,
    Running,
    Completed,
    Failed,
    /// The gate or the user said no; nothing was done.
    Rejected,
    /// Never started (TI-1).
    Cancelled,
    /// Stopped after its start; it may have left traces.
    Interrupted,
    /// Started, and its end was never seen.
    Unknown,
}
