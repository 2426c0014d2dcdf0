//! Finds a passage as the model was shown it, and puts another in its place.
//!
//! A model sees every line end as `\n`. So the passage is looked for in a view of the text where
//! `\r\n` is `\n`, and what is written instead takes the file's own line end (EN-7). Every byte
//! outside the lines that differ stays as it was.

use std::{borrow::Cow, ops::Range};

use evidence::LineRange;

/// Most places that are looked for.
pub(crate) const MOST_PLACES: usize = 100_000;

/// Where a passage stands in a text.
pub(crate) struct Passages<'a> {
    view: View<'a>,
    old: Cow<'a, str>,
    /// Byte offsets in the view; no two of them overlap.
    starts: Vec<usize>,
    /// There is one, and another one overlaps with it.
    overlaps: bool,
}

/// A text with another passage in those places.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) text: String,
    /// The lines that the places touch, in the text before.
    pub(crate) lines: Vec<LineRange>,
    /// The lines on which the places start, in the new text, counted from 1.
    pub(crate) at: Vec<u32>,
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
        let view = View::of(text);
        let old = View::of(old).plain;
        let starts = view.plain.match_indices(&*old).map(|(at, _)| at);
        let starts: Vec<usize> = starts.take(MOST_PLACES + 1).collect();
        let overlaps = match (starts.as_slice(), old.chars().next()) {
            ([only], Some(first)) => view.plain[only + first.len_utf8()..].contains(&*old),
            _ => false,
        };
        Self { view, old, starts, overlaps }
    }

    /// Counts the places, up to one more than [`MOST_PLACES`]. Two that overlap are two.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() + usize::from(self.overlaps)
    }

    /// Returns the most bytes that the text can have with `new` in every place.
    pub(crate) fn most_bytes(&self, new: &str) -> u64 {
        let with_returns = (new.len() + new.matches('\n').count()) as u64;
        let added = with_returns.saturating_mul(self.starts.len() as u64);
        (self.view.text.len() as u64).saturating_add(added)
    }

    /// Puts `new` in every place.
    pub(crate) fn replaced(&self, new: &str) -> Replaced {
        let new = View::of(new).plain;
        let (before, after) = common_lines(&self.old, &new);
        let inserted = &new[before..new.len() - after];
        let spots: Vec<Spot> = self.starts.iter().map(|it| self.spot(*it, before, after)).collect();
        let lines = touched_lines(self.view.text, &spots);
        let (text, at) = spliced(self.view.text, &spots, inserted);
        Replaced { text, lines, at }
    }

    fn spot(&self, start: usize, same_before: usize, same_after: usize) -> Spot {
        let end = start + self.old.len();
        let at = |offset| self.view.offset_in_text(offset);
        Spot { whole: at(start)..at(end), differing: at(start + same_before)..at(end - same_after) }
    }
}

/// A text, and the same with every `\r\n` as `\n`.
struct View<'a> {
    text: &'a str,
    plain: Cow<'a, str>,
    /// Where in `plain` a `\n` stands for `\r\n`.
    returns: Vec<usize>,
}

impl<'a> View<'a> {
    fn of(text: &'a str) -> Self {
        if !text.contains("\r\n") {
            return Self { text, plain: text.into(), returns: Vec::new() };
        }
        let (mut plain, mut returns) = (String::with_capacity(text.len()), Vec::new());
        let mut copied = 0;
        for (at, _) in text.match_indices("\r\n") {
            plain.push_str(&text[copied..at]);
            returns.push(plain.len());
            copied = at + 1;
        }
        plain.push_str(&text[copied..]);
        Self { text, plain: plain.into(), returns }
    }

    /// Returns where the view's byte `offset` is in the text; at a line end, before its `\r`.
    fn offset_in_text(&self, offset: usize) -> usize {
        offset + self.returns.partition_point(|it| *it < offset)
    }
}

/// How a line ends.
#[derive(Clone, Copy)]
enum LineEnd {
    Lf,
    CrLf,
}

impl LineEnd {
    fn first(text: &str) -> Option<Self> {
        text.find('\n').map(|at| Self::at(text, at))
    }

    fn last(text: &str) -> Option<Self> {
        text.rfind('\n').map(|at| Self::at(text, at))
    }

    fn at(text: &str, newline: usize) -> Self {
        if text[..newline].ends_with('\r') { Self::CrLf } else { Self::Lf }
    }

    fn written(self, lines: &str) -> Cow<'_, str> {
        match self {
            Self::Lf => lines.into(),
            Self::CrLf => lines.replace('\n', "\r\n").into(),
        }
    }
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

/// Puts lines in every spot, with the line end of what they replace, or else of what stands
/// nearest. Returns the lines on which the spots then start, too.
fn spliced(text: &str, spots: &[Spot], inserted: &str) -> (String, Vec<u32>) {
    let (mut new, mut at) = (String::with_capacity(text.len()), Vec::new());
    let mut count = LineCount::default();
    let first_of_text = LineEnd::first(text);
    let (mut before, mut copied) = (None, 0);
    for Spot { whole, differing } in spots {
        new.push_str(&text[copied..whole.start]);
        at.push(count.up_to(&new, new.len()) + 1);
        new.push_str(&text[whole.start..differing.start]);
        before = LineEnd::last(&text[copied..differing.start]).or(before);
        let within = LineEnd::first(&text[differing.clone()]);
        let line_end = within.or(before).or(first_of_text).unwrap_or(LineEnd::Lf);
        new.push_str(&line_end.written(inserted));
        before = LineEnd::last(&text[differing.clone()]).or(before);
        copied = differing.end;
    }
    new.push_str(&text[copied..]);
    (new, at)
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
            _ => ranges.push(LineRange { first, end }),
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
