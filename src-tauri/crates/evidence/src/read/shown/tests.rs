use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
};

use super::*;

fn end(text: &str) -> Option<PageEnd> {
    Shown::parse(text).map(|it| it.end)
}

/// RE-6: every form that a page was ever printed in, as it stands in sessions.
#[test]
fn every_form_of_a_pages_end_is_known() {
    let page = "3\tthree\n4\tfour\n";
    let safety = PageEnd::SafetyPage { next: 4, requested_end: 90 };
    for (rest, expected) in [
        ("", None),
        ("[source_token r_1]", Some(PageEnd::Whole)),
        (
            "[page limit: lines 3-4 of 9; next offset 4]\n[source_token r_1]",
            Some(PageEnd::PageLimit { next: 4 }),
        ),
        ("[page limit: lines 3-4; next offset 4]", Some(PageEnd::PageLimit { next: 4 })),
        (
            "[page limit: lines 3-4 of 9; next offset 4; cursor c2.read0-0.4.9.00]\n[source_token r_1]",
            Some(PageEnd::PageLimit { next: 4 }),
        ),
        ("[safety page: lines 3-4 of 99; next offset 4, requested end 90]", Some(safety)),
        ("[PARTIAL view of a.txt: lines 3-4]", None),
        ("[page limit: lines 3-4 of 9]", None),
        ("[paused: no room]\n[source_token r_1]", Some(PageEnd::Whole)),
        ("[unchanged: lines 3-4]\n[source_token r_1]", None),
        ("[nothing new: read on at offset 4]\n[source_token r_1]", Some(PageEnd::Whole)),
    ] {
        // A last line that is empty is a line cut off before its number.
        let expected = if rest.is_empty() { Some(PageEnd::CutOff) } else { expected };
        assert_eq!(end(&format!("{page}{rest}")), expected, "{rest:?}");
    }
    assert_eq!(end("[empty file]\n[source_token r_1]"), Some(PageEnd::EmptyFile));
    assert_eq!(end("[no lines: offset 9 is past the end, line 4]"), Some(PageEnd::PastEnd));
}

/// RE-5, SI-11: what is not numbered without a gap is no evidence at all.
#[test]
fn what_is_no_page_shows_nothing() {
    for text in [
        "",
        "text",
        "1\ta\n3\tc",
        "2\tb\n1\ta",
        "0\ta",
        "01\ta",
        "-1\ta",
        "1 a",
        "1\ta\nsomething else\n2\tb",
        "1\ta\n[cut]\n900\tz",
        "[source_token r_1]",
        "[page limit: lines 1-1 of 9; next offset 1]",
        "1\ta\n[empty file]",
        "4294967295\ta\n4294967296\tb",
    ] {
        assert_eq!(Shown::parse(text), None, "{text:?}");
    }
}

/// B3, RE-13: half a line is none.
#[test]
fn b3_a_line_that_is_cut_off_is_not_shown() {
    let page = ["alpha", "beta"];
    for (text, lines) in [
        ("1\talpha\n2\tbeta\n[source_token r_1]", 2),
        ("1\talpha\n2\tbeta", 2),
        ("1\talpha\n2\tbet", 1),
        ("1\talpha\n2\t", 1),
        ("1\talpha\n2", 1),
        ("1\talpha\n", 1),
        ("1\talph", 0),
        ("2\talpha\n3\tbeta", 0),
        ("alpha\nbeta", 0),
    ] {
        assert_eq!(lines_shown(text, 0, &page), lines, "{text:?}");
    }
}

/// What may get into a text.
const PIECES: &[&str] = &[
    "",
    "\n",
    "\t",
    "1\t",
    "\n2\t",
    "\r",
    "[",
    "]",
    "9",
    "\n[source_token r_1]",
    "[empty file]",
    "é",
    "读",
];
/// What may stand under a page.
const ENDS: &[&str] = &[
    "",
    "\n[source_token r_1]",
    "\n[page limit: lines 3-4 of 9; next offset 4]\n[source_token r_1]",
    "\n[page limit: lines 3-4; next offset 4; cursor c2.read0-0.4.9.00]",
    "\n[safety page: lines 3-4 of 99; next offset 4, requested end 90]\n[source_token r_1]",
    "\n[paused: no room]",
];

/// A page as a call of `read_file` tells it.
fn any_page() -> impl Strategy<Value = String> {
    let line = "[a-z\t\r0-9\\[\\] é读]{0,9}";
    (vec(line, 1..7), 0..3_000_u32, select(ENDS)).prop_map(|(lines, first, end)| {
        let lines: Vec<String> =
            (first + 1..).zip(&lines).map(|(number, line)| format!("{number}\t{line}")).collect();
        lines.join("\n") + end
    })
}

/// Reads a text, and holds what came of it against the lines that begin it.
fn assert_numbered(text: &str) {
    let Some(shown) = Shown::parse(text) else { return };
    let stand: Vec<String> =
        (shown.first + 1..).zip(&shown.lines).map(|(at, it)| format!("{at}\t{it}")).collect();
    let stand = stand.join("\n");
    assert!(text.starts_with(&stand), "{stand:?} of {text:?}");
    let rest = &text[stand.len()..];
    assert!(rest.is_empty() || stand.is_empty() || rest.starts_with('\n'), "{rest:?} of {text:?}");
    let count = u32::try_from(shown.lines.len()).expect("a short text");
    assert_eq!(lines_shown(text, shown.first, &shown.lines), count);
    assert_eq!(lines_shown(text, shown.first + 1, &shown.lines), 0, "of another place");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// RE-13: wherever a page's text is cut, the lines that are counted stand in it whole.
    #[test]
    fn no_line_is_counted_that_is_not_there(
        lines in vec("[a\\t\\r1\\[ é]{0,6}", 1..9),
        first in 0_u32..2_000,
        at in any::<Index>(),
    ) {
        let page: Vec<&str> = lines.iter().map(String::as_str).collect();
        let numbered: Vec<String> =
            (first + 1..).zip(&page).map(|(number, line)| format!("{number}\t{line}")).collect();
        let text = format!("{}\n[page limit: lines 1-2 of 9; next offset 4]", numbered.join("\n"));
        prop_assert_eq!(lines_shown(&text, first, &page) as usize, page.len());
        let cut = protocol::head(&text, at.index(text.len() + 1));
        let shown = lines_shown(cut, first, &page) as usize;
        prop_assert!(cut.starts_with(&numbered[..shown].join("\n")), "{} of {:?}", shown, cut);
        let next = numbered[..(shown + 1).min(page.len())].join("
") + "
";
        prop_assert!(shown == page.len() || !cut.starts_with(&next), "{} of {:?}", shown, cut);
    }

    /// RE-5, SI-11: of any text, and of any page that was changed, only lines that it shows are
    /// taken, numbered without a gap.
    #[test]
    fn any_text_is_parsed(
        bytes in vec(any::<u8>(), 0..80),
        text in "([0-9]{1,3}\t?[a-z]{0,2}\n?|\\[[a-z ]{0,12}[0-9]{0,3}\\]?\n?|\\PC){0,12}",
        page in any_page(),
        changes in vec((any::<Index>(), 0..4_usize, select(PIECES)), 0..4),
    ) {
        assert_numbered(&String::from_utf8_lossy(&bytes));
        assert_numbered(&text);
        prop_assert!(Shown::parse(&page).is_some(), "{:?}", page);
        let mut changed: Vec<char> = page.chars().collect();
        for (at, gone, put) in changes {
            let at = at.index(changed.len() + 1);
            let end = (at + gone).min(changed.len());
            changed.splice(at..end, put.chars());
        }
        assert_numbered(&changed.into_iter().collect::<String>());
    }
}
