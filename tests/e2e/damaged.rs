//! A session whose file was cut off in the middle of its last turn.

use std::{fs, path::PathBuf};

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, place::Place, window::Window};

/// Files that are read in the turn, one in each answer; the end of its record is lost.
const FILES: usize = 12;

/// CL-6, JR-3, SM-4: a damaged session is read as far as it goes. Its last turn has no end: it does not run, its
/// end is unknown, as `evident show` says too, and a copy goes on with it.
#[test]
fn a_turn_whose_end_is_lost_does_not_look_as_if_it_ran() {
    let names: Vec<String> = (0..FILES).map(|it| format!("{it}.txt")).collect();
    let text = "a line of a file that is read\n".repeat(600);
    let read = |it: &String| Reply::call("read_file", json!({"path": it}));
    let replies: Vec<Reply> =
        names.iter().map(read).chain([Reply::text("All is read."), Reply::text("On.")]).collect();
    let model = Model::play(Script::new(replies));
    let project = Project::new(names.iter().map(|it| (it.as_str(), text.as_str())));
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let mut window = Window::open_on("damaged", place);
    window.send("Read them all.");
    window.card(1);
    window.quit();

    let file = session_file(&window.place);
    let bytes = fs::read(&file).expect("readable");
    fs::write(&file, &bytes[..bytes.len() * 3 / 5 / 4096 * 4096]).expect("writable");
    let session = file.file_stem().and_then(|it| it.to_str()).expect("a name");
    let shown = window.place.evident().run(&["show", session]).lines.join("\n");
    assert!(shown.contains("a part of this turn's record is not here"), "{shown}");

    window.start();
    let card = window.card(1);
    assert!(card.text.contains("end unknown"), "{card:?}");
    assert!(card.text.contains("Changes unknown"), "{card:?}");
    window.see("A part of this turn's record is not here.");
    window.see("idle");
    assert!(!window.has("button", "Stop"), "{}", window.all_text());
    let text = window.all_text();
    for runs in ["Working", "running", "Waiting for the model", "frozen", "All is read."] {
        assert!(!text.contains(runs), "{runs}: {text}");
    }
    window.picture("damaged");

    window.press("Go on in a copy");
    let is_gone = || (!window.has("button", "Go on in a copy")).then_some(());
    window.wait("the copy", is_gone);
    window.send("Go on.");
    window.card(2);
    window.see("On.");
}

fn session_file(place: &Place) -> PathBuf {
    let all = fs::read_dir(place.data().join("sessions")).expect("a folder");
    let mut all = all.map(|it| it.expect("an entry").path());
    let is_session = |it: &PathBuf| it.extension().is_some_and(|it| it == "sqlite");
    all.find(is_session).expect("the session's file")
}
