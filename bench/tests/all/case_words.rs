//! Words of a case that need a case of their own: checks that a line masks or that are cut off, and a
//! session whose file is harmed.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::cases::{play, printed};

/// Plays one case, and returns the line about it.
fn line(folder: &Path, steps: &[Value], expect: &Value) -> String {
    let folder = folder.join(fs::read_dir(folder).expect("it is there").count().to_string());
    let case = json!({
        "schema": 1,
        "id": "a",
        "title": "",
        "workspace": { "files": { ".evident/config.toml": { "text": "checks = ['sleep 300']" } } },
        "steps": steps,
        "expect": expect,
    });
    fs::create_dir_all(folder.join("a")).expect("there is room");
    fs::write(folder.join("a/case.json"), case.to_string()).expect("there is room");
    printed(&play(&folder, &[])).lines().next().unwrap_or_default().to_owned()
}

fn step(turn: u32, round: u32, id: &str, tool: &str, args: Value) -> Value {
    json!({ "turn": turn, "round": round, "id": id, "tool": tool, "args": args })
}

/// CH-3, CK-5: what a line masks is no pass, and what its time limit cut off is neither.
#[cfg(unix)]
#[test]
fn a_check_that_proves_nothing_or_was_cut_off_is_compared_as_that() {
    let folder = tempfile::tempdir().expect("there is room");
    let steps = [
        step(1, 1, "c1", "shell", json!({ "command": "pytest none; true" })),
        step(1, 2, "c2", "shell", json!({ "command": "sleep 300", "timeout_s": 1 })),
    ];
    let said = |c1: &str, c2: &str| {
        let expect = json!({ "turns": { "1": { "checks": { "c1": c1, "c2": c2 } } } });
        line(folder.path(), &steps, &expect)
    };
    assert_eq!(said("unclassified", "interrupted"), "pass  a: ");
    let masked = "FAIL  a: turn 1: check c1 is Unclassified, not Passed";
    assert_eq!(said("passed", "interrupted"), masked);
    let cut_off = "FAIL  a: turn 1: check c2 is Interrupted, not Failed";
    assert_eq!(said("unclassified", "failed"), cut_off);
}

/// JR-3, SM-13: whatever befalls the file, the answers before stand, and a copy is gone on with.
#[test]
fn a_session_that_is_harmed_goes_on_in_a_copy_and_what_is_lost_is_seen() {
    let folder = tempfile::tempdir().expect("there is room");
    let said = |how: &str, expect: &Value| {
        let last = |turn: u32| json!({ "text": format!("answer {turn}") });
        let answer = |turn: u32| step(turn, 1, &format!("f{turn}"), "final", last(turn));
        let mut steps: Vec<_> = (1..=4).map(answer).collect();
        steps.push(json!({ "id": "k", "tool": "restart", "args": { "how": "kill" } }));
        steps.push(json!({ "id": "c", "tool": "corrupt_session", "args": { "how": how } }));
        steps.push(answer(5));
        line(folder.path(), &steps, expect)
    };
    let sentences = [
        "Answers 1 to 3 are shown after the restart (4 too if its record was not the cut one); loss is told.",
        "Turn 5 is stored: after one more restart it is there.",
    ];
    for how in ["cut_last", "nul_middle", "nul_tail"] {
        assert_eq!(said(how, &json!({ "always": sentences })), "pass  a: ", "{how}");
    }
    let ended = said("cut_last", &json!({ "turns": { "5": { "status": "failed" } } }));
    assert_eq!(ended, "FAIL  a: turn 5: status is Completed, not Failed");
}

/// A session can be harmed only while nobody has it open.
#[test]
fn a_session_is_harmed_between_two_turns_alone() {
    let folder = tempfile::tempdir().expect("there is room");
    let harm = json!({ "id": "c", "tool": "corrupt_session", "args": { "how": "cut_last" } });
    let restart = json!({ "id": "k", "tool": "restart", "args": { "how": "kill" } });
    let read = |round: u32| step(1, round, &format!("r{round}"), "read", json!({ "path": "a" }));
    let said = |steps: &[Value]| line(folder.path(), steps, &json!({}));
    let open = said(&[read(1), harm.clone()]);
    assert_eq!(open, "FAIL  a: step c: a file is harmed between an end and a start");
    let within = said(&[read(1), restart, harm, read(2)]);
    assert_eq!(within, "FAIL  a: step r2: a file is harmed between two turns");
}
