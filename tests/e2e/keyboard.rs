//! Everything with the keyboard alone: no element is clicked here.

use crate::{page::Key, window::Window};

/// AX-3, UI-31: first run, turn, question, diff and settings are within reach of the keys, and what
/// has the focus says what it is.
#[test]
fn a_first_run_a_turn_a_question_a_diff_and_the_settings_need_no_pointer() {
    let window = Window::open("keyboard");
    first_run(&window);
    turn_and_question(&window);
    diff(&window);
    settings(&window);
    commands(&window);
}

fn first_run(window: &Window) {
    focus(window, "button", "Open folder");
    window.keys(&[Key::Tab]);
    focus(window, "button", "Try the demo");
    window.keys(&[Key::Enter]);
}

fn turn_and_question(window: &Window) {
    focus(window, "textbox", "Message");
    // Shift+Tab alone goes through the presets.
    window.keys(&[Key::Escape]);
    back_to(window, "button", "The total of expenses.txt");
    window.keys(&[Key::Enter]);
    focus(window, "button", "Allow once");
    window.keys(&[Key::Right]);
    focus(window, "button", "Allow for this session");
    window.keys(&[Key::Right]);
    focus(window, "button", "Deny");
    window.keys(&[Key::Right]);
    focus(window, "button", "Allow once");
    window.picture("keyboard-question");
    window.keys(&[Key::Enter]);
    window.card(1);
}

fn diff(window: &Window) {
    back_to(window, "button", "View diff");
    window.picture("keyboard-card");
    window.keys(&[Key::Enter]);
    window.diff("cases/last-line.sh");
    on_to(window, "tab", "Diff");
    window.keys(&[Key::Right]);
    focus(window, "tab", "Checks");
    window.see("sh check.sh");
    window.keys(&[Key::Left]);
    focus(window, "tab", "Diff");
    on_to(window, "listbox", "Files of this turn");
    window.keys(&[Key::Down]);
    let diff = window.diff("tally.sh");
    assert_eq!((diff.added.len(), diff.removed.len()), (1, 1));
    on_to(window, "grid", "Diff of tally.sh");
    window.keys(&[Key::Down]);
    window.picture("keyboard-diff");
}

fn settings(window: &Window) {
    window.keys(&[Key::Control, Key::Char(',')]);
    window.find("dialog", "Settings");
    on_to(window, "radio", "As the system");
    window.keys(&[Key::Down]);
    window.keys(&[Key::Down]);
    focus(window, "radio", "Dark");
    window.until(
        "the dark theme",
        "return document.documentElement.dataset.theme === 'dark' || null",
    );
    on_to(window, "radio", "As the system");
    window.keys(&[Key::Down]);
    focus(window, "radio", "English");
    window.picture("settings");
    window.keys(&[Key::Escape]);
    window.wait("the end of the settings", || (!window.has("dialog", "Settings")).then_some(()));
    focus(window, "grid", "Diff of tally.sh");
}

fn commands(window: &Window) {
    window.keys(&[Key::Control, Key::Char('k')]);
    window.find("dialog", "Commands");
    window.type_keys("message");
    window.picture("commands");
    window.keys(&[Key::Enter]);
    focus(window, "textbox", "Message");
    window.type_keys("typed with keys");
    let field = "return find('textbox', 'Message')?.value === 'typed with keys' || null";
    window.until("what was typed", field);
    window.keys(&[Key::Control, Key::Char('b')]);
    window.wait("no sidebar", || (!window.has("button", "New session (Ctrl N)")).then_some(()));
}

/// Waits until the focus is on what has that role, and a name that begins so.
fn focus(window: &Window, role: &str, name: &str) {
    let is_there = || {
        let (is, named) = window.focus();
        (is == role && named.starts_with(name)).then_some(())
    };
    window.wait(&format!("the focus on {role} {name:?}, now {:?}", window.focus()), is_there);
}

fn on_to(window: &Window, role: &str, name: &str) {
    step_to(window, role, name, &[Key::Tab]);
}

fn back_to(window: &Window, role: &str, name: &str) {
    step_to(window, role, name, &[Key::Shift, Key::Tab]);
}

/// Presses keys until the focus is there; no way through the window is longer than this.
fn step_to(window: &Window, role: &str, name: &str, keys: &[Key]) {
    let mut passed = Vec::new();
    for _ in 0..60 {
        window.keys(keys);
        let (is, named) = window.focus();
        if is == role && named.starts_with(name) {
            return;
        }
        assert!(
            !is.is_empty() && !named.is_empty() || is == "generic",
            "it has no name: {is:?} {named:?}"
        );
        passed.push(format!("{is} {named:?}"));
    }
    panic!("no {role} {name:?} on the way: {passed:#?}");
}
