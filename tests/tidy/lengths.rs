//! How long a file may be, and how long the tests inside it.

use std::{error::Error, ops::Range};

use crate::{
    assert_none,
    source::{Source, parts, sources, test_items},
};

/// Most lines of a file, tests apart.
const FILE_LINES: usize = 600;
/// Most lines of a `mod tests` in the file that it tests. Longer ones are `x/tests.rs`.
const INLINE_TEST_LINES: usize = 80;
const GENERATED: &str = "frontend/src/bindings.ts";
/// The package that decides nothing, and most lines of it, tests apart.
const WINDOW: (&str, usize) = ("src-tauri/src/", 800);

#[test]
fn files_and_inline_tests_are_short() -> Result<(), Box<dyn Error>> {
    let files = sources(&["rs", "ts", "tsx"])?;
    let problems: Vec<String> = files.iter().flat_map(too_long).collect();
    assert_none(&problems, "a file that grows past this is split by what it is about");
    Ok(())
}

#[test]
fn the_window_decides_nothing_and_stays_small() -> Result<(), Box<dyn Error>> {
    let (folder, most) = WINDOW;
    let files = sources(&["rs"])?;
    let files = files.iter().filter(|it| it.path.starts_with(folder) && !it.is_test());
    let lines: usize = files.map(product_lines).sum();
    assert!(0 < lines && lines <= most, "{folder} has {lines} lines; {most} at most");
    Ok(())
}

/// Returns how many lines of a Rust file are not inside its tests.
fn product_lines(file: &Source) -> usize {
    let tests: usize = inline_tests(&file.text).iter().map(ExactSizeIterator::len).sum();
    file.text.lines().count() - tests
}

fn too_long(file: &Source) -> Vec<String> {
    if file.is_test() || file.path == GENERATED {
        return Vec::new();
    }
    let path = &file.path;
    let mut lines = file.text.lines().count();
    let mut problems = Vec::new();
    if file.extension() == "rs" {
        for tests in inline_tests(&file.text) {
            lines -= tests.len();
            if INLINE_TEST_LINES < tests.len() {
                let (at, long) = (tests.start + 1, tests.len());
                problems.push(format!(
                    "{path}:{at}: {long} lines of tests; {INLINE_TEST_LINES} at most"
                ));
            }
        }
    }
    if FILE_LINES < lines {
        problems.push(format!("{path}: {lines} lines; {FILE_LINES} at most"));
    }
    problems
}

/// Returns the lines between the braces of each `mod … { … }` that is compiled for tests alone.
fn inline_tests(text: &str) -> Vec<Range<usize>> {
    let code = parts(text).code;
    let line = |at: usize| code[..at].matches('\n').count();
    let mut found = Vec::new();
    for (start, end) in test_items(&code) {
        let item = &code[start..end];
        if let Some(open) = item.find('{').filter(|_| item.contains("mod ")) {
            found.push(line(start + open) + 1..line(end));
        }
    }
    found
}

#[test]
fn a_file_over_the_limit_is_found_and_its_tests_do_not_count() {
    let file = |path: &str, text: String| Source { path: path.to_owned(), text };
    let tests = |lines| format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "x();\n".repeat(lines));
    let body = "a();\n".repeat(FILE_LINES - 3);
    let fits = file("a/src/b.rs", format!("{body}{}", tests(INLINE_TEST_LINES)));
    assert_eq!(too_long(&fits), [""; 0]);
    let long = file("a/src/b.rs", format!("a();\n{body}{}", tests(INLINE_TEST_LINES)));
    assert_eq!(too_long(&long), ["a/src/b.rs: 601 lines; 600 at most"]);
    let long = file("a/src/b.rs", tests(INLINE_TEST_LINES + 1));
    assert_eq!(too_long(&long), ["a/src/b.rs:3: 81 lines of tests; 80 at most"]);
    let generated = file(GENERATED, "a\n".repeat(FILE_LINES + 1));
    assert_eq!(too_long(&generated), [""; 0]);
}
