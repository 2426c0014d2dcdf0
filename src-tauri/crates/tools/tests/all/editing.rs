//! `edit_file`: literal, and byte exact around the passage.

use protocol::{DiagnosticCode, FailureCode, LineRange};
use serde_json::json;

use crate::bench::{Bench, failed, refused};

/// R011, B26: a foreign change of a line is found, and one more read is enough. One of another line is
/// kept.
#[test]
fn an_edit_of_a_changed_line_is_turned_away_until_it_is_read_again() {
    let mut it = Bench::new(&[("app.cfg", b"host=a\nport=1\n")]);
    it.read("app.cfg").expect("a text");
    it.put("app.cfg", b"# by hand\nhost=a\nport=10\n");
    it.edit("app.cfg", "host=a\n", "host=b\n").expect("that line is as it was shown");
    let stale = refused(it.edit("app.cfg", "port=1", "port=2"));
    assert_eq!(stale.code, DiagnosticCode::WriteEvidenceStale);
    assert_eq!(stale.required_ranges, [LineRange::new(2, 3)]);
    assert!(it.read("app.cfg").expect("a text").contains("port=10"));
    it.edit("app.cfg", "port=1", "port=2").expect("it was read");
    assert_eq!(it.text("app.cfg"), "# by hand\nhost=b\nport=20\n");
}

/// R014, EN-7.
#[test]
fn a_passage_with_lf_is_found_in_a_crlf_file_and_what_is_put_in_ends_in_crlf() {
    let mut it = Bench::new(&[("w.ini", b"[a]\r\nx=1\r\ny=2\r\n")]);
    it.read("w.ini").expect("a text");
    let told = it.edit("w.ini", "x=1\ny=2", "x=9\nz=5\ny=2").expect("it was read");
    assert_eq!(it.text("w.ini"), "[a]\r\nx=9\r\nz=5\r\ny=2\r\n");
    assert_eq!(told, "edited w.ini: 1 replacement, line 2");
}

/// R015.
#[test]
fn an_edit_that_changes_no_byte_says_so() {
    let mut it = Bench::new(&[("a.txt", b"a\r\nb\r\n")]);
    it.read("a.txt").expect("a text");
    assert_eq!(failed(it.edit("a.txt", "a\r\nb", "a\nb")).code, FailureCode::NoChange);
    assert_eq!(failed(it.edit("a.txt", "a", "a")).code, FailureCode::NoChange);
    assert_eq!(it.text("a.txt"), "a\r\nb\r\n");
}

/// R023.
#[test]
fn no_line_end_is_added_at_the_end_of_a_file() {
    let mut it = Bench::new(&[("L.xcstrings", b"{\n \"v\" : \"1.0\",\n \"k\" : \"a\"\n}")]);
    it.read("L.xcstrings").expect("a text");
    it.edit("L.xcstrings", "\"a\"", "\"b\"").expect("it was read");
    assert_eq!(it.text("L.xcstrings"), "{\n \"v\" : \"1.0\",\n \"k\" : \"b\"\n}");
}

/// R026.
#[test]
fn tabs_can_be_copied_from_a_read_and_spaces_in_their_place_match_nothing() {
    let text = b"func f() {\n\tif x {\n\t\treturn 1\n\t}\n}\n";
    let mut it = Bench::new(&[("m.go", text)]);
    assert!(it.read("m.go").expect("a text").contains("\t\treturn 1"));
    let failure = failed(it.edit("m.go", "        return 1", "        return 2"));
    assert_eq!(failure.code, FailureCode::NoMatch);
    assert!(failure.next.contains("line 3"), "{}", failure.next);
    it.edit("m.go", "\t\treturn 1\n", "\t\treturn 3\n").expect("it was read");
    assert_eq!(it.text("m.go"), "func f() {\n\tif x {\n\t\treturn 3\n\t}\n}\n");
}

/// R028.
#[test]
fn composed_letters_do_not_match_decomposed_ones_and_nothing_is_normalised() {
    let text = "cafe\u{301} one\nre\u{301}sume\u{301} two\n";
    let mut it = Bench::new(&[("n.txt", text.as_bytes())]);
    it.read("n.txt").expect("a text");
    assert_eq!(failed(it.edit("n.txt", "caf\u{e9} one", "tea one")).code, FailureCode::NoMatch);
    it.edit("n.txt", "cafe\u{301} one", "tea one").expect("it was read");
    assert_eq!(it.text("n.txt"), "tea one\nre\u{301}sume\u{301} two\n");
}

/// R029.
#[test]
fn dollar_signs_and_backslashes_are_literal() {
    let mut it = Bench::new(&[("d.js", b"a();\nlog(\"done\");\nlog(\"done\");\n")]);
    it.read("d.js").expect("a text");
    let new = r#"log("$& ok $1 $$ \\1 ${x} $' $`");"#;
    let arguments = json!({
        "path": "d.js", "old_string": "log(\"done\");", "new_string": new, "replace_all": true
    });
    let told = it.call("edit_file", &arguments).expect("it was read");
    assert_eq!(told, "edited d.js: 2 replacements, lines 2, 3");
    it.edit("d.js", "a();", "$$();").expect("the last write is known");
    assert_eq!(it.text("d.js"), format!("$$();\n{new}\n{new}\n"));
}

/// R031, AN-10.
#[test]
fn a_passage_that_stands_twice_is_refused_with_the_count_and_a_wider_one_is_taken() {
    let text = "import 'dart:ui';\nimport 'dart:io';\nimport 'dart:io';\nmain() {}\n";
    let mut it = Bench::new(&[("v.dart", text.as_bytes())]);
    it.read("v.dart").expect("a text");
    let refusal = refused(it.edit("v.dart", "import 'dart:io';\n", ""));
    assert_eq!(refusal.code, DiagnosticCode::WriteTargetAmbiguous);
    assert!(refusal.recovery.contains("2 times"), "{}", refusal.recovery);
    assert_eq!(it.text("v.dart"), text);
    let both = "import 'dart:io';\nimport 'dart:io';\n";
    it.edit("v.dart", both, "import 'dart:io';\n").expect("it stands once");
    assert_eq!(it.text("v.dart"), "import 'dart:ui';\nimport 'dart:io';\nmain() {}\n");
}

/// R034.
#[test]
fn a_binary_file_is_not_edited() {
    let bytes: Vec<u8> = (0..4_u32).flat_map(|_| 0..=255).collect();
    let mut it = Bench::new(&[("i.bin", &bytes)]);
    assert_eq!(failed(it.edit("i.bin", "abc", "abd")).code, FailureCode::BinaryFile);
    assert_eq!(it.bytes("i.bin"), bytes);
}

/// R035.
#[cfg(unix)]
#[test]
fn a_link_is_written_through_and_the_real_file_is_named() {
    let mut it = Bench::new(&[("real/rc", b"a\nb\n")]);
    std::os::unix::fs::symlink("real/rc", it.path("rc")).expect("a link");
    it.read("rc").expect("a text");
    let told = it.edit("rc", "a\n", "A\n").expect("it was read");
    assert_eq!(told, "edited rc (a link to real/rc): 1 replacement, line 1");
    assert_eq!(it.text("real/rc"), "A\nb\n");
    assert!(it.path("rc").is_symlink());
}

/// SI-10: a byte order mark stays, and does not stand in the way of the first line.
#[test]
fn a_byte_order_mark_is_kept_and_the_first_line_can_be_matched() {
    let mut it = Bench::new(&[("b.txt", b"\xEF\xBB\xBFhello\nx\n")]);
    assert_eq!(it.read("b.txt").expect("a text"), "1\thello\n2\tx");
    it.edit("b.txt", "hello", "bye").expect("it was read");
    assert_eq!(it.bytes("b.txt"), b"\xEF\xBB\xBFbye\nx\n");
}

/// DG-9, WB-12: the refusals of the plan and of the gate.
#[test]
fn a_missing_file_and_one_that_was_not_read_are_refused() {
    let mut it = Bench::new(&[("a", b"x\n")]);
    assert_eq!(refused(it.edit("b", "x", "y")).code, DiagnosticCode::WriteTargetAbsent);
    assert_eq!(refused(it.edit("a", "x", "y")).code, DiagnosticCode::WriteEvidenceMissing);
    assert_eq!(it.text("a"), "x\n");
}

/// WB-39: an own write is known, so edits follow each other.
#[test]
fn one_edit_after_another_needs_no_second_read() {
    let mut it = Bench::new(&[("a", b"1\n2\n")]);
    it.read("a").expect("a text");
    it.edit("a", "1", "one").expect("it was read");
    it.edit("a", "2", "two").expect("the last write is known");
    assert_eq!(it.text("a"), "one\ntwo\n");
}

/// RT-5, RT-7.
#[test]
fn a_source_token_is_passed_on_and_an_empty_one_cites_nothing() {
    let mut it = Bench::new(&[("a", b"1\n")]);
    it.read("a").expect("a text");
    let edit = |token: &str| json!({ "path": "a", "old_string": "1", "new_string": "2", "source_token": token });
    let refusal = refused(it.call("edit_file", &edit("r_made_up")));
    assert_eq!(refusal.code, DiagnosticCode::WriteEvidenceMissing);
    it.call("edit_file", &edit("r_1")).expect("the first answer's read printed it");
    it.edit("a", "2", "1").expect("the last write is known");
    it.call("edit_file", &edit("")).expect("nothing is cited");
}

#[test]
fn a_folder_an_empty_passage_and_a_path_outside_fail_with_what_works() {
    let mut it = Bench::new(&[("src/a.rs", b"x\n")]);
    let folder = failed(it.edit("src", "x", "y"));
    assert_eq!(folder.code, FailureCode::NotAFile);
    assert!(it.follow(&folder.next).expect("it lists").contains("a.rs"));
    assert_eq!(failed(it.edit("src/a.rs", "", "y")).code, FailureCode::BadArguments);
    assert_eq!(failed(it.edit("../x", "a", "b")).code, FailureCode::OutsideWorkspace);
}

/// SI-6: what an edit would make is bounded before it is made.
#[test]
fn an_edit_that_would_make_a_file_too_large_is_not_even_built() {
    let limits = protocol::Limits { whole_file_bytes: 1_000, ..Default::default() };
    let mut it = Bench::limited(&[("a", "x".repeat(100).as_bytes())], &limits);
    let arguments = json!({
        "path": "a", "old_string": "x", "new_string": "y".repeat(100), "replace_all": true
    });
    assert_eq!(failed(it.call("edit_file", &arguments)).code, FailureCode::TooLarge);
}

#[test]
fn a_passage_that_stands_too_often_is_not_replaced() {
    let text = "x".repeat(100_001);
    let mut it = Bench::new(&[("a", text.as_bytes())]);
    let arguments = json!({
        "path": "a", "old_string": "x", "new_string": "y", "replace_all": true
    });
    assert_eq!(failed(it.call("edit_file", &arguments)).code, FailureCode::TooLarge);
}

fn multi(path: &str, edits: &[(&str, &str)]) -> serde_json::Value {
    let edit = |(old, new): &(&str, &str)| json!({"old_string": old, "new_string": new});
    json!({ "path": path, "edits": edits.iter().map(edit).collect::<Vec<_>>() })
}

/// WB-13, WB-2: several edits of one file are one write, each in what the ones before it left, and what
/// an earlier one wrote need not have been read.
#[test]
fn several_edits_of_a_file_are_one_write() {
    let mut it = Bench::new(&[("a.txt", b"one\r\ntwo\r\nthree\r\nfour\r\n")]);
    it.read("a.txt").expect("a text");
    let edits = multi("a.txt", &[("one\n", "1\n1b\n"), ("1b\n", "1c\n"), ("four", "4")]);
    let told = it.capability("multi_edit", &edits).expect("all of it was read");
    assert_eq!(told, "edited a.txt: 2 replacements, lines 1, 5");
    assert_eq!(it.bytes("a.txt"), b"1\r\n1c\r\ntwo\r\nthree\r\n4\r\n");
    it.edit("a.txt", "1c", "x").expect("the model wrote it");
}

/// WB-13: if one edit cannot be made, none is, and it is named.
#[test]
fn if_one_edit_cannot_be_made_none_is() {
    let mut it = Bench::new(&[("a.txt", b"one\ntwo\n")]);
    it.read("a.txt").expect("a text");
    let edits = multi("a.txt", &[("one", "1"), ("nowhere", "2")]);
    let failure = failed(it.capability("multi_edit", &edits));
    assert_eq!(failure.code, FailureCode::NoMatch);
    assert!(failure.message.starts_with("edit 2 of 2: "), "{}", failure.message);
    assert!(failure.next.starts_with("none of the edits was made"), "{}", failure.next);
    assert_eq!(it.text("a.txt"), "one\ntwo\n");
    let none = failed(it.capability("multi_edit", &multi("a.txt", &[])));
    assert_eq!(none.code, FailureCode::BadArguments);
}

/// WB-12, WB-13: each line that the edits replace must have been shown, and no other.
#[test]
fn several_edits_are_licensed_by_the_lines_that_they_replace() {
    let text: String = (1..=30).map(|it| format!("line {it}\n")).collect();
    let mut it = Bench::new(&[("a.txt", text.as_bytes())]);
    it.call("read_file", &json!({"path": "a.txt", "offset": 0, "limit": 3})).expect("a page");
    it.call("read_file", &json!({"path": "a.txt", "offset": 20, "limit": 3})).expect("a page");
    let edits = multi("a.txt", &[("line 2\n", "2\n"), ("line 9\n", "9\n"), ("line 22\n", "22\n")]);
    let refusal = refused(it.capability("multi_edit", &edits));
    assert_eq!(refusal.required_ranges, [LineRange::new(8, 9)]);
    let edits = multi("a.txt", &[("line 2\n", "2\n"), ("line 22\n", "22\n")]);
    it.capability("multi_edit", &edits).expect("both were read");
}
