//! Questions: what a yes does, and what a no leaves as it is.

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, place::Place, window::Window};

/// A file that is asked about before each write.
const PATH: &str = ".evident/config.toml";
const BEFORE: &str = "checks = [\"sh check.sh\"]\n";

fn asked(name: &'static str) -> (Model, Project, Window) {
    let edit = json!({"path": PATH, "old_string": "sh check.sh", "new_string": "true"});
    let model = Model::play(Script::new([
        Reply::call("read_file", json!({"path": PATH})),
        Reply::call("edit_file", edit),
        Reply::text("That is my last word."),
    ]));
    let project = Project::new([(PATH, BEFORE)]);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on(name, place);
    window.send("Let the check always pass.");
    window.see("Write this file?");
    window.picture("approval-write");
    assert_eq!(project.read(PATH), BEFORE);
    (model, project, window)
}

/// PM-9: a yes lets that write happen, and the card counts it.
#[test]
fn a_write_that_is_allowed_is_in_the_file_and_on_the_card() {
    let (_model, project, window) = asked("allowed");
    window.press("Allow once*");
    let card = window.card(1);
    assert_eq!(project.read(PATH), "checks = [\"true\"]\n");
    assert!(card.text.contains("1 file changed"), "{card:?}");
    let counts = card.files.iter().map(|it| (it.path.as_str(), it.added, it.removed));
    assert_eq!(counts.collect::<Vec<_>>(), [(PATH, 1, 1)]);
    window.picture("allowed");
}

/// TR-33, AN-24: a no leaves the file as it was, and the card says that nothing changed and that a
/// write was refused.
#[test]
fn a_write_that_is_denied_is_nowhere_and_the_card_says_so() {
    let (_model, project, window) = asked("denied");
    window.press("Deny*");
    let card = window.card(1);
    assert_eq!(project.read(PATH), BEFORE);
    assert_eq!(card.files, []);
    assert!(card.text.contains("No net changes"), "{card:?}");
    assert!(card.text.contains("1 write refused"), "{card:?}");
    let shown = window.transcript();
    assert!(shown.contains("denied That is my last word."), "{shown}");
    window.picture("denied");
}
