//! The recorded event logs, which the wire's test and the window's reducer read: this is what wrote
//! them, and it writes them again.

use std::{env, fs, path::Path};

use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig};

/// Compares a session's events with a recorded log, or writes it where `UPDATE_EVENTS` is set.
#[track_caller]
fn check(rig: &Rig, name: &str) {
    let lines = rig.events().into_iter().map(|it| serde_json::to_string(&it).expect("JSON") + "\n");
    let lines: String = lines.collect();
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/events").join(name);
    if env::var_os("UPDATE_EVENTS").is_some() {
        fs::write(&file, &lines).expect("the fixture can be written");
    }
    let kept = fs::read_to_string(&file).expect("the fixture is there");
    assert!(lines == kept, "{name} is stale: UPDATE_EVENTS=1 cargo test -p agent recorded");
}

/// A read, an edit, a declared check, an answer with usage.
#[tokio::test]
async fn a_turn_that_edits_and_checks_is_recorded() {
    let choices = Choices { checks: vec!["cat a.txt".to_owned()], ..Choices::default() };
    let mut rig = Rig::with(&[("a.txt", "one\ntwo\n")], choices).await;
    let usage = protocol::Usage {
        input_tokens: Some(1_200),
        cache_hit_tokens: Some(1_024),
        cache_miss_tokens: Some(176),
        output_tokens: Some(30),
        reasoning_tokens: None,
    };
    let script = Script::new([
        Reply::text("I look first.")
            .reasoning("A file has to be read.")
            .and_call("read_file", json!({"path": "a.txt"}))
            .usage(usage),
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "two", "new_string": "2"})),
        Reply::call("bash", json!({"command": "cat a.txt"})),
        Reply::text("Done."),
    ]);
    rig.turn("Make it a number.", script).await;
    check(&rig, "edit_and_check.jsonl");
}

/// A refused write, a failing command, a command that leaves a gap; then a turn that fails.
#[tokio::test]
async fn refusals_gaps_and_a_failed_turn_are_recorded() {
    let mut rig = Rig::new(&[("a.txt", "one\n")]).await;
    let script = Script::new([
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "1"}))
            .and_call("read_file", json!({"path": "no.txt"})),
        Reply::call("bash", json!({"command": "echo x > b.txt; exit 3"})),
        Reply::text("I could not do it."),
    ]);
    rig.turn("Try.", script).await;
    let limited =
        Reply::status(429, r#"{"error":{"message":"slow down"}}"#).header("retry-after", "7");
    rig.turn("Again.", Script::new([limited])).await;
    check(&rig, "refused_and_failed.jsonl");
}

/// A job that is begun in one turn, runs on, and is ended in the next.
#[tokio::test]
async fn a_job_over_two_turns_is_recorded() {
    let mut rig = Rig::new(&[]).await;
    let begin = json!({"command": "touch here; sleep 300", "run_in_background": true});
    rig.turn("Serve it.", Script::new([Reply::call("bash", begin), Reply::text("It runs.")])).await;
    let end = Reply::call("kill_shell", json!({"job": "job0"}));
    rig.turn("End it.", Script::new([end, Reply::text("It is ended.")])).await;
    check(&rig, "background_job.jsonl");
}

/// A check in the background that still runs when its turn ends, and is ended in the next.
#[tokio::test]
async fn a_check_in_the_background_is_recorded() {
    let choices = Choices { checks: vec!["sleep 300".to_owned()], ..Choices::default() };
    let mut rig = Rig::with(&[], choices).await;
    let begin = json!({"command": "sleep 300", "run_in_background": true});
    rig.turn("Check it.", Script::new([Reply::call("bash", begin), Reply::text("It runs.")])).await;
    let end = Reply::call("kill_shell", json!({"job": "job0"}));
    rig.turn("End it.", Script::new([end, Reply::text("It is ended.")])).await;
    check(&rig, "background_check.jsonl");
}
