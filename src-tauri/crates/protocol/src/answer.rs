//! What commands are answered with.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{Seq, SessionId};

/// A session that is open for writing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenedSession {
    pub session: SessionId,
    /// The last record it held.
    pub last: Seq,
}

/// A copy of a session, which is not open yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CopiedSession {
    pub session: SessionId,
    /// Records of a damaged original that could not be read, and are not in the copy. Those of a
    /// damaged end are not even counted.
    pub lost_records: u32,
    /// What is damaged in the original; missing where all of it could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// The demo, ready for its first prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct OpenedDemo {
    pub session: SessionId,
    pub last: Seq,
    /// Where the sample project was copied to.
    pub workspace: String,
    /// What to ask, one prompt for each turn. Any other words get the same replies.
    pub prompts: Vec<String>,
}

/// The whole text of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct MessageBody {
    pub text: String,
    pub reasoning: Option<String>,
}
