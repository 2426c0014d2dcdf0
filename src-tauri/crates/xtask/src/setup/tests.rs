use super::*;

#[test]
fn opening_the_window_installs_nothing_that_only_tests_need() {
    let wanted = |purpose: Purpose| {
        let needs = NEEDS.iter().filter(move |it| purpose.wants(it));
        needs
            .map(|it| match it.probe {
                Probe::Call(call) => call[0],
                #[cfg(target_os = "linux")]
                Probe::BuildsStd(folder) => folder,
            })
            .collect::<Vec<_>>()
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

/// Any of them can be at `/usr/bin`.
#[cfg(target_os = "linux")]
#[test]
fn a_compiler_that_is_old_or_has_no_standard_library_to_build_is_none() {
    let folder = tempfile::tempdir().expect("there is room");
    let root = folder.path().join("root");
    let new = concat!(env!("CARGO_PKG_RUST_VERSION"), ".0");
    let program = |name: &str, version: &str| {
        let root = root.display();
        let text = format!("[ $1 = --version ] && echo '{name} {version} (1a2b)' || echo '{root}'");
        // A program that is open here to be written could not be started.
        let write = "printf '#!/bin/sh\n%s\n' \"$1\" > \"$2\" && chmod 755 \"$2\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", write, "sh", &text]).arg(folder.path().join(name));
        assert!(answers(&mut shell));
    };
    assert!(!builds_std(folder.path()), "there is none");
    program("cargo", new);
    program("rustc", new);
    assert!(!builds_std(folder.path()), "there is no source");
    let std = root.join(STD);
    std::fs::create_dir_all(std.parent().expect("it is below a folder")).expect("there is room");
    std::fs::write(std, "").expect("there is room");
    assert!(builds_std(folder.path()));
    for name in ["cargo", "rustc"] {
        program(name, "1.63.0");
        assert!(!builds_std(folder.path()), "{name} is old");
        program(name, new);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_version_is_read_as_numbers() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    for told in [&format!("rustc {oldest}.0 (1a2b3c)"), "cargo 1.100.0", "rustc 2.0.0-nightly (a)"]
    {
        assert!(is_new_enough(told), "{told}");
    }
    for told in ["", "rustc", "rustc ?", "1.96.0", "rustc 1.9.0", "rustc 1.63.0 (1a2b3c)"] {
        assert!(!is_new_enough(told), "{told}");
    }
}
