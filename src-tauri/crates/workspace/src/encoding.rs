//! Bytes to text and back, without a loss.

use protocol::Limits;
use thiserror::Error;

const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";
const UTF16_BOMS: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// How a file's bytes say its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf8WithBom,
}

/// A file's text, and how to say another text in the same encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedText {
    text: String,
    encoding: Encoding,
}

/// Why bytes are no text here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotText {
    /// There is a NUL byte near the start.
    #[error("it is a binary file")]
    Binary,
    /// It may be a text, in an encoding that is not known here.
    #[error("its encoding is not known here")]
    UnknownEncoding,
}

/// Returns the text that `bytes` say.
///
/// # Errors
///
/// - [`NotText::Binary`] if one of the first `binary_peek_bytes` is NUL; a file that starts like
///   UTF-16 is never taken for that (RE-7).
/// - [`NotText::UnknownEncoding`] if they are not UTF-8, with or without a byte order mark.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<DecodedText, NotText> {
    if UTF16_BOMS.iter().any(|bom| bytes.starts_with(bom)) {
        return Err(NotText::UnknownEncoding);
    }
    let (encoding, rest) = match bytes.strip_prefix(UTF8_BOM) {
        Some(rest) => (Encoding::Utf8WithBom, rest),
        None => (Encoding::Utf8, bytes),
    };
    let peek = bytes.len().min(limits.binary_peek_bytes as usize);
    if bytes[..peek].contains(&0) {
        return Err(NotText::Binary);
    }
    let text = str::from_utf8(rest).map_err(|_| NotText::UnknownEncoding)?;
    Ok(DecodedText { text: text.to_owned(), encoding })
}

impl DecodedText {
    /// Returns the text, without a byte order mark.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Says `text` as this file would: in its encoding, with a byte order mark if it has one.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        match self.encoding {
            Encoding::Utf8 => text.as_bytes().to_vec(),
            Encoding::Utf8WithBom => [UTF8_BOM, text.as_bytes()].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SI-10, EN-2: a text goes back as it came, and a mark at the start is kept and not shown.
    #[test]
    fn what_was_decoded_encodes_to_the_same_bytes() {
        for bytes in ["", "a\r\nb\n", "字 é\u{1F600}", "\u{FEFF}a\n", "\u{FEFF}", "a\u{FEFF}b"] {
            let decoded = decode(bytes.as_bytes(), &Limits::default()).expect("a text");
            assert_eq!(decoded.encode(decoded.text()), bytes.as_bytes(), "{bytes:?}");
            assert!(!decoded.text().starts_with('\u{FEFF}'));
        }
    }

    /// RE-7.
    #[test]
    fn a_nul_counts_only_near_the_start_and_utf16_is_not_binary() {
        let limits = Limits { binary_peek_bytes: 4, ..Limits::default() };
        let reason = |bytes: &[u8]| decode(bytes, &limits).err();
        assert_eq!(reason(b"abc\0"), Some(NotText::Binary));
        assert_eq!(reason(b"abcd\0"), None);
        assert_eq!(reason(b"\xFF\xFEa\0"), Some(NotText::UnknownEncoding));
        assert_eq!(reason(b"\xFE\xFF\0a"), Some(NotText::UnknownEncoding));
        assert_eq!(reason(b"\xC4\xE3\xBA\xC3"), Some(NotText::UnknownEncoding));
    }
}
