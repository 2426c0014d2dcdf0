//! Makes one numbered page of a text that comes in pieces.

use std::{fmt::Write as _, mem};

use protocol::Limits;

use crate::{
    encoding::Form,
    window::{Cut, Window, WindowError, bare},
};

/// The end of a line that does not count for its size: CR and LF.
const LINE_END_BYTES: usize = 2;
/// Most bytes of a character, in any form.
const CHARACTER_BYTES: usize = 4;

/// Makes a page of a text whose bytes come piece by piece. It holds the page and, of what is not
/// on it yet, one line at most.
#[derive(Debug)]
pub(crate) struct Pager<'a> {
    pub form: Form,
    limits: &'a Limits,
    offset: u32,
    /// Where the page ends if nothing else ends it.
    asked_end: u32,
    /// The line that the next byte is in.
    line: u32,
    /// A line before the page has begun and not ended.
    is_before: bool,
    /// What there is of a line of the page that has begun and not ended.
    held: Vec<u8>,
    numbered: String,
    cut: Option<Cut>,
}

impl<'a> Pager<'a> {
    /// Starts the page at line `offset`, counted from 0. It has `limit` lines; `page_lines` if
    /// there is no limit or it is 0. It holds one line at least, even if that is over `page_bytes`.
    /// Line ends are not shown, see [`crate::plain`].
    pub(crate) fn new(form: Form, offset: u32, limit: Option<u32>, limits: &'a Limits) -> Self {
        let asked = limit.filter(|lines| *lines != 0).unwrap_or(limits.page_lines);
        Self {
            form,
            limits,
            offset,
            asked_end: offset.saturating_add(asked),
            line: 0,
            is_before: false,
            held: Vec::new(),
            numbered: String::new(),
            cut: None,
        }
    }

    /// Takes the next piece, and returns whether another one matters. In UTF-16 each piece but the
    /// last has an even size.
    ///
    /// # Errors
    ///
    /// [`WindowError::LineTooLong`] if a line of the page is over `line_bytes` (RE-7).
    pub(crate) fn take(&mut self, piece: &[u8]) -> Result<bool, WindowError> {
        let mut rest = self.skip(piece);
        while !rest.is_empty() && self.cut.is_none() {
            if self.line == self.asked_end {
                self.cut = Some(Cut::PageLimit);
                break;
            }
            let end = self.form.after_feed(rest);
            let (said, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            if end.is_some() && self.held.is_empty() {
                self.add(said)?;
                continue;
            }
            self.hold(said)?;
            if end.is_some() {
                let line = mem::take(&mut self.held);
                self.add(&line)?;
            }
        }
        Ok(self.cut.is_none())
    }

    /// Returns the page, once no piece is left or none matters.
    ///
    /// # Errors
    ///
    /// [`WindowError::LineTooLong`] for a last line that has no end.
    pub(crate) fn finish(mut self) -> Result<Window, WindowError> {
        if !self.held.is_empty() {
            let line = mem::take(&mut self.held);
            self.add(&line)?;
        }
        self.line += u32::from(self.is_before);
        let eof = self.cut.is_none();
        Ok(Window {
            numbered: self.numbered,
            first: self.offset.min(self.line),
            end: self.line,
            total_lines: eof.then_some(self.line),
            eof,
            cut: self.cut,
        })
    }

    /// Counts the lines before the page, and returns what follows them.
    fn skip<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        let ahead = self.offset.saturating_sub(self.line);
        if ahead == 0 || piece.is_empty() {
            return piece;
        }
        let feeds = u32::try_from(self.form.count_feeds(piece)).unwrap_or(u32::MAX);
        if feeds < ahead {
            self.line += feeds;
            self.is_before = !self.form.ends_line(piece);
            return &[];
        }
        self.line = self.offset;
        self.is_before = false;
        let start = self.form.after_feeds(piece, ahead).unwrap_or(piece.len());
        &piece[start..]
    }

    /// Keeps a part of a line, unless the whole is certain to be too long: then at least half as
    /// many bytes of text as there are bytes, but for a character that has only begun.
    fn hold(&mut self, part: &[u8]) -> Result<(), WindowError> {
        self.held.extend_from_slice(part);
        let most = 2 * (self.limits.line_bytes as usize + LINE_END_BYTES) + CHARACTER_BYTES;
        if most < self.held.len() { Err(self.line_too_long()) } else { Ok(()) }
    }

    /// Adds a line to the page, if it has room.
    fn add(&mut self, said: &[u8]) -> Result<(), WindowError> {
        let text = self.form.text_of(said);
        let without_feed = text.strip_suffix('\n');
        let size = without_feed.map_or(&*text, |it| it.strip_suffix('\r').unwrap_or(it)).len();
        if (self.limits.line_bytes as usize) < size {
            return Err(self.line_too_long());
        }
        let before = self.numbered.len();
        let gap = if self.line == self.offset { "" } else { "\n" };
        let number = self.line + 1;
        write!(self.numbered, "{gap}{number}\t{}", bare(&text)).expect("a String takes any text");
        if (self.limits.page_bytes as usize) < self.numbered.len() && self.offset < self.line {
            self.numbered.truncate(before);
            self.cut = Some(Cut::SafetyPage);
        } else {
            self.line = number;
        }
        Ok(())
    }

    fn line_too_long(&self) -> WindowError {
        WindowError::LineTooLong { number: self.line + 1, limit_bytes: self.limits.line_bytes }
    }
}

#[cfg(test)]
mod tests;
