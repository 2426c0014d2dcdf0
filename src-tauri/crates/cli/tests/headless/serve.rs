//! `serve --stdio`: the same host over a pipe.

use protocol::{PatchBody, PictureBody};
use serde_json::json;
use testkit::{
    Home, Project, Running,
    script::{Reply, Script, ScriptServer},
};

use crate::rig::{evident, kind, scripted};

fn serve(home: &Home, project: &Project, server: &ScriptServer) -> Running {
    let url = server.base_url();
    evident(home, project).start(&["serve", "--stdio", "--base-url", &url, "--model", "scripted"])
}

fn new_session(running: &mut Running, id: u64) -> String {
    running.send(&json!({"id": id, "type": "new_session", "workspace": "."}));
    let reply = running.reply(id);
    reply["ok"]["session"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
}

/// HL-5, AN-5: a turn over the pipe, with its question, its feed and its pulls.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_is_driven_answered_and_read_back() {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"}))
            .and_call("bash", json!({"command": "echo x> b.txt"})),
        Reply::text("done"),
    ]);
    let server = scripted(script).await;
    let mut running = serve(&home, &project, &server);
    let session = new_session(&mut running, 1);
    running.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "go"}));
    assert_eq!(running.reply(2)["ok"], json!({"turn": 0}));
    let asked = running.until(|line| kind(line) == "permission_asked");
    assert_eq!(asked["event"]["kind"]["subject"]["text"], "echo x> b.txt");

    // Until the queue exists a second prompt is turned away (AN-5).
    running.send(&json!({"id": 3, "type": "prompt", "session": session, "text": "and"}));
    assert_eq!(running.reply(3)["error"]["kind"], "turn_running");
    running.send(&json!({"id": 4, "type": "answer", "session": session, "permission": "p9-9", "decision": "deny"}));
    assert_eq!(running.reply(4)["error"]["kind"], "not_pending");
    let permission = &asked["event"]["kind"]["permission"];
    running.send(&json!({"id": 5, "type": "answer", "session": session, "permission": permission, "decision": "allow_once"}));
    running.until(|line| kind(line) == "turn_done");
    assert!(project.has("b.txt"));

    running.send(&json!({"id": 6, "type": "turn_result", "session": session, "turn": 0}));
    let result = running.reply(6);
    assert_eq!(result["ok"]["receipt"]["diff"]["files"][0]["path"], "a.txt");
    running
        .send(&json!({"id": 7, "type": "patch", "session": session, "turn": 0, "path": "a.txt"}));
    let patch = running.reply(7);
    assert!(patch["ok"]["patch"].as_str().is_some_and(|it| it.contains("+x")), "{patch}");
    running.send(&json!({"id": 8, "type": "history", "session": session, "count": 5}));
    assert_eq!(running.reply(8)["ok"]["turns"][0]["turn"], 0);
    running.send(&json!({"id": 9, "type": "shutdown"}));
    assert_eq!(running.finish().code, Some(0));
}

/// AN-21: the patch of a file that is not UTF-8 has that file's bytes over the pipe too, every one.
#[tokio::test(flavor = "multi_thread")]
async fn a_patch_that_is_no_text_is_told_byte_for_byte() {
    let (home, project) = (Home::new(), Project::new([]));
    // In GB18030, as the file: the first line stays, the second is changed.
    let (stays, old) = (&b"\xb5\xda\xd2\xbb\xd0\xd0\n"[..], &b"\xb5\xda\xb6\xfe\xd0\xd0\n"[..]);
    let new = &b"\xb5\xda\xc8\xfd\xd0\xd0\n"[..];
    let (before, after) = ([stays, old].concat().repeat(20), [stays, new].concat().repeat(20));
    std::fs::write(project.path().join("a.txt"), &before).expect("a file");
    let edit = json!({
        "path": "a.txt", "old_string": "第二行", "new_string": "第三行", "replace_all": true,
    });
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call("edit_file", edit),
        Reply::text("done"),
    ]);
    let server = scripted(script).await;
    let mut running = serve(&home, &project, &server);
    let session = new_session(&mut running, 1);
    running.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "go"}));
    running.until(|line| kind(line) == "turn_done");
    assert_eq!(std::fs::read(project.path().join("a.txt")).expect("a file"), after);
    running
        .send(&json!({"id": 3, "type": "patch", "session": session, "turn": 0, "path": "a.txt"}));
    let reply = running.reply(3);
    let body: PatchBody = serde_json::from_value(reply["ok"].clone()).expect("a patch");
    assert!(body.hex.is_some(), "and it says that it is no text: {reply}");
    let patch = body.into_bytes().expect("its bytes");
    let lines = |sign: u8| -> Vec<u8> {
        let lines = patch.split_inclusive(|it| *it == b'\n').skip(4);
        lines.filter(|it| it[0] == sign).flat_map(|it| it[1..].to_vec()).collect()
    };
    assert_eq!((lines(b'-'), lines(b'+')), (old.repeat(20), new.repeat(20)));
    assert_eq!(running.finish().code, Some(0));
}

/// HL-5: what can be shown of a file as a picture, and its bytes, over the pipe too.
#[tokio::test(flavor = "multi_thread")]
async fn pictures_and_their_bytes_are_told_over_the_pipe() {
    let (home, project) = (Home::new(), Project::new([]));
    let svg = "<svg width='8' height='6'/>\n";
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.svg", "content": svg})),
        Reply::text("done"),
    ]);
    let server = scripted(script).await;
    let mut running = serve(&home, &project, &server);
    let session = new_session(&mut running, 1);
    running.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "go"}));
    running.until(|line| kind(line) == "turn_done");
    running.send(
        &json!({"id": 3, "type": "pictures", "session": session, "turn": 0, "path": "a.svg"}),
    );
    let after = json!({
        "is": "picture", "media": "image/svg+xml", "totalBytes": 28,
        "pixels": {"width": 8, "height": 6},
    });
    let pictures = json!({"before": {"is": "absent"}, "after": after});
    assert_eq!(running.reply(3)["ok"], pictures);
    let mut of_side = |id: u64, side: &str| {
        running.send(&json!({
            "id": id, "type": "picture", "session": session, "turn": 0, "path": "a.svg", "side": side,
        }));
        running.reply(id)
    };
    let reply = of_side(4, "after");
    let body: PictureBody = serde_json::from_value(reply["ok"].clone()).expect("a picture");
    assert_eq!(body.into_bytes().as_deref(), Some(svg.as_bytes()), "{reply}");
    assert_eq!(of_side(5, "before")["error"]["kind"], "missing");
    assert_eq!(of_side(6, "between")["error"]["kind"], "bad_request");
    assert_eq!(running.finish().code, Some(0));
}

/// HL-5: a line that is wrong gets an error, and nothing else happens.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_lines_get_errors_and_change_nothing() {
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(Script::new([Reply::text("ok")])).await;
    let mut running = serve(&home, &project, &server);
    let session = new_session(&mut running, 1);
    let error = |running: &mut Running, line: &str| {
        running.send_line(line);
        running.until(|line| !line["error"].is_null())
    };
    assert_eq!(error(&mut running, "{nonsense")["error"]["kind"], "bad_request");
    assert_eq!(error(&mut running, "[1]")["error"]["kind"], "bad_request");
    assert_eq!(error(&mut running, r#"{"id":7,"type":"prompt"}"#)["id"], 7);
    assert_eq!(
        error(&mut running, r#"{"id":"x","type":"prompt","session":"../x","text":"a"}"#)["error"]["kind"],
        "bad_request"
    );
    for word in ["revert", "rewind", "compact", "rerun_check", "resolve", ""] {
        let line = json!({"id": 8, "type": word}).to_string();
        assert_eq!(error(&mut running, &line)["error"]["kind"], "unknown_command", "{word}");
    }
    let unknown = r#"{"id":9,"type":"prompt","session":"s_0000000000000000","text":"a"}"#;
    assert_eq!(error(&mut running, unknown)["error"]["kind"], "missing");
    running.send(&json!({"id": 10, "type": "prompt", "session": session, "text": "hi"}));
    running.until(|line| kind(line) == "turn_done");
    assert_eq!(running.finish().code, Some(0), "the end of input ends it");
}

/// HL-5: two sessions at once; a stop of one does not touch the other.
#[tokio::test(flavor = "multi_thread")]
async fn two_sessions_run_side_by_side() {
    let (home, project) = (Home::new(), Project::new([]));
    let held = Script::new([Reply::text("one ").and_hold("first"), Reply::text("two")]);
    let server = scripted(held).await;
    let mut running = serve(&home, &project, &server);
    let (a, b) = (new_session(&mut running, 1), new_session(&mut running, 2));
    running.send(&json!({"id": 3, "type": "prompt", "session": a, "text": "wait"}));
    running.until(|line| line["delta"]["session"] == *a);
    running.send(&json!({"id": 4, "type": "prompt", "session": b, "text": "go"}));
    let done = running.until(|line| kind(line) == "turn_done");
    assert_eq!(
        (&done["event"]["session"], &done["event"]["kind"]["outcome"]["is"]),
        (&json!(b), &json!("completed"))
    );
    running.send(&json!({"id": 5, "type": "interrupt", "session": a}));
    let done = running.until(|line| kind(line) == "turn_done");
    assert_eq!(
        (&done["event"]["session"], &done["event"]["kind"]["outcome"]["is"]),
        (&json!(a), &json!("interrupted"))
    );
    assert_eq!(running.finish().code, Some(0));
}

/// HL-5, AN-30, SM-13: a session is renamed, put away, copied and deleted over the pipe.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_kept_in_order_over_the_pipe() {
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(Script::new([])).await;
    let mut running = serve(&home, &project, &server);
    let session = new_session(&mut running, 1);
    let line = json!({"id": 2, "type": "rename_session", "session": session, "title": "ours"});
    running.send(&line);
    assert_eq!(running.reply(2)["ok"]["title"], "ours");
    let line = json!({"id": 3, "type": "archive_session", "session": session, "archived": true});
    running.send(&line);
    assert_eq!(running.reply(3)["ok"]["archived"], true);
    running.send(&json!({"id": 4, "type": "copy_session", "session": session}));
    let copy = running.reply(4)["ok"]["session"].clone();
    running.send(&json!({"id": 5, "type": "delete_session", "session": session}));
    assert_eq!(running.reply(5)["ok"], json!({}));
    running.send(&json!({"id": 6, "type": "list_sessions"}));
    let listed = running.reply(6)["ok"].clone();
    let [left] = listed.as_array().expect("a list").as_slice() else { panic!("{listed}") };
    assert_eq!((&left["session"], &left["title"]), (&copy, &json!("ours")));
    assert_eq!(left["copiedFrom"], json!(session));
    assert_eq!(running.finish().code, Some(0));
}

/// AN-3, AN-4: whoever opens a session reads what was, and then what is, with no gap.
#[tokio::test(flavor = "multi_thread")]
async fn an_opened_session_replays_what_came_after() {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([Reply::text("one"), Reply::text("two")]);
    let server = scripted(script).await;
    let mut first = serve(&home, &project, &server);
    let session = new_session(&mut first, 1);
    first.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "a"}));
    first.until(|line| kind(line) == "turn_done");
    let before = first.finish();
    let before: Vec<_> = before.json().into_iter().filter(|it| !it["event"].is_null()).collect();

    let mut second = serve(&home, &project, &server);
    second.send(&json!({"id": 1, "type": "open_session", "session": session, "after": 0}));
    second.until(|line| kind(line) == "turn_done");
    let lines: Vec<serde_json::Value> =
        second.lines().iter().map(|it| serde_json::from_str(it).expect("JSON")).collect();
    let replayed: Vec<_> = lines.into_iter().filter(|it| !it["event"].is_null()).collect();
    assert_eq!(replayed, before);
    second.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "b"}));
    let next = second.until(|line| kind(line) == "turn_started");
    assert_eq!(next["event"]["turn"], 1);
    second.until(|line| kind(line) == "turn_done");
}
