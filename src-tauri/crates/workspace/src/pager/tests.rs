use std::fmt::Write as _;

use super::*;

fn small() -> Limits {
    Limits { page_lines: 3, page_bytes: 40, line_bytes: 16, ..Limits::default() }
}

fn page(text: &str, offset: u32, limit: Option<u32>) -> Window {
    window(text, offset, limit, &small()).expect("a page")
}

/// Takes the text in one piece.
fn window(
    text: &str,
    offset: u32,
    limit: Option<u32>,
    limits: &Limits,
) -> Result<Window, WindowError> {
    let mut pager = Pager::new(Form::Utf8, offset, limit, limits);
    pager.take(text.as_bytes())?;
    pager.finish()
}

/// RE-5: numbers are one-based and contiguous; a CR goes with its LF, a tab stays.
#[test]
fn lines_are_numbered_and_shown_without_their_ends() {
    let it = page("a\r\n\tb\r\nc\rd", 0, None);
    assert_eq!(it.numbered, "1\ta\n2\t\tb\n3\tc\rd");
    assert_eq!((it.first, it.end, it.total_lines, it.eof, it.cut), (0, 3, Some(3), true, None));
    let it = page("a\nb\nc\n\n", 2, Some(9));
    assert_eq!(it.numbered, "3\tc\n4\t");
    assert_eq!((it.first, it.end, it.total_lines, it.eof), (2, 4, Some(4), true));
}

/// RE-1, RE-6: a page has its lines and no more, and says why it ends.
#[test]
fn a_page_ends_at_its_limit() {
    let text = "1\n2\n3\n4\n5\n";
    let ends = |offset, limit| {
        let it = page(text, offset, limit);
        (it.end, it.eof, it.cut)
    };
    assert_eq!(ends(0, None), (3, false, Some(Cut::PageLimit)));
    assert_eq!(ends(0, Some(0)), (3, false, Some(Cut::PageLimit)));
    assert_eq!(ends(0, Some(4)), (4, false, Some(Cut::PageLimit)));
    assert_eq!(ends(0, Some(5)), (5, true, None));
    assert_eq!(ends(3, None), (5, true, None));
    assert_eq!(ends(1, Some(u32::MAX)), (5, true, None));
}

/// RE-7: a page stops before the bytes run over, and holds one line whatever its size.
#[test]
fn a_safety_page_ends_between_lines() {
    let mut text = String::new();
    for line in 0..3 {
        writeln!(text, "{line}234567890123456").unwrap();
    }
    let it = page(&text, 0, None);
    assert_eq!(it.numbered, "1\t0234567890123456\n2\t1234567890123456".to_owned());
    assert_eq!((it.end, it.eof, it.cut), (2, false, Some(Cut::SafetyPage)));
    let limits = Limits { page_bytes: 1, ..small() };
    let one = window(&text, 2, None, &limits).expect("a page");
    assert_eq!((one.end, one.eof, one.cut), (3, true, None));
}

/// RE-7: the error is about pages with that line; the others can be read (CL-1).
#[test]
fn a_line_over_the_limit_is_an_error_where_it_is_shown() {
    let text = format!("a\n{}\r\n{}\nb\n", "x".repeat(16), "y".repeat(17));
    let failed = WindowError::LineTooLong { number: 3, limit_bytes: 16 };
    assert_eq!(window(&text, 0, None, &small()), Err(failed));
    assert_eq!(page(&text, 0, Some(2)).end, 2);
    assert_eq!(page(&text, 3, None).numbered, "4\tb");
}

/// RE-9, RE-10.
#[test]
fn an_empty_file_and_an_offset_past_the_end_are_facts() {
    let empty = page("", 0, None);
    assert_eq!((empty.total_lines, empty.end, empty.eof, empty.cut), (Some(0), 0, true, None));
    assert!(empty.is_empty_file() && !empty.is_past_end());
    let past = page("a\nb", 7, None);
    assert_eq!(
        (past.numbered.as_str(), past.first, past.end, past.total_lines),
        ("", 2, 2, Some(2))
    );
    assert!(past.is_past_end() && past.eof && !past.is_empty_file());
    assert!(!page("a\nb", 1, None).is_past_end());
}
