//! The identity of bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use specta::Type;
use thiserror::Error;

/// SHA-256 of some bytes: of a file's, or of a blob's. In text 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(try_from = "String", into = "String")]
#[specta(type = String)]
pub struct Fingerprint(pub [u8; 32]);

/// A text that is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a fingerprint: {0:?}")]
pub struct InvalidFingerprint(pub String);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(4).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl From<Fingerprint> for String {
    fn from(it: Fingerprint) -> Self {
        it.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = InvalidFingerprint;

    fn try_from(text: String) -> Result<Self, InvalidFingerprint> {
        let digit = |at: usize| {
            let it = text.as_bytes().get(at).copied()?;
            char::from(it).to_digit(16).filter(|_| !it.is_ascii_uppercase())
        };
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            let pair = digit(2 * at).zip(digit(2 * at + 1));
            let value = pair.and_then(|(high, low)| u8::try_from(16 * high + low).ok());
            *byte = value.ok_or_else(|| InvalidFingerprint(text.clone()))?;
        }
        if text.len() == 64 { Ok(Self(bytes)) } else { Err(InvalidFingerprint(text)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_text_reads_back_and_nothing_else_does() {
        let it = Fingerprint(std::array::from_fn(|at| u8::try_from(at * 7).unwrap_or(255)));
        assert_eq!(Fingerprint::try_from(it.to_string()), Ok(it));
        for bad in ["", "00", &"g".repeat(64), &"A".repeat(64), &"0".repeat(65), &"é".repeat(32)] {
            assert!(Fingerprint::try_from((*bad).to_owned()).is_err(), "{bad}");
        }
    }
}
