//! A session of more than a hundred turns, as a person reads it afterwards.

use serde_json::json;
use testkit::{
    Home, Project,
    script::{Reply, Script},
};

use crate::rig::{evident, kind, scripted};

/// TR-28, TR-29, LG-2: after 101 turns the patch and the log of the first are told as unavailable,
/// by every way to ask for them, and what it changed is told as before.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_of_a_hundred_and_one_turns_has_its_result_and_no_details() {
    let home = Home::new();
    let project = Project::new([(".evident/config.toml", "checks = [\"echo checked\"]")]);
    let first = Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"}))
        .and_call("bash", json!({"command": "echo checked"}));
    let mut replies = vec![first];
    replies.extend((0..101).map(|it| Reply::text(format!("answer {it}"))));
    let server = scripted(Script::new(replies)).await;
    let url = server.base_url();
    let mut running = evident(&home, &project).start(&[
        "serve",
        "--stdio",
        "--base-url",
        &url,
        "--model",
        "scripted",
    ]);
    // Not every system knows that command as one that only reads, and nobody answers here.
    let preset = "danger-full-access";
    running.send(&json!({"id": 0, "type": "new_session", "workspace": ".", "preset": preset}));
    let session = running.reply(0)["ok"]["session"].as_str().expect("a session").to_owned();
    let read = |words: &[&str]| {
        let ran = evident(&home, &project).run(words);
        (ran.code, ran.lines.join("\n"), ran.stderr)
    };
    let mut before = None;
    for turn in 1..=101 {
        running.send(&json!({"id": turn, "type": "prompt", "session": session, "text": "go"}));
        running.until(|line| kind(line) == "turn_done");
        if turn == 100 {
            let (_, patch, _) = read(&["show", &session, "1", "--patch"]);
            assert!(patch.contains("+x"), "{patch}");
            before = Some(read(&["show", &session, "1"]));
        }
    }
    running.send(&json!({"id": 999, "type": "shutdown"}));
    assert_eq!(running.finish().code, Some(0));

    let (code, patch, said) = read(&["show", &session, "1", "--patch"]);
    assert_eq!((code, patch.as_str()), (Some(0), ""));
    assert!(said.contains("unavailable"), "{said}");
    let (code, log, said) = read(&["log", &session, "1", "1"]);
    assert_ne!(code, Some(0));
    assert_eq!(log, "");
    assert!(said.contains("unavailable"), "{said}");
    let after = read(&["show", &session, "1"]);
    // Where the command may have written, the file is counted and the turn partial.
    assert!(after.1.contains("+1 -0"), "{}", after.1);
    assert_eq!(Some(after), before);
}
