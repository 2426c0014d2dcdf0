//! Sessions as a whole: gone to, found, named, put away, deleted, copied.

use std::fs;

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use super::{at_message, back_to, focus, on_to, open, rewrite, send};
use crate::{model::Model, page::Key, place::Place, window::Window};

/// JR-4, AX-2, AX-3: a search leads to the session that holds the words, and what can be done with a
/// session as a whole is done from the command menu and from the menu of its line.
#[test]
fn sessions_are_found_and_kept_by_keys() {
    let script = Script::new([Reply::text("Orange it is."), Reply::text("Purple then.")]);
    let (_model, _project, window) = open("keyboard-sessions", script, []);
    send(&window, "Choose a colour.");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Control, Key::Char('n')]);
    window.wait("a new session", || (!window.transcript().contains("Orange")).then_some(()));
    send(&window, "Choose another.");
    window.card(1);
    gone_to(&window);
    found(&window);
    named(&window);
    put_away(&window);
    deleted(&window);
    copied(&window);
    dismissed(&window);
}

/// AN-8, SM-13: a session that another program writes is read here, and goes on in a copy.
#[test]
fn a_session_that_another_program_writes_goes_on_in_a_copy() {
    let model = Model::play(Script::new([Reply::text("It goes on.")]));
    let project = Project::new([]);
    let place = Place::with_model(&model);
    let mut other = place.evident().start(&["serve", "--stdio"]);
    other.send(&json!({"id": 1, "type": "new_session", "workspace": project.path()}));
    assert!(other.reply(1)["ok"]["session"].is_string());
    let window = Window::open_on("keyboard-busy", place);
    window.see("Another process writes this session.");
    at_message(&window);
    on_to(&window, "button", "Go on in a copy");
    window.keys(&[Key::Enter]);
    let is_free = || (!window.has("button", "Go on in a copy")).then_some(());
    window.wait("the copy", is_free);
    send(&window, "Go on.");
    window.card(1);
    window.see("It goes on.");
    other.send(&json!({"id": 2, "type": "shutdown"}));
    assert_eq!(other.finish().code, Some(0));
}

/// By its number, and back to the one before.
fn gone_to(window: &Window) {
    at_message(window);
    window.keys(&[Key::Control, Key::Char('2')]);
    window.see("Orange it is.");
    at_message(window);
    window.keys(&[Key::Control, Key::Tab]);
    focus(window, "combobox", "Go to a session");
    window.keys(&[Key::Enter]);
    window.see("Purple then.");
    at_message(window);
}

/// The words of an answer lead to its session.
fn found(window: &Window) {
    at_message(window);
    window.keys(&[Key::Control, Key::Shift, Key::Char('f')]);
    focus(window, "textbox", "Search sessions");
    window.type_keys("range ORA");
    window.see("1 session");
    window.picture("keyboard-search");
    window.keys(&[Key::Down]);
    focus(window, "button", "Choose a colour.");
    window.keys(&[Key::Enter]);
    window.see("Orange it is.");
    focus(window, "group", "Turn 1");
    window.keys(&[Key::Control, Key::Shift, Key::Char('f')]);
    focus(window, "textbox", "Search sessions");
    window.keys(&[Key::Escape]);
    window.find("session", "Choose another.*");
}

fn named(window: &Window) {
    command(window, "Rename session");
    focus(window, "textbox", "Title");
    rewrite(window, "The colour");
    window.keys(&[Key::Enter]);
    window.find("session", "The colour*");
    focus(window, "textbox", "Search sessions");
}

/// By the menu of its line, there and back.
fn put_away(window: &Window) {
    on_to(window, "button", "Actions for The colour");
    window.keys(&[Key::Enter]);
    focus(window, "menuitem", "Rename");
    window.keys(&[Key::Down]);
    focus(window, "menuitem", "Archive");
    window.keys(&[Key::Enter]);
    window.find("button", "Archived (1)");
    assert!(!window.has("session", "The colour*"), "{}", window.all_text());
    command(window, "Take session out of the archive");
    window.find("session", "The colour*");
}

/// It is asked for twice, and the other session is shown then.
fn deleted(window: &Window) {
    command(window, "Delete session");
    focus(window, "button", "Cancel");
    on_to(window, "button", "Delete");
    window.keys(&[Key::Enter]);
    window.see("Purple then.");
    focus(window, "textbox", "Search sessions");
    let is_gone = || (!window.has("session", "The colour*")).then_some(());
    window.wait("the end of its line", is_gone);
}

fn copied(window: &Window) {
    let lines = "return document.querySelectorAll('nav li > button').length";
    assert_eq!(window.ask(lines), 1);
    command(window, "Go on in a copy");
    window.wait("the copy", || (window.ask(lines) == 2).then_some(()));
    window.see("Purple then.");
}

/// What went wrong is said until it is dismissed.
fn dismissed(window: &Window) {
    let sessions = window.place.data().join("sessions");
    let elsewhere = sessions.with_extension("elsewhere");
    fs::rename(&sessions, &elsewhere).expect("it is ours");
    command(window, "Go on in a copy");
    window.see("It is not there.");
    fs::rename(&elsewhere, &sessions).expect("it is ours");
    window.keys(&[Key::Control, Key::Shift, Key::Char('f')]);
    focus(window, "textbox", "Search sessions");
    back_to(window, "button", "Dismiss");
    window.keys(&[Key::Enter]);
    let is_gone = || (!window.all_text().contains("It is not there.")).then_some(());
    window.wait("the end of it", is_gone);
}

fn command(window: &Window, name: &str) {
    window.keys(&[Key::Control, Key::Char('k')]);
    focus(window, "combobox", "Commands");
    window.type_keys(name);
    window.keys(&[Key::Enter]);
}
