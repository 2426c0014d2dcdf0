//! The message field: its lines, the earlier messages, the preset and the model.

use serde_json::{Value, json};
use testkit::script::{Reply, Script};

use super::{at_message, back_to, focus, holds, on_to, open, send};
use crate::{model::Model, page::Key, window::Window};

/// AX-2: Shift+Enter begins a line and sends nothing, the Up arrow brings back what was sent, and Down
/// what was being written.
#[test]
fn a_message_has_lines_and_the_earlier_ones_come_back() {
    let replies = ["One.", "Two.", "Three."].map(Reply::text);
    let (model, _project, window) = open("keyboard-field", Script::new(replies), []);
    at_message(&window);
    window.type_keys("first");
    window.keys(&[Key::Shift, Key::Enter]);
    window.type_keys("line");
    holds(&window, "first\nline");
    assert!(model.requests().is_empty(), "Shift+Enter sends nothing");
    window.find("button", "Send");
    window.keys(&[Key::Enter]);
    window.card(1);
    assert_eq!(last(&model, 0), "first\nline");
    send(&window, "second");
    window.card(2);

    holds(&window, "");
    window.type_keys("draft");
    for (key, text) in [
        (Key::Up, "second"),
        (Key::Up, "first\nline"),
        (Key::Down, "second"),
        (Key::Down, "draft"),
        (Key::Up, "second"),
    ] {
        window.keys(&[key]);
        holds(&window, text);
        at_message(&window);
    }
    window.find("button", "Send");
    window.keys(&[Key::Enter]);
    window.card(3);
    assert_eq!(last(&model, 2), "second");
    holds(&window, "");
    at_message(&window);
}

/// PM-1: Shift+Tab in the message field and the menu below it choose the preset, and what it says holds
/// in the next turn.
#[test]
fn the_preset_is_chosen_in_the_message_field_and_in_its_menu() {
    let turn = |path: &str| {
        let write = json!({"path": path, "content": "new\n"});
        [Reply::call("write_file", write), Reply::text("It is written.")]
    };
    let script = Script::new(turn("one.txt").into_iter().chain(turn("two.txt")));
    let (_model, project, window) = open("keyboard-preset", script, []);
    at_message(&window);
    window.find("button", "Ask before commands");
    for name in ["Full access", "Ask before all changes"] {
        window.keys(&[Key::Shift, Key::Tab]);
        window.find("button", name);
        at_message(&window);
    }
    send(&window, "Write one.");
    focus(&window, "button", "Allow once");
    window.see("Write this file?");
    assert!(!project.has("one.txt"));
    window.keys(&[Key::Enter]);
    window.card(1);
    at_message(&window);

    menu(&window, "Ask before all changes", "Ask before all changes");
    window.keys(&[Key::Escape]);
    focus(&window, "button", "Ask before all changes");
    back_to(&window, "textbox", "Message");
    menu(&window, "Ask before all changes", "Ask before all changes");
    window.picture("keyboard-preset");
    window.keys(&[Key::Down]);
    focus(&window, "menuitemradio", "Ask before commands");
    window.keys(&[Key::Enter]);
    focus(&window, "button", "Ask before commands");
    back_to(&window, "textbox", "Message");
    send(&window, "Write two.");
    let card = window.card(2);
    assert!(card.text.contains("1 file changed"), "{card:?}");
    assert!(project.has("two.txt"), "it is written without a question");
    at_message(&window);
}

/// UI-33, CF-3: `/model` and the button below the message field choose the model; both warn first, and
/// the next request goes to that model.
#[test]
fn the_model_is_chosen_after_a_slash_and_in_its_menu() {
    let replies = ["One.", "Two.", "Three."].map(Reply::text);
    let (model, _project, window) = open("keyboard-model", Script::new(replies), []);
    send(&window, "first");
    window.card(1);
    assert_eq!(asked(&model, 0)["model"], "scripted");

    at_message(&window);
    window.type_keys("/");
    chosen(&window, "/model");
    window.keys(&[Key::Down]);
    chosen(&window, "/provider");
    window.keys(&[Key::Up]);
    chosen(&window, "/model");
    window.keys(&[Key::Tab]);
    holds(&window, "/model ");
    window.type_keys("other");
    chosen(&window, "other");
    window.see("Another model starts with an empty cache");
    window.picture("keyboard-slash");
    window.keys(&[Key::Enter]);
    holds(&window, "");
    window.find("button", "other");
    at_message(&window);
    send(&window, "second");
    window.card(2);
    assert_eq!(asked(&model, 1)["model"], "other");

    at_message(&window);
    on_to(&window, "button", "other");
    window.keys(&[Key::Enter]);
    focus(&window, "combobox", "Choose a model");
    window.see("Another model starts with an empty cache");
    window.type_keys("third");
    chosen(&window, "third");
    window.keys(&[Key::Enter]);
    focus(&window, "button", "third");
    back_to(&window, "textbox", "Message");
    send(&window, "third");
    window.card(3);
    assert_eq!(asked(&model, 2)["model"], "third");
    at_message(&window);
}

/// UI-33: `/provider` and a name lead to that provider in the settings, and back.
#[test]
fn a_provider_is_gone_to_after_a_slash() {
    let (_model, _project, window) = open("keyboard-slash-provider", Script::new([]), []);
    at_message(&window);
    window.type_keys("/provider deeps");
    chosen(&window, "DeepSeek");
    window.keys(&[Key::Enter]);
    window.find("dialog", "Settings");
    focus(&window, "radio", "DeepSeek");
    window.keys(&[Key::Escape]);
    at_message(&window);
    holds(&window, "");
}

/// UI-33: Esc leaves the list after a slash, and what looks like a command can be sent then.
#[test]
fn a_slash_is_a_text_once_its_list_is_left() {
    let (model, _project, window) =
        open("keyboard-slash-text", Script::new([Reply::text("One.")]), []);
    at_message(&window);
    window.type_keys("/model");
    chosen(&window, "/model");
    window.keys(&[Key::Escape]);
    let is_gone = "return document.querySelector('[role=option]') === null || null";
    window.until("the end of the list", is_gone);
    holds(&window, "/model");
    window.keys(&[Key::Enter]);
    window.card(1);
    assert_eq!(last(&model, 0), "/model");
    at_message(&window);
}

/// Opens the menu of the presets, from the message field.
fn menu(window: &Window, shown: &str, active: &str) {
    on_to(window, "button", shown);
    window.keys(&[Key::Enter]);
    focus(window, "menuitemradio", active);
}

/// Waits until the line that Enter takes begins so.
fn chosen(window: &Window, text: &str) {
    let line = "return heard(document.querySelector('[role=option][aria-selected=true]'))";
    let is_it = |it: Value| it.as_str()?.starts_with(text).then_some(());
    window.wait(&format!("{text:?} in the list"), || is_it(window.ask(line)));
}

/// Returns what the model was asked in a request, from 0.
fn asked(model: &Model, request: usize) -> Value {
    model.requests()[request].json().expect("it is JSON")
}

/// Returns the text of a request's last message.
fn last(model: &Model, request: usize) -> String {
    let body = asked(model, request);
    let all = body["messages"].as_array().expect("messages");
    let last = all.last().expect("at least one");
    last["content"].as_str().unwrap_or_else(|| panic!("{last}")).to_owned()
}
