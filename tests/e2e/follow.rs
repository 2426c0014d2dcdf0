//! Who goes up while text streams, in each way there is, stays there; who goes back to the end is taken along.

use testkit::{
    Project,
    script::{Answer, Part, Reply, Script},
};

use crate::{model::Model, page::Key, place::Place, window::Window};

/// Words that stream while one way up is gone and the view stays there, and while it goes back.
const WORDS: usize = 700;
/// Between two words: 200 a second.
const PACE_MS: u32 = 5;
/// At least so far from the end is whoever went up.
const AWAY_PX: f64 = 60.0;

type Act = fn(&Window);

const WAYS_UP: [(&str, Act); 4] = [
    ("PageUp", |window| window.keys(&[Key::PageUp])),
    ("the wheel", |window| window.wheel(-300)),
    ("a drag of the bar", drag_bar),
    ("Home", |window| window.keys(&[Key::Home])),
];

/// UI-30: while 200 words a second stream, keys, the wheel and the bar leave the end for as long as the user
/// wants, and a way down to the end follows it again.
#[test]
fn who_goes_up_while_text_streams_is_never_brought_back() {
    let chunk = |name: usize| {
        let words = (0..WORDS).map(|it| format!("w{name}{it}{}", after(it)));
        [Part::Hold(name.to_string()), Part::Text(words.collect())]
    };
    let mut parts: Vec<Part> = (0..2 * WAYS_UP.len()).flat_map(chunk).collect();
    parts.push(Part::Hold("end".to_owned()));
    let streamed = Answer { parts, pace_ms: PACE_MS, ..Answer::default() };
    let past: Vec<String> = (0..60).map(|it| format!("Paragraph {it}.")).collect();
    let script = Script::new([Reply::text(past.join("\n\n")), Reply::Answer(streamed)]);
    let model = Model::play(script);
    let project = Project::new([]);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("follow", place);
    window.send("What is here?");
    window.card(1);
    window.send("Tell me all of it.");

    let mut chunk = 0;
    let mut next = || {
        let name = chunk.to_string();
        model.reached(&name);
        model.release(&name);
        chunk += 1;
        let text = format!("w{name}9 ");
        window.wait("its first words", || window.transcript().contains(&text).then_some(()));
        let end = if chunk == 2 * WAYS_UP.len() { "end".to_owned() } else { chunk.to_string() };
        move |model: &Model| model.reached(&end)
    };
    for (way, goes_up) in WAYS_UP {
        let rest = next();
        window.ask("transcript().focus({ preventScroll: true })");
        goes_up(&window);
        let far = format!("return belowPx() > {AWAY_PX} || null");
        window.until(&format!("a place away from the end by {way}"), &far);
        window.find("button", "Go to the newest text");
        window.ask("watchEnd()");
        rest(&model);
        let nearest = number(&window, "return window.nearestPx");
        assert!(AWAY_PX <= nearest, "{way}: the end came back to {nearest} px");
        window.find("button", "Go to the newest text");

        let rest = next();
        back(&window, way);
        let is_gone = || (!window.has("button", "Go to the newest text")).then_some(());
        window.wait("the end of the button", is_gone);
        rest(&model);
        // What came last is followed in the frame that shows it.
        window.until("the end of all that came", "return belowPx() <= 4 || null");
    }
    window.picture("followed");
    model.release("end");
    window.card(2);
}

/// Goes back to the end, from a place to which that way led.
fn back(window: &Window, way: &str) {
    match way {
        "the wheel" => (0..8).for_each(|_| window.wheel(2_000)),
        _ => window.keys(&[Key::End]),
    }
}

fn drag_bar(window: &Window) {
    let at = window.ask("return barEnd()");
    let place = |axis: &str| at[axis].as_i64().unwrap_or_else(|| panic!("{at}"));
    window.drag(place("x"), place("y"), -200);
}

fn after(word: usize) -> &'static str {
    if word % 40 == 39 { "\n\n" } else { " " }
}

fn number(window: &Window, script: &str) -> f64 {
    window.ask(script).as_f64().expect("a number")
}
