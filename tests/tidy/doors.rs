//! The doors to the world outside: which files may open which.

use std::{collections::BTreeSet, error::Error};

use crate::{
    assert_none,
    source::{Source, lines_with, parts, sources, without_tests},
};

/// A door, and the files and folders that may open it; below `src-tauri/crates` unless it is
/// `bench`. A new place is a design decision: change it here.
const DOORS: &[(&str, &[&str])] = &[
    // Whoever opens a file has to name this module first.
    (
        "fs",
        &[
            "agent/src/group.rs",
            "workspace/src/",
            "session/src/files.rs",
            "session/src/lease.rs",
            "session/src/list.rs",
            "host/src/home.rs",
            "host/src/sample.rs",
            "host/src/toml_file.rs",
            "src-tauri/build.rs",
            "testkit/src/",
            "bench/src/",
        ],
    ),
    ("Command::new", &["agent/src/command.rs", "xtask/src/", "testkit/src/", "bench/src/"]),
    ("CommandWrap", &["agent/src/command.rs"]),
    ("SystemTime", &["host/src/clock.rs"]),
    // In `agent` it is the timers' own: how long to wait, never what time it is.
    (
        "Instant::now",
        &[
            "agent/src/answer.rs",
            "agent/src/command.rs",
            "host/src/clock.rs",
            "testkit/src/",
            "bench/src/",
        ],
    ),
    ("TcpListener", &["script/src/"]),
    ("TcpStream", &[]),
    ("UdpSocket", &[]),
    ("UnixListener", &[]),
    ("UnixStream", &[]),
];

#[test]
fn the_doors_to_the_outside_are_opened_only_where_the_table_says() -> Result<(), Box<dyn Error>> {
    let files = sources(&["rs"])?;
    let problems: Vec<String> = files.iter().flat_map(|file| forbidden(file, DOORS)).collect();
    assert_none(&problems, "the files below may not open these doors (tests/tidy/doors.rs)");
    assert_none(&unused(&files, DOORS), "these lines of tests/tidy/doors.rs let in nobody");
    Ok(())
}

fn forbidden(file: &Source, doors: &[(&str, &[&str])]) -> Vec<String> {
    if file.is_test() {
        return Vec::new();
    }
    let code = without_tests(&parts(&file.text).code);
    let closed = doors.iter().filter(|(_, places)| !places.iter().any(|it| is_in(file, it)));
    let lines = closed
        .flat_map(|(door, _)| lines_with(&code, door).into_iter().map(move |line| (line, *door)));
    lines.map(|(line, door)| format!("{}:{line}: {door}", file.path)).collect()
}

/// Returns the places that are in the table and have no use for their door.
fn unused(files: &[Source], doors: &[(&str, &[&str])]) -> Vec<String> {
    let product = |file: &&Source| !file.is_test();
    let codes: Vec<(&Source, String)> = files
        .iter()
        .filter(product)
        .map(|file| (file, without_tests(&parts(&file.text).code)))
        .collect();
    let mut problems = BTreeSet::new();
    for (door, places) in doors {
        for place in *places {
            let uses = |(file, code): &(&Source, String)| {
                is_in(file, place) && !lines_with(code, door).is_empty()
            };
            if !codes.iter().any(uses) {
                problems.insert(format!("{door} in {place}"));
            }
        }
    }
    problems.into_iter().collect()
}

fn is_in(file: &Source, place: &str) -> bool {
    let path = file.path.strip_prefix("src-tauri/crates/").unwrap_or(&file.path);
    path == place || (place.ends_with('/') && path.starts_with(place))
}

#[test]
fn a_door_in_the_wrong_file_is_found_and_tests_are_left_alone() {
    let doors: &[(&str, &[&str])] = &[("fs", &["a/src/", "b/src/c.rs"]), ("Instant::now", &[])];
    let file = |path: &str, text: &str| Source {
        path: format!("src-tauri/crates/{path}"),
        text: text.to_owned(),
    };
    let found = |path: &str, text: &str| forbidden(&file(path, text), doors);
    assert_eq!(
        found("b/src/d.rs", "// fs\nuse std::{fs, io};"),
        ["src-tauri/crates/b/src/d.rs:2: fs"]
    );
    assert_eq!(found("b/src/d.rs", "tokio::fs::read(x)"), ["src-tauri/crates/b/src/d.rs:1: fs"]);
    let clock = "Instant::now()";
    assert_eq!(found("a/src/d.rs", clock), ["src-tauri/crates/a/src/d.rs:1: Instant::now"]);
    for (path, text) in [
        ("a/src/d.rs", "fs::read(x)"),
        ("b/src/c.rs", "fs::read(x)"),
        ("b/src/d.rs", "\"fs\"; #[cfg(test)] mod tests { use std::fs; }"),
        ("b/src/d/tests.rs", "fs::read(x)"),
        ("b/tests/all.rs", "fs::read(x)"),
    ] {
        assert_eq!(found(path, text), [""; 0], "{path}");
    }
    let files =
        [file("a/src/d.rs", "fs::read(x)"), file("b/src/c.rs", "#[cfg(test)] use std::fs;")];
    assert_eq!(unused(&files, doors), ["fs in b/src/c.rs"]);
}
