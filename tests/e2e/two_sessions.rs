//! Two sessions: what belongs to one is never seen in the other.

use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, place::Place, window::Window};

/// UI-9, SM-3: one session streams on while the other is on the screen.
#[test]
fn a_reply_that_comes_late_stays_in_its_session() {
    let model = Model::play(Script::new([
        Reply::text("Orange begins. ").and_hold("late").and_text("Orange ends."),
        Reply::text("Purple answers. ").and_hold("open").and_text("Purple ends."),
    ]));
    let project = Project::new([("orange/a.txt", "a\n"), ("purple/b.txt", "b\n")]);
    let place = Place::with_model(&model);
    place.new_session(&project.path().join("purple"));
    place.new_session(&project.path().join("orange"));
    let window = Window::open_on("two-sessions", place);
    window.wait("the newest session", || window.heading("orange").then_some(()));
    window.send("Ask the one.");
    model.reached("late");
    window.see("Orange begins.");

    window.click("session", "New session*");
    window.wait("the other session", || window.heading("purple").then_some(()));
    window.send("Ask the other.");
    model.reached("open");
    window.see("Purple answers.");
    assert!(!window.transcript().contains("Orange"), "{}", window.transcript());
    window.picture("two-sessions");

    model.release("late");
    window.find("session", "Ask the one.*finished, not seen yet*");
    assert!(!window.transcript().contains("Orange"), "{}", window.transcript());
    model.release("open");
    window.card(1);
    let shown = window.transcript();
    assert!(shown.contains("Purple answers. Purple ends."), "{shown}");
    assert!(!shown.contains("Orange") && !shown.contains("Ask the one."), "{shown}");

    window.click("session", "Ask the one.*");
    window.see("Orange begins. Orange ends.");
    let shown = window.transcript();
    assert_eq!(shown.matches("Orange").count(), 2, "{shown}");
    assert!(!shown.contains("Purple") && !shown.contains("Ask the other."), "{shown}");
}
