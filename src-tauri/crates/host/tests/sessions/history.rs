//! History: the same rows as live, from the store alone.

use protocol::{ErrorKind, EventKind, MessageId, SessionId, ToolCallId, TurnId};
use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{events, host, new_session, scripted, turn};

fn two_turns() -> Script {
    let write = |text: &str| {
        Reply::call("write_file", json!({"path": format!("{text}.txt"), "content": text}))
    };
    Script::new([write("a"), Reply::text("first"), write("b"), Reply::text("second")])
}

/// TR-26: results, patches and texts are served when the workspace is gone.
#[tokio::test]
async fn history_is_served_without_the_workspace() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(two_turns()).await;
    let first = host(home.path(), &server);
    let mut opened = new_session(&first, &project).await;
    let session = opened.session.clone();
    let mut live = Vec::new();
    for prompt in ["one", "two"] {
        live.extend(events(&turn(&first, &session, &mut opened.follow, prompt).await));
    }
    first.shutdown().await;
    drop(project);

    let host = host(home.path(), &server);
    let page = host.history(session.clone(), None, 10).await.expect("history");
    let turns: Vec<u32> = page.turns.iter().map(|it| it.turn.0).collect();
    assert_eq!((turns, page.more), (vec![1, 0], false), "newest first");
    let replayed: Vec<_> = page.turns.into_iter().rev().flat_map(|it| it.events).collect();
    assert_eq!(replayed, live, "the same rows as live (AN-3)");
    let older = host.history(session.clone(), Some(TurnId(1)), 1).await.expect("history");
    assert_eq!(older.turns[0].turn, TurnId(0));

    let result = host.turn_result(session.clone(), TurnId(0)).await.expect("a result");
    assert_eq!(result.receipt.diff.expect("changes").files[0].path, "a.txt");
    let patch = host.patch(session.clone(), TurnId(0), "a.txt".to_owned()).await.expect("a patch");
    assert!(String::from_utf8_lossy(&patch).contains("+a"));
    let files = host.turn_changes(session.clone(), TurnId(1), 0).await.expect("files");
    assert_eq!((files.files[0].path.as_str(), files.total_files), ("b.txt", 1));
    assert_eq!(host.turn_changes(session.clone(), TurnId(1), 1).await.expect("files").files, []);

    let message = live.iter().find_map(|event| match &event.kind {
        EventKind::MessageCommitted { message, text, .. } if text.text == "second" => {
            Some(message.clone())
        }
        _ => None,
    });
    let whole = host.message(session.clone(), message.expect("it was said")).await.expect("a text");
    assert_eq!(whole.text, "second");
    let call = live.iter().find_map(|event| match &event.kind {
        EventKind::ToolFinished { call, .. } => Some(call.clone()),
        _ => None,
    });
    let detail =
        host.tool_detail(session.clone(), call.expect("it was made")).await.expect("a call");
    assert_eq!(detail.arguments, r#"{"path":"a.txt","content":"a"}"#);
    assert!(detail.output.is_some_and(|it| it.contains("created a.txt")));
    assert_eq!(
        host.open_session(session, crate::rig::free(), None).await.expect_err("no folder").kind(),
        ErrorKind::Missing
    );
}

/// 09 rows 27 and 29, TR-23: each turn has its own list of files and its own patches, also of a file
/// that another one changed, and none of what it did not touch.
#[tokio::test]
async fn each_turn_has_its_own_files_and_patches() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let write = |path: &str, text: &str| {
        Reply::call("write_file", json!({ "path": path, "content": text }))
    };
    let server = scripted(Script::new([
        write("a.txt", "one\n"),
        Reply::text("first"),
        write("a.txt", "two\n").and_call("write_file", json!({"path": "b.txt", "content": "b\n"})),
        Reply::text("second"),
        Reply::text("third"),
    ]))
    .await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    for prompt in ["one", "two", "three"] {
        turn(&host, &session, &mut opened.follow, prompt).await;
    }
    let mut listed = Vec::new();
    for number in 0..3 {
        let page = host.turn_changes(session.clone(), TurnId(number), 0).await.expect("files");
        assert_eq!(page.total_files as usize, page.files.len());
        let files = page.files.into_iter().map(|it| (it.path, it.added, it.removed));
        listed.push(files.collect::<Vec<_>>());
    }
    let (a, b) = ("a.txt".to_owned(), "b.txt".to_owned());
    assert_eq!(listed[0], [(a.clone(), 1, 0)]);
    assert_eq!(listed[1], [(a.clone(), 1, 1), (b.clone(), 1, 0)]);
    assert_eq!(listed[2], []);
    let patch = async |number: u32, path: &String| {
        let patch = host.patch(session.clone(), TurnId(number), path.clone()).await;
        patch.map(|it| String::from_utf8(it).expect("UTF-8")).map_err(|error| error.kind())
    };
    assert!(patch(0, &a).await.expect("a patch").ends_with("@@ -0,0 +1 @@\n+one\n"));
    assert!(patch(1, &a).await.expect("a patch").ends_with("@@ -1 +1 @@\n-one\n+two\n"));
    assert!(patch(1, &b).await.expect("a patch").ends_with("@@ -0,0 +1 @@\n+b\n"));
    for (number, path) in [(0, &b), (2, &a), (2, &b)] {
        assert_eq!(patch(number, path).await, Err(ErrorKind::Missing), "{number} {path}");
    }
}

/// CL-6: what is not there is said to be not there.
#[tokio::test]
async fn what_is_not_stored_is_missing() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(Script::new([Reply::text("hi")])).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    turn(&host, &opened.session.clone(), &mut opened.follow, "one").await;
    let session = || opened.session.clone();
    let missing = ErrorKind::Missing;
    assert_eq!(host.turn_result(session(), TurnId(7)).await.expect_err("none").kind(), missing);
    assert_eq!(
        host.patch(session(), TurnId(0), "x".to_owned()).await.expect_err("none").kind(),
        missing
    );
    assert_eq!(
        host.message(session(), MessageId::minted("m9-9")).await.expect_err("none").kind(),
        missing
    );
    assert_eq!(
        host.tool_detail(session(), ToolCallId::minted("c")).await.expect_err("none").kind(),
        missing
    );
    assert_eq!(
        host.history(SessionId::from_bits(1), None, 1).await.expect_err("none").kind(),
        missing
    );
}
