//! What a command prints: its start and its end, within a bound, and counted to the last byte.

use std::collections::VecDeque;

use protocol::{Limits, head, tail};

/// Output as it came: the first half of the bound and the last, whatever comes between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    start: Vec<u8>,
    end: VecDeque<u8>,
    total_bytes: u64,
    most_start: usize,
    most_end: usize,
}

/// A stretch of output. Between its two parts something is left out, or they are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    start: Vec<u8>,
    end: Vec<u8>,
    left_out_bytes: u64,
}

/// What an output that is no UTF-8 is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    /// UTF-8 with errors in it.
    Utf8,
    /// What its bytes are most like (EN-9).
    Detected,
}

impl Otherwise {
    /// Where programs print in a code page of their own, it is looked for.
    pub(crate) const HERE: Self = if cfg!(windows) { Self::Detected } else { Self::Utf8 };
}

impl Kept {
    /// Keeps nothing yet, and at most `most_bytes`.
    pub(crate) fn up_to(most_bytes: u64) -> Self {
        let most = usize::try_from(most_bytes).unwrap_or(usize::MAX);
        Self {
            start: Vec::new(),
            end: VecDeque::new(),
            total_bytes: 0,
            most_start: most / 2,
            most_end: most - most / 2,
        }
    }

    /// Takes in what was printed next.
    pub(crate) fn take(&mut self, chunk: &[u8]) {
        self.total_bytes += chunk.len() as u64;
        let room = self.most_start.saturating_sub(self.start.len());
        let (first, rest) = chunk.split_at(room.min(chunk.len()));
        self.start.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(self.most_end)..];
        let over = (self.end.len() + rest.len()).saturating_sub(self.most_end);
        self.end.drain(..over);
        self.end.extend(rest);
    }

    /// Returns how much was printed in all.
    pub(crate) fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// Returns the number of bytes at the start after which something is left out, if anything is.
    pub(crate) fn cut_at(&self) -> Option<u64> {
        let start_bytes = self.start.len() as u64;
        (start_bytes + (self.end.len() as u64) < self.total_bytes).then_some(start_bytes)
    }

    /// Returns all that is kept.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Stretch { mut start, end, .. } = self.since(0);
        start.extend(end);
        start
    }

    /// Returns the last bytes that were printed, at most so many.
    pub(crate) fn tail(&self, most_bytes: u32) -> Vec<u8> {
        let Stretch { mut start, end, left_out_bytes } =
            self.since(self.total_bytes.saturating_sub(u64::from(most_bytes)));
        // What stands before a gap is not the end.
        if left_out_bytes != 0 {
            return end;
        }
        start.extend(end);
        start
    }

    /// Returns what was printed from a byte on, as far as it is kept.
    pub(crate) fn since(&self, from_bytes: u64) -> Stretch {
        let from = from_bytes.min(self.total_bytes);
        let end_from = self.total_bytes - self.end.len() as u64;
        let skip = |part_from: u64| usize::try_from(from.saturating_sub(part_from));
        let start = self.start.get(skip(0).unwrap_or(usize::MAX)..).unwrap_or_default().to_vec();
        let end = self.end.range(skip(end_from).unwrap_or(usize::MAX).min(self.end.len())..);
        let left_out_bytes = end_from.saturating_sub(from.max(self.start.len() as u64));
        Stretch { start, end: end.copied().collect(), left_out_bytes }
    }

    /// Forgets what nobody is shown any more: all before `from_bytes`, and the middle of the rest.
    pub(crate) fn shortened(&self, from_bytes: u64, most_bytes: u64) -> Self {
        let Stretch { start, end, left_out_bytes } = self.since(from_bytes);
        let mut short = Self::up_to(most_bytes);
        short.take(&start);
        if left_out_bytes == 0 {
            short.take(&end);
            return short;
        }
        short.most_start = short.start.len();
        short.total_bytes += left_out_bytes;
        short.end.clear();
        short.take(&end);
        short
    }
}

impl Stretch {
    /// Returns how many bytes were printed in it.
    pub(crate) fn total_bytes(&self) -> u64 {
        (self.start.len() + self.end.len()) as u64 + self.left_out_bytes
    }

    /// Takes off the bytes at its end that begin a character and do not end it, since what is
    /// printed next will; returns how many there were.
    pub(crate) fn hold_back(&mut self) -> u64 {
        let last = if self.end.is_empty() { &mut self.start } else { &mut self.end };
        let (all, whole) = (last.len(), without_unfinished(last).len());
        last.truncate(whole);
        (all - whole) as u64
    }

    /// Returns it as text of at most `shown_bytes`: all of it, or, with runs of equal lines said
    /// once, its start and its end with a line between that says so. Also whether it is all of it.
    pub(crate) fn text(
        &self,
        shown_bytes: u32,
        otherwise: Otherwise,
        limits: &Limits,
    ) -> (String, bool) {
        let most = shown_bytes as usize;
        let (most_first, most_last) = (most / 4, most - most / 4);
        let fitting = |bytes: &[u8]| {
            let text = (bytes.len() <= most).then(|| decoded(bytes, otherwise, limits));
            text.filter(|it| it.len() <= most)
        };
        let (first, last) = if self.left_out_bytes == 0 {
            let all = [&self.start[..], &self.end].concat();
            if let Some(text) = fitting(&all) {
                return (text, true);
            }
            let short = folded(&all);
            if let Some(text) = fitting(&short) {
                return (text, false);
            }
            let last = short.get(most_first..).unwrap_or_default().to_vec();
            (short, last)
        } else {
            (folded(&self.start), folded(&self.end))
        };
        let first = without_unfinished(&first[..most_first.min(first.len())]);
        let last = without_continued(&last[last.len().saturating_sub(most_last)..]);
        let (first, last) = (decoded(first, otherwise, limits), decoded(last, otherwise, limits));
        (joined(head(&first, most_first), tail(&last, most_last), self.total_bytes()), false)
    }
}

/// Returns lines with each run of equal ones said once, and how often it comes, where that is
/// shorter: what repeats takes no room from what does not. Bytes with a NUL in them are UTF-16 or no
/// text, and stay as they are.
fn folded(bytes: &[u8]) -> Vec<u8> {
    if bytes.contains(&0) {
        return bytes.to_vec();
    }
    let mut told = Vec::new();
    let mut lines = bytes.split_inclusive(|it| *it == b'\n').peekable();
    while let Some(line) = lines.next() {
        let mut more = 0;
        while lines.next_if_eq(&line).is_some() {
            more += 1;
        }
        told.extend_from_slice(line);
        let note = format!("[the line above {more} more times]\n");
        if note.len() < more * line.len() {
            told.extend_from_slice(note.as_bytes());
        } else {
            told.extend(line.iter().copied().cycle().take(more * line.len()));
        }
    }
    told
}

fn joined(first: &str, last: &str, total_bytes: u64) -> String {
    format!("{first}\n[... of {total_bytes} bytes of output the middle is left out ...]\n{last}")
}

/// Says what a command printed as text, as it is said to the model.
pub fn output_text(bytes: &[u8], limits: &Limits) -> String {
    decoded(bytes, Otherwise::HERE, limits)
}

/// Says bytes as text. Control characters stay what they are: the model may have to see them.
fn decoded(bytes: &[u8], otherwise: Otherwise, limits: &Limits) -> String {
    let lossy = || String::from_utf8_lossy(bytes).into_owned();
    match otherwise {
        Otherwise::Utf8 => lossy(),
        // It tells UTF-8 first, but for texts with NULs in them, which are UTF-16 or no text.
        Otherwise::Detected => match workspace::decode(bytes, limits) {
            Ok(text) => text.text().to_owned(),
            Err(workspace::NotText) => lossy(),
        },
    }
}

/// Returns `bytes` without the beginning of a character at their end.
fn without_unfinished(bytes: &[u8]) -> &[u8] {
    let last = bytes.utf8_chunks().last();
    let unfinished = last.map(|it| it.invalid()).unwrap_or_default();
    let is_begun = std::str::from_utf8(unfinished).is_err_and(|it| it.error_len().is_none());
    if is_begun { &bytes[..bytes.len() - unfinished.len()] } else { bytes }
}

/// Returns `bytes` without the rest of a character at their start.
fn without_continued(bytes: &[u8]) -> &[u8] {
    let continued = bytes.iter().take(3).take_while(|it| **it & 0b1100_0000 == 0b1000_0000).count();
    &bytes[continued..]
}

#[cfg(test)]
mod tests;
