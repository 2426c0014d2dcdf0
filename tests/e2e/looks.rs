//! The theme and the language, from where they are chosen to the next start.

use serde_json::json;

use crate::window::Window;

/// LC-1, AX-2: a theme and a language hold at once, everywhere, and after a restart.
#[test]
fn a_theme_and_a_language_hold_at_once_and_after_a_restart() {
    let mut window = Window::open("looks");
    window.find("button", "Open folder");
    let light = ground(&window);
    window.press("As the system");
    window.click("menuitemradio", "Dark");
    window.wait("another ground", || (ground(&window) != light).then_some(()));
    let dark = ground(&window);
    assert!(brightness(&dark) < 64 && 192 < brightness(&light), "{light} {dark}");

    for (language, tag, words, name) in
        [("简体中文", "zh", "选择", "zh"), ("繁體中文（台灣）", "zh", "選擇", "zh-TW")]
    {
        window.click("language", "*");
        window.click("menuitemradio", language);
        window.see(words);
        let lang = window.ask("return document.documentElement.lang");
        assert!(lang.as_str().is_some_and(|it| it.starts_with(tag)), "{lang}");
        let text = window.all_text();
        assert!(!text.contains("Open folder"), "{text}");
        window.picture(&format!("first-run-{name}"));
    }

    window.quit();
    window.start();
    window.see("選擇");
    assert_eq!(ground(&window), dark);
    assert_eq!(window.ask("return document.documentElement.dataset.theme"), json!("dark"));
}

/// Returns the colour behind everything.
fn ground(window: &Window) -> String {
    let colour = window.ask("return getComputedStyle(document.body).backgroundColor");
    colour.as_str().unwrap_or_default().to_owned()
}

/// Returns the brightest part of `rgb(R, G, B)`.
fn brightness(colour: &str) -> u32 {
    let numbers = colour.split(|it: char| !it.is_ascii_digit()).filter_map(|it| it.parse().ok());
    numbers.max().unwrap_or_default()
}
