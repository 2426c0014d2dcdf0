//! The forms that a text can have in bytes.

use std::{borrow::Cow, io::BufRead as _};

use encoding_rs::{EncoderResult, GB18030, UTF_16BE, UTF_16LE};

/// How much of a text is encoded at once.
const PIECE_BYTES: usize = 64 << 10;

/// How characters are said in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Utf16Le,
    Utf16Be,
    /// GBK is a part of it.
    Gb18030,
    /// Read, and never written.
    Foreign(&'static encoding_rs::Encoding),
}

/// How a form says a line feed.
enum Feed {
    Byte(u8),
    Pair([u8; 2]),
}

impl Form {
    /// Those that a byte order mark can tell.
    pub(super) const MARKED: [Self; 4] = [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Gb18030];

    /// Returns how this form says U+FEFF.
    pub(super) fn mark(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
            Self::Gb18030 => b"\x84\x31\x95\x33",
            Self::Foreign(_) => b"",
        }
    }

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Gb18030 => "gb18030",
            Self::Foreign(other) => other.name(),
        }
    }

    /// Returns the text that the bytes say. What says nothing becomes U+FFFD.
    ///
    /// A line feed is a line feed whatever stands before it, so lines can be taken one by one. At
    /// least half as many bytes of text come out as went in.
    pub(crate) fn text_of(self, bytes: &[u8]) -> Cow<'_, str> {
        let decoder = match self {
            Self::Utf8 => {
                let text = str::from_utf8(bytes);
                return text.map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
            }
            Self::Utf16Le => UTF_16LE,
            Self::Utf16Be => UTF_16BE,
            Self::Gb18030 => GB18030,
            Self::Foreign(other) => other,
        };
        decoder.decode_without_bom_handling(bytes).0
    }

    /// Returns the text, and whether it encodes to these bytes, all of them.
    pub(super) fn decode(self, bytes: &[u8]) -> (String, bool) {
        let text = self.text_of(bytes);
        // No text in UTF-16 has a NUL: a file that seems to is UTF-32, or none at all.
        let is_exact = match self {
            Self::Utf8 => matches!(text, Cow::Borrowed(_)),
            Self::Gb18030 | Self::Foreign(_) => self.says(&text, bytes),
            Self::Utf16Le | Self::Utf16Be => !text.contains('\0') && self.says(&text, bytes),
        };
        (text.into_owned(), is_exact)
    }

    /// Counts the line feeds in bytes that start with a character.
    pub(crate) fn count_feeds(self, bytes: &[u8]) -> usize {
        // Sums that fit into a byte are made many at once.
        const RUN: usize = u8::MAX as usize;
        match self.feed() {
            Feed::Byte(feed) => {
                let sum = |run: &[u8]| run.iter().map(|it| u8::from(*it == feed)).sum::<u8>();
                bytes.chunks(RUN).map(sum).map(usize::from).sum()
            }
            Feed::Pair(feed) => {
                let sum =
                    |run: &[u8]| run.chunks_exact(2).map(|it| u8::from(*it == feed)).sum::<u8>();
                bytes.chunks(2 * RUN).map(sum).map(usize::from).sum()
            }
        }
    }

    /// Counts the lines in bytes that start with one.
    pub(crate) fn count_lines(self, bytes: &[u8]) -> u32 {
        let has_rest = !bytes.is_empty() && !self.ends_line(bytes);
        u32::try_from(self.count_feeds(bytes) + usize::from(has_rest)).unwrap_or(u32::MAX)
    }

    /// Returns whether bytes that start with a character end with a line feed.
    pub(crate) fn ends_line(self, bytes: &[u8]) -> bool {
        match self.feed() {
            Feed::Byte(feed) => bytes.ends_with(&[feed]),
            Feed::Pair(feed) => bytes.len().is_multiple_of(2) && bytes.ends_with(&feed),
        }
    }

    /// Returns where the line after so many line feeds starts, in bytes that start with a character.
    pub(crate) fn after_feeds(self, bytes: &[u8], count: u32) -> Option<usize> {
        (0..count).try_fold(0, |start, _| Some(start + self.after_feed(&bytes[start..])?))
    }

    /// Returns where the next line starts, in bytes that start with a character.
    pub(crate) fn after_feed(self, bytes: &[u8]) -> Option<usize> {
        match self.feed() {
            Feed::Byte(feed) => {
                let mut rest = bytes;
                // Bytes at hand are read without a failure, many at once.
                let count = rest.skip_until(feed).ok()?;
                bytes[..count].ends_with(&[feed]).then_some(count)
            }
            Feed::Pair(feed) => {
                bytes.chunks_exact(2).position(|it| *it == feed).map(|at| 2 * (at + 1))
            }
        }
    }

    fn feed(self) -> Feed {
        match self {
            Self::Utf8 | Self::Gb18030 | Self::Foreign(_) => Feed::Byte(b'\n'),
            Self::Utf16Le => Feed::Pair(*b"\n\0"),
            Self::Utf16Be => Feed::Pair(*b"\0\n"),
        }
    }

    fn says(self, text: &str, mut bytes: &[u8]) -> bool {
        let (mut rest, mut said) = (text, Vec::new());
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE_BYTES));
            said.clear();
            if self.encode(piece, &mut said).is_err() {
                return false;
            }
            let Some(unsaid) = bytes.strip_prefix(said.as_slice()) else { return false };
            (rest, bytes) = (after, unsaid);
        }
        bytes.is_empty()
    }

    /// Appends the bytes of a text. The error is where a character stands that has none.
    pub(super) fn encode(self, text: &str, bytes: &mut Vec<u8>) -> Result<(), usize> {
        match self {
            Self::Utf8 => bytes.extend_from_slice(text.as_bytes()),
            Self::Utf16Le => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16Be => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Gb18030 => return encode_gb18030(text, bytes),
            Self::Foreign(_) => return Err(0),
        }
        Ok(())
    }

    pub(super) fn size_of(self, text: &str) -> usize {
        match self {
            Self::Utf8 | Self::Foreign(_) => text.len(),
            Self::Utf16Le | Self::Utf16Be => 2 * text.encode_utf16().count(),
            Self::Gb18030 => {
                let mut bytes = Vec::new();
                // What has no bytes takes none.
                let _ = encode_gb18030(text, &mut bytes);
                bytes.len()
            }
        }
    }
}

fn encode_gb18030(text: &str, bytes: &mut Vec<u8>) -> Result<(), usize> {
    let mut encoder = GB18030.new_encoder();
    let mut read = 0;
    loop {
        let most = encoder.max_buffer_length_from_utf8_without_replacement(text.len() - read);
        bytes.reserve(most.unwrap_or(PIECE_BYTES).clamp(16, PIECE_BYTES));
        let (result, count) =
            encoder.encode_from_utf8_to_vec_without_replacement(&text[read..], bytes, true);
        read += count;
        match result {
            EncoderResult::InputEmpty => return Ok(()),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(character) => return Err(read - character.len_utf8()),
        }
    }
}
