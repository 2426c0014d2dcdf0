//! What a bare machine lacks, and getting it: with apt where we may, else by saying how.

use std::process::{Command, Stdio};

use crate::step::{self, Failed};

const STEP: &str = "set-up";

/// A program we need, a call that shows that it is there, and the Debian packages that bring it.
struct Need {
    probe: [&'static str; 2],
    packages: &'static [&'static str],
}

const NEEDS: &[Need] = &[
    Need { probe: ["cc", "--version"], packages: &["gcc", "libc6-dev"] },
    Need { probe: ["git", "--version"], packages: &["git"] },
    #[cfg(target_os = "linux")]
    Need { probe: ["ps", "--version"], packages: &["procps"] },
    #[cfg(target_os = "linux")]
    Need { probe: ["xxd", "--version"], packages: &["xxd"] },
    #[cfg(target_os = "linux")]
    Need { probe: ["strace", "--version"], packages: &["strace"] },
];

/// The parts of the toolchain that a minimal one lacks, as cargo and as rustup call them.
const COMPONENTS: &[(&str, &str)] = &[("fmt", "rustfmt"), ("clippy", "clippy")];

/// Installs what is missing.
///
/// # Errors
///
/// [`Failed`] if something is missing that only the user can install; it names the line to run.
pub(crate) fn install_missing() -> Result<(), Failed> {
    install_components(missing_components())?;
    let missing: Vec<&Need> =
        NEEDS.iter().filter(|it| !answers(Command::new(it.probe[0]).arg(it.probe[1]))).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.iter().flat_map(|it| it.packages);
    let install: Vec<&str> = ["install", "--yes", "--no-install-recommends"]
        .into_iter()
        .chain(packages.copied())
        .collect();
    if !answers(Command::new("apt-get").arg("--version")) {
        let programs: Vec<&str> = missing.iter().map(|it| it.probe[0]).collect();
        return Err(Failed::wanting(STEP, format!("install these first: {}", programs.join(" "))));
    }
    if !is_root() {
        let line = format!("run this first: sudo apt-get {}", install.join(" "));
        return Err(Failed::wanting(STEP, line));
    }
    step::run(STEP, Command::new("apt-get").arg("update"))?;
    step::run(STEP, Command::new("apt-get").args(install))
}

fn missing_components() -> Vec<&'static str> {
    let missing = |(word, _): &&(&str, &str)| !answers(crate::cargo().args([*word, "--version"]));
    COMPONENTS.iter().filter(missing).map(|(_, component)| *component).collect()
}

fn install_components(missing: Vec<&'static str>) -> Result<(), Failed> {
    if missing.is_empty() {
        return Ok(());
    }
    if answers(Command::new("rustup").arg("--version")) {
        return step::run(STEP, Command::new("rustup").args(["component", "add"]).args(missing));
    }
    let what = format!("install these parts of the Rust toolchain first: {}", missing.join(" "));
    Err(Failed::wanting(STEP, what))
}

/// Returns whether the command can be started and ends well.
fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0")
}
