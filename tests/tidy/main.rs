//! House rules. Each is a small function over text, with a test that shows that it can fail.

mod arrows;
mod docs;
mod doors;
mod lengths;
mod licences;
mod source;
mod words;

/// Fails with all problems at once, one a line.
#[track_caller]
fn assert_none(problems: &[String], rule: &str) {
    assert!(problems.is_empty(), "{rule}:\n{}", problems.join("\n"));
}
