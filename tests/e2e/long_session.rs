//! A long session: how it comes to be, and what the view shows on the way up to its start.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, place::Place, processes, window::Window};

/// More than any distance between two rows that belong together.
pub(crate) const BLANK_PX: f64 = 90.0;

/// A place that knows a session of so many turns, each of a prompt, a call, its result and an answer.
pub(crate) struct LongSession {
    pub(crate) place: Place,
    pub(crate) project: Project,
    pub(crate) model: Model,
}

/// The way up to the start.
#[derive(Debug, Default)]
pub(crate) struct Way {
    pub(crate) views: f64,
    /// Of those, the ones that were blank for two frames or more.
    pub(crate) flashes: f64,
    pub(crate) widest_gap_px: f64,
    /// What each frame showed where that was.
    pub(crate) seen: Vec<String>,
}

/// AN-33, AN-34: WebKit carries messages within a page through its network process. That one may stand
/// still, and the rows come all the same.
#[test]
fn rows_are_drawn_while_the_engines_network_process_stands_still() {
    let turns = 50;
    let LongSession { place, project: _project, model: _model } =
        LongSession::write(turns, |turn| format!("Answer {turn}.{}", "\n\nMore of it.".repeat(5)));
    let window = Window::open_on("held-up", place);
    window.card(u32::try_from(turns).expect("small"));
    let all = window.processes();
    let network = all.iter().find(|it| it.name == "WebKitNetworkProcess"[..15]).expect("it runs");
    processes::signal("STOP", network.id);
    let way = Way::up(&window);
    processes::signal("CONT", network.id);
    assert!(way.widest_gap_px < BLANK_PX, "{way:#?}");
}

impl LongSession {
    pub(crate) fn write(turns: usize, answer: impl Fn(usize) -> String) -> Self {
        let reply = |request: usize| match request % 2 {
            0 => Reply::call("read_file", json!({"path": "a.txt"})),
            _ => Reply::text(answer(request / 2)),
        };
        let model = Model::play(Script::repeat(2 * turns, reply));
        let project = Project::new([("a.txt", "a\n")]);
        let place = Place::with_model(&model);
        place.long_session(&project.path(), turns);
        Self { place, project, model }
    }
}

impl Way {
    /// Goes up view by view, until there is nothing before or a view stays blank.
    pub(crate) fn up(window: &Window) -> Self {
        let since = Instant::now();
        let mut way = Self::default();
        loop {
            let went = window.ask_later("scrollUp(30).then(done)");
            let number = |name: &str| went[name].as_f64().unwrap_or_else(|| panic!("{went}"));
            way.views += number("steps");
            way.flashes += number("flashes");
            if way.widest_gap_px < number("gap") {
                way.widest_gap_px = number("gap");
                way.seen = serde_json::from_value(went["seen"].clone()).expect("texts");
            }
            if went["isAtStart"] == json!(true) || BLANK_PX <= way.widest_gap_px {
                return way;
            }
            let is_late = since.elapsed() > Duration::from_secs(300);
            assert!(!is_late, "the start does not come: {went:#} {way:#?}");
        }
    }
}
