//! What an answer claims, and the card below it that does not.

use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::{model::Model, place::Place, window::Window};

const NOTES: &str = "one\n";

/// 09 row 16, UI-3, CH-6, AN-24: an answer that claims tests of which none ran stands above "no recorded
/// check"; one that claims writes which were all turned away, by the gate, by a place outside and by a
/// no, above their count and "no net changes".
#[test]
fn a_card_says_what_was_recorded_whatever_the_answer_claims() {
    let edit = json!({"path": "notes.txt", "old_string": "one", "new_string": "1"});
    let outside = json!({"path": "../outside.txt", "content": "x\n"});
    let guarded = json!({"path": ".evident/config.toml", "content": "checks = []\n"});
    let model = Model::play(Script::new([
        Reply::text("All 12 tests pass."),
        Reply::call("edit_file", edit)
            .and_call("write_file", outside)
            .and_call("write_file", guarded),
        Reply::text("I made all three changes."),
    ]));
    let project = Project::new([("notes.txt", NOTES)]);
    let place = Place::with_model(&model);
    place.new_session(&project.path());
    let window = Window::open_on("integrity", place);

    window.send("Run the tests.");
    let card = window.card(1);
    assert!(window.transcript().contains("All 12 tests pass."), "{}", window.transcript());
    assert!(card.is_below_the_answer, "{card:?}");
    assert!(card.text.contains("No net changes"), "{card:?}");
    assert!(card.text.contains("no recorded check"), "{card:?}");
    window.picture("nothing-ran");

    window.send("Change it.");
    window.see("Write this file?");
    window.press("Deny*");
    let card = window.card(2);
    assert!(window.transcript().contains("I made all three changes."), "{}", window.transcript());
    assert!(card.is_below_the_answer, "{card:?}");
    assert_eq!(card.files, []);
    for said in ["No net changes", "3 writes refused", "No recorded check"] {
        assert!(card.text.contains(said), "{said}: {card:?}");
    }
    assert_eq!(project.read("notes.txt"), NOTES);
    assert_eq!(project.files().len(), 1);
    window.press("Why refused");
    for said in ["WRITE_EVIDENCE_MISSING", "It lies outside the workspace.", "It was denied."] {
        window.see(said);
    }
    window.picture("all-refused");
}
