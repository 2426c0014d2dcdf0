//! Bad inputs: who is told, under which code, what works next, and that the next turn succeeds.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs;

use serde_json::{Value, json};
use testkit::{
    Evident, Home, Project,
    script::{Reply, Script},
};

#[cfg(unix)]
use self::unix as here;
#[cfg(windows)]
use self::windows as here;
use crate::rig::{arguments, events, evident, kind, run, scripted};

/// A call that the model makes, and what it is told.
struct Told {
    name: &'static str,
    /// The program, in the surroundings of the case.
    evident: for<'a> fn(&'a Home, &Project) -> Evident<'a>,
    /// A file that is read in the answer before.
    read_before: Option<&'static str>,
    call: (&'static str, Value),
    /// `failure.code`, or `refusal.code` in capitals.
    code: &'static str,
    /// A part of what the model is told to do instead.
    next: &'static str,
}

fn told(
    name: &'static str,
    call: (&'static str, Value),
    code: &'static str,
    next: &'static str,
) -> Told {
    Told { name, evident, read_before: None, call, code, next }
}

/// The cases of every system.
fn told_cases() -> Vec<Told> {
    vec![
        told("unknown tool", ("delete_everything", json!({})), "unknown_tool", "read_file"),
        told(
            "capability called as a tool",
            ("grep", json!({"pattern": "x"})),
            "unknown_tool",
            "use_capability",
        ),
        told("wrong arguments", ("read_file", json!({"file": "a.txt"})), "bad_arguments", "path"),
        told("cut arguments", ("read_file", json!("{\"path\": \"a.t")), "broken_call", "again"),
        told("missing file", ("read_file", json!({"path": "missing.txt"})), "not_found", "glob"),
        told(
            "missing file to edit",
            ("edit_file", json!({"path": "no.txt", "old_string": "a", "new_string": "b"})),
            "WRITE_TARGET_ABSENT",
            "write_file",
        ),
        told("binary file", ("read_file", json!({"path": "binary.bin"})), "binary_file", "bash"),
        told(
            "path outside",
            ("read_file", json!({"path": "../outside.txt"})),
            "outside_workspace",
            "only the user",
        ),
        told("folder as a file", ("read_file", json!({"path": "folder"})), "not_a_file", "ls"),
        Told {
            read_before: Some("a.txt"),
            ..told(
                "text that is not there",
                ("edit_file", json!({"path": "a.txt", "old_string": "zzz", "new_string": "b"})),
                "no_match",
                "copy the passage",
            )
        },
        Told {
            read_before: Some("twice.txt"),
            ..told(
                "text that is there twice",
                (
                    "edit_file",
                    json!({"path": "twice.txt", "old_string": "same", "new_string": "b"}),
                ),
                "WRITE_TARGET_AMBIGUOUS",
                "replace_all",
            )
        },
        told(
            "text that is not there in a file never read",
            ("edit_file", json!({"path": "a.txt", "old_string": "zzz", "new_string": "b"})),
            "WRITE_EVIDENCE_MISSING",
            "send it again in your next answer",
        ),
        told(
            "edit of a file never read",
            ("edit_file", json!({"path": "a.txt", "old_string": "one", "new_string": "b"})),
            "WRITE_EVIDENCE_MISSING",
            "send it again in your next answer",
        ),
        told(
            "overwrite of a file never read",
            ("write_file", json!({"path": "a.txt", "content": "b"})),
            "WRITE_EVIDENCE_MISSING",
            "send it again in your next answer",
        ),
        told(
            "a command in a folder that is not there",
            ("bash", json!({"command": "exit 0", "cwd": "no/such"})),
            "not_found",
            "next: leave cwd out to run in the workspace",
        ),
        told(
            "a command in a file",
            ("bash", json!({"command": "exit 0", "cwd": "a.txt"})),
            "bad_arguments",
            "next: leave cwd out to run in the workspace",
        ),
        told(
            "failing command",
            ("bash", json!({"command": "exit 3"})),
            "exit_code",
            "[exit code 3]",
        ),
    ]
}

/// WB-3, CL-1, DG-9: whatever is wrong with a call, the model is told what and what works instead,
/// the turn goes on, and so does the session.
#[tokio::test(flavor = "multi_thread")]
async fn the_model_is_told_what_is_wrong_and_what_works() {
    for case in told_cases().into_iter().chain(here::told_cases()) {
        let name = case.name;
        let (home, outside) = (Home::new(), Project::new([("secret.txt", "secret\n")]));
        let project = Project::new([
            ("a.txt", "one\ntwo\n"),
            ("twice.txt", "same\nsame\n"),
            ("folder/x.txt", "x\n"),
        ]);
        project.write("binary.bin", [0, 159, 146, 150, 0, 1]);
        let _held = here::add_to(&project, &outside);
        let read = case.read_before.map(|path| Reply::call("read_file", json!({"path": path})));
        let rounds = [
            Reply::call(case.call.0, case.call.1),
            Reply::text("I see."),
            Reply::call("write_file", json!({"path": "fine.txt", "content": "fine\n"})),
            Reply::text("Fine."),
        ];
        let server = scripted(Script::new(read.into_iter().chain(rounds))).await;
        let url = server.base_url();
        let words = ["serve", "--stdio", "--base-url", &url, "--model", "scripted"];
        let mut running = (case.evident)(&home, &project).start(&words);
        running.send(&json!({"id": 1, "type": "new_session", "workspace": ".", "preset": "danger-full-access"}));
        let session = running.reply(1)["ok"]["session"].clone();
        assert!(session.is_string(), "{name}: it opens: {:?}", running.lines());

        running.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "go"}));
        if case.read_before.is_some() {
            running.until(|line| kind(line) == "tool_finished");
        }
        let ended = running.until(|line| kind(line) == "tool_finished")["event"]["kind"].clone();
        let code = [&ended["failure"]["code"], &ended["refusal"]["code"]];
        assert!(code.contains(&&json!(case.code)), "{name}: {ended}");
        let text = ended["output"]["text"].as_str().unwrap_or_default();
        assert!(text.contains(case.next), "{name}: {text}");
        let done = running.until(|line| kind(line) == "turn_done");
        assert_eq!(done["event"]["kind"]["outcome"]["is"], "completed", "{name}");
        let answered = 1 + usize::from(case.read_before.is_some());
        let told = server.requests()[answered].json().expect("JSON");
        let last = told["messages"].as_array().and_then(|it| it.last()).expect("messages").clone();
        assert_eq!(last["content"], text, "{name}: the model is told what the user is shown");

        running.send(&json!({"id": 3, "type": "prompt", "session": session, "text": "again"}));
        let done = running.until(|line| kind(line) == "turn_done");
        let receipt = &done["event"]["kind"]["receipt"];
        assert_eq!(receipt["diff"]["files"][0]["path"], "fine.txt", "{name}: {done}");
        assert_eq!(outside.files().len(), 1, "{name}: nothing was written outside");
        running.finish();
    }
}

/// A provider that does not answer as it should, and what the user is told.
struct Failed {
    name: &'static str,
    reply: Option<Reply>,
    code: &'static str,
    action: &'static str,
    says: &'static str,
}

fn failed_cases() -> Vec<Failed> {
    let failed =
        |name, reply, code, action, says| Failed { name, reply: Some(reply), code, action, says };
    let error =
        |status, text: &str| Reply::status(status, json!({"error": {"message": text}}).to_string());
    vec![
        failed(
            "broken stream",
            Reply::text("one two three").cut_after(3),
            "stream_broken",
            "retry",
            "again",
        ),
        failed("wrong key", error(401, "invalid key"), "wrong_key", "check_key", "key"),
        failed(
            "no credit",
            error(402, "no balance"),
            "payment_required",
            "add_credit",
            "no balance",
        ),
        failed(
            "unknown model",
            error(404, "no such model"),
            "model_not_found",
            "check_model",
            "scripted",
        ),
        failed(
            "too many requests",
            error(429, "slow down"),
            "rate_limited",
            "wait_and_retry",
            "slow down",
        ),
        failed(
            "provider in trouble",
            error(503, "overloaded"),
            "provider_down",
            "wait_and_retry",
            "overloaded",
        ),
        failed(
            "refused request",
            error(400, "bad schema"),
            "request_refused",
            "check_model",
            "bad schema",
        ),
        Failed {
            name: "unreachable host",
            reply: None,
            code: "unreachable",
            action: "check_url",
            says: "127.0.0.1",
        },
    ]
}

/// HL-4, PV-6, 09 row 42: a provider's failure is the user's to know, with what can be done; the
/// same session goes on with a provider that works.
#[tokio::test(flavor = "multi_thread")]
async fn the_user_is_told_what_the_provider_did_and_what_can_be_done() {
    for case in failed_cases() {
        let name = case.name;
        let (home, project) = (Home::new(), Project::new([]));
        let server = scripted(Script::new(case.reply)).await;
        // Nothing listens at a port that was given back.
        let url = if case.says == "127.0.0.1" {
            scripted(Script::new([])).await.base_url()
        } else {
            server.base_url()
        };
        let ran = evident(&home, &project).run(&arguments(&url, &["--json"], "go"));
        assert_eq!(ran.code, Some(1), "{name}: {}", ran.stderr);
        let lines = ran.json();
        let done = events(&lines).pop().expect("an end").clone();
        let failure = &done["kind"]["outcome"]["failure"];
        assert_eq!(
            (&failure["code"], &failure["action"]),
            (&json!(case.code), &json!(case.action)),
            "{name}"
        );
        let message = failure["message"].as_str().unwrap_or_default();
        assert!(message.contains(case.says), "{name}: {message}");

        let session = done["session"].as_str().expect("an id");
        let works = scripted(Script::new([Reply::text("Fine.")])).await;
        let next = run(&home, &project, &works, &["--session", session], "again");
        assert_eq!(next.code, Some(0), "{name}: {}", next.stderr);
        assert!(next.lines.concat().contains("Fine."), "{name}");
    }
}

/// SM-5, JR-6: a session that cannot be stored says so, and not one request is sent.
#[tokio::test(flavor = "multi_thread")]
async fn without_a_place_for_the_session_no_tokens_are_spent() {
    let (home, project) = (Home::new(), Project::new([]));
    fs::write(home.path().join("sessions"), "a file where the folder should be").expect("a file");
    let server = scripted(Script::new([Reply::text("Fine.")])).await;
    let ran = run(&home, &project, &server, &[], "go");
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert!(ran.stderr.contains("EVIDENT_HOME"), "{}", ran.stderr);
    assert!(server.requests().is_empty());
    fs::remove_file(home.path().join("sessions")).expect("the cause is gone");
    let ran = run(&home, &project, &server, &[], "go");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}
