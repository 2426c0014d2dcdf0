//! Presets, questions and answers.

use agent::{Answer, Approvals};
use protocol::{Coverage, Decision, EventKind, Feed, Notice, PermissionId, Preset, ToolCallStatus};
#[cfg(unix)]
use serde_json::Value;
use serde_json::json;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig};

fn choices(preset: Preset, approvals: Approvals) -> Choices {
    Choices { preset, approvals, ..Choices::default() }
}

fn bash(command: &str) -> Reply {
    Reply::call("bash", json!({"command": command}))
}

/// Waits for a question, and returns its id.
pub(crate) async fn question(frames: &mut tokio::sync::broadcast::Receiver<Feed>) -> PermissionId {
    let frame = Rig::frame(frames, |it| {
        matches!(it, Feed::Event(event) if matches!(event.kind, EventKind::PermissionAsked { .. }))
    })
    .await;
    let Feed::Event(event) = frame else { panic!("an event") };
    let EventKind::PermissionAsked { permission, .. } = event.kind else { panic!("a question") };
    permission
}

/// Runs a turn in which each question gets the next of `decisions`; returns what was asked.
async fn asked(rig: &mut Rig, script: Script, decisions: &[Decision]) -> Vec<(String, String)> {
    let mut frames = rig.watchers.frames.subscribe();
    let mut subjects = Vec::new();
    rig.turn_while("go", script, async |_, _, answers| {
        for decision in decisions {
            let frame = Rig::frame(&mut frames, |it| {
                matches!(it, Feed::Event(event)
                    if matches!(event.kind, EventKind::PermissionAsked { .. } | EventKind::TurnDone { .. }))
            })
            .await;
            let Feed::Event(event) = frame else { panic!("an event") };
            let EventKind::PermissionAsked { permission, tool, subject, .. } = event.kind else {
                panic!("the turn ended with a question left")
            };
            // An answer to another question is dropped (PM-4).
            let other = PermissionId::minted("p99-99");
            for permission in [other, permission] {
                let answer = Answer { permission, decision: *decision };
                answers.send(answer).await.expect("the turn listens");
            }
            subjects.push((tool, subject.text));
        }
    })
    .await;
    subjects
}

/// PM-1, DEC-17: files are written freely, commands that may write are asked for, readers not.
#[cfg(unix)]
#[tokio::test]
async fn workspace_write_asks_for_commands_only() {
    let mut rig = Rig::with(&[], choices(Preset::WorkspaceWrite, Approvals::Ask)).await;
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        bash("cat a.txt"),
        bash("touch b.txt"),
        bash("touch c.txt"),
        Reply::text("done"),
    ]);
    let subjects = asked(&mut rig, script, &[Decision::AllowOnce, Decision::Deny]).await;
    let subject = |command: &str| ("bash".to_owned(), command.to_owned());
    assert_eq!(subjects, [subject("touch b.txt"), subject("touch c.txt")]);
    assert!(rig.project.has("b.txt") && !rig.project.has("c.txt"));
    let last = rig.ended().pop().expect("four calls");
    assert_eq!(last.1, ToolCallStatus::Rejected);
    assert!(last.2.contains("the user said no"), "{}", last.2);
    rig.check_requests();
}

/// PM-4: allowed for the session means that command, and not after a restart.
#[tokio::test]
async fn a_grant_is_for_the_exact_command_and_ends_with_the_program() {
    let mut rig = Rig::with(&[], choices(Preset::WorkspaceWrite, Approvals::Ask)).await;
    let script =
        Script::new([bash("touch a"), bash("touch a"), bash("touch ab"), Reply::text("done")]);
    let subjects = asked(&mut rig, script, &[Decision::AllowSession, Decision::Deny]).await;
    assert_eq!(subjects[1].1, "touch ab");
    rig.restart().await;
    let subjects =
        asked(&mut rig, Script::new([bash("touch a"), Reply::text("ok")]), &[Decision::Deny]).await;
    assert_eq!(subjects[0].1, "touch a");
    rig.check_requests();
}

/// PM-1, PM-4: what was allowed under one preset is asked for again under another.
#[tokio::test]
async fn a_grant_ends_with_the_preset_it_was_given_under() {
    let mut rig = Rig::with(&[], choices(Preset::WorkspaceWrite, Approvals::Ask)).await;
    let script = || Script::new([bash("touch a"), Reply::text("done")]);
    asked(&mut rig, script(), &[Decision::AllowSession]).await;
    rig.set_preset(Preset::WorkspaceWrite);
    assert_eq!(asked(&mut rig, script(), &[]).await, [], "nothing has changed");
    rig.set_preset(Preset::ReadOnly);
    assert_eq!(asked(&mut rig, script(), &[Decision::Deny]).await.len(), 1);
    rig.check_requests();
}

/// PM-1: read-only asks before each write, after the gate: what is refused is not asked for.
#[tokio::test]
async fn read_only_asks_for_writes_that_the_gate_permits() {
    let mut rig = Rig::with(&[("a.txt", "a\n")], choices(Preset::ReadOnly, Approvals::Ask)).await;
    let edit = |new: &str| {
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "a", "new_string": new}))
    };
    let script = Script::new([
        edit("refused"),
        Reply::call("read_file", json!({"path": "a.txt"})),
        edit("b"),
        Reply::text("done"),
    ]);
    let subjects = asked(&mut rig, script, &[Decision::AllowOnce]).await;
    assert_eq!(subjects, [("edit_file".to_owned(), "a.txt".to_owned())]);
    assert_eq!(rig.project.read("a.txt"), "b\n");
}

/// PM-11, WB-36: a yes of the user is no licence over somebody else's change.
#[tokio::test]
async fn an_approval_does_not_widen_the_permit() {
    let mut rig = Rig::with(&[("a.txt", "a\n")], choices(Preset::ReadOnly, Approvals::Ask)).await;
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call("edit_file", json!({"path": "a.txt", "old_string": "a", "new_string": "b"})),
        Reply::text("done"),
    ]);
    let mut frames = rig.watchers.frames.subscribe();
    let file = rig.project.path().join("a.txt");
    rig.turn_while("go", script, async |_, _, answers| {
        let permission = question(&mut frames).await;
        std::fs::write(&file, "theirs\n").expect("somebody else writes while the user thinks");
        answers
            .send(Answer { permission, decision: Decision::AllowOnce })
            .await
            .expect("it listens");
    })
    .await;
    assert_eq!(rig.project.read("a.txt"), "theirs\n");
    let (_, status, told) = rig.ended().pop().expect("two calls");
    assert_eq!(status, ToolCallStatus::Rejected);
    assert!(told.contains("FS_STALE_VERSION"), "{told}");
    let done = rig.events().into_iter().find_map(|event| match event.kind {
        EventKind::TurnDone { receipt, .. } => receipt.diff,
        _ => None,
    });
    let diff = done.expect("a result");
    assert_eq!((diff.coverage, diff.total_files), (Coverage::Complete, 0), "it is not the turn's");
}

/// PM-9: a file of Git's can make a later reader run programs, so writing it is asked for.
#[tokio::test]
async fn files_that_git_goes_by_are_asked_for() {
    let mut rig = Rig::with(&[], choices(Preset::WorkspaceWrite, Approvals::Ask)).await;
    rig.project.write(".git/config", "[core]\n");
    let write = |path: &str| Reply::call("write_file", json!({"path": path, "content": "x\n"}));
    let script = Script::new([
        write(".git/hooks/post-commit"),
        write("sub/.GIT"),
        write(".gitignore"),
        Reply::text("done"),
    ]);
    let subjects = asked(&mut rig, script, &[Decision::AllowOnce, Decision::Deny]).await;
    let subject = |path: &str| ("write_file".to_owned(), path.to_owned());
    assert_eq!(subjects, [subject(".git/hooks/post-commit"), subject("sub/.GIT")]);
    assert!(rig.project.has(".git/hooks/post-commit") && rig.project.has(".gitignore"));
    assert!(!rig.project.has("sub/.GIT"));
}

/// SH-5, DEC-10: where a repository's settings name a program, a reader of Git is none: it is asked
/// for, wherever on the way the repository is, and leaves a gap if it runs.
#[cfg(unix)]
#[tokio::test]
async fn git_readers_are_asked_for_where_a_repository_names_programs() {
    let mut rig =
        Rig::with(&[("a.txt", "a\n")], choices(Preset::WorkspaceWrite, Approvals::Ask)).await;
    let git = |args: &[&str]| drop(rig.project.git(args));
    git(&["init", "-q", "."]);
    git(&["init", "-q", "sub"]);
    git(&["-C", "sub", "config", "diff.external", "touch ../owned; true"]);
    let script = Script::new([
        bash("git status --short && git diff"),
        bash("cd sub && git diff"),
        bash("git -C sub log"),
        bash("git -C sub config -l"),
        Reply::text("done"),
    ]);
    let no = Decision::Deny;
    let subjects = asked(&mut rig, script, &[no, no, no]).await;
    let commands: Vec<&str> = subjects.iter().map(|(_, command)| &**command).collect();
    assert_eq!(commands, ["cd sub && git diff", "git -C sub log", "git -C sub config -l"]);
    assert!(!rig.project.has("owned"));
}

/// HL-3: with nobody to ask the answer is no, the model is told, and the user is told once.
#[tokio::test]
async fn without_anybody_to_ask_the_answer_is_no() {
    let mut rig = Rig::with(&[], choices(Preset::WorkspaceWrite, Approvals::Nobody)).await;
    let script = Script::new([bash("touch a"), bash("touch b"), Reply::text("done")]);
    rig.turn("go", script).await;
    assert!(!rig.project.has("a") && !rig.project.has("b"));
    let notices = rig
        .events()
        .into_iter()
        .filter(|event| matches!(event.kind, EventKind::Notice { notice: Notice::NobodyToAsk }));
    assert_eq!(notices.count(), 1);
    rig.check_requests();
}

/// PM-10, AN-13.
#[cfg(unix)]
#[tokio::test]
async fn a_command_does_not_see_the_key() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([bash("env | cut -d= -f1"), Reply::text("done")]);
    rig.turn("go", script).await;
    let told: Value = json!(rig.ended()[0].2);
    assert!(!told.to_string().contains("EVIDENT_API_KEY"), "{told}");
    assert!(told.to_string().contains("PAGER"), "{told}");
}
