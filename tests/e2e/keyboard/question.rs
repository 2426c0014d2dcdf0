//! Each answer to a question, and each key for it.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{at_message, back_to, focus, on_to, open, send};
use crate::{page::Key, window::Window};

/// PM-4, AX-3, TR-33: 3, Esc, and the arrow keys with Enter deny; nothing runs, the card says so, and the
/// focus is in the message field again.
#[test]
fn each_key_that_denies_leaves_all_as_it_was() {
    let ways: [(&str, &[Key]); 6] = [
        ("three", &[Key::Char('3')]),
        ("escape", &[Key::Escape]),
        ("right", &[Key::Right, Key::Right, Key::Enter]),
        ("left", &[Key::Left, Key::Enter]),
        ("down", &[Key::Down, Key::Down, Key::Enter]),
        ("up", &[Key::Up, Key::Enter]),
    ];
    let turns = ways.iter().flat_map(|(mark, _)| turn(&format!("touch {mark}")));
    let (_model, project, window) = open("keyboard-deny", Script::new(turns), []);
    for (number, (mark, keys)) in (1..).zip(ways) {
        ask(&window, mark);
        if number == 1 {
            window.picture("keyboard-question-command");
        }
        for key in keys {
            window.keys(&[*key]);
        }
        at_message(&window);
        let card = window.card(number);
        assert!(card.text.contains("No net changes"), "{mark}: {card:?}");
        assert!(card.text.contains("1 write refused"), "{mark}: {card:?}");
        assert!(!project.has(mark), "{mark}");
        at_message(&window);
    }
    let shown = window.transcript();
    assert_eq!(shown.matches("denied That is all.").count(), ways.len(), "{shown}");
}

/// PM-4, AX-3: 1 and Enter allow one call; the arrow keys with Enter, and 2, the same call for the
/// session: it is not asked about again.
#[test]
fn what_is_allowed_for_the_session_is_not_asked_about_again() {
    let command = "echo more >> lines.txt";
    let other = "echo other >> others.txt";
    let turns = (0..4).flat_map(|_| turn(command)).chain((0..2).flat_map(|_| turn(other)));
    let (_model, project, window) = open("keyboard-allow", Script::new(turns), []);
    let lines = || project.read("lines.txt").lines().count();

    ask(&window, "one");
    window.keys(&[Key::Char('1')]);
    at_message(&window);
    window.card(1);
    assert_eq!(lines(), 1);

    ask(&window, "two");
    window.keys(&[Key::Enter]);
    at_message(&window);
    window.card(2);
    assert_eq!(lines(), 2);

    ask(&window, "three");
    window.keys(&[Key::Right]);
    focus(&window, "button", "Allow for this session");
    window.keys(&[Key::Enter]);
    at_message(&window);
    window.card(3);
    assert_eq!(lines(), 3);

    send(&window, "Make four.");
    window.card(4);
    assert_eq!(lines(), 4);
    at_message(&window);

    ask(&window, "the other");
    window.keys(&[Key::Char('2')]);
    at_message(&window);
    window.card(5);
    send(&window, "Make the other again.");
    window.card(6);
    assert_eq!(project.read("others.txt").lines().count(), 2);
    at_message(&window);
}

/// AX-3: while a question waits the turn is stopped by its button, and nothing runs.
#[test]
fn the_turn_is_stopped_while_it_asks() {
    let (_model, project, window) =
        open("keyboard-stop-asking", Script::new(turn("touch one")), []);
    ask(&window, "one");
    on_to(&window, "button", "Stop");
    window.keys(&[Key::Enter]);
    let card = window.card(1);
    assert!(card.text.contains("interrupted"), "{card:?}");
    assert!(!project.has("one"));
    at_message(&window);
}

/// AX-3: who writes while a question comes goes on writing, and answers it when they go to it.
#[test]
fn a_question_leaves_the_keys_to_who_writes() {
    let asking = Reply::text("One moment. ").and_hold("writes");
    let asking = asking.and_call("bash", json!({"command": "touch one"}));
    let script = Script::new([asking, Reply::text("That is all.")]);
    let (model, project, window) = open("keyboard-writes", script, []);
    send(&window, "Make one.");
    model.reached("writes");
    window.see("One moment.");
    window.type_keys("12");
    model.release("writes");
    window.see("Run this command?");
    window.type_keys("3");
    let field = "return find('textbox', 'Message')?.value === '123' || null";
    window.until("what was typed", field);
    at_message(&window);
    back_to(&window, "button", "Deny");
    back_to(&window, "button", "Allow for this session");
    back_to(&window, "button", "Allow once");
    back_to(&window, "group", "Run this command?");
    on_to(&window, "button", "Allow once");
    window.keys(&[Key::Enter]);
    at_message(&window);
    window.card(1);
    assert!(project.has("one"));
    window.until("what was typed", field);
}

fn turn(command: &str) -> [Reply; 2] {
    [Reply::call("bash", json!({"command": command})), Reply::text("That is all.")]
}

/// Sends a message, and waits until the question has the focus.
fn ask(window: &Window, mark: &str) {
    send(window, &format!("Make {mark}."));
    focus(window, "button", "Allow once");
}
