//! Why a result cannot account for everything, as far as writes of the host can bring it about.

use std::{fs, time::Duration};

use protocol::{Coverage, Limits};
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig, changes, files};

/// Each reason with its file: `ExternalChange a.txt`.
fn told(end: &agent::TurnEnd) -> Vec<String> {
    let gaps = changes(&end.receipt).reasons.iter();
    gaps.map(|gap| format!("{:?} {}", gap.reason, gap.path.as_deref().unwrap_or("-"))).collect()
}

fn read(path: &str) -> Reply {
    Reply::call("read_file", json!({ "path": path }))
}

fn write(path: &str, content: &str) -> Reply {
    Reply::call("write_file", json!({ "path": path, "content": content }))
}

/// TR-4, TR-13, CP-4, CP-5, B13: each file that is not accounted for has its reason and no numbers,
/// and the one that is has its own.
#[cfg(unix)]
#[tokio::test]
async fn each_reason_that_a_write_can_meet_is_told_with_its_file() {
    let limits = Limits { capture_file_bytes: 2_000, result_bytes: 1_000, ..Limits::default() };
    let (large, huge) = ("x\n".repeat(500), "x\n".repeat(1_001));
    let contents = [
        ("fine.txt", "old\n"),
        ("folder.txt", "old\n"),
        ("huge.txt", &huge),
        ("large.txt", &large),
        ("named.txt", "old\n"),
        ("theirs.txt", "old\n"),
    ];
    let mut rig = Rig::with(&contents, Choices { limits, ..Choices::default() }).await;
    let path = |name: &str| rig.project.path().join(name);
    fs::hard_link(path("named.txt"), path("another name.txt")).expect("it has two names");
    let (folder, theirs) = (path("folder.txt"), path("theirs.txt"));
    let mut replies: Vec<_> = contents.iter().map(|(path, _)| read(path)).collect();
    replies.extend(contents.iter().map(|(path, _)| write(path, "new\n")));
    replies.push(write("long.txt", &"y\n".repeat(700)));
    replies.push(Reply::text("done").and_hold("end"));
    let end = rig
        .turn_while("go", Script::new(replies), async |server, _, _| {
            server.reached("end").await.expect("the answer is on its way");
            fs::remove_file(&folder).and_then(|()| fs::create_dir(&folder)).expect("a folder");
            fs::write(&theirs, "theirs\n").expect("somebody else writes");
            server.release("end");
        })
        .await;
    assert_eq!(files(&end.receipt), ["Modify fine.txt +1 -1"]);
    let it = changes(&end.receipt);
    assert_eq!((it.coverage, it.added, it.removed), (Coverage::Partial, 1, 1));
    let wanted = [
        "SizeLimit large.txt",
        "SizeLimit long.txt",
        "FileUnavailable folder.txt",
        "ExternalChange theirs.txt",
        "Hardlink named.txt",
        "Oversized huge.txt",
    ];
    assert_eq!(told(&end), wanted);
    rig.check_requests();
}

/// B13 (e), AN-22, TR-9: an edit whose diff was cut off has no numbers and says so; a new file of many
/// lines needs no diff.
#[tokio::test]
async fn a_diff_that_was_cut_off_is_told_and_a_new_file_is_exact() {
    let limits = Limits { diff_time: Duration::ZERO, ..Limits::default() };
    let mut rig = Rig::with(&[("a.txt", "old\n")], Choices { limits, ..Choices::default() }).await;
    let script = Script::new([
        read("a.txt"),
        write("a.txt", "new\n"),
        write("b.txt", &"line\n".repeat(2_100)),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(files(&end.receipt), ["Modify a.txt +0 -0", "Create b.txt +2100 -0"]);
    let it = changes(&end.receipt);
    assert_eq!((it.coverage, it.added, it.removed), (Coverage::Partial, 2_100, 0));
    assert_eq!((it.files[0].uncounted, it.files[1].uncounted), (true, false));
    assert_eq!(told(&end), ["SizeLimit a.txt"]);
}

/// TR-14, TR-6: what Git would say is not asked: neither what was changed before the turn, nor what
/// somebody else changed in it, nor how often a file was written.
#[tokio::test]
async fn nothing_is_guessed_from_git_or_from_the_calls() {
    if !testkit::has_git("that nothing is guessed from Git") {
        return;
    }
    let mut rig = Rig::new(&[("a.txt", "one\n"), ("b.txt", "one\n"), ("c.txt", "one\n")]).await;
    rig.project.git(&["init", "--quiet"]);
    rig.project.git(&["add", "--all"]);
    rig.project.git(&["commit", "--quiet", "--message=start"]);
    for name in ["a.txt", "b.txt"] {
        rig.project.write(name, "one\nmine, and not committed\n");
    }
    let script = Script::new([
        read("a.txt").and_call("read_file", json!({"path": "c.txt"})),
        write("a.txt", "one\nmine, and not committed\nits\n"),
        write("c.txt", "two\n"),
        write("c.txt", "three\n"),
        Reply::text("done").and_hold("end"),
    ]);
    let file = rig.project.path().join("c.txt");
    let end = rig
        .turn_while("go", script, async |server, _, _| {
            server.reached("end").await.expect("the answer is on its way");
            fs::write(&file, "theirs\n").expect("somebody else writes");
            server.release("end");
        })
        .await;
    assert_eq!(files(&end.receipt), ["Modify a.txt +1 -0"]);
    assert_eq!(told(&end), ["ExternalChange c.txt"]);
}
