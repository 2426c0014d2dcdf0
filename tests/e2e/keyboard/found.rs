//! What a search found, far back in a long session.

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use super::{at_message, focus, rewrite};
use crate::{model::Model, page::Key, place::Place, window::Window};

/// More than three pages of history, of which the first is loaded when the session is opened.
const TURNS: usize = 150;
/// From 0.
const FAR: usize = 6;

/// JR-4, UI-30, AX-3: a hit leads to its turn, however far back, which is at the top of the view with the
/// focus, and stays there; and from there to a turn at the end.
#[test]
fn a_hit_leads_to_its_turn_and_the_view_stays_there() {
    let reply = |turn: usize| {
        let line = match turn {
            FAR => "The heron nests here.",
            it if it + 1 == TURNS => "The kestrel hovers there.",
            _ => "Nothing was seen.",
        };
        let more = "It took a while to look around everywhere.\n\n".repeat(turn % 7);
        Reply::text(format!("{more}{line}"))
    };
    let model = Model::play(Script::repeat(TURNS, reply));
    let project = Project::new([]);
    let place = Place::with_model(&model);
    place.long_session(&project.path(), TURNS);
    place.new_session(&project.path());
    let window = Window::open_on("keyboard-found", place);
    at_message(&window);

    go_to(&window, "heron");
    focus(&window, "group", &format!("Turn {}", FAR + 1));
    at_top(&window, FAR);
    window.picture("keyboard-found");
    // Rows that are drawn only now, and what follows the end, do not move it.
    window.ask_later("frames(40).then(done)");
    at_top(&window, FAR);
    let before = window.ask("return transcript().scrollTop").as_f64();
    window.keys(&[Key::PageDown]);
    window.wait("the view below", || {
        let now = window.ask("return transcript().scrollTop").as_f64();
        (before < now).then_some(())
    });

    go_to(&window, "kestrel");
    focus(&window, "group", &format!("Turn {TURNS}"));
    window.see("The kestrel hovers there.");
    let is_at_end = "const it = transcript(); \
        return it.scrollHeight - it.clientHeight - it.scrollTop <= 4 || null";
    window.until("the end of the text", is_at_end);
    let is_gone = || (!window.has("button", "Go to the newest text")).then_some(());
    window.wait("the end of the way to the end", is_gone);
}

/// Searches for a word, and presses the hit.
fn go_to(window: &Window, word: &str) {
    window.keys(&[Key::Control, Key::Shift, Key::Char('f')]);
    focus(window, "textbox", "Search sessions");
    rewrite(window, word);
    let hit = format!("return find('button', 'Prompt 0.*{word}*') && true");
    window.until("the hit", &hit);
    window.keys(&[Key::Down]);
    focus(window, "button", "Prompt 0.");
    window.keys(&[Key::Enter]);
}

/// Waits until a turn is at the top of the view.
fn at_top(window: &Window, turn: usize) {
    let prompt = json!(format!("Prompt {turn}."));
    let script = format!(
        "const row = document.activeElement; \
         const px = row.getBoundingClientRect().top - transcript().getBoundingClientRect().top; \
         return (row.innerText.includes({prompt}) && px >= -1 && px < 40) || null"
    );
    window.until("the turn at the top", &script);
}
