//! Details that are kept no more: removed between two turns, and told as unavailable.

use protocol::{ErrorKind, Limits, TurnId};
use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{bounded, host, new_session, scripted, turn};

fn write(path: &str) -> Reply {
    Reply::call("write_file", json!({"path": path, "content": "x\n"}))
}

/// TR-28, TR-29, LG-2: with the turn after it the details of the oldest go, and are told as
/// unavailable wherever they are asked for; its result and its history are what they were.
#[tokio::test]
async fn the_details_of_an_old_turn_are_unavailable_and_its_result_is_not() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([(".evident/config.toml", "checks = [\"exit 0\"]")]);
    let script = [
        write("a.txt").and_call("bash", json!({"command": "exit 0"})),
        Reply::text("one"),
        write("b.txt"),
        Reply::text("two"),
        write("c.txt"),
        Reply::text("three"),
    ];
    let server = scripted(Script::new(script)).await;
    let limits = Limits { detail_turns: 1, ..Limits::default() };
    let writing = bounded(home.path(), &server, limits);
    let mut opened = new_session(&writing, &project).await;
    let session = opened.session.clone();
    turn(&writing, &session, &mut opened.follow, "one").await;
    let result = writing.turn_result(session.clone(), TurnId(0)).await.expect("a result");
    let check = result.receipt.verifications[0].clone();
    let result_id = check.tool_result_id.expect("a log");
    writing.patch(session.clone(), TurnId(0), "a.txt".to_owned()).await.expect("the newest turn's");
    turn(&writing, &session, &mut opened.follow, "two").await;
    turn(&writing, &session, &mut opened.follow, "three").await;
    writing.close(&session).await;

    // Another program, with other bounds, shows no more.
    let reading = host(home.path(), &server);
    for (number, path) in [(0, "a.txt"), (1, "b.txt")] {
        let patch = reading.patch(session.clone(), TurnId(number), path.to_owned()).await;
        let error = patch.expect_err("it was removed");
        assert_eq!(error.kind(), ErrorKind::Missing);
        assert!(error.to_string().contains("unavailable"), "{error}");
    }
    let call = check.tool_call_id.clone();
    let log = reading.check_log(session.clone(), TurnId(0), call, result_id).await;
    let error = log.expect_err("it was removed");
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert!(error.to_string().contains("unavailable"), "{error}");
    let kept = reading.patch(session.clone(), TurnId(2), "c.txt".to_owned()).await;
    assert!(kept.expect("the newest turn's").ends_with(b"+x\n"));
    let again = reading.turn_result(session.clone(), TurnId(0)).await.expect("a result");
    assert_eq!(again, result);
    assert_eq!(reading.history(session, None, 5).await.expect("a history").turns.len(), 3);
}
