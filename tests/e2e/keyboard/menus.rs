//! The menus of the status bar.

use testkit::script::Script;

use super::{at_message, back_to, focus, on_to, open};
use crate::{page::Key, window::Window};

/// AX-2, LC-1: the theme and the language change at once by the menus of the status bar, and the focus
/// goes back to their buttons.
#[test]
fn the_theme_and_the_language_change_in_the_status_bar() {
    let (_model, _project, window) = open("keyboard-menus", Script::new([]), []);
    let theme = |name: &str| {
        let script = format!("return document.documentElement.dataset.theme === '{name}' || null");
        window.until(&format!("the theme {name}"), &script);
    };
    at_message(&window);
    on_to(&window, "button", "As the system");
    open_menu(&window, "As the system");
    window.keys(&[Key::Down]);
    focus(&window, "menuitemradio", "Light");
    window.keys(&[Key::Down]);
    focus(&window, "menuitemradio", "Dark");
    window.picture("keyboard-menu");
    window.keys(&[Key::Enter]);
    theme("dark");
    focus(&window, "button", "Dark");
    open_menu(&window, "As the system");
    window.keys(&[Key::Escape]);
    focus(&window, "button", "Dark");
    theme("dark");
    open_menu(&window, "As the system");
    window.keys(&[Key::Enter]);
    theme("system");
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
