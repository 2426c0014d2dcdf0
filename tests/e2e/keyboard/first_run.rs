//! The first run, by the demo and with a folder and a provider of the user's own. The system's own dialog
//! for a folder is beyond what a driver of the page reaches; the same is done by the path.

use testkit::Project;

use super::{at_message, back_to, focus, on_to, rewrite, send, step_to};
use crate::{model::Model, own_provider::greeting, page::Key, window::Window};

const KEY: &str = "sk-of-a-test-0123456789";

/// AX-3: the demo leads to a question and to a card, and the focus is in the message field in between.
#[test]
fn the_demo_leads_to_a_card() {
    let window = Window::open("keyboard-demo");
    demo(&window);
    // Shift+Tab alone goes through the presets.
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "The total of expenses.txt");
    window.keys(&[Key::Enter]);
    focus(&window, "button", "Allow once");
    window.picture("keyboard-question");
    window.keys(&[Key::Enter]);
    let card = window.card(1);
    assert!(card.text.contains("sh check.sh passed"), "{card:?}");
    at_message(&window);
    commands(&window);
}

/// AN-7, UI-1: Ctrl+O and a path, a provider of the list, its address and key, tried and kept, lead to a
/// turn.
#[test]
fn a_folder_and_a_provider_of_the_users_own_lead_to_a_turn() {
    let (model, project) = greeting();
    let window = Window::open("keyboard-own-provider");
    focus(&window, "button", "Open folder");
    open_folder(&window, &project);
    provider(&window, &model);

    send(&window, "Correct the greeting.");
    let card = window.card(1);
    assert!(card.text.contains("1 file changed"), "{card:?}");
    assert_eq!(project.read("greeting.txt"), "Hello, you.\n");
    at_message(&window);
    assert_eq!(model.strays().len(), 2, "each test of a provider is one request");
}

/// UI-1: from the demo on, Ctrl+O leads to the choice of a provider, and without one to a session that
/// asks for one.
#[test]
fn the_demo_is_left_for_a_folder_and_the_provider_is_chosen_later() {
    let project = Project::new([("greeting.txt", "Helo, you.\n")]);
    let window = Window::open("keyboard-later");
    demo(&window);
    open_folder(&window, &project);
    on_to(&window, "button", "Choose later");
    window.keys(&[Key::Enter]);
    at_message(&window);
    window.wait("the session", || window.heading("project").then_some(()));
    // The way to a provider is there once the session is open.
    window.find("button", "Choose a provider");
    on_to(&window, "button", "Choose a provider");
    window.keys(&[Key::Enter]);
    window.find("dialog", "Settings");
    window.keys(&[Key::Escape]);
    focus(&window, "button", "Choose a provider");
}

/// UI-1: the path field of the first screen says what is wrong with a path, and leads to the choice of a
/// provider and to a session.
#[test]
fn a_folder_is_opened_by_its_path_on_the_first_screen() {
    let project = Project::new([("greeting.txt", "Helo, you.\n")]);
    let folder = project.path().canonicalize().expect("it is there");
    let window = Window::open("keyboard-path");
    focus(&window, "button", "Open folder");
    on_to(&window, "textbox", "Folder path");
    window.keys(&[Key::Enter]);
    window.see("Type the path of a folder.");
    window.type_keys(&folder.join("nowhere").to_string_lossy());
    on_to(&window, "button", "Open");
    window.keys(&[Key::Enter]);
    window.see("This folder cannot be opened.");
    focus(&window, "button", "Open");
    window.picture("keyboard-path");
    back_to(&window, "textbox", "Folder path");
    rewrite(&window, &folder.to_string_lossy());
    window.keys(&[Key::Enter]);
    window.see("Choose a provider");
    window.wait("a provider", || (window.focus().role == "radio").then_some(()));
    on_to(&window, "button", "Choose later");
    window.keys(&[Key::Enter]);
    at_message(&window);
    window.wait("the session", || window.heading("project").then_some(()));
}

/// UI-1, AX-3: who was asked for a provider can still try the demo, and Esc leaves the dialog of the
/// folder as it was.
#[test]
fn the_demo_is_tried_where_a_provider_is_asked_for() {
    let project = Project::new([]);
    let window = Window::open("keyboard-demo-later");
    focus(&window, "button", "Open folder");
    window.keys(&[Key::Control, Key::Char('o')]);
    focus(&window, "textbox", "Folder path");
    window.keys(&[Key::Escape]);
    window.wait("the end of the dialog", || (!window.has("dialog", "*")).then_some(()));
    focus(&window, "button", "Open folder");
    open_folder(&window, &project);
    on_to(&window, "button", "Try the demo");
    window.keys(&[Key::Enter]);
    at_message(&window);
    window.see("expenses.txt");
}

fn demo(window: &Window) {
    focus(window, "button", "Open folder");
    on_to(window, "button", "Try the demo");
    window.keys(&[Key::Enter]);
    at_message(window);
}

/// Ends at the first provider.
fn open_folder(window: &Window, project: &Project) {
    let folder = project.path().canonicalize().expect("it is there");
    window.keys(&[Key::Control, Key::Char('o')]);
    window.find("dialog", "Open folder");
    focus(window, "textbox", "Folder path");
    window.type_keys(&folder.join("nowhere").to_string_lossy());
    window.keys(&[Key::Enter]);
    window.see("This folder cannot be opened.");
    focus(window, "textbox", "Folder path");
    rewrite(window, &folder.to_string_lossy());
    window.keys(&[Key::Enter]);
    window.see("Choose a provider");
    window.wait("the end of the dialog", || (!window.has("dialog", "*")).then_some(()));
}

fn provider(window: &Window, model: &Model) {
    window.wait("a provider", || (window.focus().role == "radio").then_some(()));
    step_to(window, "radio", "Custom", &[Key::Down]);
    on_to(window, "textbox", "Key");
    window.type_keys(KEY);
    on_to(window, "textbox", "Model");
    window.type_keys("other");
    on_to(window, "textbox", "Address");
    window.type_keys(&model.base_url());
    on_to(window, "button", "Test");
    window.keys(&[Key::Enter]);
    window.see("does not list this model");
    focus(window, "button", "Test");
    back_to(window, "textbox", "Model");
    rewrite(window, "scripted");
    on_to(window, "button", "Test");
    window.keys(&[Key::Enter]);
    window.see("The key works, and scripted is listed");
    focus(window, "button", "Test");
    on_to(window, "button", "Use this provider");
    window.keys(&[Key::Enter]);
    at_message(window);
    window.wait("the session", || window.heading("project").then_some(()));
}

fn commands(window: &Window) {
    window.keys(&[Key::Control, Key::Char('k')]);
    focus(window, "combobox", "Commands");
    window.type_keys("message");
    window.picture("commands");
    window.keys(&[Key::Enter]);
    at_message(window);
    window.type_keys("typed with keys");
    let field = "return find('textbox', 'Message')?.value === 'typed with keys' || null";
    window.until("what was typed", field);
    window.keys(&[Key::Control, Key::Char('b')]);
    window.wait("no sidebar", || (!window.has("button", "New session (Ctrl N)")).then_some(()));
    at_message(window);
}
