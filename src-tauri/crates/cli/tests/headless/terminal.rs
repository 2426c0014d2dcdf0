//! At a terminal: questions are asked there, with the exact command, and answered there.

use serde_json::json;
use testkit::{
    Evident, Home, Project,
    script::{Reply, Script},
};

use crate::rig::{BINARY, scripted};

/// HL-3, PM-4, R090: the command is shown as it is, with nothing hidden; only a yes runs it.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_shows_the_exact_command_and_takes_the_answer() {
    let (home, project) = (Home::new(), Project::new([]));
    let bash = |command: &str| Reply::call("bash", json!({"command": command}));
    let hidden = "touch seen\u{1b}[2K.txt";
    let script =
        Script::new([bash("touch yes.txt"), bash("touch no.txt"), bash(hidden), Reply::text("ok")]);
    let server = scripted(script).await;
    // `script` gives the program a terminal of its own.
    let command = format!("{BINARY} run --base-url {} --model scripted go", server.base_url());
    let words = ["--quiet", "--return", "--command", &command, "/dev/null"];
    let mut running = Evident::new("script", &home).within(project.path()).start(&words);
    // What is typed ahead answers nothing: each answer is to the question that stands there.
    running.until_text(|line| line.contains("touch yes.txt"));
    running.send_line("y\ny");
    running.until_text(|line| line.contains("touch no.txt"));
    running.send_line("n");
    running.until_text(|line| line.contains("touch seen"));
    running.send_line("n");
    server.seen(4).await.expect("all rounds");
    let ended = running.finish();
    let shown = ended.lines.join("\n");
    assert_eq!(ended.code, Some(0), "{shown}");
    assert!(project.has("yes.txt") && !project.has("no.txt"), "{shown}");
    assert!(shown.contains("    touch yes.txt") && shown.contains("no sandbox"), "{shown}");
    assert!(shown.contains("    touch seen\\u{1b}[2K.txt"), "{shown}");
}
