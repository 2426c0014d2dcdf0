//! Texts that are cut before they cross.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Most bytes of any text in an event (AN-2). The rest is pulled.
pub const EVENT_TEXT_BYTES: usize = 16 << 10;

/// The start of a text, and how long the whole is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CappedText {
    pub text: String,
    /// Bytes of the whole; more than `text` holds where it was cut.
    pub total_bytes: u32,
}

impl CappedText {
    /// Returns the first [`EVENT_TEXT_BYTES`] of a text, cut at a character's start.
    pub fn cut(text: &str) -> Self {
        Self {
            text: head(text, EVENT_TEXT_BYTES).to_owned(),
            total_bytes: u32::try_from(text.len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns the first `bytes` of a text that is seldom looked at; the whole can be pulled.
    pub fn cut_to(text: &str, bytes: usize) -> Self {
        let mut cut = Self::cut(text);
        cut.shorten(bytes);
        cut
    }

    /// Returns whether something is missing at the end.
    pub fn is_cut(&self) -> bool {
        self.text.len() < self.total_bytes as usize
    }

    /// Cuts further, to `bytes` at most.
    pub(crate) fn shorten(&mut self, bytes: usize) {
        let keep = head(&self.text, bytes).len();
        self.text.truncate(keep);
    }
}

/// Returns the longest start of `text` that fits in `bytes` and ends between two characters.
pub fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Returns the longest end of `text` that fits in `bytes` and starts between two characters.
pub fn tail(text: &str, bytes: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_splits_a_character() {
        let text = "字".repeat(EVENT_TEXT_BYTES);
        let cut = CappedText::cut(&text);
        assert_eq!(cut.text.len(), EVENT_TEXT_BYTES - EVENT_TEXT_BYTES % 3);
        assert_eq!(cut.total_bytes as usize, text.len());
        assert!(cut.is_cut() && !CappedText::cut("short").is_cut());
        assert_eq!((head("a字", 3), tail("字a", 3)), ("a", "a"));
    }
}
