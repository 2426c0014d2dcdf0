//! The rows of a card's files, the tools above a diff, and the edge of the panel.

use serde_json::json;
use testkit::script::{Reply, Script};

use super::{active, at_message, back_to, focus, holds, on_to, open, says, send};
use crate::{model::Model, page::Key, window::Window};

const LONG: &str = "long.txt";
const SHORT: &str = "short.txt";

/// AX-2, AX-3: each row of the card shows its file, and keeps the focus.
#[test]
fn the_files_of_a_card_are_opened_by_keys() {
    let (_model, window) = changed("keyboard-files");
    back_to(&window, "button", &format!("created {SHORT}"));
    window.keys(&[Key::Enter]);
    window.diff(SHORT);
    focus(&window, "button", &format!("created {SHORT}"));
    back_to(&window, "button", &format!("modified {LONG}"));
    window.keys(&[Key::Enter]);
    window.diff(LONG);
    focus(&window, "button", &format!("modified {LONG}"));
}

/// AX-2, UI-31: sections, sides, wrapping and copying are pressed by keys, and each keeps the focus.
#[test]
fn the_tools_of_a_diff_are_pressed_by_keys() {
    let (_model, window) = changed("keyboard-tools");
    back_to(&window, "button", &format!("modified {LONG}"));
    window.keys(&[Key::Enter]);
    window.diff(LONG);
    sections(&window);
    sides(&window);
    wrapping(&window);
    copying(&window);
}

/// UI-31: the edge of the panel is moved by the arrow keys, Home and End, and the panel with it.
#[test]
fn the_panel_is_made_wider_and_narrower_by_keys() {
    let (_model, window) = changed("keyboard-width");
    back_to(&window, "button", "View diff");
    window.keys(&[Key::Enter]);
    window.diff(LONG);
    on_to(&window, "separator", "Width of the details");
    let width = || {
        let width = "return Math.round(document.querySelector('aside').clientWidth)";
        window.ask(width).as_f64().expect("a number")
    };
    let changed = |keys: &[Key], is_so: &dyn Fn(f64, f64) -> bool| {
        let before = width();
        window.keys(keys);
        window.wait("another width", || is_so(before, width()).then_some(()));
        focus(&window, "separator", "Width of the details");
    };
    let wider = |before: f64, now: f64| now > before;
    let narrower = |before: f64, now: f64| now < before;
    changed(&[Key::Home], &narrower);
    changed(&[Key::Left], &wider);
    changed(&[Key::Right], &narrower);
    changed(&[Key::End], &wider);
    changed(&[Key::Right], &narrower);
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
    window.keys(&[Key::Enter]);
    says(window, "aria-pressed", "false");
    window.wait("one below the other", || (rows()? == before).then_some(()));
    focus(window, "button", "Side by side");
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
    window.keys(&[Key::Control, Key::Char('a')]);
    window.keys(&[Key::Backspace]);
    holds(window, "");
}

/// A turn that changed a file in two places, and made another one.
fn changed(name: &'static str) -> (Model, Window) {
    let mut lines: Vec<String> = (1..=40).map(|it| format!("line {it}\n")).collect();
    lines[38] = format!("line 39{}\n", " and so on".repeat(30));
    let edit = |line: u32| {
        let old = format!("line {line}\n");
        json!({"path": LONG, "old_string": old, "new_string": format!("Line {line}.\n")})
    };
    let script = Script::new([
        Reply::call("read_file", json!({"path": LONG})),
        Reply::call("edit_file", edit(3)),
        Reply::call("edit_file", edit(40)),
        Reply::call("write_file", json!({"path": SHORT, "content": "short\n"})),
        Reply::text("Both are done."),
    ]);
    let (model, _project, window) = open(name, script, [(LONG, lines.concat().as_str())]);
    send(&window, "Change two files.");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Escape]);
    (model, window)
}
