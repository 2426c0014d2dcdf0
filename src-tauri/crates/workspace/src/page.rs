//! Reading one page of a file, whatever the size of the rest.

use std::io::{Read, Seek, SeekFrom};

use evidence::Stamp;
use protocol::{Fingerprint, Limits};
use thiserror::Error;

use crate::{
    FileError, NotText, Place, Window, WindowError, Workspace,
    encoding::{Encoding, Form},
    image::{fill, fingerprint, open_folder_of, stamp, steadily},
    pager::Pager,
};

/// How much of a file is taken at once. Even, so that no unit of UTF-16 is torn.
const PIECE_BYTES: usize = 64 << 10;

/// How large a file may be to be fingerprinted for a page of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// `identity_bytes`, for a look at a part (SI-5).
    Local,
    /// `whole_file_bytes`, for pages that are to add up to the whole (SI-6).
    Whole,
}

/// One page of a file, and what it was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The lines.
    pub window: Window,
    /// That of exactly the bytes that the page was made of (SI-3). Missing where the file is too
    /// large for it.
    pub fingerprint: Option<Fingerprint>,
    /// What the file system told of the file before and after.
    pub stamp: Stamp,
}

/// Why there is no page.
#[derive(Debug, Error)]
pub enum PageError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no text.
    #[error(transparent)]
    NotText(#[from] NotText),
    /// It has no such page.
    #[error(transparent)]
    Window(#[from] WindowError),
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
struct Ask<'a> {
    offset: u32,
    limit: Option<u32>,
    limits: &'a Limits,
}

/// An open file.
struct Source<'a, F> {
    file: F,
    shown: &'a str,
}

impl Workspace {
    /// Reads the page of a file that starts at line `offset`, counted from 0. It has `limit` lines;
    /// `page_lines` if there is no limit or it is 0.
    ///
    /// A file that `depth` lets be fingerprinted is read whole, once. A larger one is read as far as
    /// it takes to know whether a line follows the page; no more of it is held than the page, one
    /// line, one piece and the sample that tells the encoding.
    ///
    /// # Errors
    ///
    /// - [`PageError::File`] with the errors of [`Workspace::read`] but [`FileError::TooLarge`].
    /// - [`PageError::NotText`] if one of the first `binary_peek_bytes` is NUL, unless it is UTF-16.
    /// - [`PageError::Window`] if a line of the page is over `line_bytes` (RE-7).
    pub fn page(
        &self,
        place: &Place,
        offset: u32,
        limit: Option<u32>,
        depth: Depth,
    ) -> Result<Page, PageError> {
        let (shown, limits) = (place.shown(), self.limits());
        let missing = || FileError::Missing { shown: shown.to_owned() };
        let ask = Ask { offset, limit, limits };
        let bound_bytes = match depth {
            Depth::Local => limits.identity_bytes,
            Depth::Whole => limits.whole_file_bytes,
        };
        let (folder, name) = open_folder_of(place)?.ok_or_else(missing)?;
        let read = steadily(&folder, name, shown, |file, stat| {
            let mut source = Source { file, shown };
            // That the file changed is said first, whatever was found in it meanwhile.
            Ok(source.page(ask, stat.size_bytes, bound_bytes))
        })?;
        let (stat, made) = read.ok_or_else(missing)?;
        let (window, fingerprint) = made?;
        Ok(Page { window, fingerprint, stamp: stamp(&stat) })
    }
}

impl<F: Read + Seek> Source<'_, F> {
    fn page(
        &mut self,
        ask: Ask<'_>,
        size_bytes: u64,
        bound_bytes: u64,
    ) -> Result<(Window, Option<Fingerprint>), PageError> {
        if size_bytes <= bound_bytes {
            let size = size_bytes as usize;
            // One byte more shows that the size is wrong, as it may be of a file that the system
            // makes while it is read.
            let mut bytes = vec![0; size + 1];
            let count = self.fill(0, &mut bytes)?;
            if count <= size {
                bytes.truncate(count);
                return Ok((ask.page_of(&bytes)?, Some(fingerprint(&bytes))));
            }
        }
        Ok((self.streamed(ask, PIECE_BYTES)?, None))
    }

    /// Makes a page of as little of the file as possible.
    fn streamed(&mut self, ask: Ask<'_>, piece_bytes: usize) -> Result<Window, PageError> {
        let mut sample = vec![0; ask.limits.encoding_sample_bytes as usize];
        let count = self.fill(0, &mut sample)?;
        let head = Encoding::of_head(&sample[..count], ask.limits)?;
        let mut form = head.map(|it| it.form);
        let mut at = head.map_or(0, |it| it.mark().len() as u64);
        // What comes before the form is told is ASCII.
        let mut pager = ask.pager(form.unwrap_or(Form::Utf8));
        let mut piece = vec![0; piece_bytes];
        loop {
            let count = self.fill(at, &mut piece)?;
            let piece = &piece[..count];
            if form.is_none() && !piece.is_ascii() {
                let ascii = piece.iter().take_while(|it| it.is_ascii()).count();
                let count = self.fill(at + ascii as u64, &mut sample)?;
                let is_all = count < sample.len();
                pager.form = *form.insert(Form::of_rest(&sample[..count], is_all, ask.limits));
            }
            if piece.is_empty() || !pager.take(piece)? {
                return Ok(pager.finish()?);
            }
            at += count as u64;
        }
    }

    /// Reads what is there until the buffer is full or the file ends.
    fn fill(&mut self, at: u64, buffer: &mut [u8]) -> Result<usize, FileError> {
        let found = self.file.seek(SeekFrom::Start(at));
        found
            .and_then(|_| fill(&mut self.file, buffer))
            .map_err(|source| FileError::from_io("read", self.shown, source))
    }
}

impl<'a> Ask<'a> {
    fn pager(self, form: Form) -> Pager<'a> {
        Pager::new(form, self.offset, self.limit, self.limits)
    }

    /// Makes the page of a file that is at hand as a whole.
    fn page_of(self, bytes: &[u8]) -> Result<Window, PageError> {
        let encoding = Encoding::of_file(bytes, self.limits)?;
        let said = bytes.strip_prefix(encoding.mark()).unwrap_or(bytes);
        let mut pager = self.pager(encoding.form);
        pager.take(said)?;
        let mut window = pager.finish()?;
        window.total_lines.get_or_insert_with(|| encoding.form.count_lines(said));
        Ok(window)
    }
}

#[cfg(test)]
mod tests;
