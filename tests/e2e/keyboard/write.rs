//! A question for a write: what would be written is read by keys, and then allowed or denied.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{active, at_message, back_to, focus, on_to, open, other_row, send};
use crate::{page::Key, window::Window};

/// A file that is asked about before each write.
const PATH: &str = ".evident/config.toml";
const BEFORE: &str = "checks = [\"sh check.sh\"]\n";
const AFTER: &str = "checks = [\"true\"]\n";
const LINES: &str = "The passage before and after";

/// PM-4, PM-9, AX-3: the lines of a write are gone through by keys; 3 leaves the file as it was, 1 writes
/// it, and the focus is in the message field again.
#[test]
fn a_write_is_read_and_answered_by_keys() {
    let edit = json!({"path": PATH, "old_string": "sh check.sh", "new_string": "true"});
    let turn = || {
        [
            Reply::call("read_file", json!({"path": PATH})),
            Reply::call("edit_file", edit.clone()),
            Reply::text("That is my last word."),
        ]
    };
    let script = Script::new(turn().into_iter().chain(turn()));
    let (_model, project, window) = open("keyboard-write", script, [(PATH, BEFORE)]);

    ask(&window);
    read(&window);
    window.picture("keyboard-write");
    window.keys(&[Key::Char('3')]);
    at_message(&window);
    let card = window.card(1);
    assert!(card.text.contains("No net changes"), "{card:?}");
    assert!(card.text.contains("1 write refused"), "{card:?}");
    assert!(
        window.transcript().contains("denied That is my last word."),
        "{}",
        window.transcript()
    );
    assert_eq!(project.read(PATH), BEFORE);

    ask(&window);
    read(&window);
    on_to(&window, "button", "Allow once");
    window.keys(&[Key::Char('1')]);
    at_message(&window);
    let card = window.card(2);
    let counts = card.files.iter().map(|it| (it.path.as_str(), it.added, it.removed));
    assert_eq!(counts.collect::<Vec<_>>(), [(PATH, 1, 1)]);
    assert_eq!(project.read(PATH), AFTER);
    at_message(&window);
}

/// Sends a message, and waits until the question has the focus and shows the line that would be.
fn ask(window: &Window) {
    send(window, "Let the check always pass.");
    window.see("Write this file?");
    focus(window, "button", "Allow once");
    window.see("added+ true");
}

/// Goes back to the lines and through them.
fn read(window: &Window) {
    back_to(window, "grid", LINES);
    window.keys(&[Key::Down]);
    let removed = active(window);
    assert!(
        removed.text.contains("removed") && removed.text.contains("sh check.sh"),
        "{removed:?}"
    );
    window.keys(&[Key::Down]);
    let added = other_row(window, &removed);
    assert!(added.text.contains("added") && added.text.contains("true"), "{added:?}");
    focus(window, "grid", LINES);
}
