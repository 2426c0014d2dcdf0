//! What a long stream and a long session cost, printed; that the window can be used meanwhile, held.

mod openings;

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{
    Project,
    script::{Answer, Part, Reply, Script},
};

use crate::{
    long_session::{BLANK_PX, LongSession, Way},
    model::Model,
    page::Key,
    place::Place,
    window::Window,
};

/// Words of the streamed text: 4,000 pieces of 16 KB, as blanks between paragraphs are some of their own.
const WORDS: usize = 3_240;
/// Then so many while something is typed, while the view goes up, and while it stays there.
const MORE: usize = 1_000;
/// Between two pieces: 200 a second.
const PACE_MS: u32 = 5;
/// Turns of the long session, each of a prompt, a call, its result and an answer.
const TURNS: usize = 1_250;
/// A clock tick of `/proc`, in seconds.
const TICK_S: f64 = 0.01;

/// UI-30, AN-34: while text streams, what is typed arrives, and who scrolled up stays there.
#[test]
fn a_long_stream_leaves_the_message_field_and_the_scroll_position_to_the_user() {
    let parts = vec![
        Part::Text("Begin. ".to_owned()),
        Part::Hold("start".to_owned()),
        Part::Text(prose(0..WORDS)),
        Part::Hold("half".to_owned()),
        Part::Text(prose(WORDS..WORDS + MORE)),
        Part::Hold("typed".to_owned()),
        Part::Text(prose(WORDS + MORE..WORDS + 2 * MORE)),
        Part::Hold("scrolled".to_owned()),
        Part::Text(prose(WORDS + 2 * MORE..WORDS + 3 * MORE)),
        Part::Text("\n\nThe end.".to_owned()),
    ];
    let answer = Answer { parts, pace_ms: PACE_MS, ..Answer::default() };
    let model = Model::play(Script::new([Reply::Answer(answer)]));
    let project = Project::new([]);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("stream", place);
    window.send("Tell me all of it.");
    model.reached("start");
    window.see("Begin.");

    let (before, since) = (cpu_ticks(&window), Instant::now());
    model.release("start");
    model.reached("half");
    let (after, wall) = (cpu_ticks(&window), since.elapsed());
    print_cost(&before, &after, wall);
    window.picture("streaming");

    model.release("half");
    typing(&window);
    model.release("typed");
    scrolling(&window, &model);
    window.see("Go to the newest text");
    window.press("Go to the newest text");
    let card = window.card(1);
    assert!(card.is_below_the_answer, "{card:?}");
    // An event carries the first 16 KiB of a text (AN-2); what was seen stays all the same.
    window.see("The end.");
    let shown = window.transcript();
    for word in [0, WORDS / 2, WORDS + 3 * MORE - 1] {
        let is_there = shown.split_whitespace().any(|it| it == short(word));
        assert!(is_there, "the word {} is lost", short(word));
    }
}

/// UI-22, AN-33: a session of 5,000 messages opens at its end and scrolls to its start, and on no way is
/// there a place without rows.
#[test]
fn a_long_session_opens_and_scrolls_without_blank_places() {
    let since = Instant::now();
    let LongSession { place, project: _project, model: _model } =
        LongSession::write(TURNS, |turn| format!("Answer {turn}. {}", prose(0..turn % 60)));
    println!("long session: {} messages written in {:.1?}", 4 * TURNS, since.elapsed());

    let since = Instant::now();
    let window = Window::open_on("long", place);
    let last = u32::try_from(TURNS).expect("small");
    window.card(last);
    println!("long session: its last card is there {:.1?} after the start", since.elapsed());
    window.picture("long-session");

    let since = Instant::now();
    let way = Way::up(&window);
    let (took, Way { views, flashes, widest_gap_px, seen }) = (since.elapsed(), way);
    println!(
        "long session: {views} views up to its start in {took:.1?}, widest gap {widest_gap_px:.0} px"
    );
    println!("long session: {flashes} of the views were blank for two frames or more");
    assert!(widest_gap_px < BLANK_PX, "a place of {widest_gap_px} px without rows: {seen:#?}");
    assert!(window.transcript().contains("Prompt 0."), "{}", window.transcript());
    for to in ["0.5", "0.9", "0.1", "1"] {
        let gap = window.ask_later(&format!("jump({to}).then(done)"));
        let gap = gap.as_f64().unwrap_or_else(|| panic!("{gap}"));
        println!("long session: after a jump to {to} of its height, widest gap {gap:.0} px");
        assert!(gap < BLANK_PX, "a place of {gap} px without rows after a jump to {to}");
    }
    window.see(&format!("Answer {}.", TURNS - 1));
}

#[expect(clippy::print_stdout, reason = "figures are printed")]
fn typing(window: &Window) {
    window.click("textbox", "Message");
    let text = "typed while it streams";
    let mut slowest = Duration::ZERO;
    for (typed, key) in text.chars().enumerate() {
        let since = Instant::now();
        window.keys(&[Key::Char(key)]);
        let so_far: String = text.chars().take(typed + 1).collect();
        let is_there =
            format!("return find('textbox', 'Message').value === {} || null", json!(so_far));
        window.until("what was typed", &is_there);
        slowest = slowest.max(since.elapsed());
    }
    println!("stream: a key was in the field after {slowest:.0?} at most");
}

fn scrolling(window: &Window, model: &Model) {
    window.ask("transcript().focus()");
    window.keys(&[Key::PageUp]);
    window.find("button", "Go to the newest text");
    let place = || window.ask("return transcript().scrollTop").as_f64().expect("a number");
    let (long, before) = (window.transcript().len(), place());
    model.release("scrolled");
    window.wait("more text", || (long + 800 < window.transcript().len()).then_some(()));
    // A key may scroll over several frames, upwards.
    let after = place();
    assert!(after <= before, "the place was taken away: {before} px, then {after} px");
}

/// A word of its own for each number, in few letters.
fn short(mut number: usize) -> String {
    let mut letters = Vec::new();
    loop {
        letters.extend(std::char::from_digit((number % 36) as u32, 36));
        number /= 36;
        if number == 0 {
            letters.push('w');
            return letters.iter().rev().collect();
        }
    }
}

/// Words that stand in paragraphs, a list and code, as answers do.
fn prose(words: std::ops::Range<usize>) -> String {
    let mut text = String::new();
    for word in words {
        let after = match word % 400 {
            199 => "\n\n```sh\n",
            219 => "\n```\n\n",
            it if it % 40 == 39 => "\n\n",
            it if it % 40 > 30 => "\n- ",
            _ => " ",
        };
        text.push_str(&short(word));
        text.push_str(after);
    }
    text
}

/// The time on a processor so far, by the name of the process.
fn cpu_ticks(window: &Window) -> Vec<(String, u64)> {
    window.processes().into_iter().map(|it| (it.name, it.cpu_ticks)).collect()
}

#[expect(clippy::print_stdout, reason = "figures are printed")]
fn print_cost(before: &[(String, u64)], after: &[(String, u64)], wall: Duration) {
    let wall = wall.as_secs_f64();
    let mut all = 0.0;
    for (name, ticks) in after {
        let old = before.iter().find(|it| it.0 == *name).map_or(0, |it| it.1);
        let seconds = (ticks - old) as f64 * TICK_S;
        all += seconds;
        println!("stream: {name}: {seconds:.1} CPU s");
    }
    let text = prose(0..WORDS);
    let (bytes, pieces) = (text.len(), text.split_inclusive(char::is_whitespace).count());
    let rate = pieces as f64 / wall;
    println!("stream: {pieces} pieces, {bytes} bytes in {wall:.1} s: {rate:.0} a second");
    println!("stream: {all:.1} CPU s in all, {:.2} of one core", all / wall);
}
