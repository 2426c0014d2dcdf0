//! One numbered page of a text.

use std::{borrow::Cow, fmt::Write as _};

use protocol::Limits;
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
    /// Lines of the whole text.
    pub total_lines: u32,
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
        self.total_lines == 0
    }

    /// Returns whether there is a text, and the page starts behind it (RE-10).
    pub fn is_past_end(&self) -> bool {
        0 < self.total_lines && self.first == self.total_lines
    }
}

/// Returns the page of `text` that starts at line `offset`, counted from 0.
///
/// It has `limit` lines; `page_lines` if there is no limit or it is 0. Line ends are not shown,
/// see [`plain`]. It holds one line at least, even if that is over `page_bytes`.
///
/// # Errors
///
/// [`WindowError::LineTooLong`] if a line of the page is over `line_bytes` (RE-7).
pub fn window(
    text: &str,
    offset: u32,
    limit: Option<u32>,
    limits: &Limits,
) -> Result<Window, WindowError> {
    let total_lines = count_lines(text);
    let first = offset.min(total_lines);
    let asked = limit.filter(|lines| *lines != 0).unwrap_or(limits.page_lines);
    let asked_end = first.saturating_add(asked).min(total_lines);
    let mut numbered = String::new();
    let mut end = first;
    let mut cut = (asked_end < total_lines).then_some(Cut::PageLimit);
    for line in text.split_inclusive('\n').skip(first as usize) {
        if end == asked_end {
            break;
        }
        let line = bare(line);
        let number = end + 1;
        if (limits.line_bytes as usize) < line.len() {
            return Err(WindowError::LineTooLong { number, limit_bytes: limits.line_bytes });
        }
        let before = numbered.len();
        let gap = if end == first { "" } else { "\n" };
        write!(numbered, "{gap}{number}\t{line}").expect("a String takes any text");
        if (limits.page_bytes as usize) < numbered.len() && first < end {
            numbered.truncate(before);
            cut = Some(Cut::SafetyPage);
            break;
        }
        end = number;
    }
    Ok(Window { numbered, first, end, total_lines, eof: end == total_lines, cut })
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
fn bare(line: &str) -> &str {
    line.strip_suffix('\n').map_or(line, |it| it.trim_end_matches('\r'))
}

fn count_lines(text: &str) -> u32 {
    u32::try_from(text.split_inclusive('\n').count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
