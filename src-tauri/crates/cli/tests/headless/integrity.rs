//! What an answer claims, and what stands below it: the plain output tells them apart, and its last
//! line says how the turn ended.

use serde_json::json;
use testkit::{
    Finished, Home, Project,
    script::{Reply, Script},
};

use crate::rig::{evident, run, scripted};

const DONE: &str =
    "turn completed (exit code 0 says that it ran to its end, not that the task is done)";

/// What `show` prints of a session's only turn.
fn shown(home: &Home, project: &Project) -> Finished {
    let listed = evident(home, project).run(&["sessions", "--json"]).json();
    let session = listed[0]["session"].as_str().expect("an id");
    evident(home, project).run(&["show", session])
}

/// 09 row 16, CH-6, HL-4: an answer that claims tests of which none ran stands above "no recorded
/// check", in `run` and in `show`.
#[tokio::test(flavor = "multi_thread")]
async fn tests_that_nobody_ran_are_no_recorded_check() {
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(Script::new([Reply::text("All 12 tests pass.")])).await;
    let ran = run(&home, &project, &server, &[], "run the tests");
    let result = ["All 12 tests pass.", "", "no net changes", "no recorded check"];
    assert_eq!(ran.lines, [&result[..], &[DONE]].concat(), "{}", ran.stderr);
    assert_eq!(ran.code, Some(0));
    let shown = shown(&home, &project);
    let tail = &shown.lines[shown.lines.len() - 5..];
    assert_eq!(tail, [&result[..], &["turn completed"]].concat(), "{}", shown.stderr);
}

/// 09 row 16, AN-24, HL-4: a turn whose writes were all turned away, by the gate, by a no and by the
/// border of the workspace, says how many, and that nothing changed.
#[tokio::test(flavor = "multi_thread")]
async fn writes_that_were_all_refused_are_counted_and_change_nothing() {
    let (home, project) = (Home::new(), Project::new([("notes.txt", "one\n")]));
    let edit = json!({"path": "notes.txt", "old_string": "one", "new_string": "1"});
    let write = |path: &str| json!({"path": path, "content": "x\n"});
    let script = Script::new([
        Reply::call("edit_file", edit)
            .and_call("write_file", write(".git/config"))
            .and_call("write_file", write("../outside.txt"))
            .and_call("bash", json!({"command": "touch made.txt"})),
        Reply::text("I made all four changes."),
    ]);
    let server = scripted(script).await;
    let ran = run(&home, &project, &server, &["--approve", "none"], "change it");
    let tail = &ran.lines[ran.lines.len() - 6..];
    let result = ["", "no net changes", "no recorded check", "4 writes refused", DONE];
    assert_eq!(tail, [&["I made all four changes."], &result[..]].concat(), "{}", ran.stderr);
    assert_eq!(ran.code, Some(0));
    assert_eq!(project.files().len(), 1);
    assert!(shown(&home, &project).lines.contains(&"4 writes refused".to_owned()));
}

/// HL-4: a turn that failed says so last, and the exit code with it, whatever its answer had claimed.
#[tokio::test(flavor = "multi_thread")]
async fn the_last_line_of_a_failed_turn_says_that_it_failed() {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([
        Reply::text("All is done.").and_call("write_file", json!({"path": "a", "content": "x"})),
        Reply::status(401, "{}"),
    ]);
    let ran = run(&home, &project, &scripted(script).await, &[], "go");
    let last = ran.lines.last().expect("a last line");
    assert!(last.starts_with("turn failed: ") && last.ends_with(" (exit code 1)"), "{last}");
    assert_eq!(ran.code, Some(1));
    let shown = shown(&home, &project);
    let failed = last.strip_suffix(" (exit code 1)").expect("it ends so");
    assert_eq!(shown.lines.last().map(String::as_str), Some(failed));
}

/// HL-4, AN-31: so does a turn that was stopped.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn the_last_line_of_an_interrupted_turn_says_that_it_was_interrupted() {
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(Script::new([Reply::text("All is done.").and_hold("never")])).await;
    let url = server.base_url();
    let running = evident(&home, &project).start(&crate::rig::arguments(&url, &[], "go"));
    server.reached("never").await.expect("it streams");
    running.signal("INT");
    let ran = running.finish();
    let last = ran.lines.last().map(String::as_str);
    assert_eq!(last, Some("turn interrupted (exit code 130)"), "{}", ran.stderr);
    assert_eq!(ran.code, Some(130));
    assert_eq!(shown(&home, &project).lines.last().map(String::as_str), Some("turn interrupted"));
}
