//! The window of one test: what a user can do in it, and what they see.

use std::{cell::RefCell, fs, path::Path, thread};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    driver::{Driver, Element, Refused},
    page::{ActiveRow, Card, Diff, Focus, Key},
    place::{Place, screenshots},
    processes,
    wait::until,
};

const PAGE: &str = include_str!("page.js");

/// The running program, and the places of its test.
pub(crate) struct Window {
    name: &'static str,
    driver: Driver,
    pub(crate) place: Place,
}

impl Window {
    /// Opens the program for the first time on a home of its own. The name is the test's.
    pub(crate) fn open(name: &'static str) -> Self {
        Self::open_on(name, Place::new())
    }

    /// Opens it on a home that was made ready.
    pub(crate) fn open_on(name: &'static str, place: Place) -> Self {
        let driver = Driver::start(&place);
        let mut window = Self { name, driver, place };
        window.start();
        window
    }

    /// Starts the program, again after [`Window::quit`].
    pub(crate) fn start(&mut self) {
        self.driver.open(&self.place);
        self.until("the page", "return document.querySelector('main') !== null || null");
    }

    /// Asks the program to end, as the system does, and waits for it.
    pub(crate) fn quit(&mut self) {
        let program = self.driver.program().expect("it runs");
        processes::signal("TERM", program);
        let gone = || (!processes::runs(program)).then_some(());
        until("the end of the program", gone, || self.place.said());
        self.driver.close();
    }

    /// Returns the program's process, and the ones of the pages it shows.
    pub(crate) fn processes(&self) -> Vec<processes::Process> {
        let program = self.driver.program().expect("it runs");
        let mut all = processes::below(program);
        all.extend(processes::one(program));
        all
    }

    /// Runs a script with the page's functions; `null` where the page is not ready for it.
    pub(crate) fn ask(&self, script: &str) -> Value {
        self.try_ask(script).unwrap_or(Value::Null)
    }

    fn try_ask(&self, script: &str) -> Result<Value, Refused> {
        let body = json!({"script": format!("{PAGE}\n{script}"), "args": []});
        self.driver.session(Method::POST, "execute/sync", &body)
    }

    /// Runs a script that calls `done` with its answer later.
    pub(crate) fn ask_later(&self, script: &str) -> Value {
        let script = format!("const done = arguments[0];\n{PAGE}\n{script}");
        let body = json!({"script": script, "args": []});
        let answer = self.driver.session(Method::POST, "execute/async", &body);
        answer.unwrap_or_else(|refused| panic!("{}", refused.0))
    }

    /// Waits until a script returns something else than `null`.
    pub(crate) fn until(&self, what: &str, script: &str) -> Value {
        self.wait(what, || Some(self.ask(script)).filter(|it| !it.is_null()))
    }

    /// Waits for what `look` sees.
    pub(crate) fn wait<T>(&self, what: &str, look: impl FnMut() -> Option<T>) -> T {
        until(what, look, || self.all_text())
    }

    /// Waits until a text can be seen.
    pub(crate) fn see(&self, text: &str) {
        self.wait(text, || self.all_text().contains(text).then_some(()));
    }

    /// Returns all that can be seen, in one line.
    pub(crate) fn all_text(&self) -> String {
        let text = self.try_ask("return squash(document.body.innerText)");
        text.map_or_else(|refused| refused.0, |it| it.as_str().unwrap_or_default().to_owned())
    }

    /// Returns the conversation, in one line.
    pub(crate) fn transcript(&self) -> String {
        let text = self.ask("return squash(transcript()?.innerText ?? '')");
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Returns whether the session on the screen works in a folder of that name.
    pub(crate) fn heading(&self, folder: &str) -> bool {
        let script = "return document.querySelector('main header [title*=\"/\"]')?.title ?? ''";
        self.ask(script).as_str().is_some_and(|it| it.ends_with(&format!("/{folder}")))
    }

    /// Waits for what has a role and a name; `*` stands for anything.
    pub(crate) fn find(&self, role: &str, name: &str) -> Element {
        let script = format!("return find({}, {})", json!(role), json!(name));
        self.wait(&format!("{role} {name:?}"), || Driver::element(&self.ask(&script)))
    }

    /// Returns whether it is there now.
    pub(crate) fn has(&self, role: &str, name: &str) -> bool {
        let script = format!("return find({}, {})", json!(role), json!(name));
        Driver::element(&self.ask(&script)).is_some()
    }

    /// Clicks a button by its name.
    pub(crate) fn press(&self, name: &str) {
        self.click("button", name);
    }

    /// Clicks what has a role and a name, once it can be clicked.
    pub(crate) fn click(&self, role: &str, name: &str) {
        let refused = RefCell::new(String::new());
        let click = || {
            let element = self.find(role, name);
            let clicked = self.driver.of(&element, Method::POST, "click", &json!({}));
            clicked.map_err(|it| refused.replace(it.0)).ok()
        };
        let state = || format!("{}\n{}", refused.borrow(), self.all_text());
        until(&format!("a click on {name:?}"), click, state);
    }

    /// Writes into a field, in place of what is there.
    pub(crate) fn fill(&self, label: &str, text: &str) {
        let field = self.find("textbox", label);
        self.driver.of(&field, Method::POST, "clear", &json!({})).expect("a field");
        self.type_into(&field, text);
    }

    /// Writes into the message field, and sends it.
    pub(crate) fn send(&self, text: &str) {
        let field = self.find("textbox", "Message");
        self.type_into(&field, text);
        self.press("Send");
    }

    fn type_into(&self, field: &Element, text: &str) {
        let body = json!({"text": text});
        self.driver.of(field, Method::POST, "value", &body).expect("a field");
    }

    /// Presses keys together: the last one while the others are held.
    pub(crate) fn keys(&self, keys: &[Key]) {
        let down = keys.iter().map(|it| json!({"type": "keyDown", "value": it.code()}));
        let up = keys.iter().rev().map(|it| json!({"type": "keyUp", "value": it.code()}));
        let actions: Vec<Value> = down.chain(up).collect();
        self.act(&json!({"type": "key", "id": "keyboard", "actions": actions}));
    }

    fn act(&self, source: &Value) {
        let body = json!({"actions": [source]});
        self.driver.session(Method::POST, "actions", &body).expect("the driver does it");
    }

    /// Turns the wheel over the middle of the window.
    pub(crate) fn wheel(&self, delta_y: i32) {
        let turn = json!({"type": "scroll", "x": 640, "y": 300, "deltaX": 0, "deltaY": delta_y});
        self.act(&json!({"type": "wheel", "id": "wheel", "actions": [turn]}));
    }

    /// Drags what is at a place, up or down by so much.
    pub(crate) fn drag(&self, x: i64, y: i64, by: i64) {
        let to = |y: i64| json!({"type": "pointerMove", "duration": 50, "x": x, "y": y});
        let mut actions = vec![to(y), json!({"type": "pointerDown", "button": 0})];
        actions.extend((1..=5).map(|step| to(y + by * step / 5)));
        actions.push(json!({"type": "pointerUp", "button": 0}));
        let mouse = json!({"pointerType": "mouse"});
        self.act(
            &json!({"type": "pointer", "id": "mouse", "parameters": mouse, "actions": actions}),
        );
    }

    /// Types a text with the keyboard, where the focus is.
    pub(crate) fn type_keys(&self, text: &str) {
        for it in text.chars() {
            self.keys(&[Key::Char(it)]);
        }
    }

    /// Returns what has the focus; nothing of what cannot be told.
    pub(crate) fn focus(&self) -> Focus {
        let active = self.driver.session(Method::GET, "element/active", &Value::Null);
        let Some(element) = active.ok().as_ref().and_then(Driver::element) else {
            return Focus::default();
        };
        let text = |command: &str| {
            let told = self.driver.of(&element, Method::GET, command, &Value::Null);
            told.ok().as_ref().and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (role, name) = (text("computedrole"), text("computedlabel"));
        Focus { element: Some(element), role, name }
    }

    /// Returns the active row of the list that has the focus, if it is in view.
    pub(crate) fn active_row(&self) -> Option<ActiveRow> {
        ActiveRow::read(&self.ask("return activeRow()"))
    }

    /// Waits for the card of a turn, from 1.
    pub(crate) fn card(&self, turn: u32) -> Card {
        let script = format!("return card({turn})");
        self.wait(&format!("the card of turn {turn}"), || Card::read(&self.ask(&script)))
    }

    /// Waits for the diff of a file, and its lines.
    pub(crate) fn diff(&self, path: &str) -> Diff {
        let label = format!("Diff of {path}");
        let is_here =
            |it: &Diff| it.label == label && !(it.added.is_empty() && it.removed.is_empty());
        self.wait(&label, || Diff::read(&self.ask("return diff()")).filter(is_here))
    }

    /// Keeps a picture of the window in each theme, named by the state that it shows.
    pub(crate) fn picture(&self, state: &str) {
        let before = self.ask("return document.documentElement.dataset.theme");
        for theme in ["light", "dark"] {
            self.ask(&format!("document.documentElement.dataset.theme = '{theme}'"));
            self.painted();
            self.keep_picture(&screenshots().join(format!("{state}-{theme}.png")));
        }
        self.ask(&format!("document.documentElement.dataset.theme = {before}"));
    }

    /// Waits until what the page is now has been painted.
    fn painted(&self) {
        self.ask_later("frames(2).then(done)");
    }

    fn keep_picture(&self, file: &Path) {
        let encoded = self.driver.session(Method::GET, "screenshot", &Value::Null);
        let encoded = encoded.expect("a picture");
        let picture = decode(encoded.as_str().expect("a text"));
        fs::write(file, picture).expect("a file");
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        if thread::panicking() {
            let file = screenshots().join(format!("failed-{}.png", self.name));
            if let Ok(it) = self.driver.session(Method::GET, "screenshot", &Value::Null) {
                drop(fs::write(file, decode(it.as_str().unwrap_or_default())));
            }
            eprintln!("{}", self.place.said());
        }
    }
}

fn decode(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).unwrap_or_default()
}
