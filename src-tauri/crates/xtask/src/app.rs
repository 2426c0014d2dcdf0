//! The window: building it, opening it, packing it.

use std::{env, ffi::OsStr, process::Command};

use crate::{
    cargo, npm,
    setup::{self, Purpose},
    step::{self, Failed},
    top,
};

/// Builds the window with its page inside.
pub(crate) const BUILD: [&str; 5] =
    ["build", "--package", "app", "--features", "app/custom-protocol"];

/// What is said where no window can open.
const NO_DISPLAY: &str = "there is no display here, so the window cannot open; \
    instead, this is a turn of the demo in the terminal";

/// Opens the window; without a display, a turn of the demo is all there can be.
///
/// # Errors
///
/// [`Failed`] at the first step that does not end well.
pub(crate) fn open() -> Result<(), Failed> {
    if !has_display(&|name| env::var_os(name)) {
        eprintln!("xtask: {NO_DISPLAY}");
        setup::install_missing(Purpose::Headless)?;
        return demo();
    }
    setup::install_missing(Purpose::Build)?;
    install_packages()?;
    build_page()?;
    step::run("build of the window (minutes, the first time)", cargo().args(BUILD))?;
    let run = ["run", "--quiet", "--package", "app", "--features", "app/custom-protocol"];
    step::run("the window", cargo().args(run))
}

/// Builds `target/release/bundle/deb/Evident_VERSION_ARCH.deb`. Nothing is fetched once the packages
/// of cargo and npm are there.
///
/// # Errors
///
/// [`Failed`] at the first step that does not end well.
pub(crate) fn deb() -> Result<(), Failed> {
    setup::install_missing(Purpose::Build)?;
    install_packages()?;
    // It looks for its settings below where it is started, and builds the page itself.
    let mut tauri = Command::new("node");
    tauri.arg("frontend/node_modules/@tauri-apps/cli/tauri.js").current_dir(top());
    tauri.args(["build", "--ci", "--bundles", "deb", "--", "--locked", "--offline"]);
    step::run("package for Debian", &mut tauri)
}

/// Installs the packages of the page, unless those that are there are the ones that are wanted.
///
/// # Errors
///
/// [`Failed`] if npm cannot.
pub(crate) fn install_packages() -> Result<(), Failed> {
    let changed = |path: &str| top().join("frontend").join(path).metadata().ok()?.modified().ok();
    let (wanted, installed) =
        (changed("package-lock.json"), changed("node_modules/.package-lock.json"));
    if is_older(installed, wanted) {
        step::run("packages of the window", npm().args(["ci", "--no-audit", "--no-fund"]))?;
    }
    Ok(())
}

/// Builds the page that the program shows.
///
/// # Errors
///
/// [`Failed`] if Vite cannot.
pub(crate) fn build_page() -> Result<(), Failed> {
    step::run("page of the window", npm().args(["run", "build"]))
}

/// Plays the demo's first turn in the terminal. It is asked for nothing, since what it asks for is
/// known.
fn demo() -> Result<(), Failed> {
    step::run("build of the headless program", cargo().args(["build", "--package", "evident"]))?;
    let run = ["run", "--quiet", "--package", "evident", "--", "demo", "--approve", "all"];
    step::run("the demo", cargo().args(run))
}

/// Says whether a window can open. Elsewhere than on Linux and its kin one always can.
fn has_display<T: AsRef<OsStr>>(variable: &dyn Fn(&str) -> Option<T>) -> bool {
    let is_set = |name| variable(name).is_some_and(|it| !it.as_ref().is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Says whether what was made is missing or older than what it is made from.
fn is_older<T: PartialOrd>(made: Option<T>, from: Option<T>) -> bool {
    match (made, from) {
        (Some(made), Some(from)) => made < from,
        (None, _) | (_, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn a_window_opens_where_a_variable_names_a_display() {
        let with = |set: &'static [(&str, &str)]| {
            has_display(&|name| set.iter().find(|it| it.0 == name).map(|it| it.1))
        };
        assert!(with(&[("DISPLAY", ":0")]));
        assert!(with(&[("WAYLAND_DISPLAY", "wayland-0")]));
        assert!(!with(&[("DISPLAY", ""), ("TERM", "xterm")]));
        assert!(!with(&[]));
    }

    #[test]
    fn packages_are_installed_if_they_are_missing_or_others_are_wanted() {
        assert!(is_older(None, Some(1)));
        assert!(is_older(Some(1), Some(2)));
        assert!(!is_older(Some(2), Some(2)));
        assert!(!is_older(Some(3), Some(2)));
    }
}
