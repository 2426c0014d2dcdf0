//! A read of a whole file as a person follows it: one row, and nothing beside it moves.

use serde_json::{Value, json};
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, page::Key, place::Place, window::Window};

/// Pages of the long file: each brings two states of its read.
const PAGES: usize = 56;
/// Where every row of the conversation stands that is in view.
const ROWS: &str = "const view = transcript().getBoundingClientRect();
    return [...transcript().querySelectorAll('article')]
        .map((it) => it.getBoundingClientRect())
        .filter((it) => it.bottom > view.top && it.top < view.bottom)
        .map((it) => [it.top, it.left, it.width, it.height])";

/// RS-4, RS-7, RC-25: over a hundred states of a read leave one row and move no other; it is stopped by
/// its button, and the turn completes.
#[test]
fn a_long_read_has_one_row_and_moves_no_other() {
    let model = Model::play(Script::waiting());
    let text = "\n".repeat(2_000 * (PAGES + 1));
    let project = Project::new([("long.txt", text.as_str())]);
    let place = Place::with_known_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("reads", place);

    window.send("What is here?");
    model.asked(0);
    let paragraphs: Vec<String> = (0..60).map(|it| format!("Paragraph {it}.")).collect();
    model.answer(0, Reply::text(paragraphs.join("\n\n")));
    window.card(1);

    window.send("Read all of it.");
    model.asked(1);
    model.answer(1, Reply::call("read_file", json!({"path": "long.txt", "intent": "full"})));
    go_on(&model, 2);
    go_on(&model, 3);
    window.find("button", "Stop reading*");
    window.see("Read all of it.");
    window.ask("transcript().focus()");
    window.keys(&[Key::Home]);
    window.until("the start of the conversation", "return transcript().scrollTop === 0 || null");
    let before = rows(&window);
    assert!(before.as_array().is_some_and(|it| !it.is_empty()), "{before}");

    for request in 4..PAGES + 1 {
        go_on(&model, request);
    }
    model.asked(PAGES + 1);
    window.wait("the last page", || {
        let end = format!("{:?}", 2_000 * PAGES);
        let grouped = format!("{},{}", &end[..3], &end[3..]);
        window.all_text().contains(&grouped).then_some(())
    });
    assert_eq!(rows(&window), before, "no row moved");
    let strips = window
        .ask("return document.querySelectorAll('[aria-label=\"Reading of files\"] li').length");
    assert_eq!(strips, json!(1), "one row");
    window.picture("reading");

    window.press("Stop reading*");
    model.answer(PAGES + 1, Reply::text("As much as there was time for."));
    let card = window.card(2);
    assert!(card.text.contains("You stopped the reading of"), "{card:?}");
    assert!(!card.text.contains("reading incomplete"), "{card:?}");
}

fn rows(window: &Window) -> Value {
    window.ask(ROWS)
}

/// Gives a request the call that goes on with the cursor of the page before.
fn go_on(model: &Model, request: usize) {
    let page = model.asked(request);
    let from = page.find("c2.").unwrap_or_else(|| panic!("no cursor in {page:?}"));
    let is_word = |it: &char| it.is_ascii_alphanumeric() || ".-".contains(*it);
    let cursor: String = page[from..].chars().take_while(is_word).collect();
    let call = json!({"path": "long.txt", "cursor": cursor});
    model.answer(request, Reply::call("read_file", call));
}
