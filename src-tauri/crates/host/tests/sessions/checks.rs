//! Recorded checks and their logs, from the store alone.

use protocol::{
    CheckKind, CheckQualifier, CheckStatus, ErrorKind, Fingerprint, SessionId, ToolCallId, TurnId,
    Verification,
};
use serde_json::{Value, json};
use testkit::{
    Project,
    script::{Answer, Call, Part, Reply, Script},
};

use crate::rig::{host, new_session, scripted, turn};

/// A call under an id that the provider uses again and again.
fn call(name: &str, arguments: Value) -> Reply {
    let call = Call { id: Some("call_0".to_owned()), name: name.to_owned(), arguments };
    Reply::Answer(Answer { parts: vec![Part::Call(call)], ..Answer::default() })
}

fn run(command: &str) -> Reply {
    call("bash", json!({"command": command}))
}

fn other(session: &SessionId) -> SessionId {
    let bits = if session.as_str().ends_with('0') { 1 } else { 0 };
    SessionId::from_bits(bits)
}

/// LG-1, LG-2, LG-3, B16: a log is shown by both its ids, in its turn and its session, and never
/// another one under an id that comes again.
#[tokio::test]
async fn a_log_is_had_by_both_its_ids_and_stays_what_it_was() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([
        (".evident/config.toml", "checks = [\"cat log.txt\", \"cat log.txt; exit 3\"]"),
        ("log.txt", "first\n"),
    ]);
    let script = [
        run("cat log.txt"),
        Reply::text("one"),
        call("bash", json!({"command": "echo second > log.txt"})),
        run("cat log.txt; exit 3"),
        Reply::text("two"),
    ];
    let server = scripted(Script::new(script)).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    let mut checks = Vec::new();
    for (turn_id, prompt) in [(0, "one"), (1, "two")] {
        turn(&host, &session, &mut opened.follow, prompt).await;
        let result = host.turn_result(session.clone(), TurnId(turn_id)).await.expect("a result");
        let [check] = <[Verification; 1]>::try_from(result.receipt.verifications).expect("one");
        checks.push((check.tool_call_id.clone(), check.tool_result_id.expect("a log"), check));
    }
    assert_ne!(checks[0].0, checks[1].0, "ours, whatever the provider calls it");
    assert_eq!(checks[1].2.status(), CheckStatus::Failed);

    let log = |turn: u32, call: &ToolCallId, result: Fingerprint, session: &SessionId| {
        let (host, session, call) = (&host, session.clone(), call.clone());
        async move {
            let log = host.check_log(session, TurnId(turn), call, result).await;
            log.map(|it| it.text).map_err(|it| it.kind())
        }
    };
    let (first, second) = (&checks[0], &checks[1]);
    assert_eq!(log(0, &first.0, first.1, &session).await.as_deref(), Ok("first\n"));
    assert_eq!(log(1, &second.0, second.1, &session).await.as_deref(), Ok("second\n"));
    let unavailable = Err(ErrorKind::Missing);
    assert_eq!(log(0, &first.0, second.1, &session).await, unavailable, "another result");
    assert_eq!(log(0, &second.0, first.1, &session).await, unavailable, "another call");
    assert_eq!(log(1, &first.0, first.1, &session).await, unavailable, "another turn");
    assert_eq!(log(7, &first.0, first.1, &session).await, unavailable, "no turn");
    assert_eq!(log(0, &first.0, first.1, &other(&session)).await, unavailable, "no session");
}

/// LG-4: the whole output is kept, and its last 2 MiB are shown, from the start of a character.
#[tokio::test]
async fn a_long_log_shows_its_end_and_says_so() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([(".evident/config.toml", "checks = [\"cat big.txt\"]")]);
    let line = "é€😀 a line of a log\n";
    let whole = line.repeat((3 << 20) / line.len());
    project.write("big.txt", &whole);
    let server = scripted(Script::new([run("cat big.txt"), Reply::text("done")])).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    turn(&host, &session, &mut opened.follow, "one").await;
    let receipt = host.turn_result(session.clone(), TurnId(0)).await.expect("a result").receipt;
    let check = &receipt.verifications[0];
    let log = host
        .check_log(
            session,
            TurnId(0),
            check.tool_call_id.clone(),
            check.tool_result_id.expect("a log"),
        )
        .await
        .expect("a log");
    assert_eq!((log.total_bytes, log.is_cut), (whole.len() as u64, true));
    assert!(log.text.len() <= 2 << 20 && (2 << 20) - 4 < log.text.len());
    assert!(whole.ends_with(&log.text));
}

/// CH-1 to CH-4: a check of a known runner is recorded with what its line, its status and its own
/// count say, and where and when it ran.
#[tokio::test]
async fn a_known_runner_is_recorded_with_what_its_status_is_worth() {
    let home = tempfile::tempdir().expect("a folder");
    let project = Project::new([("sub/pytest", "#!/bin/sh\necho '2 passed, 1 skipped in 0.1s'\n")]);
    let script = [
        run("chmod +x sub/pytest"),
        call("bash", json!({"command": "./pytest -k dates", "cwd": "sub"})),
        run("sub/pytest | tail -1"),
        run("ls; sub/pytest"),
        Reply::text("done"),
    ];
    let server = scripted(Script::new(script)).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    turn(&host, &session, &mut opened.follow, "one").await;
    let receipt = host.turn_result(session.clone(), TurnId(0)).await.expect("a result").receipt;
    let [filtered, masked, plain] =
        <[Verification; 3]>::try_from(receipt.verifications).expect("three checks");
    assert_eq!((filtered.kind, filtered.status()), (CheckKind::Test, CheckStatus::Passed));
    assert_eq!(filtered.qualifiers, [CheckQualifier::Filtered]);
    assert_eq!(filtered.cwd.as_deref(), Some("sub"));
    assert!(filtered.started_at.is_some() && filtered.duration_ms.is_some());
    assert_eq!(masked.qualifiers, [CheckQualifier::MaskedExit]);
    assert_eq!(masked.status(), CheckStatus::Unknown, "B15");
    let counts = plain.counts.expect("it counts");
    assert_eq!((counts.passed, counts.failed, counts.skipped), (2, 0, 1));
    assert_eq!((plain.runner.as_deref(), plain.cwd.as_deref()), (Some("pytest"), None));
    assert!(!filtered.stale, "checks do not make each other old (CK-4)");
}
