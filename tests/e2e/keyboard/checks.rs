//! The checks of a turn and what they printed, and why a write was refused.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{active, at_message, back_to, empty, focus, holds, on_to, open, other_row, says, send};
use crate::{page::Key, window::Window};

const COMMAND: &str = "sh check.sh";
const CHECK: &str = "echo first; echo second; echo third\n";

/// AX-2, AX-3, LG-5: the card leads to the checks, a check to its log, and the log is gone through line
/// by line, wrapped and copied.
#[test]
fn a_check_and_its_log_are_read_by_keys() {
    let script = Script::new([
        Reply::call("bash", json!({"command": COMMAND})),
        Reply::text("The check passes."),
    ]);
    let files = [("check.sh", CHECK), (".evident/config.toml", "checks = [\"sh check.sh\"]\n")];
    let (_model, _project, window) = open("keyboard-checks", script, files);
    send(&window, "Run the check.");
    focus(&window, "button", "Allow once");
    window.keys(&[Key::Enter]);
    let card = window.card(1);
    assert!(card.text.contains("1 passed"), "{card:?}");
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "View checks");
    window.keys(&[Key::Enter]);
    window.find("tab", "Checks");
    focus(&window, "button", "View checks");
    on_to(&window, "tab", "Checks");
    says(&window, "aria-selected", "true");

    on_to(&window, "button", "Output");
    says(&window, "aria-expanded", "false");
    window.keys(&[Key::Enter]);
    window.see("third");
    focus(&window, "button", "Output");
    says(&window, "aria-expanded", "true");
    log(&window);
    back_to(&window, "button", "Output");
    window.keys(&[Key::Enter]);
    says(&window, "aria-expanded", "false");
    let is_gone = || (!window.all_text().contains("third")).then_some(());
    window.wait("the end of the log", is_gone);
    focus(&window, "button", "Output");
}

/// DG-2, AX-3: why a write was refused, and what works instead, is shown and hidden by a key.
#[test]
fn why_a_write_was_refused_is_read_by_keys() {
    let edit = json!({"path": "greeting.txt", "old_string": "Helo", "new_string": "Hello"});
    let script =
        Script::new([Reply::call("edit_file", edit), Reply::text("I could not write it.")]);
    let files = [("greeting.txt", "Helo, you.\n")];
    let (_model, project, window) = open("keyboard-refused", script, files);
    send(&window, "Correct the greeting.");
    let card = window.card(1);
    assert!(card.text.contains("1 write refused"), "{card:?}");
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "Why refused");
    says(&window, "aria-expanded", "false");
    window.keys(&[Key::Enter]);
    says(&window, "aria-expanded", "true");
    let card = window.card(1);
    assert!(card.text.contains("What works now"), "{card:?}");
    focus(&window, "button", "Why refused");
    window.picture("keyboard-refused");
    window.keys(&[Key::Enter]);
    says(&window, "aria-expanded", "false");
    let card = window.card(1);
    assert!(!card.text.contains("What works now"), "{card:?}");
    focus(&window, "button", "Why refused");
    assert_eq!(project.read("greeting.txt"), "Helo, you.\n");
}

/// It begins at its end.
fn log(window: &Window) {
    on_to(window, "button", "Wrap long lines");
    says(window, "aria-pressed", "true");
    window.keys(&[Key::Enter]);
    says(window, "aria-pressed", "false");
    focus(window, "button", "Wrap long lines");
    on_to(window, "button", "Copy the log");
    window.keys(&[Key::Enter]);
    focus(window, "button", "Copied");
    on_to(window, "grid", &format!("Log of {COMMAND}"));
    let third = active(window);
    assert!(third.number == 3 && third.text.contains("third"), "{third:?}");
    window.keys(&[Key::Up]);
    let second = other_row(window, &third);
    assert!(second.number == 2 && second.text.contains("second"), "{second:?}");
    window.keys(&[Key::Home]);
    let first = other_row(window, &second);
    assert!(first.number == 1 && first.text.contains("first"), "{first:?}");
    window.picture("keyboard-log");
    window.keys(&[Key::End]);
    assert_eq!(other_row(window, &first), third);

    // What was copied comes out again.
    back_to(window, "textbox", "Message");
    window.keys(&[Key::Control, Key::Char('v')]);
    holds(window, "first\nsecond\nthird\n");
    empty(window);
    on_to(window, "grid", &format!("Log of {COMMAND}"));
}
