//! One numbered page of a text.

use std::borrow::Cow;

use thiserror::Error;

/// A page of whole lines. Lines are counted from 0 here and from 1 in `numbered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// `{number}\t{line}` for each line, joined by line feeds. Numbers are contiguous (RE-5).
    pub numbered: String,
    /// The first line of the page; the number of lines where the offset is past the end.
    pub first: u32,
    /// The line after the last one.
    pub end: u32,
    /// Lines of the whole text; missing where its end was not looked for.
    pub total_lines: Option<u32>,
    /// The page reaches the end of the text.
    pub eof: bool,
    /// Why the page ends before the text does.
    pub cut: Option<Cut>,
}

/// Why a page ends where it does (RE-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The page has the lines that were asked for.
    PageLimit,
    /// The page is as large as a page may be.
    SafetyPage,
}

/// Why a text has no such page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WindowError {
    /// A line of the page is over the limit. Pages without it can be read.
    #[error("line {number} is over {limit_bytes} bytes")]
    LineTooLong {
        /// The line, counted from 1.
        number: u32,
        limit_bytes: u32,
    },
}

impl Window {
    /// Returns whether the whole text is empty (RE-9).
    pub fn is_empty_file(&self) -> bool {
        self.total_lines == Some(0)
    }

    /// Returns whether there is a text, and the page starts behind it (RE-10).
    pub fn is_past_end(&self) -> bool {
        self.total_lines.is_some_and(|total| 0 < total && self.first == total)
    }
}

/// Returns a text as its pages show it: with every line end, be it LF or CRLF, or even CRCRLF, as
/// `\n`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        plain.push_str(bare(line));
        plain.extend(line.ends_with('\n').then_some('\n'));
    }
    plain.into()
}

/// Returns a line without its end.
pub(crate) fn bare(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |it| it.trim_end_matches('\r'))
}
