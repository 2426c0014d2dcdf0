use std::collections::BTreeSet;

use proptest::{collection::vec, prelude::*, sample::select};

use super::*;

type Lines = BTreeSet<u32>;

fn lines(range: LineRange) -> Lines {
    (range.start..range.end).collect()
}

fn all(ranges: &[LineRange]) -> Lines {
    ranges.iter().flat_map(|it| lines(*it)).collect()
}

/// Lines at the start of a file, about the end of a page, or about the last number there is.
fn places() -> impl Strategy<Value = u32> {
    select(&[0, 1990, u32::MAX - 50][..])
}

/// Any lines there; none at all now and then, or a range that ends before it begins.
fn any_range(from: u32) -> impl Strategy<Value = LineRange> {
    let range = move |(start, len): (u32, u32)| {
        let start = from + start;
        LineRange::new(start, start.saturating_add(len))
    };
    prop_oneof![
        12 => (0_u32..40, 0_u32..12).prop_map(range),
        1 => (0_u32..40, 0_u32..200).prop_map(range),
        1 => (0_u32..40).prop_map(move |it| LineRange::new(from + it, from)),
    ]
}

fn any_put() -> impl Strategy<Value = (u32, Vec<LineRange>, Vec<LineRange>, LineRange, u32)> {
    places().prop_flat_map(|from| {
        let put = || vec(any_range(from), 0..14);
        (Just(from), put(), put(), any_range(from), 0_u32..60)
    })
}

/// In order, apart from one another, and none empty: as a status and a record print them.
fn assert_in_order(ranges: &Ranges) {
    assert!(ranges.as_slice().iter().all(|it| it.start < it.end), "{ranges:?}");
    assert!(ranges.as_slice().windows(2).all(|it| it[0].end < it[1].start), "{ranges:?}");
}

/// Adds ranges one by one, and holds each count against that of a set of lines.
fn put(ranges: &[LineRange]) -> (Ranges, Lines) {
    let (mut made, mut set) = (Ranges::default(), Lines::new());
    for range in ranges {
        let before = set.len();
        set.extend(lines(*range));
        assert_eq!(made.insert(*range) as usize, set.len() - before, "{range:?}");
        assert_in_order(&made);
        assert_eq!(all(made.as_slice()), set);
    }
    (made, set)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// OL-5, RC-6: the algebra is that of sets of lines, and never claims a line too many.
    #[test]
    fn ranges_are_sets_of_lines((from, first, second, asked, at) in any_put()) {
        let (one, one_set) = put(&first);
        let (other, other_set) = put(&second);

        let missing = one.missing(asked);
        prop_assert!(missing.iter().all(|it| !it.is_empty()), "{:?}", missing);
        prop_assert_eq!(all(&missing), lines(asked).difference(&one_set).copied().collect());
        prop_assert_eq!(one.covers(asked), lines(asked).is_subset(&one_set));

        let missing = one.missing_of(&other);
        assert_in_order(&missing);
        let expected: Lines = other_set.difference(&one_set).copied().collect();
        prop_assert_eq!(all(missing.as_slice()), expected);

        let end = from.saturating_add(at);
        let before = one.before(end);
        assert_in_order(&before);
        let expected: Lines = one_set.range(..end).copied().collect();
        prop_assert_eq!(all(before.as_slice()), expected);

        let mut both = one.clone();
        both.extend(&other);
        assert_in_order(&both);
        prop_assert_eq!(all(both.as_slice()), &one_set | &other_set);
        let mut turned = other.clone();
        turned.extend(&one);
        prop_assert_eq!(both, turned, "in whatever order they came");

        let few = one.first(at as usize % 4);
        prop_assert_eq!(&one.as_slice()[..few.len()], &few[..]);
        prop_assert_eq!(few.len(), (at as usize % 4).min(one.as_slice().len()));
        prop_assert_eq!(one.is_empty(), one_set.is_empty());
    }
}
