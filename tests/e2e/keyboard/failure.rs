//! What helps where a turn failed.

use testkit::script::{Reply, Script};

use super::{at_message, back_to, focus, on_to, open, send};
use crate::page::Key;

/// AX-3: a failed turn leads to its key and back, and is tried again, each time by a key; the focus is
/// then in the message field.
#[test]
fn a_failed_turn_is_tried_again_by_keys() {
    let script = Script::new([
        Reply::status(401, r#"{"error":{"message":"no such key"}}"#),
        Reply::status(500, r#"{"error":{"message":"out of order"}}"#),
        Reply::text("All is well."),
    ]);
    let (model, _project, window) = open("keyboard-failure", script, []);
    send(&window, "And now?");
    window.see("The key was not accepted");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "Try again");
    back_to(&window, "button", "Check the key");
    window.picture("keyboard-failure");
    window.keys(&[Key::Enter]);
    window.find("dialog", "Settings");
    focus(&window, "radio", "Custom");
    on_to(&window, "textbox", "Key");
    window.keys(&[Key::Escape]);
    focus(&window, "button", "Check the key");

    on_to(&window, "button", "Try again");
    window.keys(&[Key::Enter]);
    window.see("The provider has a fault");
    window.card(2);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "Try again");
    window.keys(&[Key::Enter]);
    window.see("All is well.");
    window.card(3);
    at_message(&window);
    assert_eq!(model.requests().len(), 3, "each try is one request");
}
