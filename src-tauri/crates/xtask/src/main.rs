//! `cargo xtask`: one word for each thing a contributor does. Standard library alone.

mod app;
mod setup;
mod soak;
mod step;
mod windows;

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::{self, Path, PathBuf},
    process::{Command, ExitCode},
};

use setup::Purpose;
use step::Failed;

/// The feature without which the tests of the real window are left out.
const WINDOW_TESTS: &str = "e2e/window";

const HELP: &str = "\
cargo xtask app                  sets up what is missing, builds the window and opens it
cargo xtask test                 sets up what is missing, then: formatting, lints, every test
cargo xtask test --windows [CRATE...]
                                 builds the crates below the window for Windows and runs their tests
                                 under Wine, all of them or those named
cargo xtask e2e [NAME]           builds the window and runs its tests, or those with NAME in theirs
cargo xtask bench window         builds the release window and prints what streaming, a long session and the
                                 largest patch and log cost
cargo xtask deb                  builds the package for Debian and Ubuntu; unsigned, and without a network
cargo xtask bench line           builds the release binary and prints what the host costs per request
cargo xtask bench reads          prints what a page of a file costs, and what the row of its read adds
cargo xtask streams DIR [SEED]   decodes the provider streams in a folder in four ways of delivery and
                                 compares them with what stands beside them; SEED repeats one cut
cargo xtask cases DIR [ID...]    plays the cases in a folder, or those named, and compares what came of
                                 each with what it expects
cargo xtask replay REPO COUNT    makes the last COUNT commits of a git repository again, each as a turn, and
                                 compares what was counted with git, and each patch with the files
cargo xtask soak streams         gives the parsers of streams, and of texts, a million damaged ones each
cargo xtask soak reading         gives the decoder of cursors, the parser of pages, the arguments of
                                 read_file and the sets of lines ten minutes of inputs each
cargo xtask help                 this list
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = match words.as_slice() {
        ["app"] => app::open(),
        ["deb"] => app::deb(),
        ["e2e"] => e2e(&[]),
        ["e2e", name] => e2e(&[name]),
        ["bench", "window"] => bench_window(),
        ["test"] => test(),
        ["test", "--windows", packages @ ..] => windows::test(packages),
        ["bench", "line"] => bench("line"),
        ["bench", "reads"] => bench_reads(),
        ["streams", folder] => play("streams", folder, &[]),
        ["streams", folder, seed] => play("streams", folder, &[seed]),
        ["cases", folder, ids @ ..] => play("cases", folder, ids),
        ["replay", repository, count] => play("replay", repository, &[count]),
        ["soak", "streams"] => soak::streams(),
        ["soak", "reading"] => soak::reading(),
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
/// The page comes before whatever holds it.
fn test() -> Result<(), Failed> {
    setup::install_missing(Purpose::Tests)?;
    step::run("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    app::install_packages()?;
    step::run("types and lints of the window", npm().args(["run", "check"]))?;
    step::run("tests of the window", npm().arg("test"))?;
    app::build_page()?;
    let all = ["clippy", "--workspace", "--all-targets", "--features", WINDOW_TESTS];
    step::run("lints", cargo().args(all).args(["--", "--deny", "warnings"]))?;
    step::run("tests", cargo().args(["test", "--workspace"]))?;
    run_e2e(&[])?;
    eprintln!("xtask: formatting, lints and tests passed");
    Ok(())
}

/// Builds what the tests of the real window run, and then runs them.
fn e2e(words: &[&str]) -> Result<(), Failed> {
    prepare_window()?;
    run_e2e(words)
}

/// Sets up what the real window needs, and builds its page.
fn prepare_window() -> Result<(), Failed> {
    setup::install_missing(Purpose::Tests)?;
    app::install_packages()?;
    app::build_page()
}

/// Each of these tests is a program with three processes, so as many run side by side as help.
fn run_e2e(words: &[&str]) -> Result<(), Failed> {
    play_window(&[], words)
}

/// The figures are printed by tests, which hold the behaviour and never a time. They are those of the
/// release, which is what users have.
fn bench_window() -> Result<(), Failed> {
    prepare_window()?;
    play_window(&["--release"], &["figures", "--nocapture", "--test-threads=1"])
}

/// Builds the window and runs its tests. They look for it beside themselves, so both are built alike.
fn play_window(profile: &[&str], words: &[&str]) -> Result<(), Failed> {
    let mut build = cargo();
    build.args(app::BUILD).args(["--package", "evident"]).args(profile);
    step::run("build of the window", &mut build)?;
    let run = ["test", "--package", "e2e", "--features", WINDOW_TESTS];
    step::run("tests of the real window", cargo().args(run).args(profile).arg("--").args(words))
}

/// What one page costs is printed by a test, since no more than that one step of a turn is meant.
fn bench_reads() -> Result<(), Failed> {
    setup::install_missing(Purpose::Headless)?;
    let test = ["test", "--quiet", "--release", "--package", "tools", "--test", "all", "--"];
    step::run("bench of a page", cargo().args(test).args(["figures::", "--nocapture"]))?;
    bench("reads")
}

/// Prints figures of the release build, taken from outside.
fn bench(what: &'static str) -> Result<(), Failed> {
    setup::install_missing(Purpose::Headless)?;
    let build = ["build", "--release", "--package", "evident", "--package", "bench"];
    step::run("release build", cargo().args(build))?;
    step::run(
        "figures",
        cargo().args(["run", "--release", "--quiet", "--package", "bench", "--", what]),
    )
}

/// Plays what is in a folder to what is built now.
fn play(what: &'static str, folder: &str, words: &[&str]) -> Result<(), Failed> {
    let wanting = |error| Failed::wanting(what, format!("name another folder: {error}"));
    let folder = path::absolute(folder).map_err(wanting)?;
    setup::install_missing(Purpose::Headless)?;
    step::run("build", cargo().args(["build", "--package", "evident", "--package", "bench"]))?;
    let mut run = cargo();
    run.args(["run", "--quiet", "--package", "bench", "--", what]).arg(folder).args(words);
    step::run(what, &mut run)
}

/// Returns npm, to be run in the window's folder.
fn npm() -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(top().join("frontend"));
    command
}

/// Returns the cargo that runs this, to be run in the top folder of the repository.
///
/// What it says of this program is not handed on: some packages are built anew when it differs from
/// what a cargo that was called by hand says.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(top());
    for (name, _) in env::vars_os() {
        let is_of_this =
            |it: &str| it.starts_with("CARGO_PKG_") || it.starts_with("CARGO_MANIFEST_");
        if name.to_str().is_some_and(is_of_this) {
            command.env_remove(name);
        }
    }
    command
}

/// Returns the top folder of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}
