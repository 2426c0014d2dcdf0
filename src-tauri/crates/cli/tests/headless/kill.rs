//! Killed at any moment, by SIGKILL or by TerminateProcess: what was printed is there, what was open
//! is unknown, the next turn works (CL-5, JR-5, TI-1).

use serde_json::{Value, json};
use testkit::{
    Finished, Home, Project, Scope, check_requests,
    script::{Reply, Script, ScriptServer},
};

use crate::rig::{arguments, events, evident, kind, scripted};

/// A command that goes on until there is a file `go`, or its folder is gone: nobody ends what a killed
/// program had started, and a test that fails writes no `go`. On Windows it goes on for minutes or ends
/// at once, and ends with the program in any case.
fn until_go(is_there: bool) -> &'static str {
    match (cfg!(windows), is_there) {
        (true, true) => "ping -n 1 127.0.0.1",
        (true, false) => "ping -n 300 127.0.0.1",
        (false, _) => "while [ -e notes.txt ] && [ ! -e go ]; do sleep 0.05; done; echo gone",
    }
}

/// A turn with a stream, a read, a write, an edit, a command that waits, and an answer that waits.
fn script(waits_for: &str) -> Script {
    Script::new([
        Reply::text("First I look. ").and_call("read_file", json!({"path": "notes.txt"})),
        Reply::call(
            "edit_file",
            json!({"path": "notes.txt", "old_string": "two", "new_string": "2"}),
        )
        .and_call("write_file", json!({"path": "new.txt", "content": "new\n"})),
        Reply::text("Then I wait. ").and_call("bash", json!({"command": waits_for})),
        Reply::text("All of it is done.").and_hold("last"),
    ])
}

/// When to kill: at the `n`th line of a kind, from 1.
struct At(&'static str, usize);

/// The moments, and the tool whose end must then be unknown.
const MOMENTS: [(At, Option<&str>); 12] = [
    (At("turn_started", 1), None),
    (At("delta", 1), None),
    (At("message_committed", 1), None),
    (At("tool_started", 1), None),
    (At("tool_finished", 1), None),
    (At("tool_started", 2), None),
    (At("tool_finished", 2), None),
    (At("tool_finished", 3), None),
    (At("message_committed", 3), Some("bash")),
    (At("tool_started", 4), Some("bash")),
    (At("tool_finished", 4), None),
    (At("usage_reported", 3), Some("bash")),
];

/// Kills a turn at a moment; returns all that it had printed.
fn killed(home: &Home, project: &Project, server: &ScriptServer, at: &At) -> Finished {
    let url = server.base_url();
    let words = ["--json", "--preset", "danger-full-access"];
    let running = evident(home, project).start(&arguments(&url, &words, "go"));
    let mut seen = 0;
    running.kill_at(|line| {
        let is_it = if at.0 == "delta" { !line["delta"].is_null() } else { kind(line) == at.0 };
        seen += usize::from(is_it);
        is_it && seen == at.1
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_printed_before_a_kill_is_there_and_the_next_turn_works() {
    for (at, unknown) in &MOMENTS {
        let moment = format!("{} {}", at.0, at.1);
        let (home, project) = (Home::new(), Project::new([("notes.txt", "one\ntwo\n")]));
        let ends = at.0 == "tool_finished" && at.1 == 4;
        if ends {
            project.write("go", "");
        }
        let server = scripted(script(until_go(ends))).await;
        let dead = killed(&home, &project, &server, at);
        let printed = dead.json();
        let session = printed[0]["event"]["session"].as_str().expect("an id");

        // Read beside nobody, before anything is repaired.
        let shown = evident(&home, &project).run(&["show", session, "--json"]);
        assert_eq!(shown.code, Some(0), "{moment}: {}", shown.stderr);
        let shown = shown.json();
        assert_eq!(shown[..events(&printed).len()], copied(&events(&printed)), "{moment}");

        let read = evident(&home, &project).run(&["show", session]).lines.join("\n");
        assert!(read.contains("[this turn was cut off"), "{moment}: {read}");
        if let (Some(tool), "tool_started") = (unknown, at.0) {
            assert!(read.contains(&format!("[unknown] {tool}")), "{moment}: {read}");
        }

        // Files are old or new, never in between.
        let notes = project.read("notes.txt");
        assert!(["one\ntwo\n", "one\n2\n"].contains(&&*notes), "{moment}: {notes:?}");

        project.write("go", "");
        let second = scripted(Script::new([Reply::text("Going on.")])).await;
        let url = second.base_url();
        let words = ["--json", "--session", session];
        let next = evident(&home, &project).run(&arguments(&url, &words, "go on"));
        assert_eq!(next.code, Some(0), "{moment}: {}", next.stderr);
        let all = evident(&home, &project).run(&["show", session, "--json"]).json();
        check_story(&moment, &all, *unknown);

        let requests = [server.requests(), second.requests()].concat();
        check_requests(&requests, &Scope::of(project.path()))
            .unwrap_or_else(|broken| panic!("{moment}: {broken}"));
    }
}

fn copied(events: &[&Value]) -> Vec<Value> {
    events.iter().map(|it| (*it).clone()).collect()
}

/// Checks that each started call has one end, that both turns have theirs, and what is unknown.
fn check_story(moment: &str, events: &[Value], unknown: Option<&str>) {
    let of = |name: &str| {
        events.iter().map(|it| &it["kind"]).filter(|it| it["type"] == name).collect::<Vec<_>>()
    };
    for started in of("tool_started") {
        let ends = of("tool_finished").into_iter().filter(|it| it["call"] == started["call"]);
        assert_eq!(ends.count(), 1, "{moment}: {started}");
    }
    let done = of("turn_done");
    assert_eq!(done.len(), 2, "{moment}");
    assert_eq!(done[0]["outcome"]["is"], "interrupted", "{moment}");
    assert!(!done[0]["receipt"]["diff"].is_null(), "{moment}: it has a result (TR-33)");
    assert_eq!(done[1]["outcome"]["is"], "completed", "{moment}");
    if let Some(tool) = unknown {
        let is_it = |it: &&Value| it["status"] == "unknown" && it["tool"] == tool;
        assert_eq!(of("tool_finished").into_iter().filter(|it| is_it(it)).count(), 1, "{moment}");
    }
}
