//! Identifiers. Every id is minted by the host and is a type of its own.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use specta::Type;
use thiserror::Error;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps text the host minted; the model's own text never gets here.
            pub fn minted(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the id as it is printed and stored.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

macro_rules! count_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize,
            Deserialize, Type,
        )]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Returns the number that follows; the last one stays the last.
            pub fn next(self) -> Self {
                Self(self.0.saturating_add(1))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

text_id! {
    /// Names one committed message of a session.
    MessageId
}
text_id! {
    /// Names one tool call, once in a session. Providers reuse their own ids; this is ours.
    ToolCallId
}
text_id! {
    /// Names one background job: `job` and the number of the call that began it.
    JobId
}
text_id! {
    /// Names one question to the user. An answer to another one is refused.
    PermissionId
}
text_id! {
    /// Names one logical read of a turn: `read`, the turn, and a number in it. Its pages share it.
    ReadId
}
text_id! {
    /// Names one tool result the host recorded; a read prints it as its source token.
    ReceiptId
}
text_id! {
    /// Names one frozen turn result: `{turn}:{start of the turn in Unix nanoseconds}`.
    ResultId
}
count_id! {
    /// Numbers the turns of a session from 0; the screen shows one more.
    TurnId
}
count_id! {
    /// Orders the records of a session from 1. Events are some of them, so theirs have gaps.
    Seq
}

/// Names one conversation and its file: `s_` and 16 hex digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(try_from = "String", into = "String")]
pub struct SessionId(String);

/// Why a text is not a [`SessionId`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a session id: {0:?}; `evident sessions` lists them")]
pub struct InvalidSessionId(pub String);

impl SessionId {
    /// Makes an id from fresh random bits.
    pub fn from_bits(bits: u64) -> Self {
        Self(format!("s_{bits:016x}"))
    }

    /// Parses what a person typed. The id becomes a file name, so nothing else is let through.
    ///
    /// # Errors
    ///
    /// [`InvalidSessionId`] unless it is `s_` and 16 lower-case hex digits.
    pub fn parse(text: &str) -> Result<Self, InvalidSessionId> {
        let digits = text.strip_prefix("s_").unwrap_or_default();
        let hex = |it: u8| it.is_ascii_digit() || (b'a'..=b'f').contains(&it);
        if digits.len() == 16 && digits.bytes().all(hex) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidSessionId(text.to_owned()))
        }
    }

    /// Returns the id as it is printed and stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for SessionId {
    type Error = InvalidSessionId;

    fn try_from(text: String) -> Result<Self, InvalidSessionId> {
        Self::parse(&text)
    }
}

impl From<SessionId> for String {
    fn from(id: SessionId) -> Self {
        id.0
    }
}

/// Where fresh random bits come from. Made by the host, handed down; a test gives its own.
#[derive(Clone)]
pub struct IdSource(Arc<dyn Fn() -> u64 + Send + Sync>);

impl IdSource {
    /// Wraps a source of bits.
    pub fn new(bits: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(bits))
    }

    /// Returns a new session's id.
    pub fn session(&self) -> SessionId {
        SessionId::from_bits((self.0)())
    }

    /// Returns bits to bind something to, that nobody can guess.
    pub fn secret(&self) -> [u64; 4] {
        std::array::from_fn(|_| (self.0)())
    }

    /// Returns a new receipt's id: `r_` and 8 hex digits.
    pub fn receipt(&self) -> ReceiptId {
        ReceiptId::minted(format!("r_{:08x}", (self.0)() >> 32))
    }
}

impl fmt::Debug for IdSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSource")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_id_is_safe_as_a_file_name() {
        assert_eq!(SessionId::from_bits(0xab).as_str(), "s_00000000000000ab");
        for text in
            ["", "s_", "../x", "s_00000000000000AB", "s_00000000000000abc", "s_é000000000000000"]
        {
            assert_eq!(SessionId::parse(text), Err(InvalidSessionId(text.to_owned())));
        }
    }
}
