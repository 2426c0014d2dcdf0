//! A step of an answer, and what it holds.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{at_message, back_to, focus, on_to, open, says, send};
use crate::page::Key;

/// AX-2, AX-3: a step opens and closes by Enter, its output is a stop of the Tab key, and the focus stays
/// on the step.
#[test]
fn a_step_opens_and_closes_by_keys() {
    let script = Script::new([
        Reply::call("read_file", json!({"path": "greeting.txt"})),
        Reply::text("It says hello."),
    ]);
    let files = [("greeting.txt", "Hello, you.\n")];
    let (_model, _project, window) = open("keyboard-step", script, files);
    send(&window, "What does it say?");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "Read greeting.txt");
    says(&window, "aria-expanded", "false");
    assert!(!window.transcript().contains("Hello, you."), "{}", window.transcript());

    window.keys(&[Key::Enter]);
    window.see("Hello, you.");
    focus(&window, "button", "Read greeting.txt");
    says(&window, "aria-expanded", "true");
    window.picture("keyboard-step");
    on_to(&window, "group", "Output");
    back_to(&window, "button", "Read greeting.txt");
    window.keys(&[Key::Enter]);
    let is_closed = || (!window.transcript().contains("Hello, you.")).then_some(());
    window.wait("the end of the detail", is_closed);
    focus(&window, "button", "Read greeting.txt");
    says(&window, "aria-expanded", "false");
    on_to(&window, "textbox", "Message");
}
