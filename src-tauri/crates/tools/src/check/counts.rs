//! What runners print of themselves: how many tests passed and failed, and that there were none.

use protocol::CheckCounts;

/// More of an output is not looked at; the counts stand at its end.
const TAIL_BYTES: usize = 2 << 20;

/// Whose lines they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    Cargo,
    Nextest,
    Pytest,
    Unittest,
    Go,
    Jest,
    Vitest,
    Mocha,
    NodeTest,
    Deno,
    Bun,
    Playwright,
    Dotnet,
    Maven,
    Gradle,
    Rspec,
    Minitest,
    Phpunit,
    Ctest,
}

/// What an output says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// `None` where the runner printed no count.
    pub counts: Option<CheckCounts>,
    /// The runner says that it ran none.
    pub ran_none: bool,
}

/// Returns the end of an output, from the start of a character.
pub(super) fn tail(output: &str) -> &str {
    let mut at = output.len().saturating_sub(TAIL_BYTES);
    while !output.is_char_boundary(at) {
        at += 1;
    }
    &output[at..]
}

/// Adds up what lines say.
#[derive(Default)]
struct Sum {
    counts: CheckCounts,
    is_there: bool,
    says_none: bool,
    /// Some ran, however many.
    ran_some: bool,
}

impl Sum {
    fn add(&mut self, passed: u32, failed: u32, skipped: u32) {
        self.is_there = true;
        self.counts.passed = self.counts.passed.saturating_add(passed);
        self.counts.failed = self.counts.failed.saturating_add(failed);
        self.counts.skipped = self.counts.skipped.saturating_add(skipped);
    }

    /// The last such line holds, not the sum: it is a summary itself.
    fn set(&mut self, passed: u32, failed: u32, skipped: u32) {
        self.counts = CheckCounts::default();
        self.add(passed, failed, skipped);
    }
}

impl Counter {
    pub(super) fn read(self, output: &str) -> Reading {
        let mut sum = Sum::default();
        for line in output.lines() {
            self.line(plain(line).trim(), &mut sum);
        }
        let none_counted = sum.counts.passed == 0 && sum.counts.failed == 0;
        let ran_none = none_counted && !sum.ran_some && (sum.says_none || sum.is_there);
        Reading { counts: sum.is_there.then_some(sum.counts), ran_none }
    }

    fn line(self, line: &str, sum: &mut Sum) {
        let before = |words: &[&str]| words.iter().filter_map(|it| number_before(line, it)).sum();
        let after = |words: &[&str]| words.iter().filter_map(|it| number_after(line, it)).sum();
        match self {
            Self::Cargo if line.starts_with("test result:") => {
                sum.add(before(&["passed"]), before(&["failed"]), before(&["ignored"]));
            }
            Self::Nextest if line.contains("tests run:") || line.contains("test run:") => {
                sum.set(before(&["passed"]), before(&["failed", "timed"]), before(&["skipped"]));
            }
            Self::Nextest if line.contains("no tests to run") => sum.says_none = true,
            Self::Pytest if line.contains("no tests ran") => sum.says_none = true,
            Self::Pytest if is_pytest_end(line) => sum.set(
                before(&["passed", "xpassed"]),
                before(&["failed", "error", "errors"]),
                before(&["skipped", "xfailed"]),
            ),
            Self::Unittest => unittest(line, sum),
            Self::Go => go(line, sum),
            Self::Jest if line.starts_with("No tests found") => sum.says_none = true,
            Self::Jest if line.starts_with("Tests:") => {
                sum.set(before(&["passed"]), before(&["failed"]), before(&["skipped", "todo"]));
            }
            Self::Vitest if line.starts_with("No test files found") => sum.says_none = true,
            Self::Vitest if line.starts_with("Tests ") || line.starts_with("no tests") => {
                sum.set(before(&["passed"]), before(&["failed"]), before(&["skipped", "todo"]));
            }
            Self::Mocha => {
                let (passed, failed) = (before(&["passing"]), before(&["failing"]));
                let skipped = before(&["pending"]);
                if first_number_and(line, &["passing", "failing", "pending"]) {
                    sum.add(passed, failed, skipped);
                }
            }
            Self::NodeTest => node(line, sum),
            Self::Deno if line.contains(" passed") && line.contains(" failed") => {
                sum.set(before(&["passed"]), before(&["failed"]), before(&["ignored"]));
            }
            Self::Bun if first_number_and(line, &["pass", "fail", "skip", "todo"]) => {
                sum.add(before(&["pass"]), before(&["fail"]), before(&["skip", "todo"]));
            }
            Self::Bun if line.starts_with("error: 0 test files matching") => sum.says_none = true,
            Self::Playwright if line.contains("No tests found") => sum.says_none = true,
            Self::Playwright
                if first_number_and(
                    line,
                    &["passed", "failed", "skipped", "flaky", "interrupted"],
                ) =>
            {
                sum.add(before(&["passed", "flaky"]), before(&["failed"]), before(&["skipped"]));
            }
            Self::Dotnet if line.contains("Failed:") && line.contains("Passed:") => {
                sum.add(after(&["Passed:"]), after(&["Failed:"]), after(&["Skipped:"]));
            }
            Self::Dotnet if line.starts_with("Test summary:") => {
                sum.set(after(&["succeeded:"]), after(&["failed:"]), after(&["skipped:"]));
            }
            Self::Dotnet
                if line.starts_with("No test is available")
                    || line.starts_with("No test matches") =>
            {
                sum.says_none = true;
            }
            Self::Maven => maven(line, sum),
            Self::Gradle => gradle(line, sum),
            Self::Rspec if first_number_and(line, &["examples", "example"]) => {
                let (all, failed) =
                    (before(&["examples", "example"]), before(&["failures", "failure"]));
                let skipped: u32 = before(&["pending"]);
                sum.set(rest_of(all, failed, skipped), failed, skipped);
            }
            Self::Minitest
                if first_number_and(line, &["runs", "tests"]) && line.contains("assertions") =>
            {
                let failed = before(&["failures", "errors"]);
                let skipped: u32 = before(&["skips"]);
                sum.set(rest_of(before(&["runs", "tests"]), failed, skipped), failed, skipped);
            }
            Self::Phpunit => phpunit(line, sum),
            Self::Ctest if line.starts_with("No tests were found") => sum.says_none = true,
            Self::Ctest if line.contains("tests failed out of") => {
                let all = number_after(line, "out of").unwrap_or(0);
                let failed = number_before(line, "tests failed").unwrap_or(0);
                sum.set(rest_of(all, failed, 0), failed, 0);
            }
            Self::Cargo
            | Self::Nextest
            | Self::Pytest
            | Self::Jest
            | Self::Vitest
            | Self::Deno
            | Self::Bun
            | Self::Playwright
            | Self::Dotnet
            | Self::Rspec
            | Self::Minitest
            | Self::Ctest => {}
        }
    }
}

fn unittest(line: &str, sum: &mut Sum) {
    if let Some(rest) = line.strip_prefix("Ran ") {
        if let Some(all) = first_number(rest) {
            sum.set(all, 0, 0);
        }
    } else if line == "NO TESTS RAN" {
        sum.says_none = true;
    } else if line.starts_with("OK") || line.starts_with("FAILED (") {
        let value = |name| number_after(line, name).unwrap_or(0);
        let failed = value("failures=") + value("errors=");
        let skipped = value("skipped=");
        let all = sum.counts.passed;
        sum.set(rest_of(all, failed, skipped), failed, skipped);
    }
}

/// `-v` prints a line for each test; without it only packages are named.
fn go(line: &str, sum: &mut Sum) {
    if line.starts_with("--- PASS:") {
        sum.add(1, 0, 0);
    } else if line.starts_with("--- FAIL:") {
        sum.add(0, 1, 0);
    } else if line.starts_with("--- SKIP:") {
        sum.add(0, 0, 1);
    }
    let is_empty = line.contains("[no test files]") || line.contains("[no tests to run]");
    let is_package =
        line.starts_with("ok ") || line.starts_with("ok\t") || line.starts_with("FAIL\t");
    if is_empty {
        sum.says_none = true;
    } else if is_package && !is_empty {
        sum.ran_some = true;
    }
}

fn node(line: &str, sum: &mut Sum) {
    let line = line.trim_start_matches(['#', 'ℹ', ' ']);
    let Some((name, number)) = line.split_once(' ') else { return };
    let Ok(number) = number.parse::<u32>() else { return };
    match name {
        "tests" => sum.set(0, 0, 0),
        "pass" => sum.add(number, 0, 0),
        "fail" | "cancelled" => sum.add(0, number, 0),
        "skipped" | "todo" => sum.add(0, 0, number),
        _ => {}
    }
}

/// A line with a time is one class; that without one is a module's sum.
fn maven(line: &str, sum: &mut Sum) {
    if line.contains("No tests to run") || line.contains("No tests were executed") {
        sum.says_none = true;
    }
    let Some(at) = line.find("Tests run:") else { return };
    if line.contains("Time elapsed") {
        return;
    }
    let line = &line[at..];
    let value = |name| number_after(line, name).unwrap_or(0);
    let failed = value("Failures:") + value("Errors:");
    let skipped = value("Skipped:");
    sum.add(rest_of(value("Tests run:"), failed, skipped), failed, skipped);
}

fn gradle(line: &str, sum: &mut Sum) {
    if line.contains("tests completed") {
        let (all, failed) = (number_before(line, "tests completed"), number_before(line, "failed"));
        let skipped = number_before(line, "skipped").unwrap_or(0);
        let failed = failed.unwrap_or(0);
        sum.add(rest_of(all.unwrap_or(0), failed, skipped), failed, skipped);
    }
    let Some(task) = line.strip_prefix("> Task :") else { return };
    let mut words = task.split_whitespace();
    let is_test = words.next().is_some_and(|it| it.to_lowercase().ends_with("test"));
    if is_test && words.next() == Some("NO-SOURCE") {
        sum.says_none = true;
    } else if is_test {
        sum.ran_some = true;
    }
}

fn phpunit(line: &str, sum: &mut Sum) {
    if line.starts_with("No tests executed") {
        sum.says_none = true;
    } else if let Some(rest) = line.strip_prefix("OK (") {
        sum.set(first_number(rest).unwrap_or(0), 0, 0);
    } else if line.starts_with("Tests:") && line.contains("Assertions:") {
        let value = |name| number_after(line, name).unwrap_or(0);
        let failed = value("Failures:") + value("Errors:");
        let skipped = value("Skipped:") + value("Incomplete:");
        sum.set(rest_of(value("Tests:"), failed, skipped), failed, skipped);
    }
}

fn rest_of(all: u32, failed: u32, skipped: u32) -> u32 {
    all.saturating_sub(failed).saturating_sub(skipped)
}

/// `== 3 passed, 1 failed in 0.12s ==`, with or without the signs around it.
fn is_pytest_end(line: &str) -> bool {
    let inner = line.trim_matches('=').trim();
    let words =
        ["passed", "failed", "error", "errors", "skipped", "xfailed", "xpassed", "deselected"];
    inner.contains(" in ") && first_number_and(inner, &words)
}

/// Whether the line begins with a number and one of the words.
fn first_number_and(line: &str, words: &[&str]) -> bool {
    let mut pieces = line.split_whitespace();
    let is_number = pieces.next().is_some_and(|it| it.bytes().all(|b| b.is_ascii_digit()));
    let word = pieces.next().unwrap_or_default();
    is_number && words.contains(&word.trim_end_matches([',', ';', ':']))
}

fn first_number(text: &str) -> Option<u32> {
    let digits = text.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The number directly before a whole word: `3 passed`.
fn number_before(line: &str, word: &str) -> Option<u32> {
    line.match_indices(word).find_map(|(at, _)| {
        let end = line[at + word.len()..].chars().next();
        if end.is_some_and(char::is_alphanumeric) {
            return None;
        }
        let before = line[..at].strip_suffix(' ')?;
        let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    })
}

/// The number directly after a label: `Failed: 3`.
fn number_after(line: &str, label: &str) -> Option<u32> {
    let at = line.find(label)?;
    first_number(&line[at + label.len()..])
}

/// A line without the colours that a terminal would have.
fn plain(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(next) = chars.next() {
        if next == '\u{1b}' {
            // `ESC [ … letter`.
            for inner in chars.by_ref() {
                if inner.is_ascii_alphabetic() {
                    break;
                }
            }
        } else {
            text.push(next);
        }
    }
    text
}
