//! What a bare machine lacks, and getting it: with apt where we may, else by saying how.

use std::process::{Command, Stdio};

use crate::step::{self, Failed};

const STEP: &str = "set-up";

/// What it is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To build the headless program.
    Headless,
    /// To build the window as well.
    Build,
    /// To run the tests as well.
    Tests,
    /// To build for Windows, and run that.
    Windows,
}

/// A program we need, a call that shows that it is there, and the Debian packages that bring it.
struct Need {
    purpose: Purpose,
    probe: &'static [&'static str],
    packages: &'static [&'static str],
}

const NEEDS: &[Need] = &[
    Need {
        purpose: Purpose::Headless,
        probe: &["cc", "--version"],
        packages: &["gcc", "libc6-dev"],
    },
    Need { purpose: Purpose::Headless, probe: &["git", "--version"], packages: &["git"] },
    #[cfg(target_os = "linux")]
    Need { purpose: Purpose::Tests, probe: &["ps", "--version"], packages: &["procps"] },
    #[cfg(target_os = "linux")]
    Need { purpose: Purpose::Tests, probe: &["xxd", "--version"], packages: &["xxd"] },
    #[cfg(target_os = "linux")]
    Need { purpose: Purpose::Tests, probe: &["strace", "--version"], packages: &["strace"] },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Build,
        probe: &["pkg-config", "webkit2gtk-4.1"],
        packages: &["libwebkit2gtk-4.1-dev", "pkg-config"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: &["WebKitWebDriver", "--help"],
        packages: &["webkit2gtk-driver"],
    },
    #[cfg(target_os = "linux")]
    Need { purpose: Purpose::Tests, probe: &["Xvfb", "-help"], packages: &["xvfb"] },
    // A window without letters passes for none.
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: &["fc-match", "sans"],
        packages: &["fontconfig", "fonts-dejavu-core"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: &["fc-list", "--quiet", ":lang=zh"],
        packages: &["fonts-wqy-microhei"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Windows,
        probe: &["/usr/bin/cargo", "--version"],
        packages: &["cargo-web", "rustc-web", "rust-web-src"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Windows,
        probe: &["x86_64-w64-mingw32-g++", "--version"],
        packages: &["gcc-mingw-w64-x86-64", "g++-mingw-w64-x86-64"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Windows,
        probe: &["/usr/lib/wine/wine64", "--version"],
        packages: &["wine64"],
    },
];

/// The oldest Node that builds the window.
const NODE: u32 = 20;

/// The parts of the toolchain that a minimal one lacks, as cargo and as rustup call them.
const COMPONENTS: &[(&str, &str)] = &[("fmt", "rustfmt"), ("clippy", "clippy")];

impl Purpose {
    /// Returns whether what `need` says is wanted for this.
    fn wants(self, need: &Need) -> bool {
        match self {
            Self::Headless => need.purpose == Self::Headless,
            Self::Build => matches!(need.purpose, Self::Headless | Self::Build),
            Self::Tests => need.purpose != Self::Windows,
            Self::Windows => need.purpose == Self::Windows,
        }
    }
}

/// Installs what is missing.
///
/// # Errors
///
/// [`Failed`] if something is missing that only the user can install; it names the line to run.
pub(crate) fn install_missing(purpose: Purpose) -> Result<(), Failed> {
    if purpose == Purpose::Tests {
        install_components(missing_components())?;
    }
    match purpose {
        Purpose::Headless | Purpose::Windows => {}
        Purpose::Build | Purpose::Tests => wants_node()?,
    }
    let missing: Vec<&Need> = NEEDS
        .iter()
        .filter(|it| purpose.wants(it))
        .filter(|it| !answers(Command::new(it.probe[0]).args(&it.probe[1..])))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.iter().flat_map(|it| it.packages);
    let install: Vec<&str> = ["install", "--yes", "--no-install-recommends"]
        .into_iter()
        .chain(packages.copied())
        .collect();
    if !answers(Command::new("apt-get").arg("--version")) {
        let what: Vec<String> = missing.iter().map(|it| it.packages.join(" ")).collect();
        let what = format!("install these first, as Debian calls them: {}", what.join(" "));
        return Err(Failed::wanting(STEP, what));
    }
    if !is_root() {
        let install = install.join(" ");
        let line = format!("run this first: sudo apt-get update && sudo apt-get {install}");
        return Err(Failed::wanting(STEP, line));
    }
    step::run(STEP, Command::new("apt-get").arg("update"))?;
    step::run(STEP, Command::new("apt-get").args(install))
}

/// Node comes in too many ways for one of them to be picked here.
fn wants_node() -> Result<(), Failed> {
    if !answers(crate::npm().current_dir(".").arg("--version")) {
        return Err(Failed::wanting(
            STEP,
            format!("install npm, with Node {NODE} or newer, first"),
        ));
    }
    let version = Command::new("node").arg("--version").output();
    let version = version.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
    let major = version.as_deref().ok().and_then(|it| it.strip_prefix('v')?.split('.').next());
    if major.and_then(|it| it.parse::<u32>().ok()).is_some_and(|it| NODE <= it) {
        return Ok(());
    }
    Err(Failed::wanting(STEP, format!("install Node {NODE} or newer, with npm, first")))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_the_window_installs_nothing_that_only_tests_need() {
        let wanted = |purpose: Purpose| {
            let needs = NEEDS.iter().filter(move |it| purpose.wants(it));
            needs.map(|it| it.probe[0]).collect::<Vec<_>>()
        };
        let (tests, windows) = (wanted(Purpose::Tests), wanted(Purpose::Windows));
        assert_eq!(tests.len() + windows.len(), NEEDS.len());
        assert!(wanted(Purpose::Build).contains(&"cc"));
        assert_eq!(wanted(Purpose::Headless), ["cc", "git"], "a terminal needs no window");
        let of_tests = wanted(Purpose::Build)
            .into_iter()
            .filter(|it| ["strace", "xxd", "WebKitWebDriver", "Xvfb", "fc-list"].contains(it));
        assert_eq!(of_tests.count(), 0);
    }
}
