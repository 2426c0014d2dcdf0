//! The rows of a card's files, the tools above a diff, and the edge of the panel.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{
    LONG, SHORT, active, at_message, back_to, empty, focus, on_to, open, other_row, says, send,
    two_changes,
};
use crate::{model::Model, page::Key, window::Window};

/// AX-2, AX-3, UI-31: the rows of the card, the tools above the diff and the edge of the panel do by keys
/// what they do, and each keeps the focus.
#[test]
fn the_files_of_a_card_and_the_tools_of_the_panel_are_used_by_keys() {
    let (_model, window) = changed();
    files(&window);
    sections(&window);
    sides(&window);
    wrapping(&window);
    copying(&window);
    width(&window);
}

/// UI-3, AX-3: a card that has more files than it lists leads to the others.
#[test]
fn the_files_that_a_card_does_not_list_are_gone_to_by_keys() {
    let name = |it: u32| format!("f{it:02}.txt");
    let writes =
        (0..12).map(|it| Reply::call("write_file", json!({"path": name(it), "content": "x\n"})));
    let script = Script::new(writes.chain([Reply::text("All are there.")]));
    let (_model, _project, window) = open("keyboard-more", script, []);
    send(&window, "Write twelve files.");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "4 more files");
    window.keys(&[Key::Enter]);
    window.diff(&name(8));
    focus(&window, "button", "4 more files");
}

/// UI-5, AX-3: the card of an earlier turn shows its own files.
#[test]
fn the_card_of_an_earlier_turn_leads_to_its_files() {
    let turn = |path: &str| {
        [
            Reply::call("write_file", json!({"path": path, "content": "x\n"})),
            Reply::text("It is there."),
        ]
    };
    let script = Script::new(turn("one.txt").into_iter().chain(turn("two.txt")));
    let (_model, _project, window) = open("keyboard-earlier", script, []);
    for number in 1..=2 {
        send(&window, "Write it.");
        window.card(number);
    }
    at_message(&window);
    window.keys(&[Key::Escape]);
    for path in ["two.txt", "one.txt"] {
        let row = format!("created {path}");
        back_to(&window, "button", &row);
        window.keys(&[Key::Enter]);
        window.diff(path);
        focus(&window, "button", &row);
    }
}

/// Each row of the card shows its file.
fn files(window: &Window) {
    for (kind, path) in [("created", SHORT), ("modified", LONG)] {
        let row = format!("{kind} {path}");
        back_to(window, "button", &row);
        window.keys(&[Key::Enter]);
        window.diff(path);
        focus(window, "button", &row);
    }
}

/// From one section to the next and back; the row that is then active is its first.
fn sections(window: &Window) {
    for (name, line) in [("Next section", 37), ("Previous section", 1)] {
        let button = |window: &Window| match name {
            "Next section" => on_to(window, "button", name),
            _ => back_to(window, "button", name),
        };
        button(window);
        window.keys(&[Key::Enter]);
        focus(window, "button", name);
        on_to(window, "grid", &format!("Diff of {LONG}"));
        let section = active(window);
        assert!(section.text.contains(&format!("line {line}")), "{section:?}");
    }
}

/// Both sides of a changed line are in one row, and then again in two.
fn sides(window: &Window) {
    let rows = "return Number(document.querySelector('aside [role=grid]').ariaRowCount)";
    let rows = || window.ask(rows).as_u64();
    let before = rows().expect("it is there");
    back_to(window, "button", "Side by side");
    says(window, "aria-pressed", "false");
    window.keys(&[Key::Enter]);
    says(window, "aria-pressed", "true");
    window.wait("both sides", || (rows()? == before - 2).then_some(()));
    focus(window, "button", "Side by side");
    window.picture("keyboard-sides");
    rows_of_sides(window);
    window.keys(&[Key::Enter]);
    says(window, "aria-pressed", "false");
    window.wait("one below the other", || (rows()? == before).then_some(()));
    focus(window, "button", "Side by side");
}

/// The rows are gone through as they are shown.
fn rows_of_sides(window: &Window) {
    on_to(window, "grid", &format!("Diff of {LONG}"));
    window.keys(&[Key::Home]);
    let first = active(window);
    assert_eq!(first.number, 1, "{first:?}");
    window.keys(&[Key::Down]);
    let second = other_row(window, &first);
    assert_eq!(second.number, 2, "{second:?}");
    window.keys(&[Key::Char('n')]);
    let hunk = other_row(window, &second);
    assert!(hunk.text.contains("line 37"), "{hunk:?}");
    window.keys(&[Key::Char('p')]);
    assert_eq!(other_row(window, &hunk), first);
    window.keys(&[Key::End]);
    let last = other_row(window, &first);
    assert!(last.text.contains("line 40") && last.text.contains("Line 40."), "{last:?}");
    window.keys(&[Key::Home]);
    assert_eq!(other_row(window, &last), first);
    back_to(window, "button", "Side by side");
}

/// A long line goes on in the next one, or out of view.
fn wrapping(window: &Window) {
    let is_wide = "const it = document.querySelector('aside [role=grid]'); \
        return it.scrollWidth > it.clientWidth";
    let is_wide = |wanted: bool| {
        window.wait("the long line", || (window.ask(is_wide) == json!(wanted)).then_some(()));
    };
    on_to(window, "button", "Wrap long lines");
    says(window, "aria-pressed", "true");
    is_wide(false);
    window.keys(&[Key::Enter]);
    says(window, "aria-pressed", "false");
    is_wide(true);
    focus(window, "button", "Wrap long lines");
    on_to(window, "grid", &format!("Diff of {LONG}"));
    window.keys(&[Key::Right]);
    let is_moved = "return document.querySelector('aside [role=grid]').scrollLeft > 0 || null";
    window.until("what was out of view", is_moved);
    back_to(window, "button", "Wrap long lines");
    window.keys(&[Key::Enter]);
    says(window, "aria-pressed", "true");
    is_wide(false);
    focus(window, "button", "Wrap long lines");
}

/// What was copied comes out in the message field.
fn copying(window: &Window) {
    on_to(window, "button", "Copy the diff");
    window.keys(&[Key::Enter]);
    focus(window, "button", "Copied");
    back_to(window, "textbox", "Message");
    window.keys(&[Key::Control, Key::Char('v')]);
    let has_it = "return find('textbox', 'Message')?.value.includes('\\n+Line 40.\\n') || null";
    window.until("the diff in the message field", has_it);
    empty(window);
}

/// The edge is moved by the arrow keys, Home and End, and the panel with it.
fn width(window: &Window) {
    let width = || {
        let width = "return document.querySelector('aside').clientWidth";
        window.ask(width).as_u64().expect("a number")
    };
    on_to(window, "separator", "Width of the details");
    for (key, is_wider) in [
        (Key::Home, false),
        (Key::Left, true),
        (Key::Right, false),
        (Key::End, true),
        (Key::Right, false),
    ] {
        let before = width();
        window.keys(&[key]);
        let is_so = || if is_wider { width() > before } else { width() < before };
        window.wait("another width", || is_so().then_some(()));
        focus(window, "separator", "Width of the details");
    }
}

/// A turn that changed a file with a long line.
fn changed() -> (Model, Window) {
    let long: String = (1..=40)
        .map(|it| {
            format!("line {it}{}\n", if it == 39 { " and so on".repeat(30) } else { String::new() })
        })
        .collect();
    two_changes("keyboard-panel", &long)
}
