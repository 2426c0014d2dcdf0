//! `cargo xtask`: one word for each thing a contributor does. Standard library alone.

mod setup;
mod step;

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::{self, Path},
    process::{Command, ExitCode},
};

use step::Failed;

const HELP: &str = "\
cargo xtask test                 sets up what is missing, then: formatting, lints, every test
cargo xtask bench line           builds the release binary and prints what the host costs per request
cargo xtask streams DIR [SEED]   decodes the provider streams in a folder in four ways of delivery and
                                 compares them with what stands beside them; SEED repeats one cut
cargo xtask soak streams         gives the parsers of provider streams a million damaged ones each
cargo xtask help                 this list
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = match words.as_slice() {
        ["test"] => test(),
        ["bench", "line"] => bench_line(),
        ["streams", folder] => streams(folder, None),
        ["streams", folder, seed] => streams(folder, Some(seed)),
        ["soak", "streams"] => soak_streams(),
        [] | ["help" | "--help" | "-h"] => return print_help(),
        unknown => {
            eprint!("no such task: {}\n\n{HELP}", unknown.join(" "));
            return ExitCode::from(2);
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("xtask: {failed}");
            failed.exit_code()
        }
    }
}

fn print_help() -> ExitCode {
    match io::stdout().write_all(HELP.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Everything that has to hold before a change is done. Clippy sees every warning of rustc and
/// stops at it, so the tests are built without flags of their own and share what `cargo test` built.
fn test() -> Result<(), Failed> {
    setup::install_missing()?;
    step::run("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    step::run(
        "lints",
        cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]),
    )?;
    step::run("tests", cargo().args(["test", "--workspace"]))?;
    step::run("packages of the window", npm().args(["ci", "--no-audit", "--no-fund"]))?;
    step::run("types and lints of the window", npm().args(["run", "check"]))?;
    step::run("tests of the window", npm().arg("test"))?;
    eprintln!("xtask: formatting, lints and tests passed");
    Ok(())
}

fn bench_line() -> Result<(), Failed> {
    setup::install_missing()?;
    let build = ["build", "--release", "--package", "evident", "--package", "bench"];
    step::run("release build", cargo().args(build))?;
    step::run(
        "bench line",
        cargo().args(["run", "--release", "--quiet", "--package", "bench", "--", "line"]),
    )
}

fn streams(folder: &str, seed: Option<&str>) -> Result<(), Failed> {
    let wanting = |error| Failed::wanting("streams", format!("name another folder: {error}"));
    let folder = path::absolute(folder).map_err(wanting)?;
    setup::install_missing()?;
    step::run("build", cargo().args(["build", "--package", "evident", "--package", "bench"]))?;
    let mut run = cargo();
    run.args(["run", "--quiet", "--package", "bench", "--", "streams"]).arg(folder).args(seed);
    step::run("streams", &mut run)
}

/// The parsers are out of reach from outside, so what runs long is their own tests.
fn soak_streams() -> Result<(), Failed> {
    setup::install_missing()?;
    let parsers = ["sse::", "openai::scan::", "openai::calls::", "intake::"];
    let mut test = cargo();
    test.args(["test", "--release", "--package", "provider", "--lib", "--"]).args(parsers);
    step::run("soak", test.env("PROPTEST_CASES", "1000000"))
}

/// Returns npm, to be run in the window's folder.
fn npm() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../frontend"));
    command
}

/// Returns the cargo that runs this, to be run in the top folder of the repository.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.."));
    command
}
