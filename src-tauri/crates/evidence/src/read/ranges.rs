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
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn lines(range: LineRange) -> BTreeSet<u32> {
        (range.start..range.end).collect()
    }

    fn any_range() -> impl Strategy<Value = LineRange> {
        (0_u32..40, 0_u32..12).prop_map(|(start, len)| LineRange::new(start, start + len))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// OL-5, RC-6: the algebra is that of sets of lines, and never claims a line too many.
        #[test]
        fn ranges_are_sets_of_lines(put in prop::collection::vec(any_range(), 0..12), asked in any_range()) {
            let (mut ranges, mut set) = (Ranges::default(), BTreeSet::new());
            for range in put {
                let before = set.len();
                set.extend(lines(range));
                prop_assert_eq!(ranges.insert(range) as usize, set.len() - before);
            }
            let inside: BTreeSet<u32> = ranges.as_slice().iter().flat_map(|it| lines(*it)).collect();
            prop_assert_eq!(&inside, &set);
            for pair in ranges.as_slice().windows(2) {
                prop_assert!(pair[0].end < pair[1].start, "{:?}", ranges);
            }
            let missing: BTreeSet<u32> = ranges.missing(asked).iter().flat_map(|it| lines(*it)).collect();
            prop_assert_eq!(missing, lines(asked).difference(&set).copied().collect());
            prop_assert_eq!(ranges.covers(asked), lines(asked).is_subset(&set));
            let before: BTreeSet<u32> = ranges.before(20).as_slice().iter().flat_map(|it| lines(*it)).collect();
            prop_assert_eq!(before, set.iter().copied().filter(|it| *it < 20).collect());
        }
    }
}
