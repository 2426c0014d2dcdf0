//! The calls of an answer: each has exactly one result, whatever it looks like.

use protocol::{Limits, ModelMessage, ToolCallStatus, TurnOutcome};
use serde_json::{Value, json};
use testkit::script::{Answer, Call, Part, Reply, Script};

use crate::rig::{Choices, Rig};

fn statuses(rig: &Rig) -> Vec<ToolCallStatus> {
    rig.ended().into_iter().map(|(_, status, _)| status).collect()
}

/// PX-8: an answer with several calls gets as many results, in their order.
#[tokio::test]
async fn every_call_of_an_answer_has_one_result_in_order() {
    let mut rig = Rig::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]).await;
    let read = |path: &str| json!({"path": path});
    let script = Script::new([
        Reply::call("read_file", read("b.txt"))
            .and_call("read_file", read("missing.txt"))
            .and_call("no_such_tool", json!({}))
            .and_call("read_file", read("a.txt")),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    use ToolCallStatus::{Completed, Failed};
    assert_eq!(statuses(&rig), [Completed, Failed, Failed, Completed]);
    let results: Vec<String> = rig
        .messages()
        .into_iter()
        .filter_map(|it| match it {
            ModelMessage::Tool { text, .. } => Some(text),
            _ => None,
        })
        .collect();
    assert!(results[0].starts_with("1\tb") && results[3].starts_with("1\ta"), "{results:?}");
    rig.check_requests();
}

/// R069: arguments that were cut off are never run, and not sent back as they came.
#[tokio::test]
async fn a_broken_call_is_answered_and_not_run() {
    let mut rig = Rig::new(&[]).await;
    let cut = Value::String(r#"{"path": "a.txt", "content": "ha"#.to_owned());
    let script = Script::new([Reply::call("write_file", cut), Reply::text("done")]);
    rig.turn("go", script).await;
    assert!(!rig.project.has("a.txt"));
    assert_eq!(statuses(&rig), [ToolCallStatus::Failed]);
    let second = String::from_utf8(rig.requests()[1].body.clone()).expect("UTF-8");
    assert!(!second.contains("ha\\\""), "{second}");
    rig.check_requests();
}

/// B20: a call that came twice is told apart from one that came broken, for the cure is another.
#[tokio::test]
async fn a_call_that_came_twice_runs_once_and_is_told_so() {
    let mut rig = Rig::new(&[("a.txt", "a\n")]).await;
    let call = || {
        Part::Call(Call {
            id: Some("same".to_owned()),
            name: "read_file".to_owned(),
            arguments: json!({"path": "a.txt"}),
        })
    };
    let answer = Reply::Answer(Answer { parts: vec![call(), call()], ..Answer::default() });
    rig.turn("go", Script::new([answer, Reply::text("done")])).await;
    assert_eq!(statuses(&rig), [ToolCallStatus::Completed, ToolCallStatus::Failed]);
    let second = String::from_utf8(rig.requests()[1].body.clone()).expect("UTF-8");
    assert!(second.contains("the first of them was taken"), "{second}");
    assert!(!second.contains("send the whole call again"), "{second}");
    rig.check_requests();
}

/// A provider that uses an id twice, or none, still gets each call paired with its result.
#[tokio::test]
async fn ids_that_a_provider_repeats_are_made_unique() {
    let mut rig = Rig::new(&[("a.txt", "a\n"), ("b.txt", "b\n")]).await;
    let call = |(id, path): (&str, &str)| {
        Part::Call(Call {
            id: Some(id.to_owned()),
            name: "read_file".to_owned(),
            arguments: json!({ "path": path }),
        })
    };
    let answer = |ids: [&str; 2]| {
        let parts = ids.into_iter().zip(["a.txt", "b.txt"]).map(call).collect();
        Reply::Answer(Answer { parts, ..Answer::default() })
    };
    let script =
        Script::new([answer(["call_0", "call_0"]), answer(["call_0", ""]), Reply::text("ok")]);
    rig.turn("go", script).await;
    assert_eq!(statuses(&rig), [ToolCallStatus::Completed; 4]);
    let first = String::from_utf8(rig.requests()[1].body.clone()).expect("UTF-8");
    assert!(first.contains("\"call_0\""), "the first keeps the provider's own id: {first}");
    rig.check_requests();
}

/// AN-15: more calls than are carried out are answered all the same.
#[tokio::test]
async fn calls_over_the_bound_are_told_to_come_again() {
    let limits = Limits { calls_per_batch: 2, ..Limits::default() };
    let mut rig = Rig::with(&[("a.txt", "a\n")], Choices { limits, ..Choices::default() }).await;
    let read = || json!({"path": "a.txt"});
    let script = Script::new([
        Reply::call("read_file", read())
            .and_call("read_file", read())
            .and_call("read_file", read()),
        Reply::text("done"),
    ]);
    rig.turn("go", script).await;
    use ToolCallStatus::{Completed, Failed};
    assert_eq!(statuses(&rig), [Completed, Completed, Failed]);
    rig.check_requests();
}

/// AN-15: a turn has an end even if the model never finds one.
#[tokio::test]
async fn a_turn_ends_after_its_rounds() {
    let limits = Limits { rounds_per_turn: 3, ..Limits::default() };
    let mut rig = Rig::with(&[("a.txt", "a\n")], Choices { limits, ..Choices::default() }).await;
    let again = Script::new([Reply::call("read_file", json!({"path": "a.txt"}))]).then_repeat();
    let end = rig.turn("go", again).await;
    let TurnOutcome::Failed { failure } = end.outcome else { panic!("{:?}", end.outcome) };
    assert_eq!(failure.code, protocol::TurnFailureCode::RoundLimit);
    assert_eq!(rig.requests().len(), 3);
    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    rig.check_requests();
}

/// R064, AN-12: the exit code is the command's; long output is cut for the model and kept whole.
#[cfg(unix)]
#[tokio::test]
async fn a_long_output_is_shown_in_part_and_kept_whole() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([
        Reply::call("bash", json!({"command": "seq 1 20000; exit 3"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    let (_, status, told) = rig.ended().remove(0);
    assert_eq!(status, ToolCallStatus::Failed);
    assert!(told.starts_with("1\n2\n") && 10_000 < told.len(), "the model has its start and end");
    let shown = rig.events().into_iter().find_map(|it| match it.kind {
        protocol::EventKind::ToolFinished { output, .. } => Some(output.text),
        _ => None,
    });
    let shown = shown.expect("the call ended");
    assert!(told.starts_with(&shown) && shown.len() <= 1_024, "the event has its start");
    let whole =
        rig.reader().local_records(end.turn).expect("records").into_iter().find_map(
            |it| match it {
                session::LocalRecord::Output { blob, cut: false, .. } => Some(blob),
                _ => None,
            },
        );
    let whole =
        rig.reader().blob(whole.expect("it is kept")).expect("it reads").expect("it is there");
    let expected: String = (1..=20_000).map(|it| format!("{it}\n")).collect();
    assert!(whole == expected.as_bytes());
    let messages = rig.messages();
    let Some(ModelMessage::Tool { text, .. }) = messages.get(3) else { panic!("{messages:?}") };
    assert!(text.ends_with("20000\n[exit code 3]"), "{}", &text[text.len() - 100..]);
    assert!(text.contains("the middle is left out") && text.len() < 17_000);
    rig.check_requests();
}

/// TC-4: what is behind `use_capability` is found, explained and called, and shown under its name.
#[tokio::test]
async fn capabilities_are_listed_inspected_and_called() {
    let mut rig = Rig::new(&[("src/a.rs", "fn main() {}\n")]).await;
    let use_it = |arguments: Value| Reply::call("use_capability", arguments);
    let script = Script::new([
        use_it(json!({"action": "list"})),
        use_it(json!({"action": "inspect", "name": "grep"})),
        use_it(json!({"action": "call", "name": "grep", "arguments": {"pattern": "main"}})),
        use_it(json!({"action": "call", "name": "glob", "arguments": {"pattern": "**/*.rs"}})),
        use_it(json!({"action": "call", "name": "ls", "arguments": {}})),
        Reply::text("done"),
    ]);
    rig.turn("go", script).await;
    let ended = rig.ended();
    let tools: Vec<&str> = ended.iter().map(|(tool, ..)| &**tool).collect();
    assert_eq!(tools, ["use_capability", "use_capability", "grep", "glob", "ls"]);
    assert!(ended[2].2.contains("src/a.rs:1:") && ended[3].2.contains("src/a.rs"), "{ended:?}");
    rig.check_requests();
}
