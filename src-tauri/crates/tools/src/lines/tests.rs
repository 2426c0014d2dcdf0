use proptest::prelude::*;

use super::*;
use crate::passage::Passages;

fn lines_of(text: &str) -> Vec<String> {
    plain(text).split_inclusive('\n').map(|it| it.trim_end_matches('\n').to_owned()).collect()
}

fn affected(text: &str, old: &str, new: &str) -> (Affected, String) {
    let edited = Passages::find(text, old).replaced(new);
    let affected = Affected::of(text, &edited.text, &edited.changes, &edited.lines);
    (affected, edited.text)
}

/// WB-2, WB-12: the lines that an edit names are what it replaces, and where it joins two lines, both.
#[test]
fn an_edit_replaces_the_lines_that_it_names_and_those_that_it_joins() {
    let ranges = |text: &str, old: &str, new: &str| {
        let (affected, after) = affected(text, old, new);
        let splices =
            affected.splices.iter().map(|it| format!("{:?}+{}", it.before, it.after.len()));
        format!("{} {after:?}", splices.collect::<Vec<_>>().join(" "))
    };
    assert_eq!(ranges("a\nb\nc\n", "b", "x"), r#"[1, 2)+1 "a\nx\nc\n""#);
    assert_eq!(ranges("a\nb\nc\n", "b\n", ""), r#"[1, 2)+0 "a\nc\n""#);
    assert_eq!(ranges("a\nb\nc\n", "b\n", "x"), r#"[1, 3)+1 "a\nxc\n""#);
    assert_eq!(ranges("a\nb\nc\n", "a\n", "a\nn\n"), r#"[0, 1)+2 "a\nn\nb\nc\n""#);
    assert_eq!(ranges("a\nb", "\nb", ""), r#"[0, 2)+1 "a""#);
    assert_eq!(
        ranges("a\r\nb\r\na\r\n", "a", "x\ny"),
        r#"[0, 1)+2 [2, 3)+2 "x\r\ny\r\nb\r\nx\r\ny\r\n""#
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// DEC-2 (a): the splices turn the lines before into the lines after, and the parts are the lines
    /// that they replace.
    #[test]
    fn the_splices_turn_the_lines_before_into_those_after(
        text in "[ab\\n\r]{0,30}", old in "[ab\\n]{1,4}", new in "[abc\\n]{0,5}",
    ) {
        prop_assume!(1 <= Passages::find(&text, &old).count() && old != new);
        let (affected, after) = affected(&text, &old, &new);
        let hash = |it: &String| LineHash::of(it);
        let before: Vec<LineHash> = lines_of(&text).iter().map(hash).collect();
        let mut made: Vec<LineHash> = Vec::new();
        let mut at = 0;
        for (splice, part) in affected.splices.iter().zip(&affected.parts) {
            prop_assert_eq!(splice.before, part.lines());
            let (start, end) = (splice.before.start as usize, splice.before.end as usize);
            prop_assert_eq!(&before[start..end], &part.hashes[..]);
            made.extend(&before[at..start]);
            made.extend(&splice.after);
            at = end;
        }
        made.extend(&before[at..]);
        let expected: Vec<LineHash> = lines_of(&after).iter().map(hash).collect();
        prop_assert_eq!(made, expected, "{:?} -> {:?}", text, after);
    }
}
