//! Edits one after the other as one: what they change in the end of the text they began with, so that
//! nobody must have read what an earlier one of them wrote (WB-2).

use protocol::LineRange;

use crate::passage::Change;

/// Which of two lists of changes one is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    First,
    Then,
}

/// Joins the changes of a text with changes of what they made of it. Both are in order and do not
/// overlap, and so are those that come of it.
pub(super) fn joined(first: Vec<Change>, then: Vec<Change>) -> Vec<Change> {
    // In the text between the two: the changes of the first made it, those of the second leave it.
    let firsts = first.into_iter().map(|it| (it.after.clone(), it, Step::First));
    let thens = then.into_iter().map(|it| (it.before.clone(), it, Step::Then));
    let mut all: Vec<_> = firsts.chain(thens).collect();
    all.sort_by_key(|(between, ..)| (between.start, between.end));
    let mut joined = Vec::new();
    // How much farther behind a place is in the text between than in the one before, and how much
    // farther behind in the one after than in that.
    let (mut moved_first, mut moved_then) = (0_i64, 0_i64);
    let mut all = all.into_iter().peekable();
    while let Some((mut hull, change, step)) = all.next() {
        let (start_before, start_after) =
            (at(hull.start, -moved_first), at(hull.start, moved_then));
        let mut take = |change: &Change, step| {
            let grown = change.after.len() as i64 - change.before.len() as i64;
            match step {
                Step::First => moved_first += grown,
                Step::Then => moved_then += grown,
            }
        };
        take(&change, step);
        while let Some((between, change, step)) = all.next_if(|(it, ..)| it.start <= hull.end) {
            hull.end = hull.end.max(between.end);
            take(&change, step);
        }
        joined.push(Change {
            before: start_before..at(hull.end, -moved_first),
            after: start_after..at(hull.end, moved_then),
        });
    }
    joined
}

/// Returns the lines that changes are in; ranges that meet are one. What is put between two lines is
/// in the one behind it, or else in the one before (WB-2).
pub(super) fn lines_of(text: &str, changes: &[Change]) -> Vec<LineRange> {
    let mut ranges: Vec<LineRange> = Vec::new();
    for Change { before, .. } in changes {
        let line =
            |offset: usize| u32::try_from(text[..offset].matches('\n').count()).unwrap_or(u32::MAX);
        let is_at_start = |offset: usize| offset == 0 || text[..offset].ends_with('\n');
        let is_behind_all = before.start == text.len() && is_at_start(before.start);
        let first = line(before.start).saturating_sub(u32::from(is_behind_all));
        let ends_a_line = !before.is_empty() && is_at_start(before.end);
        let end =
            if ends_a_line || is_behind_all { line(before.end) } else { line(before.end) + 1 };
        match ranges.last_mut() {
            Some(last) if first <= last.end => last.end = last.end.max(end),
            _ => ranges.push(LineRange::new(first, end)),
        }
    }
    ranges
}

/// Returns the lines of the new text on which changes start, counted from 1.
pub(super) fn starts_of(text: &str, changes: &[Change]) -> Vec<u32> {
    let start = |it: &Change| text[..it.after.start].matches('\n').count() + 1;
    changes.iter().map(|it| u32::try_from(start(it)).unwrap_or(u32::MAX)).collect()
}

fn at(offset: usize, moved: i64) -> usize {
    usize::try_from(offset as i64 + moved).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{lines::Affected, passage::Passages};

    fn made(before: &str, after: &str, changes: &[Change]) -> String {
        let (mut text, mut copied) = (String::new(), 0);
        for change in changes {
            text.push_str(&before[copied..change.before.start]);
            text.push_str(&after[change.after.clone()]);
            copied = change.before.end;
        }
        text + &before[copied..]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// WB-2, WB-13: the joined changes make the last text of the first one, and every one of them is
        /// in a line that they name.
        #[test]
        fn joined_changes_make_the_last_text_of_the_first(
            text in "[ab\n]{0,30}",
            edits in prop::collection::vec(("[abx\n]{1,3}", "[abx\n]{0,4}"), 0..6),
        ) {
            let (mut last, mut changes) = (text.clone(), Vec::new());
            for (old, new) in edits {
                if Passages::find(&last, &old).count() == 0 {
                    continue;
                }
                let replaced = Passages::find(&last, &old).replaced(&new);
                changes = joined(changes, replaced.changes);
                last = replaced.text;
                prop_assert_eq!(made(&text, &last, &changes), &last[..]);
            }
            let lines = lines_of(&text, &changes);
            for change in &changes {
                let start = text[..change.before.start].matches('\n').count() as u32;
                prop_assert!(lines.iter().any(|it| it.start <= start && start <= it.end));
            }
            let affected = Affected::of(&text, &last, &changes, &lines);
            prop_assert_eq!(affected.parts.len(), lines.len());
        }
    }

    /// WB-2: what an earlier step wrote is nobody's to have read.
    #[test]
    fn what_an_earlier_step_wrote_is_in_no_line_of_the_text_before() {
        let text = "a\nb\nc\nd\n";
        let first = Passages::find(text, "b\n").replaced("x\ny\nz\n");
        let then = Passages::find(&first.text, "y\n").replaced("Y\n");
        let changes = joined(first.changes, then.changes);
        assert_eq!(lines_of(text, &changes), [LineRange::new(1, 2)]);
        assert_eq!(starts_of(&then.text, &changes), [2]);
    }
}
