//! The details of a turn: its files, the rows of a diff, and the panel itself.

use super::{
    LONG, SHORT, active, at_message, back_to, empty, focus, holds, on_to, other_row, two_changes,
};
use crate::{page::Key, window::Window};

/// AX-2, AX-3, UI-31: files, rows and hunks are gone through by keys, each key moves the active row, and
/// the focus outlives the panel.
#[test]
fn a_diff_is_read_by_keys() {
    let long: String = (1..=40).map(|it| format!("line {it}\n")).collect();
    let (_model, window) = two_changes("keyboard-diff", &long);
    back_to(&window, "button", "View diff");
    window.picture("keyboard-card");
    window.keys(&[Key::Enter]);
    window.diff(LONG);
    on_to(&window, "tab", "Diff");
    window.keys(&[Key::Right]);
    focus(&window, "tab", "Checks");
    window.keys(&[Key::Left]);
    focus(&window, "tab", "Diff");
    files(&window);
    rows(&window);
    panel(&window);
}

/// One file and the next, and back.
fn files(window: &Window) {
    on_to(window, "listbox", "Files of this turn");
    assert!(active(window).text.contains(LONG), "{:?}", active(window));
    for (key, path) in [(Key::Down, SHORT), (Key::Up, LONG), (Key::Down, SHORT), (Key::Up, LONG)] {
        let before = active(window);
        window.keys(&[key]);
        let now = other_row(window, &before);
        assert!(now.text.contains(path), "{now:?}");
        let diff = window.diff(path);
        assert_eq!(
            (diff.added.len(), diff.removed.len()),
            if path == LONG { (2, 2) } else { (1, 0) }
        );
        focus(window, "listbox", "Files of this turn");
    }
}

/// The rows of a diff, from one to the next and from hunk to hunk.
fn rows(window: &Window) {
    on_to(window, "grid", &format!("Diff of {LONG}"));
    let first = active(window);
    assert_eq!(first.number, 1, "{first:?}");
    window.keys(&[Key::Down]);
    let second = other_row(window, &first);
    assert_eq!(second.number, 2, "{second:?}");
    assert!(second.text.contains("line 1"), "{second:?}");
    window.keys(&[Key::Up]);
    assert_eq!(other_row(window, &second), first);
    window.keys(&[Key::Char('n')]);
    let hunk = other_row(window, &first);
    assert!(hunk.number > 4 && hunk.text.contains("line 37"), "{hunk:?}");
    window.keys(&[Key::Char('p')]);
    assert_eq!(other_row(window, &hunk), first);
    window.keys(&[Key::End]);
    let last = other_row(window, &first);
    assert!(last.number > hunk.number, "{last:?}");
    window.picture("keyboard-diff");
    window.keys(&[Key::Home]);
    assert_eq!(other_row(window, &last), first);
    window.keys(&[Key::PageDown]);
    let below = other_row(window, &first);
    assert!(below.number > second.number, "{below:?}");
    window.keys(&[Key::PageUp]);
    assert_eq!(other_row(window, &below), first);
    letters(window);
}

/// The rows by letters, and one that is copied; it comes out in the message field.
fn letters(window: &Window) {
    let first = active(window);
    window.keys(&[Key::Char('j')]);
    let second = other_row(window, &first);
    window.keys(&[Key::Char('k')]);
    assert_eq!(other_row(window, &second), first);
    window.keys(&[Key::Char('j')]);
    assert_eq!(other_row(window, &first), second);
    window.keys(&[Key::Control, Key::Char('c')]);
    back_to(window, "textbox", "Message");
    window.keys(&[Key::Control, Key::Char('v')]);
    holds(window, "line 1");
    empty(window);
    on_to(window, "grid", &format!("Diff of {LONG}"));
}

/// The panel closes and opens by its key, and what had the focus in it leaves it to the message field.
fn panel(window: &Window) {
    let keys = [Key::Control, Key::Shift, Key::Char('b')];
    let is_gone = || (!window.has("tab", "Diff")).then_some(());
    focus(window, "grid", "Diff of");
    window.keys(&keys);
    window.wait("the end of the panel", is_gone);
    at_message(window);
    window.keys(&keys);
    window.diff(LONG);
    at_message(window);
    on_to(window, "tab", "Diff");
    on_to(window, "button", "Hide details");
    window.keys(&[Key::Enter]);
    window.wait("the end of the panel", is_gone);
    at_message(window);
}
