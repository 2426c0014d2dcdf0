//! A step of an answer, and what it holds.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{at_message, back_to, empty, focus, on_to, open, says, send};
use crate::{page::Key, window::Window};

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

/// AX-2, AX-3: what an answer holds is used by keys: its reasoning, its code, its links and addresses.
#[test]
fn what_an_answer_holds_is_used_by_keys() {
    let answer = "Here.\n\n```rust\nfn one() {}\n```\n\nSee [the page](https://example.com/x) \
        or [write](mailto:a@example.com).";
    let script = Script::new([Reply::text(answer).reasoning("It is short.")]);
    let (_model, _project, window) = open("keyboard-answer", script, []);
    send(&window, "Show me.");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "Reasoning");
    says(&window, "aria-expanded", "false");
    window.keys(&[Key::Enter]);
    window.see("It is short.");
    says(&window, "aria-expanded", "true");

    on_to(&window, "button", "Copy");
    window.keys(&[Key::Enter]);
    focus(&window, "button", "Copied");
    pasted(&window, "fn one() {}");
    back_to(&window, "button", "write");
    window.keys(&[Key::Enter]);
    pasted(&window, "mailto:a@example.com");
    back_to(&window, "link", "the page");
    window.keys(&[Key::Enter]);
    let opened = window.wait("the browser", || window.place.opened());
    assert_eq!(opened, "https://example.com/x");
    focus(&window, "link", "the page");
}

/// What was copied comes out in the message field, which is empty again then.
fn pasted(window: &Window, text: &str) {
    on_to(window, "textbox", "Message");
    window.keys(&[Key::Control, Key::Char('v')]);
    let has_it =
        format!("return find('textbox', 'Message')?.value.includes({}) || null", json!(text));
    window.until("what was copied", &has_it);
    empty(window);
    window.keys(&[Key::Escape]);
}
