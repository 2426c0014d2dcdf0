//! What a bare machine lacks, and getting it: with apt where we may, else by saying how.

#[cfg(target_os = "linux")]
use std::path::Path;
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

/// A program we need, what shows that it is there, and the Debian packages that bring it.
struct Need {
    purpose: Purpose,
    probe: Probe,
    packages: &'static [&'static str],
}

enum Probe {
    /// A call that ends well.
    Call(&'static [&'static str]),
    /// A folder whose `cargo` and `rustc` can build the standard library for a target that they have
    /// none for.
    #[cfg(target_os = "linux")]
    BuildsStd(&'static str),
}

const NEEDS: &[Need] = &[
    Need {
        purpose: Purpose::Headless,
        probe: Probe::Call(&["cc", "--version"]),
        packages: &["gcc", "libc6-dev"],
    },
    Need {
        purpose: Purpose::Headless,
        probe: Probe::Call(&["git", "--version"]),
        packages: &["git"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: Probe::Call(&["ps", "--version"]),
        packages: &["procps"],
    },
    #[cfg(target_os = "linux")]
    Need { purpose: Purpose::Tests, probe: Probe::Call(&["xxd", "--version"]), packages: &["xxd"] },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: Probe::Call(&["strace", "--version"]),
        packages: &["strace"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Build,
        probe: Probe::Call(&["pkg-config", "webkit2gtk-4.1"]),
        packages: &["libwebkit2gtk-4.1-dev", "pkg-config"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: Probe::Call(&["WebKitWebDriver", "--help"]),
        packages: &["webkit2gtk-driver"],
    },
    #[cfg(target_os = "linux")]
    Need { purpose: Purpose::Tests, probe: Probe::Call(&["Xvfb", "-help"]), packages: &["xvfb"] },
    // A window without letters passes for none.
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: Probe::Call(&["fc-match", "sans"]),
        packages: &["fontconfig", "fonts-dejavu-core"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Tests,
        probe: Probe::Call(&["fc-list", "--quiet", ":lang=zh"]),
        packages: &["fonts-wqy-microhei"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Windows,
        probe: Probe::BuildsStd(crate::windows::COMPILER),
        packages: &["cargo-web", "rustc-web", "rust-web-src"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Windows,
        probe: Probe::Call(&["x86_64-w64-mingw32-g++", "--version"]),
        packages: &["gcc-mingw-w64-x86-64", "g++-mingw-w64-x86-64"],
    },
    #[cfg(target_os = "linux")]
    Need {
        purpose: Purpose::Windows,
        probe: Probe::Call(&["/usr/lib/wine/wine64", "--version"]),
        packages: &["wine64"],
    },
];

/// Where a compiler keeps the source of the standard library, below its own root.
#[cfg(target_os = "linux")]
const STD: &str = "lib/rustlib/src/rust/library/std/Cargo.toml";

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

impl Probe {
    fn succeeds(&self) -> bool {
        match self {
            Self::Call(call) => answers(Command::new(call[0]).args(&call[1..])),
            #[cfg(target_os = "linux")]
            Self::BuildsStd(folder) => builds_std(Path::new(folder)),
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
    let missing: Vec<&Need> =
        NEEDS.iter().filter(|it| purpose.wants(it)).filter(|it| !it.probe.succeeds()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.iter().flat_map(|it| it.packages);
    // Debian's compilers stand in each other's way, and which one goes is not for us to say.
    let install: Vec<&str> = ["install", "--yes", "--no-install-recommends", "--no-remove"]
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

/// Another package than the one we name may have brought the two, older than our code, or without
/// the source that they build.
#[cfg(target_os = "linux")]
fn builds_std(folder: &Path) -> bool {
    let says = |program: &str, word: &str| {
        let out = Command::new(folder.join(program)).arg(word).output().ok()?;
        Some(String::from_utf8_lossy(&out.stdout).trim().to_owned())
    };
    let is_new = |program: &str| says(program, "--version").is_some_and(|it| is_new_enough(&it));
    let is_source = |root: String| Path::new(&root).join(STD).is_file();
    is_new("cargo") && is_new("rustc") && says("rustc", "--print=sysroot").is_some_and(is_source)
}

/// Returns whether a version, told like `rustc 1.95.0 (…)`, is one that our manifests allow.
#[cfg(target_os = "linux")]
fn is_new_enough(told: &str) -> bool {
    let version = |text: &str| {
        let mut numbers = text.split('.').map(|it| it.parse::<u32>().ok());
        Some((numbers.next()??, numbers.next()??))
    };
    let told = told.split(' ').nth(1).and_then(version);
    version(env!("CARGO_PKG_RUST_VERSION")) <= told
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
mod tests;
