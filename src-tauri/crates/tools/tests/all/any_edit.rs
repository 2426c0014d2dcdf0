//! EN-7, 09 row 19: any edit of any text in any supported encoding changes the passage that it
//! names, and no byte outside of it. What it leaves is read again as that text in that encoding, or
//! the edit is refused and every byte is as it was (EN-4).

use proptest::{collection::vec, prelude::*, sample::select};
use protocol::{FailureCode, Limits};
use serde_json::json;

use crate::{
    bench::{Bench, failed},
    encodings::{ENCODINGS, Form},
};

/// They tell the encoding, so each file has them once.
const WORDS: &str = "plain words plain words plain words 这是一个用来测试编码的配置文件";
/// What marks a line of the old passage, and a line of the new one. No other text has them.
const OLD: &str = "旧";
const NEW: &str = "新";
const ENDS: [&str; 3] = ["\n", "\r\n", "\r\r\n"];
const PIECES: [&str; 11] =
    ["a", "key = ", "\t", "a\rb", "\u{B}", "\u{2028}", "名字", "€", "é", "e\u{301}", "🙂"];

fn line_end() -> impl Strategy<Value = &'static str> {
    select(&ENDS[..])
}

/// Any text without a line end.
fn words() -> impl Strategy<Value = String> {
    vec(select(&PIECES[..]), 0..4).prop_map(|it| it.concat())
}

/// Lines, each with its end; or none.
fn lines() -> impl Strategy<Value = String> {
    vec((words(), line_end()), 0..4)
        .prop_map(|it| it.iter().map(|(words, end)| format!("{words}{end}")).collect())
}

/// Any text, with any mix of line ends, that may end anywhere.
fn text() -> impl Strategy<Value = String> {
    (lines(), words()).prop_map(|(lines, last)| lines + &last)
}

/// One line or several. The mark keeps the first and the last from being those of another passage.
fn passage(mark: &'static str) -> impl Strategy<Value = String> {
    let several = text().prop_map(move |it| format!("{mark}{it}{mark}"));
    prop_oneof![words().prop_map(move |it| format!("{mark}{it}")), several]
}

/// How a file says its text, and how the model says a line end.
fn forms() -> impl Strategy<Value = (Form, &'static str)> {
    (select(&ENCODINGS[..]), select(&ENDS[..2]))
}

/// Returns a text as a model is shown it.
fn shown(text: &str) -> String {
    text.replace("\r\r\n", "\n").replace("\r\n", "\n")
}

/// Returns the line ends of a text, in order.
fn ends(text: &str) -> Vec<&str> {
    let bare = |line: &str| line.trim_end_matches('\n').trim_end_matches('\r').len();
    text.split_inclusive('\n').filter(|it| it.ends_with('\n')).map(|it| &it[bare(it)..]).collect()
}

/// The house rule: a new line ends like the first one that it replaces; if none ended there, like
/// the nearest before it, or else the nearest after it.
fn house_end(before: &str, replaced: &str, after: &str) -> String {
    let nearest = ends(replaced).first().copied().or(ends(before).last().copied());
    nearest.or(ends(after).first().copied()).unwrap_or("\n").to_owned()
}

/// Returns the encoding and the text of a file; none if it is binary.
fn read(bytes: &[u8]) -> Option<(&'static str, String)> {
    let file = workspace::decode(bytes, &Limits::default()).ok()?;
    Some((file.encoding(), file.text().to_owned()))
}

/// Edits a file that is `parts` one after the other, where every other one, from the second, is to
/// be `new`. The call names each of them together with `same`, the lines around it that stay.
fn check(
    ((mark, encode), said_end): (Form, &str),
    parts: &[&str],
    new: &str,
    same: [&str; 2],
) -> Result<(), TestCaseError> {
    let mut expected = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at % 2 == 0 {
            expected.push_str(part);
        } else {
            let end = house_end(&parts[..at].concat(), part, &parts[at + 1..].concat());
            expected.push_str(&shown(new).replace('\n', &end));
        }
    }
    let said = |text: &str| [mark, &encode(text)].concat();
    let before = said(&parts.concat());
    let mut it = Bench::new(&[("a", &before)]);
    it.read("a").expect("a text");
    let told = |passage| shown(&[same[0], passage, same[1]].concat()).replace('\n', said_end);
    let arguments = json!({
        "path": "a", "old_string": told(parts[1]), "new_string": told(new),
        "replace_all": 3 < parts.len(),
    });
    let told = it.call("edit_file", &arguments);
    let (was, is) = (read(&before).expect("a text"), read(&said(&expected)));
    if is.is_some_and(|it| it.1 == expected && (it.0 == was.0 || expected.is_ascii())) {
        told.expect("it was read");
        prop_assert_eq!(it.bytes("a"), said(&expected));
    } else {
        prop_assert_eq!(failed(told).code, FailureCode::BadArguments);
        prop_assert_eq!(it.bytes("a"), before);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn whole_lines_become_other_lines_and_all_others_stay(
        form in forms(),
        (before, after) in (lines(), text()),
        (old, new) in (passage(OLD), passage(NEW)),
        (old_end, new_end) in (line_end(), line_end()),
    ) {
        let (old, new) = (old + old_end, new + new_end);
        let before = format!("{before}{WORDS}\r\n");
        check(form, &[&before, &old, &after], &new, ["", ""])?;
    }

    #[test]
    fn a_passage_within_a_line_becomes_any_text_and_the_rest_of_the_line_stays(
        form in forms(),
        (before, old, after) in (text(), words(), text()),
        new in passage(NEW),
    ) {
        check(form, &[&before, &(old + OLD), &(after + WORDS)], &new, ["", ""])?;
    }

    #[test]
    fn a_passage_from_one_line_into_another_becomes_any_text_and_the_rest_of_both_stays(
        form in forms(),
        (before, after) in (text(), text()),
        (first, end, last) in (passage(OLD), line_end(), text()),
        new in passage(NEW),
    ) {
        let old = [&first, end, &last].concat();
        check(form, &[&(WORDS.to_owned() + &before), &old, &after], &new, ["", ""])?;
    }

    /// The file may end in a line end or not, before the edit and after it.
    #[test]
    fn a_passage_at_the_start_or_the_end_of_a_file_or_all_of_it_becomes_any_text(
        form in forms(),
        (rest, old, new) in (text(), passage(OLD), passage(NEW)),
        (old_end, new_end) in (select(&["", "\n", "\r\n"][..]), select(&["", "\n"][..])),
        place in 0..3,
    ) {
        let (rest, old, new) = (format!("{rest}{WORDS}{rest}"), old + old_end, new + new_end);
        let parts = match place {
            0 => ["", &old, &rest],
            1 => [&rest, &old, ""],
            _ => ["", &format!("{OLD}{WORDS}{old}"), ""],
        };
        check(form, &parts, &new, ["", ""])?;
    }

    #[test]
    fn lines_that_old_and_new_begin_or_end_with_keep_each_its_end(
        form in forms(),
        (before, after) in (text(), text()),
        (same_before, same_after, last) in (lines(), lines(), words()),
        (old, old_end, new, new_end) in (passage(OLD), line_end(), passage(NEW), line_end()),
        (is_first, only) in (any::<bool>(), 0..3),
    ) {
        let (same_before, same_after) = if is_first {
            (format!("{WORDS}\r\n{same_before}"), same_after + &last)
        } else {
            (same_before, format!("{same_after}{WORDS}\n{last}"))
        };
        let (before, after) = (before + &same_before, same_after.clone() + &after);
        let (old, new) = match only {
            0 => (String::new(), new + new_end),
            1 => (old + old_end, String::new()),
            _ => (old + old_end, new + new_end),
        };
        check(form, &[&before, &old, &after], &new, [&same_before, &same_after])?;
    }

    /// Each place has line ends of its own, and so has what comes there.
    #[test]
    fn every_place_becomes_the_new_text_in_its_own_form(
        form in forms(),
        (old, new) in (passage(OLD), passage(NEW)),
        around in vec((text(), line_end()), 2..6),
    ) {
        let mut parts = vec![WORDS.to_owned() + &around[0].0];
        for (text, end) in &around[1..] {
            parts.extend([shown(&old).replace('\n', end), text.clone()]);
        }
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        check(form, &parts, &new, ["", ""])?;
    }

    #[test]
    fn a_deletion_takes_the_passage_and_nothing_else(
        form in forms(),
        (before, old, after) in (text(), passage(OLD), text()),
        end in select(&["", "\n", "\r\n", "\r\r\n"][..]),
        is_first in any::<bool>(),
    ) {
        let (before, after) = if is_first { (before, after + WORDS) } else { (before + WORDS, after) };
        check(form, &[&before, &(old + end), &after], "", ["", ""])?;
    }
}
