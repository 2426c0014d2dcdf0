//! The demo: a first turn with nothing set up.

use testkit::{Evident, Home, Project};

use crate::rig::BINARY;

/// README, quick start; twice, since the file is there the second time. Where nothing is known to
/// only look, its command is asked for, and nobody is there.
#[test]
fn the_demo_runs_without_a_key_again_and_again() {
    let (home, project) = (Home::new(), Project::new([]));
    for result in ["1 file changed, +2 -0", "no net changes"] {
        let evident = Evident::new(BINARY, &home).within(project.path());
        let ran = evident.run(&["run", "--provider", "demo", "show me"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = ran.lines.join("\n");
        assert!(text.contains(result), "{text}");
        let file = project.read("evident-demo.txt");
        assert_eq!(file, "Hello from Evident.\nThis line was edited, and the host saw it.\n");
    }
}

/// The same demo as the window's: its first turn, and then the one whose answer claims more than was
/// done, gone on with as it says, with no provider set up.
#[test]
fn the_demo_of_the_window_is_played_in_a_terminal_too() {
    let (home, project) = (Home::new(), Project::new([]));
    let evident = Evident::new(BINARY, &home).within(project.path());
    let ran = evident.run(&["demo", "--approve", "all"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = ran.lines.join("\n");
    // A Windows without Git has no `sh`: the check fails there, and that is what is said.
    let ended = if cfg!(windows) { "sh check.sh (exit " } else { "sh check.sh (exit 0)" };
    for said in ["2 files counted, +3 -1", ended] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let next = ran.lines.last().expect("how to go on");
    let (command, prompt) = next.strip_suffix('"').expect("a prompt").split_once('"').expect("one");
    let words: Vec<&str> = command.split_whitespace().skip(1).chain([prompt]).collect();
    let evident = Evident::new(BINARY, &home).within(project.path());
    let second = evident.run(&[&words[..1], &["--approve", "all"], &words[1..]].concat());
    assert_eq!(second.code, Some(0), "{}", second.stderr);
    let text = second.lines.join("\n");
    assert!(text.contains("older than the last change"), "{text}");
    assert_eq!(project.files().len(), 0, "it has a folder of its own");
}
