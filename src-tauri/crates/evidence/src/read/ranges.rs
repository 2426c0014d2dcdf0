//! Sets of lines, and what one set lacks of another.

use protocol::LineRange;

/// Lines of one version of a file: ranges in order that neither touch nor overlap, none empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<LineRange>);

impl Ranges {
    /// Returns the set of the lines of one range.
    pub fn of(range: LineRange) -> Self {
        let mut ranges = Self::default();
        ranges.insert(range);
        ranges
    }

    /// Adds lines, and returns how many of them were not there.
    pub fn insert(&mut self, range: LineRange) -> u32 {
        if range.is_empty() {
            return 0;
        }
        let fresh = self.missing(range).iter().map(|it| it.len()).sum();
        // Those that touch it become one with it.
        let from = self.0.partition_point(|it| it.end < range.start);
        let to = self.0.partition_point(|it| it.start <= range.end);
        let touched = &self.0[from..to];
        let start = touched.first().map_or(range.start, |it| it.start.min(range.start));
        let end = touched.last().map_or(range.end, |it| it.end.max(range.end));
        self.0.splice(from..to, [LineRange::new(start, end)]);
        fresh
    }

    /// Adds the lines of another set.
    pub fn extend(&mut self, other: &Self) {
        other.0.iter().for_each(|it| {
            self.insert(*it);
        });
    }

    /// Returns the lines of `range` that are not in the set.
    pub fn missing(&self, range: LineRange) -> Vec<LineRange> {
        let mut missing = Vec::new();
        let mut at = range.start;
        let from = self.0.partition_point(|it| it.end <= range.start);
        for there in self.0[from..].iter().take_while(|it| it.start < range.end) {
            if at < there.start {
                missing.push(LineRange::new(at, there.start));
            }
            at = there.end;
        }
        if at < range.end {
            missing.push(LineRange::new(at, range.end));
        }
        missing
    }

    /// Returns the lines of another set that are not in this one.
    pub fn missing_of(&self, other: &Self) -> Self {
        Self(other.0.iter().flat_map(|it| self.missing(*it)).collect())
    }

    /// Returns whether every line of `range` is in the set. One without lines always is.
    pub fn covers(&self, range: LineRange) -> bool {
        self.missing(range).is_empty()
    }

    /// Returns the lines before `end`.
    pub fn before(&self, end: u32) -> Self {
        let cut = self.0.iter().map(|it| LineRange::new(it.start, it.end.min(end)));
        Self(cut.filter(|it| !it.is_empty()).collect())
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the ranges, in order.
    pub fn as_slice(&self) -> &[LineRange] {
        &self.0
    }

    /// Returns the first `most` ranges.
    pub fn first(&self, most: usize) -> Vec<LineRange> {
        self.0.iter().copied().take(most).collect()
    }
}

#[cfg(test)]
mod tests;
