//! Commands from a terminal's view: what they print does nothing to it, and none is left behind.

use std::{fs, time::Duration};

use serde_json::json;
use testkit::{
    Home, Project,
    script::{Reply, Script},
};

use crate::rig::{arguments, evident, scripted};

/// A job with a child that goes on for minutes.
#[cfg(unix)]
const JOB: &str = "sleep 300 & echo $! > child; sleep 300";
#[cfg(windows)]
const JOB: &str = "ping -n 300 127.0.0.1 >child";

/// A command that prints escapes, and has one in its name.
#[cfg(unix)]
const RED: &str = "printf '\\033[31mred\\007' # \u{1b}[2K";
#[cfg(windows)]
const RED: &str = "echo \u{1b}[31mred\u{7}";

/// Whether the child of the job is known and lives: it has an id, and a process of that id runs.
#[cfg(unix)]
fn child_lives(project: &Project) -> bool {
    let id = fs::read_to_string(project.path().join("child")).unwrap_or_default();
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim()));
    !id.is_empty() && stat.is_ok_and(|it| !it.contains(") Z "))
}

/// Whether the child of the job lives: it holds its file open.
#[cfg(windows)]
fn child_lives(project: &Project) -> bool {
    use std::{io, os::windows::fs::OpenOptionsExt as _};

    let mut alone = fs::OpenOptions::new();
    let opened = alone.read(true).share_mode(0).open(project.path().join("child"));
    opened.is_err_and(|it| it.kind() != io::ErrorKind::NotFound)
}

async fn until(holds: impl Fn() -> bool) {
    let wait = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), wait).await.expect("it comes to that");
}

/// TI-7, DEC-14: what still runs when the turn has ended is told and ended with the program.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_running_by_a_run() {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([
        Reply::call("bash", json!({"command": JOB, "run_in_background": true})),
        Reply::text("it runs").and_hold("seen"),
    ]);
    let server = scripted(script).await;
    let url = server.base_url();
    let words = ["--preset", "danger-full-access"];
    let running = evident(&home, &project).start(&arguments(&url, &words, "go"));
    until(|| child_lives(&project)).await;
    server.release("seen");
    let ended = running.finish();
    let shown = ended.lines.join("\n");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(shown.contains(&format!("[job0 runs in the background] {JOB}")), "{shown}");
    assert!(shown.contains("not accounted for: active_writer"), "{shown}");
    assert!(ended.stderr.contains("job0 still runs in the background"), "{}", ended.stderr);
    until(|| !child_lives(&project)).await;
}

/// No escape that a command prints, or has in its name, reaches the terminal; the model is told it
/// as it is.
#[tokio::test(flavor = "multi_thread")]
async fn escapes_do_nothing_to_the_terminal() {
    let (home, project) = (Home::new(), Project::new([]));
    let script = Script::new([
        Reply::call("bash", json!({"command": RED})),
        Reply::call("bash", json!({"command": RED, "run_in_background": true})),
        Reply::call("wait", json!({})),
        Reply::text("\u{1b}]0;done\u{7}"),
    ]);
    let server = scripted(script).await;
    let url = server.base_url();
    let words = ["--preset", "danger-full-access"];
    let ended = evident(&home, &project).run(&arguments(&url, &words, "go"));
    let shown = format!("{}{}", ended.lines.join("\n"), ended.stderr);
    assert_eq!(ended.code, Some(0), "{shown}");
    assert!(!shown.contains(|it: char| it.is_control() && it != '\n'), "{shown:?}");
    assert!(shown.contains(" \\u{1b}["), "{shown}");
    for request in [1, 3] {
        let body = server.requests()[request].json().expect("JSON");
        let told = body["messages"].as_array().and_then(|it| it.last()).expect("messages");
        assert!(
            told["content"].as_str().is_some_and(|it| it.contains("\u{1b}[31mred\u{7}")),
            "{told}"
        );
    }
}
