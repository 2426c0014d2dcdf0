//! Everything with the keyboard alone: no element is clicked here, and no script moves the focus.

mod checks;
mod diff;
mod failure;
mod field;
mod first_run;
mod found;
mod menus;
mod newest;
mod panel;
mod pictures;
mod question;
mod sessions;
mod settings;
mod step;
mod stop;
mod write;

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{
    model::Model,
    page::{ActiveRow, Focus, Key},
    place::Place,
    wait::until,
    window::Window,
};

/// No way through the window takes more presses than this.
const WAY: usize = 25;

/// Opens the window on a new session in a folder with these files.
fn open<'a>(
    name: &'static str,
    script: Script,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> (Model, Project, Window) {
    let model = Model::play(script);
    let project = Project::new(files);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on(name, place);
    (model, project, window)
}

/// The files of a turn that changes two.
const LONG: &str = "long.txt";
const SHORT: &str = "short.txt";

/// A turn that changed the lines 3 and 40 of one file, which holds `long`, and made another one. The focus
/// has left the message field.
fn two_changes(name: &'static str, long: &str) -> (Model, Window) {
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
    let (model, _project, window) = open(name, script, [(LONG, long)]);
    send(&window, "Change two files.");
    let card = window.card(1);
    let paths: Vec<&str> = card.files.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, [LONG, SHORT], "{card:?}");
    at_message(&window);
    window.keys(&[Key::Escape]);
    (model, window)
}

/// Waits until the focus is on what has that role, and a name that begins so.
fn focus(window: &Window, role: &str, name: &str) {
    until(
        &format!("the focus on {role} {name:?}"),
        || window.focus().is(role, name).then_some(()),
        || format!("{:?}\n{}", window.focus(), window.all_text()),
    );
}

/// Waits until the focus is in the message field.
fn at_message(window: &Window) {
    focus(window, "textbox", "Message");
}

fn on_to(window: &Window, role: &str, name: &str) {
    step_to(window, role, name, &[Key::Tab]);
}

fn back_to(window: &Window, role: &str, name: &str) {
    step_to(window, role, name, &[Key::Shift, Key::Tab]);
}

/// Presses keys until the focus is there. Each press moves the focus, what it comes to says what it is,
/// and nothing is passed twice.
fn step_to(window: &Window, role: &str, name: &str, keys: &[Key]) {
    let mut passed = vec![window.focus()];
    while passed.len() <= WAY {
        window.keys(keys);
        let now = moved(window, passed.last().expect("it begins somewhere"));
        if now.is(role, name) {
            return;
        }
        assert!(!passed.contains(&now), "{now:?} is passed twice on the way: {passed:#?}");
        passed.push(now);
    }
    panic!("no {role} {name:?} within {WAY} presses: {passed:#?}");
}

/// Waits until the focus is on something else, that has a role and a name. At its ends a dialog hands
/// the focus on.
fn moved(window: &Window, from: &Focus) -> Focus {
    let on = "return document.activeElement?.outerHTML.slice(0, 300)";
    until(
        "the focus on something else that has a name",
        || {
            Some(window.focus())
                .filter(|it| it != from && !it.role.is_empty() && !it.name.is_empty())
        },
        || format!("{from:?}\n{}\n{}", window.ask(on), window.all_text()),
    )
}

/// Types a message, and sends it once it can be sent.
fn send(window: &Window, text: &str) {
    at_message(window);
    window.type_keys(text);
    window.find("button", "Send");
    window.keys(&[Key::Enter]);
}

/// Writes into the field that has the focus, in place of what is there.
fn rewrite(window: &Window, text: &str) {
    window.keys(&[Key::Control, Key::Char('a')]);
    window.type_keys(text);
}

/// Waits until this is in the message field, and nothing else.
fn holds(window: &Window, text: &str) {
    let script = format!("return find('textbox', 'Message')?.value === {} || null", json!(text));
    window.until(&format!("{text:?} in the message field"), &script);
}

/// Empties the message field, which has the focus.
fn empty(window: &Window) {
    window.keys(&[Key::Control, Key::Char('a')]);
    window.keys(&[Key::Backspace]);
    holds(window, "");
}

/// Waits until the page has that theme.
fn theme(window: &Window, name: &str) {
    let script = format!("return document.documentElement.dataset.theme === '{name}' || null");
    window.until(&format!("the theme {name}"), &script);
}

/// Waits until what has the focus says that of itself, as `true` for `aria-pressed`.
fn says(window: &Window, attribute: &str, value: &str) {
    let script = format!(
        "return document.activeElement.getAttribute({}) === {} || null",
        json!(attribute),
        json!(value),
    );
    window.until(&format!("{attribute} {value}"), &script);
}

/// The row that the keys act on, of the list that has the focus.
fn active(window: &Window) -> ActiveRow {
    window.wait("an active row", || window.active_row())
}

/// Waits until another row is active.
fn other_row(window: &Window, from: &ActiveRow) -> ActiveRow {
    window.wait("another row", || window.active_row().filter(|it| it != from))
}
