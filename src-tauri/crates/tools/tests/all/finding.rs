//! `glob`, `grep` and `ls`: bounded, in order, and honest about what they leave out.

use protocol::{FailureCode, Limits};
use serde_json::json;
use tools::Intent;

use crate::bench::{Bench, failed};

fn source() -> Vec<(&'static str, &'static [u8])> {
    vec![
        ("src/b.rs", b"fn b() {}\r\nlet x = 1;\r\n"),
        ("src/a.rs", b"// a\nfn a() {}\n// end\n"),
        ("src/deep/c.ts", b"function c() {}\n"),
        ("README.md", b"# fn\n"),
        ("i.bin", b"fn\0"),
    ]
}

#[test]
fn glob_lists_paths_in_order_and_says_when_there_are_none() {
    let mut it = Bench::new(&source());
    let mut glob = |arguments| it.capability("glob", &arguments).expect("a listing");
    assert_eq!(glob(json!({ "pattern": "*.rs" })), "src/a.rs\nsrc/b.rs");
    assert_eq!(glob(json!({ "pattern": "src/*" })), "src/a.rs\nsrc/b.rs");
    assert_eq!(glob(json!({ "pattern": "**/*.{ts,md}" })), "README.md\nsrc/deep/c.ts");
    assert_eq!(glob(json!({ "pattern": "deep/*", "path": "src" })), "src/deep/c.ts");
    assert_eq!(glob(json!({ "pattern": "*.py" })), "[no file in the workspace matches *.py]");
}

/// AN-15.
#[test]
fn a_listing_that_is_cut_says_how_much_there_is_and_what_shows_the_rest() {
    let limits = Limits { listing_entries: 2, ..Limits::default() };
    let mut it = Bench::limited(&source(), &limits);
    let told = it.capability("glob", &json!({ "pattern": "**" })).expect("a listing");
    assert_eq!(told, "README.md\ni.bin\n[2 of 5 shown; a longer pattern or a path shows the rest]");
    let told = it.capability("ls", &json!({})).expect("a listing");
    let cut = "[2 of 3 shown; glob with this path and a pattern shows the rest]";
    assert_eq!(told, format!("README.md  5\ni.bin  3\n{cut}"));
}

#[test]
fn ls_lists_one_folder_with_sizes() {
    let mut it = Bench::new(&source());
    let told = it.capability("ls", &json!({ "path": "src" })).expect("a listing");
    assert_eq!(told, "a.rs  22\nb.rs  23\ndeep/");
    let failure = failed(it.capability("ls", &json!({ "path": "src/a.rs" })));
    assert_eq!(failure.code, FailureCode::BadArguments);
    let failure = failed(it.capability("ls", &json!({ "path": "nowhere" })));
    assert_eq!(failure.code, FailureCode::NotFound);
}

/// EN-2: a line ends before its CR, as the model sees it.
#[test]
fn grep_shows_path_line_and_text_and_skips_binary_files() {
    let mut it = Bench::new(&source());
    let mut grep = |arguments| it.capability("grep", &arguments).expect("a search");
    let told = "README.md:1:# fn\nsrc/a.rs:2:fn a() {}\nsrc/b.rs:1:fn b() {}";
    assert_eq!(grep(json!({ "pattern": r"\bfn\b" })), told);
    assert_eq!(grep(json!({ "pattern": r"\}$", "glob": "*.rs", "path": "src" })), told[17..]);
    assert_eq!(grep(json!({ "pattern": "FN A", "ignore_case": true })), "src/a.rs:2:fn a() {}");
    assert_eq!(grep(json!({ "pattern": "= 1;$", "path": "src/b.rs" })), "src/b.rs:2:let x = 1;");
    let context = "src/a.rs-1-// a\nsrc/a.rs:2:fn a() {}\nsrc/a.rs-3-// end";
    assert_eq!(grep(json!({ "pattern": "fn a", "context": 1 })), context);
    assert_eq!(grep(json!({ "pattern": "nowhere" })), "[no match in the workspace]");
}

/// AN-15.
#[test]
fn a_search_that_is_cut_shows_exactly_its_bound_and_says_so() {
    let limits = Limits { search_matches: 2, ..Limits::default() };
    let mut it = Bench::limited(&[("a", b"x\nx\n"), ("b", b"y\nx\n")], &limits);
    let told = it.capability("grep", &json!({ "pattern": "x" })).expect("a search");
    let cut = "[the first 2 matches; a longer pattern, a path or a glob shows the rest]";
    assert_eq!(told, format!("a:1:x\na:2:x\n{cut}"));
    let told = it.capability("grep", &json!({ "pattern": "x", "path": "a" })).expect("a search");
    assert_eq!(told, "a:1:x\na:2:x");
}

#[test]
fn a_search_that_is_cut_shows_no_lines_around_what_it_does_not_show() {
    let limits = Limits { search_matches: 1, ..Limits::default() };
    let mut it = Bench::limited(&[("a", b"x\n1\n2\n3\nx\n")], &limits);
    let told = it.capability("grep", &json!({ "pattern": "x", "context": 1 })).expect("a search");
    let shown = told.lines().take_while(|line| !line.starts_with('[')).collect::<Vec<_>>();
    assert_eq!(shown, ["a:1:x", "a-2-1"]);
}

/// AN-15 bounds the matches; what they look like is bounded too.
#[test]
fn a_search_shows_a_bounded_text_and_leaves_huge_files_out() {
    let line = format!("x{}\n", "y".repeat(390));
    let mut it = Bench::new(&[("a", line.repeat(190).as_bytes())]);
    it.put("huge", &vec![b'x'; (8 << 20) + 1]);
    let told = it.capability("grep", &json!({ "pattern": "x" })).expect("a search");
    assert!(told.len() < 67_000, "{} bytes", told.len());
    assert!(told.contains("[the first 166 matches; "), "{}", protocol::tail(&told, 200));
    let told = it.capability("grep", &json!({ "pattern": "^x+$" })).expect("a search");
    assert!(told.contains("[no match in the workspace]\n[1 file not searched"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_linked_folder_is_looked_into_by_its_name_and_a_linked_file_is_searched_once() {
    let mut it = Bench::new(&[("src/deep/a.rs", b"needle\n")]);
    std::os::unix::fs::symlink("src", it.path("link")).expect("a link");
    std::os::unix::fs::symlink("src/deep/a.rs", it.path("b.rs")).expect("a link");
    let told = it.capability("grep", &json!({ "pattern": "needle" })).expect("a search");
    assert_eq!(told, "src/deep/a.rs:1:needle");
    let by_link = json!({ "pattern": "deep/*", "path": "link" });
    assert_eq!(it.capability("glob", &by_link).expect("a listing"), "src/deep/a.rs");
}

#[test]
fn what_could_not_be_searched_is_counted_and_long_lines_are_cut() {
    let long = "x".repeat(5_000);
    let limits = Limits { whole_file_bytes: 5_000, ..Limits::default() };
    let large = "x\n".repeat(2_501);
    let files = [("large", large.as_bytes()), ("long", long.as_bytes())];
    let mut it = Bench::limited(&files, &limits);
    let told = it.capability("grep", &json!({ "pattern": "x" })).expect("a search");
    assert!(told.len() < 600 && told.contains("…\n[1 file not searched"), "{told}");
    let failure = failed(it.capability("grep", &json!({ "pattern": "x", "path": "large" })));
    assert_eq!(failure.code, FailureCode::TooLarge);
}

#[test]
fn a_pattern_that_is_none_fails_with_what_is_wrong_with_it() {
    let mut it = Bench::new(&[]);
    for pattern in ["(", "a\nb", "x{999}{999}{999}"] {
        let failure = failed(it.capability("grep", &json!({ "pattern": pattern })));
        assert_eq!(failure.code, FailureCode::BadPattern, "{pattern}");
    }
    let failure = failed(it.capability("glob", &json!({ "pattern": "../*" })));
    assert_eq!(failure.code, FailureCode::BadPattern);
}

#[test]
fn a_search_that_is_stopped_ends() {
    let it = Bench::new(&source());
    let call = json!({ "action": "call", "name": "grep", "arguments": { "pattern": "fn" } });
    let Intent::Search(searching) = it.plan("use_capability", &call).expect("a plan").intent else {
        panic!("a search")
    };
    let looked = std::cell::Cell::new(0);
    let stopped = || looked.replace(looked.get() + 1) == 1;
    assert_eq!(it.searched(&searching, &stopped), "README.md:1:# fn");
}
