//! The way back to the newest text.

use testkit::script::{Reply, Script};

use super::{at_message, back_to, on_to, open, send};
use crate::page::Key;

/// UI-30, AX-3: who went up by keys goes to the newest text by a key, and goes on from the message field.
#[test]
fn the_newest_text_is_gone_to_by_a_key() {
    let lines: Vec<String> = (1..=200).map(|it| format!("Line {it}.\n\n")).collect();
    let script = Script::new([Reply::text(lines.concat())]);
    let (_model, _project, window) = open("keyboard-newest", script, []);
    let is_at_end = "const it = transcript(); \
        return it.scrollHeight - it.clientHeight - it.scrollTop <= 4 || null";
    send(&window, "Tell me all of it.");
    window.card(1);
    window.see("Line 200.");
    window.until("the end of the text", is_at_end);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "region", "Transcript");
    window.keys(&[Key::Home]);
    window.until("the start of the text", "return transcript().scrollTop === 0 || null");
    window.find("button", "Go to the newest text");
    on_to(&window, "button", "Go to the newest text");
    window.picture("keyboard-newest");
    window.keys(&[Key::Enter]);
    window.until("the end of the text", is_at_end);
    let is_gone = || (!window.has("button", "Go to the newest text")).then_some(());
    window.wait("the end of the button", is_gone);
    // What had the focus is gone, and Tab goes on from there.
    window.keys(&[Key::Tab]);
    at_message(&window);
}
