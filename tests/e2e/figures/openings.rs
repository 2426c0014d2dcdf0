//! What a large patch and a large log cost each time they are opened, and what they leave behind, printed;
//! that they open and close, held. When the page gives memory back is its engine's own affair.

use std::fmt::Write as _;

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, place::Place, window::Window};

const OPENINGS: usize = 50;
/// What is made once is there after these.
const FIRST: usize = 10;
/// A file and its patch may have 2 MiB together (TR-11).
const FILE_BYTES: usize = 1_000_000;
/// Prints 2 MiB in colours.
const CHECK: &str = "i=0; while [ $i -lt 40 ]; do cat lines.txt; i=$((i + 1)); done\n";

/// UI-22, LG-4: the largest patch, and a log of 2 MiB, open and close fifty times.
#[test]
fn what_is_large_is_opened_and_closed_again_and_again() {
    let script = Script::new([
        Reply::call("write_file", json!({"path": "large.rs", "content": source()})),
        Reply::call("bash", json!({"command": "sh check.sh"})),
        Reply::text("Both are there."),
    ]);
    let config = "checks = [\"sh check.sh\"]\n";
    let lines = "a test of the usual length ... \u{1b}[32mok\u{1b}[0m\n".repeat(1_200);
    let files = [(".evident/config.toml", config), ("check.sh", CHECK), ("lines.txt", &lines)];
    let model = Model::play(script);
    let project = Project::new(files);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("openings", place);
    window.send("Write it, and run the check.");
    window.press("Allow once");
    let card = window.card(1);
    assert!(card.text.contains("1 passed"), "{card:?}");
    openings(&window, "the patch", &["View diff"]);
    openings(&window, "the log", &["View checks", "Output"]);
}

#[expect(clippy::print_stdout, reason = "figures are printed")]
fn openings(window: &Window, what: &str, buttons: &[&str]) {
    let script = format!("openAndClose({}).then(done)", json!(buttons));
    let mut took: Vec<f64> = Vec::new();
    let mut before = 0;
    for at in 0..OPENINGS {
        if at == FIRST {
            before = private_bytes(window);
        }
        let ms = window.ask_later(&script);
        took.push(ms.as_f64().unwrap_or_else(|| panic!("{ms}")));
    }
    let after = private_bytes(window);
    took.sort_by(f64::total_cmp);
    let (usual, most) = (took[OPENINGS / 2], took[OPENINGS - 1]);
    println!("openings: {what} is painted after {usual:.0} ms usually, {most:.0} ms at most");
    println!(
        "openings: {what} took {before} bytes after {FIRST} of {OPENINGS}, {after} at the end"
    );
}

/// Of the program and its pages.
fn private_bytes(window: &Window) -> u64 {
    window.processes().iter().map(|it| it.private_bytes).sum()
}

/// Lines as a source has them.
fn source() -> String {
    let mut text = String::new();
    for line in 0.. {
        if FILE_BYTES < text.len() {
            break;
        }
        writeln!(text, "    let value_{line} = compute({line}, \"of a usual length\");")
            .expect("a text grows");
    }
    text
}
