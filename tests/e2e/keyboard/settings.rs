//! The settings: the theme, the language, and the key of a provider.

use std::fs;

use testkit::script::Script;

use super::{at_message, back_to, focus, on_to, open, rewrite, theme};
use crate::{page::Key, window::Window};

const KEYS: [&str; 2] = ["sk-the-first-0123456789", "sk-the-second-0123456789"];

/// AX-2, LC-1: the theme and the language change at once and back again, and Esc leads back to where the
/// settings were opened from.
#[test]
fn the_theme_and_the_language_change_and_change_back() {
    let (_model, _project, window) = open("keyboard-settings", Script::new([]), []);
    settings(&window);
    on_to(&window, "radio", "As the system");
    for (key, name, value) in [
        (Key::Down, "Light", "light"),
        (Key::Down, "Dark", "dark"),
        (Key::Up, "Light", "light"),
        (Key::Up, "As the system", "system"),
    ] {
        window.keys(&[key]);
        focus(&window, "radio", name);
        theme(&window, value);
    }
    on_to(&window, "radio", "As the system");
    window.keys(&[Key::Down]);
    focus(&window, "radio", "English");
    window.picture("settings");
    window.keys(&[Key::Down]);
    focus(&window, "radio", "简体中文");
    window.find("dialog", "设置");
    close(&window, "设置");
    focus(&window, "textbox", "消息");
    let shown = window.all_text();
    assert!(shown.contains("发送") && !shown.contains("Send"), "{shown}");
    window.picture("keyboard-language");

    window.keys(&[Key::Control, Key::Char(',')]);
    window.find("dialog", "设置");
    focus(&window, "radio", "Custom");
    on_to(&window, "radio", "跟随系统");
    on_to(&window, "radio", "简体中文");
    // From the last one Tab leads to the first one.
    on_to(&window, "button", "关闭");
    back_to(&window, "radio", "简体中文");
    window.keys(&[Key::Up]);
    focus(&window, "radio", "English");
    let kept = || {
        fs::read_to_string(window.place.data().join("window/preferences.json")).unwrap_or_default()
    };
    window.wait("the language that is kept", || kept().contains("\"en\"").then_some(()));
    window.keys(&[Key::Up]);
    focus(&window, "radio", "As the system");
    window.wait("no language", || (!kept().contains("\"en\"")).then_some(()));
    close(&window, "Settings");
    at_message(&window);
    window.see("Send");
}

/// AN-7: the key of a provider is kept, replaced and removed, and the focus stays in the form.
#[test]
fn the_key_of_a_provider_is_kept_replaced_and_removed() {
    let (_model, _project, window) = open("keyboard-key", Script::new([]), []);
    let kept = || window.place.keys();
    let [first, second] = KEYS;
    settings(&window);
    on_to(&window, "textbox", "Key");
    window.type_keys(first);
    on_to(&window, "button", "Use this provider");
    window.keys(&[Key::Enter]);
    window.see("Saved");
    focus(&window, "button", "Use this provider");
    assert!(kept().contains(first), "the key is not kept");

    back_to(&window, "textbox", "Key");
    window.type_keys(second);
    window.keys(&[Key::Enter]);
    window.wait("the other key", || kept().contains(second).then_some(()));
    assert!(!kept().contains(first), "the old key is still kept");
    focus(&window, "textbox", "Key");

    on_to(&window, "button", "Remove key");
    window.keys(&[Key::Enter]);
    window.see("no key");
    assert!(!kept().contains(second), "the key is still kept");
    focus(&window, "textbox", "Key");
    close(&window, "Settings");
    at_message(&window);
}

/// AX-2, AX-3: another provider is gone to by the arrow keys, is shown beside the list, and is the one in
/// use once Enter says so; nothing is sent to it.
#[test]
fn another_provider_is_chosen_by_keys() {
    let (model, _project, window) = open("keyboard-provider", Script::new([]), []);
    let kept = || fs::read_to_string(window.place.data().join("config.toml")).expect("a file");
    settings(&window);
    for (key, name) in [
        (Key::Up, "LM Studio"),
        (Key::Up, "Ollama"),
        (Key::Down, "LM Studio"),
        (Key::Down, "Custom"),
        (Key::Up, "LM Studio"),
    ] {
        window.keys(&[key]);
        focus(&window, "radio", name);
    }
    on_to(&window, "textbox", "Model");
    rewrite(&window, "of-a-test");
    on_to(&window, "textbox", "Address");
    let address = "return document.activeElement.value.includes('1234') || null";
    window.until("the address of the provider", address);
    assert!(kept().contains("custom"), "{}", kept());
    on_to(&window, "button", "Use this provider");
    window.picture("keyboard-provider");
    window.keys(&[Key::Enter]);
    window.see("Saved");
    focus(&window, "button", "Use this provider");
    assert!(kept().contains("lmstudio") && kept().contains("of-a-test"), "{}", kept());

    close(&window, "Settings");
    at_message(&window);
    window.find("button", "of-a-test");
    window.keys(&[Key::Control, Key::Char(',')]);
    focus(&window, "radio", "LM Studio");
    assert!(model.requests().is_empty() && model.strays().is_empty(), "nothing was asked");
}

/// Opens them from the message field.
fn settings(window: &Window) {
    at_message(window);
    window.keys(&[Key::Control, Key::Char(',')]);
    window.find("dialog", "Settings");
    focus(window, "radio", "Custom");
}

fn close(window: &Window, title: &str) {
    window.keys(&[Key::Escape]);
    window.wait("the end of the settings", || (!window.has("dialog", title)).then_some(()));
}
