//! What is pushed to whoever watches a session.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{MessageId, SessionEvent, SessionId, TurnId};

/// One frame of the feed (AN-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Feed {
    Event(Box<SessionEvent>),
    Delta(Delta),
}

/// Streamed text that no event carries yet. The committed message replaces it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    pub session: SessionId,
    pub turn: TurnId,
    pub message: MessageId,
    /// Counts the frames of this message from 0; a gap means: follow again.
    pub part: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
}
