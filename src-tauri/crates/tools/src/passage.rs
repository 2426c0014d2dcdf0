//! Finds a passage as the model was shown it, and puts another in its place.
//!
//! A model sees every line end as `\n`. So the passage is looked for in the text as it is shown,
//! and what is written instead takes the file's own line end (EN-7). Every byte outside the lines
//! that differ stays as it was.

use std::{borrow::Cow, ops::Range};

use protocol::LineRange;
use workspace::plain;

use self::offset::Offsets;

mod offset;

/// Most places that are looked for.
pub(crate) const MOST_PLACES: usize = 100_000;

/// Where a passage stands in a text.
pub(crate) struct Passages<'a> {
    text: &'a str,
    /// The text as it is shown.
    plain: Cow<'a, str>,
    old: Cow<'a, str>,
    /// Byte offsets in `plain`; no two of the places overlap.
    starts: Vec<usize>,
    /// There is one, and another one overlaps with it.
    overlaps: bool,
}

/// A text with another passage in those places.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) text: String,
    /// What is not as it was, in order.
    pub(crate) changes: Vec<Change>,
    /// The lines that the places touch, in the text before.
    pub(crate) lines: Vec<LineRange>,
    /// The lines on which the places start, in the new text, counted from 1.
    pub(crate) at: Vec<u32>,
}

/// Some bytes of a text, and those of the new text that stand for them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) before: Range<usize>,
    pub(crate) after: Range<usize>,
}

/// One place, in bytes of the text.
struct Spot {
    whole: Range<usize>,
    /// What is left of it without the lines that stay as they are.
    differing: Range<usize>,
}

impl<'a> Passages<'a> {
    /// Finds `old`, which is not empty.
    pub(crate) fn find(text: &'a str, old: &'a str) -> Self {
        let (plain, old) = (plain(text), plain(old));
        let starts = plain.match_indices(&*old).map(|(at, _)| at);
        let starts: Vec<usize> = starts.take(MOST_PLACES + 1).collect();
        let overlaps = match (starts.as_slice(), old.chars().next()) {
            ([only], Some(first)) => plain[only + first.len_utf8()..].contains(&*old),
            _ => false,
        };
        Self { text, plain, old, starts, overlaps }
    }

    /// Counts the places, up to one more than [`MOST_PLACES`]. Two that overlap are two.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() + usize::from(self.overlaps)
    }

    /// Returns the most bytes that the text can have with `new` in every place.
    pub(crate) fn most_bytes(&self, new: &str) -> u64 {
        let ends = self.text.match_indices('\n').map(|(at, _)| line_end(self.text, at).len());
        let longest = ends.max().unwrap_or(1);
        let with_ends = new.matches('\n').count().saturating_mul(longest).saturating_add(new.len());
        let added = (with_ends as u64).saturating_mul(self.starts.len() as u64);
        (self.text.len() as u64).saturating_add(added)
    }

    /// Puts `new` in every place.
    pub(crate) fn replaced(&self, new: &str) -> Replaced {
        let new = plain(new);
        let (before, after) = common_lines(&self.old, &new);
        let spots = self.spots(before, after);
        let lines = touched_lines(self.text, &spots);
        spliced(self.text, &spots, &new[before..new.len() - after], lines)
    }

    fn spots(&self, same_before: usize, same_after: usize) -> Vec<Spot> {
        let mut offsets = Offsets::new(self.text, &self.plain);
        let spot = |start: &usize| {
            let end = start + self.old.len();
            let at = [*start, start + same_before, end - same_after, end];
            let [start, first, last, end] = at.map(|it| offsets.in_text(it));
            Spot { whole: start..end, differing: first..last }
        };
        self.starts.iter().map(spot).collect()
    }
}

/// Returns the line end that `\n` at `newline` is the last byte of.
fn line_end(text: &str, newline: usize) -> &str {
    let start = text[..newline].trim_end_matches('\r').len();
    &text[start..=newline]
}

fn first_line_end(text: &str) -> Option<&str> {
    text.find('\n').map(|at| line_end(text, at))
}

fn last_line_end(text: &str) -> Option<&str> {
    text.rfind('\n').map(|at| line_end(text, at))
}

/// Counts the bytes of the lines that two texts begin with, and of those that they end with.
fn common_lines(one: &str, other: &str) -> (usize, usize) {
    let pairs = one.split_inclusive('\n').zip(other.split_inclusive('\n'));
    let before = pairs.take_while(|(it, same)| it == same).map(|(it, _)| it.len()).sum();
    let (one, other) = (&one[before..], &other[before..]);
    let mut pairs = one.split_inclusive('\n').rev().zip(other.split_inclusive('\n').rev());
    let after = pairs.by_ref().take_while(|(it, same)| it == same).map(|(it, _)| it.len()).sum();
    (before, after)
}

/// Puts lines in every spot. They end like the first line that they replace; if none ended there,
/// like the nearest one before, or else the nearest one after.
fn spliced(text: &str, spots: &[Spot], inserted: &str, lines: Vec<LineRange>) -> Replaced {
    let (mut new, mut changes, mut at) =
        (String::with_capacity(text.len()), Vec::new(), Vec::new());
    let mut count = LineCount::default();
    let first_of_text = first_line_end(text);
    let (mut before, mut copied) = (None, 0);
    for Spot { whole, differing } in spots {
        new.push_str(&text[copied..whole.start]);
        at.push(count.up_to(&new, new.len()) + 1);
        new.push_str(&text[whole.start..differing.start]);
        before = last_line_end(&text[copied..differing.start]).or(before);
        let within = first_line_end(&text[differing.clone()]);
        let line_end = within.or(before).or(first_of_text).unwrap_or("\n");
        let start = new.len();
        new.push_str(&inserted.replace('\n', line_end));
        if text[differing.end..].trim_start_matches('\r').starts_with('\n') {
            // A `\r` before the end of a line would become a part of that end.
            new.truncate(start + new[start..].trim_end_matches('\r').len());
        }
        changes.push(Change { before: differing.clone(), after: start..new.len() });
        copied = differing.end;
    }
    new.push_str(&text[copied..]);
    Replaced { text: new, changes, lines, at }
}

/// Returns the lines that the spots touch; ranges that meet are one.
fn touched_lines(text: &str, spots: &[Spot]) -> Vec<LineRange> {
    let mut count = LineCount::default();
    let mut ranges: Vec<LineRange> = Vec::new();
    for Spot { whole, .. } in spots {
        let first = count.up_to(text, whole.start);
        let ended = count.up_to(text, whole.end);
        let end = if text[..whole.end].ends_with('\n') { ended } else { ended + 1 };
        match ranges.last_mut() {
            Some(last) if first <= last.end => last.end = end,
            _ => ranges.push(LineRange::new(first, end)),
        }
    }
    ranges
}

/// Counts line ends, forward only.
#[derive(Default)]
struct LineCount {
    offset: usize,
    lines: u32,
}

impl LineCount {
    fn up_to(&mut self, text: &str, offset: usize) -> u32 {
        let passed = text[self.offset..offset].matches('\n').count();
        self.lines = self.lines.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.offset = offset;
        self.lines
    }
}

#[cfg(test)]
mod tests;
