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

/// HL-9, RS-4: in a terminal a read has a row that is written anew until one line stays of it; into a
/// pipe go lines, and nothing that moves a cursor.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_has_a_row_in_a_terminal_and_lines_in_a_pipe() {
    let text: String = (0..2_105).map(|it| format!("line {it}\n")).collect();
    let project = Project::new([("a.txt", text.as_str())]);
    let read = |arguments| Reply::call("read_file", arguments);
    let script = || {
        Script::new([
            read(json!({"path": "a.txt", "intent": "full"})),
            read(json!({"path": "a.txt", "offset": 2000, "limit": 50})),
            read(json!({"path": "a.txt", "offset": 2050, "limit": 55})),
            Reply::text("ok"),
        ])
    };
    // A scripted model's context is of no known size, so the read pauses after its first page.
    let paused = "[reading a.txt paused: the size of the model's context is not known";
    let whole = "[a.txt was read to its end; lines 1-2105]";

    let (home, server) = (Home::new(), scripted(script()).await);
    let command = format!(
        "stty cols 60; TERM=xterm {BINARY} run --base-url {} --model scripted go",
        server.base_url()
    );
    let words = ["--quiet", "--return", "--command", &command, "/dev/null"];
    let ended = Evident::new("script", &home).within(project.path()).start(&words).finish();
    let shown = ended.lines.join("\n");
    assert_eq!(ended.code, Some(0), "{shown}");
    assert!(shown.contains("\x1b[1A\r\x1b[J"), "{shown:?}");
    let rows: Vec<&str> = shown.lines().filter(|it| it.starts_with("[reading a.txt")).collect();
    assert!(rows.iter().all(|it| it.trim_end().len() < 60), "{rows:?}");
    assert_eq!(shown.matches(whole).count(), 1, "{shown:?}");

    let (home, server) = (Home::new(), scripted(script()).await);
    let ended = crate::rig::run(&home, &project, &server, &[], "go");
    let printed = ended.lines.join("\n");
    assert!(!printed.contains('\x1b'), "{printed:?}");
    let reads: Vec<&str> =
        ended.lines.iter().map(String::as_str).filter(|it| it.starts_with("[reading")).collect();
    assert!(matches!(reads[..], [only] if only.starts_with(paused)), "{reads:?}");
    assert_eq!(printed.matches(whole).count(), 1, "{printed:?}");
}
