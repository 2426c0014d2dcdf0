//! Checks against tables of command lines and of what runners print.

use std::collections::BTreeMap;

use protocol::{CappedText, CheckStatus, ToolCallId, Verification};

use super::*;

const LINES: &str = include_str!("tests/lines.txt");
const OUTPUTS: &str = include_str!("tests/outputs.txt");

/// Build files of the project that the lines run in.
fn read(path: &str) -> Option<String> {
    let text = match path {
        "package.json" => {
            r#"{"scripts": {"test": "vitest run", "check": "tsc --noEmit && biome check",
                "test:odd": "node scripts/all.js", "lint:soft": "eslint . || true",
                "dev": "vite", "test:watch": "vitest watch", "start": "node server.js"}}"#
        }
        "web/package.json" | "/abs/web/package.json" => r#"{"scripts": {"test": "jest --ci"}}"#,
        "composer.json" => r#"{"scripts": {"test": ["phpunit"]}}"#,
        "Makefile" => {
            "CARGO ?= cargo\n.PHONY: test\ntest:\n\t@$(CARGO) test\n\
             check: fmt\n\t$(CARGO) clippy\n\t$(MAKE) test\n\
             fmt:\n\tcargo fmt --check\nsoft:\n\t-cargo clippy\n\
             lint:\n\t./scripts/lint.sh\nclean:\n\trm -rf target\n"
        }
        "justfile" => "# All of it.\ntest *args:\n    @pytest {{args}}\n\nfmt:\n    ruff format\n",
        _ => return None,
    };
    Some(text.to_owned())
}

#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    exit: i32,
    output: &'a str,
    expected: String,
    command: String,
}

fn rows() -> Vec<Row<'static>> {
    let lines = LINES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let mut columns = line.splitn(6, "  ").map(str::trim);
            let mut next = || columns.next().expect("six columns");
            let exit = next().parse().expect("an exit code");
            let (output, runner, status, qualifiers) = (next(), next(), next(), next());
            let expected = format!("{} {status} {qualifiers}", runner.replace('_', " "));
            Row { exit, output, expected, command: next().replace('␤', "\n") }
        })
        .collect()
}

/// The outputs by their names, each with the counts that it says.
fn outputs() -> BTreeMap<&'static str, (String, Option<CheckCounts>)> {
    let mut outputs = BTreeMap::new();
    for section in OUTPUTS.split("## ").skip(1) {
        let (name, text) = section.split_once('\n').expect("a name");
        let is_count = |it: &&str| it.starts_with("= ");
        let counts = text.lines().find(is_count).map(|it| {
            let mut numbers = it[2..].split(' ').map(|it| it.parse().expect("a number"));
            let mut next = || numbers.next().expect("three numbers");
            CheckCounts { passed: next(), failed: next(), skipped: next() }
        });
        let lines: Vec<&str> = text.lines().filter(|it| !is_count(it)).collect();
        outputs.insert(name, (lines.join("\n"), counts));
    }
    outputs
}

/// What is recorded of a command, as one line.
fn recorded(command: &str, exit: i32, output: &str) -> String {
    let Some(check) = check_of(Shell::Bash, command, &read) else { return "none - -".to_owned() };
    let reading = check.read_output(output);
    let qualifiers = check.qualifiers(Some(exit), &reading);
    let words: Vec<String> = qualifiers
        .iter()
        .map(|it| serde_json::to_value(it).expect("a word").as_str().expect("a word").to_owned())
        .collect();
    let verification = Verification {
        command: CappedText::cut(command),
        kind: check.kind,
        passed: check.passed(Some(exit), &reading),
        stale: false,
        interrupted: false,
        exit_code: Some(exit),
        tool_call_id: ToolCallId::minted("c"),
        level: None,
        runner: Some(check.runner.to_owned()),
        qualifiers,
        counts: reading.counts,
        cwd: None,
        started_at: None,
        duration_ms: None,
        tool_result_id: None,
    };
    let status = match verification.status() {
        CheckStatus::Failed => "failed",
        CheckStatus::Interrupted => "interrupted",
        CheckStatus::Stale => "stale",
        CheckStatus::Unknown => "unknown",
        CheckStatus::Passed => "passed",
    };
    let words = if words.is_empty() { "-".to_owned() } else { words.join(",") };
    format!("{} {status} {words}", check.runner)
}

/// CH-2, CH-3, CH-4: the table holds at least 200 lines, 30 of them no checks.
#[test]
fn each_line_has_its_runner_its_status_and_its_qualifiers() {
    let (rows, outputs) = (rows(), outputs());
    let empty = (String::new(), None);
    let mut wrong = Vec::new();
    for row in &rows {
        let output = if row.output == "-" { &empty } else { &outputs[row.output] };
        let is = recorded(&row.command, row.exit, &output.0);
        if is != row.expected {
            wrong.push(format!("{}\n  is {is}, not {}", row.command, row.expected));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(200 <= rows.len());
    assert!(30 <= rows.iter().filter(|it| it.expected.starts_with("none")).count());
}

/// CH-4: what each runner counts is read from what it prints.
#[test]
fn each_output_has_its_counts() {
    let outputs = outputs();
    for row in rows().iter().filter(|it| it.output != "-" && !it.expected.starts_with("none")) {
        let check = check_of(Shell::Bash, &row.command, &read).expect("a check");
        let (text, counts) = &outputs[row.output];
        if !row.command.contains("&& cargo test") {
            assert_eq!(
                check.read_output(text).counts,
                *counts,
                "{} of {}",
                row.output,
                row.command
            );
        }
    }
}

/// CK-4: what else a line runs may change files, and makes the checks before it old.
#[test]
fn what_a_line_runs_besides_is_told() {
    let more = |line: &str| check_of(Shell::Bash, line, &read).map(|it| it.runs_more);
    assert_eq!(more("cargo test"), Some(false));
    assert_eq!(more("cd sub && cargo test 2>&1 | tail -5; echo done"), Some(false));
    assert_eq!(more("cargo clippy && cargo test"), Some(false));
    assert_eq!(more("cargo test && ./generate.sh"), Some(true));
    assert_eq!(more("cargo fmt; cargo test"), Some(true));
}

/// CL-10: where the grammar of a shell is not read, only a plain command's status counts.
#[test]
fn a_windows_line_counts_only_where_it_is_one_command() {
    for shell in [Shell::PowerShell, Shell::Cmd] {
        let check = |line: &str| check_of(shell, line, &read).map(|it| (it.runner, it.is_masked));
        assert_eq!(check("cargo.exe test"), Some(("cargo test", false)));
        assert_eq!(check(r"C:\tools\pytest.exe -q"), Some(("pytest", false)));
        assert_eq!(check("cargo test | Select-Object -Last 5"), Some(("cargo test", true)));
        assert_eq!(check("cargo test; echo done"), Some(("cargo test", true)));
        assert_eq!(check("npm test"), Some(("vitest", false)));
        assert_eq!(check("cd web && npm test"), Some(("jest", true)));
        assert_eq!(check("Write-Output 'cargo test; x'"), None);
    }
}

/// CL-7: nothing makes it slow or deep: a target that runs itself, a long line, a deep one.
#[test]
fn what_leads_back_to_itself_ends() {
    let read = |path: &str| match path {
        "Makefile" => Some("test:\n\tmake test\n\tmake test\n".to_owned()),
        "package.json" => Some(r#"{"scripts": {"test": "npm test && npm test"}}"#.to_owned()),
        _ => None,
    };
    let runner = |line: &str| check_of(Shell::Bash, line, &read).map(|it| it.runner);
    assert_eq!(runner("make test"), Some("make"));
    assert_eq!(runner("npm test"), Some("npm"));
    // It ends, and is not taken for proven.
    let deep = format!("{}cargo test", "( ".repeat(2_000));
    let masked = check_of(Shell::Bash, &deep, &read).is_none_or(|it| it.is_masked);
    assert!(masked);
    assert_eq!(runner(&format!("cargo test {}", "x ".repeat(20_000))), None);
}

/// LG-4: the end of an output is looked at, from the start of a character.
#[test]
fn the_end_of_a_long_output_is_read() {
    let check = check_of(Shell::Bash, "cargo test", &read).expect("a check");
    let output =
        format!("{}\ntest result: ok. 1 passed; 0 failed; 0 ignored\n", "é".repeat(3 << 20));
    let counts = check.read_output(&output).counts;
    assert_eq!(counts, Some(CheckCounts { passed: 1, failed: 0, skipped: 0 }));
}
