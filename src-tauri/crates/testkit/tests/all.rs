//! The testkit itself: its guards fail when they should, and nothing waits for ever.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    panic::{AssertUnwindSafe, catch_unwind},
};

use script::{Reply, Script};
use testkit::{Guard, Home, Project, Scope};

/// Runs what should panic, and returns what it said.
fn panics(run: impl FnOnce()) -> String {
    let said = catch_unwind(AssertUnwindSafe(run)).expect_err("it should have failed");
    said.downcast_ref::<String>().cloned().unwrap_or_default()
}

async fn guarded(body: &str) -> Guard {
    let guard = Guard::start(Script::new([Reply::text("done")]), Scope::default()).await;
    let address = guard.base_url().replace("http://", "").replace("/v1", "");
    let mut socket = TcpStream::connect(address).expect("it listens");
    let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: it\r\nConnection: close\r\n";
    write!(socket, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).expect("it reads");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("the reply");
    assert!(answer.contains("done"), "{answer}");
    guard
}

#[tokio::test]
async fn a_guard_fails_the_test_that_sent_a_broken_request() {
    drop(guarded(r#"{"messages":[]}"#).await);
    let bad = guarded(r#"{"messages":[{"role":"tool","tool_call_id":"a"}]}"#).await;
    let said = panics(|| drop(bad));
    assert!(said.contains("request 0") && said.contains("/messages/0/tool_call_id"), "{said}");
}

#[test]
fn a_home_fails_the_test_that_wrote_into_the_users_folder() {
    let home = Home::new();
    fs::write(home.path().join("config.toml"), "").expect("a folder of the product's own");
    drop(home);
    for name in ["file", "folder/"] {
        let home = Home::new();
        let path = home.user().join(name);
        let made = if name == "file" { fs::write(path, "") } else { fs::create_dir(path) };
        made.expect("a folder that can be written");
        assert!(panics(|| drop(home)).contains(name));
    }
}

#[test]
fn a_project_holds_its_files_and_git_knows_them() {
    if !testkit::has_git("a project with a history") {
        return;
    }
    let project = Project::new([("a.txt", "one\r\n"), ("src/lib.rs", "")]).with_git();
    assert_eq!(project.git(&["status", "--porcelain"]), "");
    project.write("new.bin", [0, 159]);
    project.remove("a.txt");
    assert_eq!(project.git(&["status", "--porcelain"]), " D a.txt\n?? new.bin\n");
    assert_eq!(project.git(&["cat-file", "blob", "HEAD:a.txt"]), "one\r\n");
    let names = Vec::from_iter(project.files().into_keys());
    assert_eq!(names, ["new.bin", "src/lib.rs"]);
    assert!(project.has("src") && !project.has("a.txt") && project.read("src/lib.rs").is_empty());
    assert!(project.path().ends_with("project"));
}

/// The shell stands in for the binary: it has arguments, a pipe, and an end.
#[cfg(unix)]
mod scenario {
    use serde_json::json;
    use testkit::Evident;

    use super::*;

    fn shell(home: &Home) -> Evident<'_> {
        Evident::new("/bin/sh", home).env("WORD", "given")
    }

    #[test]
    fn a_run_has_its_arguments_its_folder_and_its_code() {
        let home = Home::new();
        let script = r#"echo "$0 $1"; pwd; cat; echo oh >&2; exit 3"#;
        let finished = shell(&home).within(home.path()).run(&["-c", script, "one", "two"]);
        let [words, folder] = &finished.lines[..] else { panic!("{finished:?}") };
        assert!(words == "one two" && folder.ends_with("/evident"), "{finished:?}");
        assert_eq!((finished.code, &*finished.stderr), (Some(3), "oh"));
    }

    #[test]
    fn a_run_sees_nothing_of_the_user() {
        let home = Home::new();
        let finished = shell(&home).run(&["-c", "env"]);
        let variables = finished.lines.iter().filter_map(|line| line.split_once('='));
        let mut of_home = Vec::new();
        for (name, value) in variables {
            if value.starts_with(&*home.user().to_string_lossy()) {
                of_home.push(name);
                continue;
            }
            let ours = ["EVIDENT_HOME", "TMPDIR", "TMP", "TEMP", "WORD", "GIT_CONFIG_NOSYSTEM"];
            let shells = ["PATH", "SHLVL", "_"];
            assert!(ours.contains(&name) || shells.contains(&name), "{name}={value}");
        }
        assert!(of_home.contains(&"HOME") && of_home.contains(&"PWD"), "{finished:?}");
        assert!(finished.lines.contains(&"WORD=given".to_owned()), "{finished:?}");
    }

    #[test]
    fn a_conversation_goes_line_by_line() {
        let home = Home::new();
        let echo = r#"while read -r line; do echo "{\"event\":1}"; echo "$line"; done"#;
        let mut running = shell(&home).start(&["-c", echo]);
        running.send(&json!({"id": 1}));
        assert_eq!(running.reply(1), json!({"id": 1}));
        running.send_line(r#"{"id": 2, "ok": true}"#);
        assert_eq!(running.reply(2)["ok"], true);
        assert_eq!(running.lines().len(), 4);
        let finished = running.finish();
        assert_eq!((finished.code, finished.json().len()), (Some(0), 4));
    }

    #[test]
    fn a_process_is_killed_at_the_line_that_was_waited_for() {
        let home = Home::new();
        let script = r#"echo '{"n":1}'; echo '{"n":2}'; read -r line; echo '{"n":3}'"#;
        let finished = shell(&home).start(&["-c", script]).kill_at(|line| line["n"] == 2);
        assert_eq!((finished.code, finished.lines.len()), (None, 2));
        let running = shell(&home).start(&["-c", "trap 'exit 7' TERM; echo '{}'; read -r line"]);
        let mut running = running;
        running.until(|_| true);
        running.signal("TERM");
        assert_eq!(running.finish().code, Some(7));
    }

    #[test]
    fn a_line_that_never_comes_is_told_with_those_that_did() {
        let home = Home::new();
        let mut running = shell(&home).start(&["-c", "echo '{\"n\":1}'; echo why >&2"]);
        let said = panics(|| drop(running.until(|line| line["n"] == 2)));
        assert!(said.contains("{\"n\":1}"), "{said}");
        let mut running = shell(&home).start(&["-c", "echo plain text"]);
        let said = panics(|| drop(running.until(|_| true)));
        assert!(said.contains("no JSON") && said.contains("plain text"), "{said}");
    }
}
