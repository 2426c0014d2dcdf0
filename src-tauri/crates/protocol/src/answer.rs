//! What commands and questions are answered with.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::{Seq, SessionId, hex};

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

/// One file's frozen patch where only JSON goes. A patch has the bytes of its file, whatever their
/// encoding (AN-21).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PatchBody {
    /// The patch; of one that is not UTF-8 what can be shown of it, which does not apply.
    pub patch: String,
    /// Every byte of a patch that is not UTF-8, as two lower-case hex digits each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
}

impl PatchBody {
    /// Takes a patch as it was stored.
    pub fn new(patch: Vec<u8>) -> Self {
        String::from_utf8(patch).map_or_else(
            |error| Self {
                patch: String::from_utf8_lossy(error.as_bytes()).into_owned(),
                hex: Some(hex::digits(error.as_bytes())),
            },
            |patch| Self { patch, hex: None },
        )
    }

    /// Returns the patch as it was stored; `None` if the digits are none.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        self.hex.map_or_else(|| Some(self.patch.into_bytes()), |it| hex::bytes(&it))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AN-21: whatever the bytes are, they come out as they went in.
    #[test]
    fn a_patch_comes_out_as_it_went_in() {
        let odd: Vec<u8> = (0..=255).collect();
        let patches = [b"".to_vec(), "+\u{e9}\u{0}\n".into(), b"-caf\xe9\n".to_vec(), odd];
        let is_text = [true, true, false, false];
        for (bytes, is_text) in patches.into_iter().zip(is_text) {
            let sent = serde_json::to_string(&PatchBody::new(bytes.clone())).expect("JSON");
            let body: PatchBody = serde_json::from_str(&sent).expect("a patch");
            assert_eq!(body.hex.is_none(), is_text);
            assert_eq!(body.into_bytes(), Some(bytes));
        }
        let broken = |hex: &str| PatchBody { patch: String::new(), hex: Some(hex.to_owned()) };
        assert_eq!(broken("c").into_bytes(), None);
        assert_eq!(broken("+c").into_bytes(), None);
        assert_eq!(broken("\u{e9}").into_bytes(), None);
    }
}
