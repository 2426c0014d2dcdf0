use super::*;

/// Replaces, and compares the text, the touched lines and the new places.
#[track_caller]
fn check(text: &str, old: &str, new: &str, expected: &str, lines: &[(u32, u32)], at: &[u32]) {
    let Replaced { text: got, lines: touched, at: starts, .. } =
        Passages::find(text, old).replaced(new);
    let touched: Vec<(u32, u32)> = touched.iter().map(|it| (it.start, it.end)).collect();
    assert_eq!((got.as_str(), touched.as_slice(), starts.as_slice()), (expected, lines, at));
}

/// EN-7, R014.
#[test]
fn lines_put_into_a_crlf_file_end_in_crlf_and_a_lf_file_never_gains_a_return() {
    check(
        "[a]\r\nx=1\r\ny=2\r\n",
        "x=1\ny=2",
        "x=9\nz=5\ny=2",
        "[a]\r\nx=9\r\nz=5\r\ny=2\r\n",
        &[(1, 3)],
        &[2],
    );
    check("a\nb\n", "a", "a\r\nc", "a\nc\nb\n", &[(0, 1)], &[1]);
    check("a", "a", "a\r\nb", "a\nb", &[(0, 1)], &[1]);
    check("a\nb\n", "a", "c\r", "c\nb\n", &[(0, 1)], &[1]);
    check("a b\n", "a", "c\r", "c\r b\n", &[(0, 1)], &[1]);
    check("x\r\nend", "end", "end\nmore", "x\r\nend\r\nmore", &[(1, 2)], &[2]);
    check("end\r\nx", "end", "more\nend", "more\r\nend\r\nx", &[(0, 1)], &[1]);
}

/// EN-7.
#[test]
fn in_a_mixed_file_the_replaced_lines_decide_and_then_their_neighbours() {
    let mixed = "a\r\nb\nc\r\nd\n";
    check(mixed, "b\n", "B\nBB\n", "a\r\nB\nBB\nc\r\nd\n", &[(1, 2)], &[2]);
    check(mixed, "c\n", "C\nCC\n", "a\r\nb\nC\r\nCC\r\nd\n", &[(2, 3)], &[3]);
    check(mixed, "c", "C\nCC", "a\r\nb\nC\nCC\r\nd\n", &[(2, 3)], &[3]);
    check(mixed, "a\nb\nc", "a\nB\nc", "a\r\nB\nc\r\nd\n", &[(0, 3)], &[1]);
    check(mixed, "a\nb\nc\nd", "a\nb\nx\nc\nd", "a\r\nb\nx\nc\r\nd\n", &[(0, 4)], &[1]);
}

/// EN-7: what `read_file` shows can be matched, whatever a line ends in, and its end stays.
#[test]
fn a_line_that_ends_in_two_returns_is_found_as_it_is_shown() {
    let text = "a\r\r\nb\r\r\nc\r\n";
    check(text, "a\nb\n", "a\nB\nBB\n", "a\r\r\nB\r\r\nBB\r\r\nc\r\n", &[(0, 2)], &[1]);
    check(text, "b\r\r\nc", "b\nC", "a\r\r\nb\r\r\nC\r\n", &[(1, 3)], &[2]);
    check(text, "a\r\nb", "A\nb", "A\r\r\nb\r\r\nc\r\n", &[(0, 2)], &[1]);
}

/// R029.
#[test]
fn the_new_text_is_literal() {
    let new = r#"log("$& ok $1 $$ \\1 ${x} $' $`");"#;
    check(
        "a();\nlog();\nlog();\n",
        "log();",
        new,
        &format!("a();\n{new}\n{new}\n"),
        &[(1, 3)],
        &[2, 3],
    );
}

#[test]
fn touched_lines_are_of_the_old_text_and_starts_are_of_the_new_one() {
    check(
        "x\na\na b\nx\nx",
        "x",
        "1\n2",
        "1\n2\na\na b\n1\n2\n1\n2",
        &[(0, 1), (3, 5)],
        &[1, 5, 7],
    );
    check("a a\nb\na", "a", "", " \nb\n", &[(0, 1), (2, 3)], &[1, 1, 3]);
    check("a\nb\nc\n", "a\nb\n", "", "c\n", &[(0, 2)], &[1]);
    check("a\nb\nc\n", "b\n", "b\nx\n", "a\nb\nx\nc\n", &[(1, 2)], &[2]);
}

/// R031: two that overlap are two, since the edit could mean either.
#[test]
fn places_that_overlap_are_counted() {
    let counts = |text, old| Passages::find(text, old).count();
    assert_eq!(counts("io\nio\nmain", "io\nio\n"), 1);
    assert_eq!(counts("io\nio\nio\nmain", "io\nio\n"), 2);
    assert_eq!(counts("io\r\nio\nmain", "io\n"), 2);
    assert_eq!(counts("ééé", "éé"), 2);
    assert_eq!(counts("abc", "d"), 0);
}

#[test]
fn no_bound_of_the_new_size_is_too_low() {
    for (text, old, new) in [("a\r\na\r\n", "a", "b\nc\n"), ("aaaa", "a", "xyz"), ("abc", "b", "")]
    {
        let passages = Passages::find(text, old);
        assert!(passages.replaced(new).text.len() as u64 <= passages.most_bytes(new));
    }
}

/// Every byte outside the passages is the same after the edit (09, row 19).
#[test]
fn in_random_files_everything_around_the_passages_stays_as_it_was() {
    let mut random = Random(7);
    let mut edits = 0;
    for _ in 0..4_000 {
        let (text, new) = (random.text(30), random.text(4));
        let old = random.piece_of(&text);
        // Half a line end is no passage.
        if old.is_empty() || old.ends_with('\r') || new.ends_with('\r') {
            continue;
        }
        let passages = Passages::find(&text, &old);
        assert_ne!(passages.count(), 0, "{old:?} is a piece of {text:?}");
        let replaced = passages.replaced(&new);
        let mut rest = replaced.text.as_str();
        let mut copied = 0;
        for Spot { whole, .. } in passages.spots(0, 0) {
            let kept = &text[copied..whole.start];
            rest = rest.strip_prefix(kept).unwrap_or_else(|| panic!("{text:?} {old:?} {new:?}"));
            rest = without(rest, &new);
            copied = whole.end;
        }
        assert_eq!(rest, &text[copied..], "{text:?} {old:?} {new:?}");
        edits += 1;
    }
    assert!(1_000 < edits);
}

/// Drops `new` from the start of a text, whichever line ends it has there.
fn without<'a>(mut text: &'a str, new: &str) -> &'a str {
    for it in plain(new).split_inclusive('\n') {
        let line = it.strip_suffix('\n').unwrap_or(it);
        text = text.strip_prefix(line).expect("the new line stands there");
        if it.ends_with('\n') {
            text = text.trim_start_matches('\r').strip_prefix('\n').expect("a line end");
        }
    }
    text
}

/// The same texts in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn text(&mut self, most: usize) -> String {
        let parts = ["a", "b", "é", "字", " ", "\t", "\n", "\r\n", "\r\r\n", "\r", "e\u{301}"];
        (0..self.below(most + 1)).map(|_| parts[self.below(parts.len())]).collect()
    }

    fn piece_of(&mut self, text: &str) -> String {
        let (one, other) = (self.below(text.len() + 1), self.below(text.len() + 1));
        let start = text.floor_char_boundary(one.min(other));
        text[start..text.ceil_char_boundary(one.max(other))].to_owned()
    }
}
