//! A changed picture: its text first, then what it was and what it is, by keys alone.

use std::fs;

use serde_json::{Value, json};
use testkit::script::{Reply, Script};

use super::{at_message, back_to, focus, on_to, open, says, send};
use crate::page::Key;

const LOGO: &str = "logo.svg";
/// What the contents and patches of one turn may take.
const RESULT_BYTES: usize = 2 << 20;

fn svg(width: u32) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"30\">\n\
         <circle cx=\"15\" cy=\"15\" r=\"12\" fill=\"#b0352a\"/>\n</svg>\n"
    )
}

/// UI-7, TR-26, CL-6: an SVG that a turn edited is drawn as it was and as the turn left it, though the
/// disk has another by then; and one that it made has nothing before it.
#[test]
fn an_svg_is_read_as_text_and_seen_before_and_after() {
    let edit = json!({"path": LOGO, "old_string": "\"40\"", "new_string": "\"60\""});
    let script = Script::new([
        Reply::call("read_file", json!({"path": LOGO})),
        Reply::call("edit_file", edit)
            .and_call("write_file", json!({"path": "made.svg", "content": svg(20)})),
        Reply::text("It is wider now."),
    ]);
    let old = svg(40);
    let (_model, project, window) = open("keyboard-pictures", script, [(LOGO, old.as_str())]);
    send(&window, "Make the logo wider.");
    window.card(1);
    fs::write(project.path().join(LOGO), "<svg/>").expect("the user's own");
    fs::remove_file(project.path().join("made.svg")).expect("it was made");
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "View diff");
    window.keys(&[Key::Enter]);
    assert_eq!(window.diff(LOGO).added.len(), 1, "the text comes first");

    let pictures = |count: usize| {
        let drawn = |it: &Value| it.as_array().is_some_and(|all| all.len() == count);
        window.wait("the pictures", || Some(window.ask("return pictures()")).filter(drawn))
    };
    on_to(&window, "tab", "Diff");
    on_to(&window, "button", "Show as pictures");
    says(&window, "aria-pressed", "false");
    window.keys(&[Key::Enter]);
    assert_eq!(
        pictures(2),
        json!([["logo.svg before this turn", 40, 30], ["logo.svg after this turn", 60, 30]])
    );
    focus(&window, "button", "Show as pictures");
    says(&window, "aria-pressed", "true");
    window.see("40 × 30 pixels");
    window.see("60 × 30 pixels");
    on_to(&window, "group", "Pictures of logo.svg");
    window.picture("keyboard-pictures");

    back_to(&window, "listbox", "Files of this turn");
    window.keys(&[Key::Down]);
    assert_eq!(pictures(1), json!([["made.svg after this turn", 20, 30]]));
    window.see("Not there");
    on_to(&window, "button", "Show as pictures");
    window.keys(&[Key::Enter]);
    assert_eq!(window.diff("made.svg").added.len(), 3);
}

/// UI-7, TR-11, CL-6: both sides of a long SVG leave its diff no room in the result. Below the reason it is seen as
/// far as it is kept: what it was; what it is would be made with the diff.
#[test]
fn an_svg_whose_diff_was_not_kept_is_seen_as_far_as_it_is_kept() {
    let comment = |length: usize| format!("<!-- {} -->\n", "x".repeat(length));
    let room = RESULT_BYTES / 2 - svg(40).len() - comment(0).len();
    let long = svg(40) + &comment(room);
    let edit = json!({"path": LOGO, "old_string": "\"40\"", "new_string": "\"60\""});
    let script = Script::new([
        Reply::call("read_file", json!({"path": LOGO, "limit": 2})),
        Reply::call("edit_file", edit),
        Reply::text("It is wider now."),
    ]);
    let files = [(LOGO, long.as_str())];
    let (_model, _project, window) = open("keyboard-long-picture", script, files);
    send(&window, "Make the logo wider.");
    window.card(1);
    at_message(&window);
    window.keys(&[Key::Escape]);
    back_to(&window, "button", "View diff");
    window.keys(&[Key::Enter]);
    window.see("The diff is over the size limit and was not kept");
    let drawn = json!([["logo.svg before this turn", 40, 30]]);
    let is_drawn = || (window.ask("return pictures()") == drawn).then_some(());
    window.wait("the picture", is_drawn);
    window.see("It was not kept, or is damaged.");
    on_to(&window, "group", "Pictures of logo.svg");
    window.picture("picture-without-diff");
}
