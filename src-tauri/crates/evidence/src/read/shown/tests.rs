use proptest::prelude::*;

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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// RE-13: wherever a page's text is cut, the lines that are counted stand in it whole.
    #[test]
    fn no_line_is_counted_that_is_not_there(
        lines in prop::collection::vec("[a\\t\\r1\\[ é]{0,6}", 1..9),
        first in 0_u32..2_000,
        at in any::<prop::sample::Index>(),
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

    /// RE-5: any text is read without a fall.
    #[test]
    fn any_text_is_parsed(text in "([0-9]{1,3}\t?[a-z]{0,2}\n?|\\[[a-z ]{0,12}[0-9]{0,3}\\]?\n?|\\PC){0,12}") {
        if let Some(shown) = Shown::parse(&text) {
            prop_assert!(shown.lines.len() <= text.len());
        }
    }
}
