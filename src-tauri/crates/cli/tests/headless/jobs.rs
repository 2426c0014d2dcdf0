//! Commands from a terminal's view: what they print does nothing to it, and none is left behind.

use serde_json::json;
use testkit::{
    Home, Project,
    script::{Reply, Script},
};

use crate::rig::{arguments, evident, scripted};

/// TI-7, DEC-14: what still runs when the turn has ended is told and ended with the program.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_left_running_by_a_run() {
    let (home, project) = (Home::new(), Project::new([]));
    let job = "sleep 300 & echo $! > child; sleep 300";
    let script = Script::new([
        Reply::call("bash", json!({"command": job, "run_in_background": true})),
        Reply::call("bash", json!({"command": "until [ -s child ]; do sleep 0.05; done"})),
        Reply::text("it runs"),
    ]);
    let server = scripted(script).await;
    let url = server.base_url();
    let words = ["--preset", "danger-full-access"];
    let ended = evident(&home, &project).run(&arguments(&url, &words, "go"));
    let shown = ended.lines.join("\n");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(shown.contains("[job0 runs in the background] sleep 300"), "{shown}");
    assert!(shown.contains("not accounted for: active_writer"), "{shown}");
    assert!(ended.stderr.contains("job0 still runs in the background"), "{}", ended.stderr);
    let child = project.read("child");
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
    assert!(stat.is_err() || stat.is_ok_and(|it| it.contains(") Z ")), "{child} lives");
}

/// No escape that a command prints, or has in its name, reaches the terminal; the model is told it
/// as it is.
#[tokio::test(flavor = "multi_thread")]
async fn escapes_do_nothing_to_the_terminal() {
    let (home, project) = (Home::new(), Project::new([]));
    let red = "printf '\\033[31mred\\007' # \u{1b}[2K";
    let script = Script::new([
        Reply::call("bash", json!({"command": red})),
        Reply::call("bash", json!({"command": red, "run_in_background": true})),
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
    assert!(shown.contains("# \\u{1b}[2K"), "{shown}");
    for request in [1, 3] {
        let body = String::from_utf8_lossy(&server.requests()[request].body).into_owned();
        assert!(body.contains("\\u001b[31mred\\u0007"), "{body}");
    }
}
