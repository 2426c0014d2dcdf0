//! Stopping what runs.

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, page::Key, place::Place, window::Window};

/// AN-31: a running command is stopped by Esc and by the button; the card says so, and the message
/// field can be used.
#[test]
fn a_turn_that_is_stopped_says_so_and_the_next_one_works() {
    let run = |mark: &str| {
        let command = format!("touch {mark}; while :; do sleep 0.05; done");
        Reply::call("bash", json!({"command": command}))
    };
    let model = Model::play(Script::new([run("one"), run("two"), Reply::text("All is well.")]));
    let project = Project::new([]);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("interrupt", place);

    for (turn, mark) in [(1, "one"), (2, "two")] {
        window.send(&format!("Run {mark}."));
        window.see("Run this command?");
        window.press("Allow once*");
        window.wait("the command", || project.has(mark).then_some(()));
        window.find("button", "Stop");
        window.picture("running");
        match turn {
            1 => window.keys(&[Key::Escape]),
            _ => window.press("Stop"),
        }
        let card = window.card(turn);
        assert!(card.text.contains("interrupted"), "{card:?}");
    }
    window.picture("interrupted");

    window.send("And now?");
    let card = window.card(3);
    assert!(card.text.contains("No net changes"), "{card:?}");
    let shown = window.transcript();
    assert!(shown.contains("All is well."), "{shown}");
}
