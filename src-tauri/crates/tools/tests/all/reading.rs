//! `read_file`: bounded pages of text, and facts about them.

use evidence::{Known, Version};
use protocol::{FailureCode, Limits, LineRange};
use serde_json::json;
use tools::Intent;

use crate::bench::{Bench, failed};

/// RE-1, RE-5, RE-6, RE-17.
#[test]
fn a_short_file_is_all_text_and_a_page_of_a_longer_one_says_where_to_go_on() {
    let limits = Limits { page_lines: 3, ..Limits::default() };
    let mut it = Bench::limited(&[("a", b"1\n2\r\n3"), ("b", b"1\n2\n3\n4\n5\n")], &limits);
    assert_eq!(it.read("a").expect("a text"), "1\t1\n2\t2\n3\t3");
    let told = "1\t1\n2\t2\n3\t3\n[page limit: lines 1-3 of 5; next offset 3]";
    assert_eq!(it.read("b").expect("a text"), told);
    let mut page = |offset: i64, limit: i64| {
        let arguments = json!({ "path": "b", "offset": offset, "limit": limit });
        it.call("read_file", &arguments).expect("a text")
    };
    assert_eq!(page(3, 9), "4\t4\n5\t5");
    assert_eq!(page(1, 1), "2\t2\n[page limit: lines 2-2 of 5; next offset 2]");
    // RE-3: what makes no sense stands for the default.
    assert_eq!(page(-4, -1), told);
    assert_eq!(page(0, 0), told);
    // RE-10.
    assert_eq!(page(7, 1), "[no lines: offset 7 is past the end, line 5]");
}

/// RE-7.
#[test]
fn a_page_that_is_too_large_ends_early_and_names_the_end_that_was_asked_for() {
    let limits = Limits { page_bytes: 14, ..Limits::default() };
    let mut it = Bench::limited(&[("a", b"aaaa\nbbbb\ncccc\ndddd\n")], &limits);
    let told = "1\taaaa\n2\tbbbb\n[safety page: lines 1-2 of 4; next offset 2, requested end 4]";
    assert_eq!(it.read("a").expect("a text"), told);
}

/// RE-9.
#[test]
fn an_empty_file_is_said_to_be_empty() {
    let mut it = Bench::new(&[("a", b"")]);
    assert_eq!(it.read("a").expect("a text"), "[empty file]");
}

/// OL-9, RE-8.
#[test]
fn a_missing_file_is_a_confirmed_absence_and_a_failure_with_a_way_on() {
    let mut it = Bench::new(&[("src/deep/main.rs", b""), ("x/a[1]{b}.rs", b"")]);
    let planned = it.plan("read_file", &json!({ "path": "src/main.rs" })).expect("a plan");
    assert!(matches!(planned.intent, Intent::Read(_)));
    let failure = failed(it.read("src/main.rs"));
    assert_eq!(failure.code, FailureCode::NotFound);
    assert_eq!(it.follow(&failure.next).expect("it is found"), "src/deep/main.rs");
    let failure = failed(it.read("a[1]{b}.rs"));
    assert_eq!(it.follow(&failure.next).expect("it is found"), "x/a[1]{b}.rs");
}

/// RE-7, RE-8.
#[test]
fn what_is_no_text_or_no_file_fails_with_a_way_on() {
    let limits = Limits { line_bytes: 8, ..Limits::default() };
    let files: &[(&str, &[u8])] =
        &[("i.bin", b"a\0"), ("dir/a", b"x"), ("long", b"ab\n123456789\ncd\n")];
    let mut it = Bench::limited(files, &limits);
    let mut code = |path: &str| failed(it.read(path)).code;
    assert_eq!(code("i.bin"), FailureCode::BinaryFile);
    assert_eq!(code("dir"), FailureCode::NotAFile);
    assert_eq!(code("long"), FailureCode::TooLarge);
    assert_eq!(code("../x"), FailureCode::OutsideWorkspace);
    assert_eq!(code("a\0b"), FailureCode::BadArguments);
    assert_eq!(code(""), FailureCode::BadArguments);
    let next = failed(it.read("long")).next;
    assert!(next.contains("offset 2 "), "{next}");
    let arguments = json!({ "path": "long", "offset": 2 });
    assert_eq!(it.call("read_file", &arguments).expect("a text"), "3\tcd");
}

/// SI-1: the facts of a page are of the bytes that it shows.
#[test]
fn a_page_carries_the_version_and_the_lines_it_is_of() {
    let mut it = Bench::new(&[("a", b"1\n2\n3\n")]);
    let page = |it: &mut Bench, arguments| {
        let planned = it.plan("read_file", &arguments).expect("a plan");
        let Intent::Read(reading) = planned.intent else { panic!("a read") };
        it.page(&reading)
    };
    let whole = page(&mut it, json!({ "path": "a" }));
    assert_eq!((whole.lines(), whole.texts()), (LineRange::new(0, 3), vec!["1", "2", "3"]));
    let part = page(&mut it, json!({ "path": "a", "offset": 1, "limit": 1 }));
    assert_eq!((part.lines(), part.texts()), (LineRange::new(1, 2), vec!["2"]));
    assert_eq!((part.known, part.snapshot), (whole.known, whole.snapshot));
    it.put("a", b"1\n2\n3");
    let other = page(&mut it, json!({ "path": "a" }));
    assert!(other.known != whole.known && other.snapshot != whole.snapshot);
    assert!(matches!(whole.known, Known::Version(Version::Present(_))));
}

/// RE-31, RE-33: a page stands in a result that shows each of its lines, word for word; not in one that
/// was changed or cut since.
#[test]
fn a_page_stands_in_a_result_that_shows_each_of_its_lines() {
    let mut it = Bench::new(&[("a", b"1\n2\n3\n4\n")]);
    let arguments = json!({ "path": "a", "offset": 1, "limit": 2 });
    let Intent::Read(reading) = it.plan("read_file", &arguments).expect("a plan").intent else {
        panic!("a read")
    };
    let page = it.page(&reading);
    for (result, stands) in [
        ("1\t1\n2\t2\n3\t3\n4\t4\n[source_token r_1]", true),
        ("2\t2\n3\t3\n[page limit: lines 2-3 of 4; next offset 3]\n[source_token r_1]", true),
        ("2\t2\n3\tx\n[source_token r_1]", false),
        ("2\t2\n[source_token r_1]", false),
        ("3\t2\n4\t3\n[source_token r_1]", false),
        ("2\t2\n3", false),
        (
            "[unchanged: lines 2-3 of 4 are as an earlier read_file result of yours shows them]",
            false,
        ),
        ("[the result was taken out]", false),
        ("", false),
    ] {
        assert_eq!(page.stands_in(result), stands, "{result:?}");
    }
}
