//! Bytes to text and back, without a loss.

use protocol::Limits;
use thiserror::Error;

pub(crate) use self::form::Form;

mod detect;
mod form;
mod signs;

/// A file's text, and how to say another text in the same encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedText {
    text: String,
    encoding: Encoding,
    /// The text encodes to exactly the bytes that it came from.
    is_exact: bool,
    look: Look,
}

/// How a file's bytes say its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoding {
    pub form: Form,
    /// The file starts with a byte order mark.
    has_mark: bool,
}

/// How much of a file is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    /// For NUL bytes.
    peek_bytes: usize,
    /// For what the encoding is told by.
    sample_bytes: usize,
}

/// Bytes that are no text: there is a NUL byte near the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it is a binary file")]
pub struct NotText;

/// Why a text cannot be written into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotEncoded {
    /// The file is in an encoding that is read here, as well as it can be told, and not written.
    #[error("it seems to be {encoding}, which can be read here and not written")]
    Foreign { encoding: &'static str },
    /// Some of the file's bytes would not come back out of its text.
    #[error("it can only be read: not all of its bytes are good {encoding}")]
    Damaged { encoding: &'static str },
    /// The file's encoding has no such character (EN-4).
    #[error("{encoding} cannot hold U+{:04X}, in line {line}", u32::from(*character))]
    NoSuchCharacter {
        character: char,
        /// Counted from 1, in the text that was to be written.
        line: usize,
        encoding: &'static str,
    },
    /// Nothing but its bytes tells the file's encoding, and with this text they would tell another.
    #[error("it is {encoding} without a byte order mark, and would be read as {instead} then")]
    ReadOtherwise { encoding: &'static str, instead: &'static str },
}

/// What a file without a byte order mark must not begin with.
const MARK: char = '\u{FEFF}';

/// Returns the text that `bytes` say, at most three times as large as they are.
///
/// Known are UTF-8, UTF-16 and GB18030 (EN-1); what is none of them is read as what it is most
/// like, and cannot be written.
///
/// # Errors
///
/// [`NotText`] if one of the first `binary_peek_bytes` is NUL, unless they are UTF-16 (RE-7).
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<DecodedText, NotText> {
    read(bytes, Look::within(limits))
}

fn read(bytes: &[u8], look: Look) -> Result<DecodedText, NotText> {
    let encoding = detect::of_file(bytes, look)?;
    let said = bytes.strip_prefix(encoding.mark()).unwrap_or(bytes);
    let (text, is_exact) = encoding.form.decode(said);
    Ok(DecodedText { text, encoding, is_exact, look })
}

impl DecodedText {
    /// Returns the text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Names the encoding, as programs do.
    pub fn encoding(&self) -> &'static str {
        self.encoding.form.label()
    }

    /// Returns the byte order mark that the file starts with; empty if there is none.
    pub fn mark(&self) -> &'static [u8] {
        self.encoding.mark()
    }

    /// Says whether another text can be written into the file: if it can, the file's own text
    /// encodes to its own bytes.
    ///
    /// # Errors
    ///
    /// [`NotEncoded::Foreign`], [`NotEncoded::Damaged`].
    pub fn writable(&self) -> Result<(), NotEncoded> {
        let encoding = self.encoding();
        match self.encoding.form {
            Form::Foreign(_) => Err(NotEncoded::Foreign { encoding }),
            Form::Utf8 | Form::Utf16Le | Form::Utf16Be | Form::Gb18030 if !self.is_exact => {
                Err(NotEncoded::Damaged { encoding })
            }
            Form::Utf8 | Form::Utf16Le | Form::Utf16Be | Form::Gb18030 => Ok(()),
        }
    }

    /// Says `text` as this file would: in its encoding, with a byte order mark if it has one. The
    /// bytes are read as this text again.
    ///
    /// # Errors
    ///
    /// [`NotEncoded`]; there is never another character in place of one that does not fit.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, NotEncoded> {
        self.writable()?;
        let mut bytes = self.mark().to_vec();
        let said = self.encoding.form.encode(text, &mut bytes);
        said.map_err(|at| self.no_such_character(text, at))?;
        let again = read(&bytes, self.look).ok();
        // ASCII says the same in more than one encoding, and needs none of them.
        let is_in = |it: &DecodedText| it.encoding == self.encoding || bytes.is_ascii();
        if again.as_ref().is_some_and(|it| it.text == text && is_in(it)) {
            return Ok(bytes);
        }
        if let Some(at) = text.find('\0') {
            return Err(self.no_such_character(text, at));
        }
        if !self.encoding.has_mark && text.starts_with(MARK) {
            return Err(self.no_such_character(text, 0));
        }
        let instead = match &again {
            None => "a binary file",
            Some(it) if it.encoding == self.encoding => "another text",
            Some(it) => it.encoding(),
        };
        Err(NotEncoded::ReadOtherwise { encoding: self.encoding(), instead })
    }

    fn no_such_character(&self, text: &str, at: usize) -> NotEncoded {
        NotEncoded::NoSuchCharacter {
            character: text[at..].chars().next().unwrap_or_default(),
            line: 1 + text[..at].matches('\n').count(),
            encoding: self.encoding(),
        }
    }

    /// Counts the bytes that a piece of a text takes in this file's encoding.
    pub fn size_of(&self, piece: &str) -> usize {
        self.encoding.form.size_of(piece)
    }
}

impl Encoding {
    /// Returns the encoding of a whole file.
    pub(crate) fn of_file(bytes: &[u8], limits: &Limits) -> Result<Self, NotText> {
        detect::of_file(bytes, Look::within(limits))
    }

    /// Returns the encoding of a file that starts so; nothing if that does not tell it. Then it is
    /// told by [`Form::of_rest`], and what comes before is ASCII.
    pub(crate) fn of_head(head: &[u8], limits: &Limits) -> Result<Option<Self>, NotText> {
        detect::of_head(head, Look::within(limits))
    }

    /// Returns the byte order mark that the file starts with; empty if there is none.
    pub(crate) fn mark(self) -> &'static [u8] {
        if self.has_mark { self.form.mark() } else { b"" }
    }
}

impl Form {
    /// Returns the form of a text by what follows its ASCII; `is_all` if nothing follows that.
    pub(crate) fn of_rest(rest: &[u8], is_all: bool, limits: &Limits) -> Self {
        detect::of_rest(rest, is_all, Look::within(limits))
    }
}

impl Look {
    fn within(limits: &Limits) -> Self {
        Self {
            peek_bytes: limits.binary_peek_bytes as usize,
            sample_bytes: limits.encoding_sample_bytes as usize,
        }
    }
}

#[cfg(test)]
mod tests;
