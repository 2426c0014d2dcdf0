//! Stopping what was begun by keys.

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use super::{at_message, focus, holds, on_to, open, send};
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

/// AX-3: the buttons below the message field send and stop, and the field has the focus after each of
/// them: the one that takes the place of the other is not pressed by the same key.
#[test]
fn the_buttons_send_and_stop() {
    let begins = || Reply::text("It begins. ").and_hold("never").and_text("It ends.");
    let (model, _project, window) = open("keyboard-buttons", Script::new([begins(), begins()]), []);
    at_message(&window);
    window.type_keys("Tell me.");
    window.find("button", "Send");
    on_to(&window, "button", "Send");
    window.keys(&[Key::Enter]);
    at_message(&window);
    model.reached("never");
    window.see("It begins.");
    on_to(&window, "button", "Stop");
    window.keys(&[Key::Enter]);
    let card = window.card(1);
    assert!(card.text.contains("interrupted"), "{card:?}");
    at_message(&window);

    // By the command menu, too.
    send(&window, "Again.");
    window.wait("the answer", || {
        (window.transcript().matches("It begins.").count() == 2).then_some(())
    });
    window.keys(&[Key::Control, Key::Char('k')]);
    focus(&window, "combobox", "Commands");
    window.type_keys("stop");
    window.keys(&[Key::Enter]);
    let card = window.card(2);
    assert!(card.text.contains("interrupted"), "{card:?}");
    at_message(&window);
}

/// AN-31: what was sent is in the field again if it was stopped before anything was answered.
#[test]
fn what_was_not_answered_is_in_the_field_again() {
    let (model, _project, window) =
        open("keyboard-unanswered", Script::new([Reply::text("").and_hold("never")]), []);
    send(&window, "Tell me.");
    model.reached("never");
    window.keys(&[Key::Escape]);
    window.card(1);
    holds(&window, "Tell me.");
    at_message(&window);
}
