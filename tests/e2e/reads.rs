//! A read of a whole file as a person follows it: one row, and nothing beside it moves.

use serde_json::{Value, json};
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, page::Key, place::Place, window::Window};

/// Pages of the long file: each brings two states of its read.
const PAGES: usize = 56;
/// Where everything stands that is in view of the conversation, and the rest of the window's frame.
const PLACES: &str = "const view = transcript().getBoundingClientRect();
    const inView = (it) => it.bottom > view.top && it.top < view.bottom && it.height > 0;
    const boxes = (within, names) =>
        [...within.querySelectorAll(names)].map((it) => it.getBoundingClientRect());
    const rows = boxes(transcript(), 'article, article p, button, h3, section').filter(inView);
    const frame = boxes(document, 'section[aria-label=Transcript], textarea, header, nav, footer');
    return [...rows, ...frame].map((it) => [it.top, it.left, it.width, it.height])";
/// What the row of the read says, where there is one and no other.
const ROW: &str =
    "const rows = [...document.querySelectorAll('[aria-label=\"Reading of files\"] li')];
    return rows.length === 1 ? squash(rows[0].innerText) : null";

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
    // Rows that come into view are measured in their first frame.
    window.ask_later("frames(3).then(done)");
    let before = window.ask(PLACES);
    assert!(before.as_array().is_some_and(|it| 10 < it.len()), "{before}");

    for request in 4..PAGES + 1 {
        go_on(&model, request);
    }
    model.asked(PAGES + 1);
    window.wait("the last page", || {
        let end = format!("{:?}", 2_000 * PAGES);
        let grouped = format!("{},{}", &end[..3], &end[3..]);
        window.all_text().contains(&grouped).then_some(())
    });
    assert_eq!(window.ask(PLACES), before, "no row moved");
    says(&window, "of 114,000");
    window.picture("reading");

    window.press("Stop reading*");
    model.answer(PAGES + 1, Reply::text("As much as there was time for."));
    let card = window.card(2);
    assert!(card.text.contains("You stopped the reading of"), "{card:?}");
    assert!(!card.text.contains("reading incomplete"), "{card:?}");
}

/// RS-9, RS-3, AN-3, UI-9: a read is in its one row, as it stands, when the page is loaded again while it goes
/// on, when its session is come back to, and when the program is started again; it is in no other session.
#[test]
fn a_read_is_in_its_row_again_on_each_way_back() {
    let model = Model::play(Script::waiting());
    let text = "\n".repeat(20_000);
    let project = Project::new([("other/a.txt", "a\n"), ("whole/long.txt", text.as_str())]);
    let place = Place::with_known_model(&model);
    place.new_session(&project.path().join("other"));
    place.new_session(&project.path().join("whole"));
    let mut window = Window::open_on("reads-again", place);
    window.wait("the newest session", || window.heading("whole").then_some(()));
    window.send("Read all of it.");
    model.asked(0);
    model.answer(0, Reply::call("read_file", json!({"path": "long.txt", "intent": "full"})));
    go_on(&model, 1);
    go_on(&model, 2);
    says(&window, "lines 1–6,000 of 20,000");

    window.ask("location.reload()");
    says(&window, "lines 1–6,000 of 20,000");
    window.find("button", "Stop reading*");
    go_on(&model, 3);
    says(&window, "lines 1–8,000 of 20,000");

    window.click("session", "New session*");
    window.wait("the other session", || window.heading("other").then_some(()));
    assert_eq!(window.ask("return find('button', 'Stop reading*')"), Value::Null);
    go_on(&model, 4);
    model.asked(5);
    window.click("session", "Read all of it.*");
    says(&window, "lines 1–10,000 of 20,000");

    // The host reminds of what is missing once.
    model.answer(5, Reply::text("That is enough."));
    model.asked(6);
    model.answer(6, Reply::text("It is enough all the same."));
    let card = window.card(1);
    assert!(card.text.contains("reading incomplete"), "{card:?}");
    says(&window, "Paused");
    let before = window.until("the row", ROW);
    window.quit();
    window.start();
    window.card(1);
    says(&window, "Paused");
    assert_eq!(window.ask(ROW), before);
    window.picture("reading-restored");
    window.press("Go on reading*");
    let written = "return find('textbox', 'Message').value.includes('from line 10001') || null";
    window.until("the message that goes on with it", written);
}

/// Waits until the one row of a read says so.
fn says(window: &Window, text: &str) {
    let said = || window.ask(ROW).as_str().is_some_and(|it| it.contains(text)).then_some(());
    window.wait(text, said);
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
