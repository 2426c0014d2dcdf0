//! Tests of properties, run long. The parsers are out of reach from outside, so what runs is their own.

use std::{thread, time::Duration};

use crate::{
    cargo,
    setup::{self, Purpose},
    step::{self, Failed},
};

/// How long each part of a read is tried.
const READING_TIME: Duration = Duration::from_secs(10 * 60);
/// How many inputs a property of it gets before the time is looked at.
const READING_INPUTS: u32 = 200_000;

/// What takes in a read, the package and the target that hold its tests, and what their names begin with.
const READING: [(&str, &str, &[&str], &str); 4] = [
    ("soak of the cursors", "evidence", &["--lib"], "read::cursor::"),
    ("soak of the pages", "evidence", &["--lib"], "read::shown::"),
    ("soak of the arguments", "tools", &["--test", "all"], "any_read::"),
    ("soak of the sets of lines", "evidence", &["--lib"], "read::ranges::"),
];

/// Gives the parsers of streams and of texts a million damaged ones each.
///
/// # Errors
///
/// [`Failed`] if one of them found something.
pub(crate) fn streams() -> Result<(), Failed> {
    setup::install_missing(Purpose::Headless)?;
    let parsers = ["sse::", "openai::scan::", "openai::calls::", "intake::"];
    let mut test = cargo();
    test.args(["test", "--release", "--package", "provider", "--lib", "--"]).args(parsers);
    step::run("soak of the streams", test.env("PROPTEST_CASES", "1000000"))?;
    let decoder =
        ["test", "--release", "--package", "workspace", "--lib", "--", "any_bytes", "any_text"];
    let mut test = cargo();
    step::run("soak of the texts", test.args(decoder).env("EVIDENT_FUZZ_RUNS", "1000000"))
}

/// Gives each part of a read inputs for ten minutes, others each time.
///
/// # Errors
///
/// [`Failed`] if one of them found something, or cannot be built.
pub(crate) fn reading() -> Result<(), Failed> {
    setup::install_missing(Purpose::Headless)?;
    for (what, package, target, tests) in READING {
        let build = ["test", "--release", "--no-run", "--package", package];
        step::run("build", cargo().args(build).args(target))?;
        let mut runs = 0_u32;
        let time = thread::spawn(|| thread::sleep(READING_TIME));
        while !time.is_finished() {
            let mut test = cargo();
            test.args(["test", "--quiet", "--release", "--package", package]).args(target);
            test.args(["--", tests]).env("PROPTEST_CASES", READING_INPUTS.to_string());
            step::run(what, &mut test)?;
            runs += 1;
        }
        let minutes = READING_TIME.as_secs() / 60;
        eprintln!(
            "xtask: {what}: nothing found in {minutes} minutes, {runs} times {READING_INPUTS} inputs of \
             each property"
        );
    }
    Ok(())
}
