//! The menus of the status bar.

use testkit::script::Script;

use super::{at_message, back_to, focus, on_to, open, theme, two_changes};
use crate::{page::Key, window::Window};

/// AX-2, LC-1: the theme and the language change at once by the menus of the status bar, and the focus
/// goes back to their buttons.
#[test]
fn the_theme_and_the_language_change_in_the_status_bar() {
    let (_model, _project, window) = open("keyboard-menus", Script::new([]), []);
    at_message(&window);
    on_to(&window, "button", "As the system");
    open_menu(&window, "As the system");
    window.keys(&[Key::Down]);
    focus(&window, "menuitemradio", "Light");
    window.keys(&[Key::Down]);
    focus(&window, "menuitemradio", "Dark");
    window.picture("keyboard-menu");
    window.keys(&[Key::Enter]);
    theme(&window, "dark");
    focus(&window, "button", "Dark");
    open_menu(&window, "As the system");
    window.keys(&[Key::Escape]);
    focus(&window, "button", "Dark");
    theme(&window, "dark");
    open_menu(&window, "As the system");
    window.keys(&[Key::Enter]);
    theme(&window, "system");
    focus(&window, "button", "As the system");

    on_to(&window, "button", "en");
    open_menu(&window, "English");
    window.keys(&[Key::Down]);
    focus(&window, "menuitemradio", "简体中文");
    window.keys(&[Key::Enter]);
    window.see("发送");
    focus(&window, "button", "zh");
    open_menu(&window, "English");
    window.keys(&[Key::Enter]);
    window.see("Send");
    focus(&window, "button", "en");
    back_to(&window, "textbox", "Message");
}

/// Opens the menu of the button that has the focus, at its first line.
fn open_menu(window: &Window, first: &str) {
    window.keys(&[Key::Enter]);
    focus(window, "menuitemradio", first);
}

/// AX-2: the size of the text, the sheet of the keys, and the buttons of the head do by keys what they do.
#[test]
fn the_view_changes_by_keys() {
    let long: String = (1..=40).map(|it| format!("line {it}\n")).collect();
    let (_model, window) = two_changes("keyboard-view", &long);
    let width = || window.ask("return innerWidth").as_u64().expect("a number");
    let before = width();
    let sizes = [('+', true), ('0', false), ('-', false), ('0', false)];
    for (key, is_smaller) in sizes {
        window.keys(&[Key::Control, Key::Char(key)]);
        let changed = || match (key, is_smaller) {
            ('0', _) => width() == before,
            (_, true) => width() < before,
            (_, false) => width() > before,
        };
        window.wait("the size of the text", || changed().then_some(()));
    }
    // Shift+Tab alone goes through the presets.
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "View diff");
    window.keys(&[Key::Char('?')]);
    window.find("dialog", "Keyboard shortcuts");
    window.picture("keyboard-sheet");
    window.keys(&[Key::Escape]);
    focus(&window, "button", "View diff");

    // The buttons of the head.
    back_to(&window, "button", "Show details");
    window.keys(&[Key::Enter]);
    window.find("tab", "Diff");
    focus(&window, "button", "Hide details");
    window.keys(&[Key::Enter]);
    window.find("button", "Show details*");
    back_to(&window, "button", "Hide sidebar");
    window.keys(&[Key::Enter]);
    window.find("button", "Show sidebar*");
    focus(&window, "button", "Show sidebar");
    window.keys(&[Key::Enter]);
    focus(&window, "button", "Hide sidebar");
    back_to(&window, "button", "Settings");
    window.keys(&[Key::Enter]);
    window.find("dialog", "Settings");
    on_to(&window, "button", "Close");
    window.keys(&[Key::Enter]);
    focus(&window, "button", "Settings");
    back_to(&window, "button", "Skip to the message field");
    window.keys(&[Key::Enter]);
    at_message(&window);
}

/// LC-1, UI-33: the theme, the language and the provider are chosen in the command menu.
#[test]
fn the_command_menu_changes_the_view_and_leads_to_a_provider() {
    let (_model, _project, window) = open("keyboard-commands", Script::new([]), []);
    let choose = |words: &[&str]| {
        window.keys(&[Key::Control, Key::Char('k')]);
        for word in words {
            window.wait("the list", || (window.focus().role == "combobox").then_some(()));
            window.type_keys(word);
            window.keys(&[Key::Enter]);
        }
    };
    at_message(&window);
    choose(&["theme", "dark"]);
    theme(&window, "dark");
    at_message(&window);
    choose(&["language", "繁體"]);
    window.see("傳送");
    focus(&window, "textbox", "訊息");
    window.keys(&[Key::Control, Key::Char('k')]);
    window.wait("the list", || (window.focus().role == "combobox").then_some(()));
    window.type_keys("語言");
    window.keys(&[Key::Enter]);
    window.type_keys("English");
    window.keys(&[Key::Enter]);
    at_message(&window);
    choose(&["provider", "openai"]);
    window.find("dialog", "Settings");
    focus(&window, "radio", "OpenAI");
    window.keys(&[Key::Escape]);
    at_message(&window);
}
