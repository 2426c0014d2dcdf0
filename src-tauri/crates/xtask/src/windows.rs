//! The crates below the window, built for Windows and tested under Wine.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::{
    setup::{self, Purpose},
    step::{self, Failed},
    top,
};

const TARGET: &str = "x86_64-pc-windows-gnu";
/// The folder of Debian's own compiler: it alone can build a standard library for a target that it
/// has none for.
pub(crate) const COMPILER: &str = "/usr/bin";
/// The folder of Debian's `wine64`, which no path leads to.
const WINE: &str = "/usr/lib/wine";
/// Seconds after which Wine's server ends by itself when nobody uses it: longer than a build takes,
/// and short enough for one that was left behind.
const IDLE: &str = "-p900";
const GCC: &str = "x86_64-w64-mingw32-gcc";

/// What is built and tested: every crate below the window.
const PACKAGES: &[&str] = &[
    "protocol",
    "evidence",
    "workspace",
    "session",
    "checkpoint",
    "provider",
    "script",
    "tools",
    "agent",
    "host",
    "testkit",
    "evident",
];

/// Builds the crates for Windows and runs their tests; `packages` names some of them, or none for
/// all.
///
/// # Errors
///
/// [`Failed`] at the first step that does not end well.
pub(crate) fn test(packages: &[&str]) -> Result<(), Failed> {
    setup::install_missing(Purpose::Windows)?;
    let folder = top().join("target").join("windows");
    add_missing_library(&folder)?;
    let wine = folder.join("wine");
    make_wine(&wine)?;
    let packages = if packages.is_empty() { PACKAGES } else { packages };
    let mut test = Command::new(format!("{COMPILER}/cargo"));
    test.current_dir(top())
        .args(["test", "--locked", "--no-fail-fast", "-Zbuild-std=std,panic_abort,test"])
        .args(["--target", TARGET])
        .args(packages.iter().flat_map(|it| ["--package", it]))
        // The two below are for a compiler that is not the nightly one, and a target folder that
        // another compiler's work must not be in.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", &folder)
        .env("CARGO_INCREMENTAL", "0")
        .env("CC_x86_64_pc_windows_gnu", GCC)
        .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", GCC)
        .env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", format!("{WINE}/wine64"))
        .env("WINEPREFIX", &wine)
        .env("WINEDEBUG", "-all")
        .env("PATH", with_wine());
    // Cargo tells the programs that it starts which one it is, and this is another one.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN", "RUSTUP_HOME"] {
        test.env_remove(name);
    }
    let passed = step::run("tests for Windows, under Wine", &mut test);
    end_wine(&wine);
    passed?;
    eprintln!("xtask: tests for Windows passed, under Wine: {}", packages.join(" "));
    Ok(())
}

/// Puts the library that an old Wine lacks beside every program that will be run.
fn add_missing_library(folder: &Path) -> Result<(), Failed> {
    const STEP: &str = "library for Wine";
    let debug = folder.join(TARGET).join("debug");
    let deps = debug.join("deps");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join("process_prng.c");
    step::run(STEP, Command::new("mkdir").arg("-p").arg(&deps))?;
    for place in [debug, deps] {
        let library = place.join("bcryptprimitives.dll");
        let mut build = Command::new(GCC);
        build.arg("-shared").arg("-o").arg(library).arg(&source).arg("-ladvapi32");
        step::run(STEP, &mut build)?;
    }
    Ok(())
}

/// Makes the folder that stands for a Windows, and starts the server that all programs in it share:
/// by itself it would end and start again between two tests, and leave processes behind. The
/// PowerShell is taken away: it runs nothing and says that all went well, where a system without one
/// is told what works.
fn make_wine(folder: &Path) -> Result<(), Failed> {
    const STEP: &str = "a Windows for Wine";
    step::run(STEP, Command::new("mkdir").arg("-p").arg(folder))?;
    end_wine(folder);
    step::run(STEP, server(folder).arg(IDLE))?;
    let mut make = Command::new(format!("{WINE}/wine64"));
    make.args(["wineboot", "--init"]).env("WINEPREFIX", folder).env("WINEDEBUG", "-all");
    step::run(STEP, make.env("PATH", with_wine()))?;
    let shell = folder.join("drive_c/windows/system32/WindowsPowerShell/v1.0/powershell.exe");
    step::run(STEP, Command::new("rm").arg("-f").arg(shell))
}

/// Ends all that runs in the folder that stands for a Windows.
fn end_wine(folder: &Path) {
    // It fails where nothing runs, and that is what is wanted.
    drop(server(folder).arg("-k").stderr(Stdio::null()).status());
    drop(server(folder).arg("-w").stderr(Stdio::null()).status());
}

/// Returns Wine's server, for one folder.
fn server(folder: &Path) -> Command {
    let mut server = Command::new(format!("{WINE}/wineserver64"));
    server.env("WINEPREFIX", folder).env("WINEDEBUG", "-all");
    server
}

/// Returns the path with Debian's programs first, and Wine's.
fn with_wine() -> std::ffi::OsString {
    let rest = env::var_os("PATH").unwrap_or_default();
    let first = ["/usr/bin", "/bin", WINE].into_iter().map(PathBuf::from);
    // It fails only where a folder's name has a colon in it, and then those three are enough.
    env::join_paths(first.chain(env::split_paths(&rest)))
        .unwrap_or_else(|_| format!("/usr/bin:/bin:{WINE}").into())
}
