//! The demo: from the first run to a card that contradicts its answer, and the same again after a
//! restart.

use std::{collections::BTreeSet, path::Path, process::Command};

use crate::{page::CardFile, window::Window};

/// The sample project, as it is before the demo.
const SAMPLE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../src-tauri/crates/host/src/sample/tally");
const FIRST: &str = "The total of expenses.txt*";
const SECOND: &str = "Let tally.sh skip*";

/// The row of a card.
const EDITED: &str = "modified tally.sh*";

/// UI-1, UI-2, UI-4, SM-8, TR-26: what is below the answer is what is in the files, and is there again.
#[test]
fn a_first_run_leads_to_a_card_that_says_what_is_in_the_files_and_says_it_again_after_a_restart() {
    let mut window = Window::open("demo");
    window.find("button", "Open folder");
    window.picture("first-run");
    first_turn(&window);
    let card = window.card(1);
    assert!(card.is_below_the_answer, "{card:?}");
    assert!(card.text.contains("2 files counted"), "{card:?}");
    assert!(card.text.contains("sh check.sh passed"), "{card:?}");
    assert_eq!(sorted(card.files.clone()), changed(&window));
    window.picture("card");

    window.press("View diff");
    let created = window.diff("cases/last-line.sh");
    assert_eq!((created.added.len(), created.removed.len()), (2, 0));
    window.press(EDITED);
    let diff = window.diff("tally.sh");
    assert_eq!(diff.removed, ["while read -r amount label; do"]);
    assert_eq!(diff.added, ["while read -r amount label || [ -n \"$amount\" ]; do"]);
    window.picture("diff");
    window.press("Hide details");

    let (before, shown) = (window.card(1), window.transcript());
    window.quit();
    window.start();
    assert_eq!(window.card(1), before);
    window.wait("the same conversation", || (window.transcript() == shown).then_some(()));
    window.press(EDITED);
    assert_eq!(window.diff("tally.sh"), diff);
    window.picture("restarted");
}

/// CK-3, CK-4, the closed set of AN-24: an answer that claims more than was done stands above a card
/// that does not.
#[test]
fn a_card_does_not_repeat_what_its_answer_only_claims() {
    let window = Window::open("claim");
    first_turn(&window);
    window.card(1);
    window.press(SECOND);
    window.see("Run this command?");
    window.press("Allow once*");
    let card = window.card(2);
    let said = window.transcript();
    assert!(said.contains("I added a case for them, and the check passes"), "{said}");
    let paths: Vec<&str> = card.files.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["tally.sh"]);
    assert!(card.text.contains("1 file counted"), "{card:?}");
    assert!(card.text.contains("stale: something changed after it"), "{card:?}");
    assert!(card.is_below_the_answer, "{card:?}");
    // Nobody scrolled, so the end is what is seen (UI-30).
    assert!(!window.has("button", "Go to the newest text"));
    window.picture("claim");
}

/// Starts the demo and lets its first turn run, saying yes to the one command that it asks about.
fn first_turn(window: &Window) {
    window.press("Try the demo");
    window.press(FIRST);
    window.see("Run this command?");
    window.picture("approval");
    window.press("Allow once*");
}

/// Returns the files of the demo's project that are not as in the sample, with git's counts.
fn changed(window: &Window) -> Vec<CardFile> {
    let project = window.place.data().join("demo/1/tally");
    let mut git = Command::new("git");
    git.args(["diff", "--no-index", "--numstat", "-z"]).arg(SAMPLE).arg(&project);
    let out = git.output().expect("git starts").stdout;
    let out = String::from_utf8(out).expect("UTF-8");
    // For each file: its counts, its name in the sample, its name in the project.
    let fields: Vec<&str> = out.split_terminator('\0').collect();
    let file = |fields: &[&str]| {
        let mut counts = fields[0].split_terminator('\t').map(|it| it.parse().expect("a count"));
        let path = Path::new(fields[2]).strip_prefix(&project).expect("it is there");
        CardFile {
            path: path.to_str().expect("UTF-8").to_owned(),
            added: counts.next().expect("added"),
            removed: counts.next().expect("removed"),
        }
    };
    sorted(fields.chunks(3).map(file))
}

fn sorted(files: impl IntoIterator<Item = CardFile>) -> Vec<CardFile> {
    BTreeSet::from_iter(files).into_iter().collect()
}
