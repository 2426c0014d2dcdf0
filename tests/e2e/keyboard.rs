//! Everything with the keyboard alone: no element is clicked here, and no script moves the focus.

mod diff;
mod first_run;
mod question;
mod settings;
mod stop;

use crate::{
    page::{Focus, Key},
    wait::until,
    window::Window,
};

/// No way through the window takes more presses than this.
const WAY: usize = 25;

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
