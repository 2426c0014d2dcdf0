//! Ctrl-C: the first one stops and freezes, the second one leaves.

use serde_json::json;
use testkit::{
    Evident, Home, Project,
    script::{Reply, Script},
};

use crate::rig::{BINARY, arguments, evident, kind, only, scripted};

fn waiting() -> Script {
    Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::call("bash", json!({"command": "trap '' TERM; echo on; while :; do sleep 1; done"})),
    ])
}

/// HL-4, AN-31: the turn ends within seconds, its result is stored, the exit code is 130.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_stops_the_turn_and_freezes_its_result() {
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(waiting()).await;
    let url = server.base_url();
    let words = ["--json", "--preset", "danger-full-access"];
    let mut running = evident(&home, &project).start(&arguments(&url, &words, "go"));
    running.until(|line| kind(line) == "tool_started" && line["event"]["kind"]["tool"] == "bash");
    running.signal("INT");
    let ended = running.finish();
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    let lines = ended.json();
    let done = only(&lines, "turn_done");
    assert_eq!(
        (&done["outcome"]["is"], &done["receipt"]["interrupted"]),
        (&json!("interrupted"), &json!(true))
    );
    assert_eq!(done["receipt"]["diff"]["added"], 1);
}

/// HL-4: the second ends the program at once; the next start closes the turn.
#[tokio::test(flavor = "multi_thread")]
async fn the_second_leaves_at_once_and_loses_nothing() {
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(waiting()).await;
    let url = server.base_url();
    let words = ["--json", "--preset", "danger-full-access"];
    let mut running = evident(&home, &project).start(&arguments(&url, &words, "go"));
    running.until(|line| kind(line) == "tool_started" && line["event"]["kind"]["tool"] == "bash");
    running.signal("INT");
    running.signal("INT");
    let ended = running.finish();
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);

    let again = scripted(Script::new([Reply::text("ok")])).await;
    let url = again.base_url();
    let next = evident(&home, &project).run(&arguments(&url, &["--json", "--continue"], "go on"));
    assert_eq!(next.code, Some(0), "{}", next.stderr);
}

/// HL-4: whoever does not read what is printed cannot keep the program from leaving.
#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_does_not_read_holds_up_no_stop() {
    let (home, project) = (Home::new(), Project::new([]));
    let flood = Reply::text("a word ".repeat(60_000)).and_hold("never");
    let server = scripted(Script::new([flood])).await;
    let url = server.base_url();
    let words = arguments(&url, &["--json"], "go").join(" ");
    let script = format!(
        "mkfifo deaf\nsleep 60 <deaf & reader=$!\n{BINARY} {words} >deaf & it=$!\n\
         echo $it\nwait $it; echo \"code $?\"; kill $reader\n"
    );
    let mut running = Evident::new("sh", &home).within(project.path()).start(&["-c", &script]);
    let id = running.until_text(|_| true);
    server.reached("never").await.expect("it streams");
    // Two of one kind could be one for the system.
    for signal in ["INT", "TERM"] {
        let kill = std::process::Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.expect("kill starts").success());
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
    assert_eq!(running.until_text(|line| line.starts_with("code")), "code 130");
    running.finish();
}
