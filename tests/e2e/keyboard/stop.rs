//! Stopping what was begun by keys.

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use super::{at_message, focus, send};
use crate::{model::Model, page::Key, place::Place, window::Window};

/// AN-31, AX-3: Esc stops a command and an answer; the card says so, and the next message is answered.
#[test]
fn escape_stops_a_turn_and_the_next_one_works() {
    let run = json!({"command": "touch begun; while :; do sleep 0.05; done"});
    let model = Model::play(Script::new([
        Reply::call("bash", run),
        Reply::text("It begins. ").and_hold("never").and_text("It ends."),
        Reply::text("All is well."),
    ]));
    let project = Project::new([]);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("keyboard-stop", place);

    send(&window, "Run it.");
    focus(&window, "button", "Allow once");
    window.keys(&[Key::Enter]);
    window.wait("the command", || project.has("begun").then_some(()));
    at_message(&window);
    window.keys(&[Key::Escape]);
    let card = window.card(1);
    assert!(card.text.contains("interrupted"), "{card:?}");

    send(&window, "Tell me.");
    model.reached("never");
    window.see("It begins.");
    window.keys(&[Key::Escape]);
    let card = window.card(2);
    assert!(card.text.contains("interrupted"), "{card:?}");

    send(&window, "And now?");
    let card = window.card(3);
    assert!(card.text.contains("No net changes"), "{card:?}");
    let shown = window.transcript();
    assert!(shown.contains("All is well.") && !shown.contains("It ends."), "{shown}");
    at_message(&window);
}
