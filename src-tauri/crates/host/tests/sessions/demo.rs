//! The demo: scripted replies, real tools, on a project of its own.

use std::path::Path;

use host::{Approvals, Host};
use protocol::ErrorKind;
#[cfg(unix)]
use protocol::{EventKind, FileChangeKind, OpenedDemo, ResultNote, Seq, TurnId, TurnOutcome};

use crate::rig::{bare, free};
#[cfg(unix)]
use crate::rig::{events, turn};

fn host(home: &Path) -> Host {
    bare(home, Approvals::All)
}

/// Plays the demo's next turn; returns the answer.
#[cfg(unix)]
async fn play(host: &Host, demo: &OpenedDemo, prompt: &str) -> String {
    let mut follow = host.follow(&demo.session, Seq(0)).await.expect("it is open");
    let before = host.history(demo.session.clone(), None, 10).await.expect("history").turns.len();
    for _ in 0..before {
        crate::rig::until(&mut follow, |it| {
            matches!(it, protocol::Feed::Event(it) if matches!(it.kind, EventKind::TurnDone { .. }))
        })
        .await;
    }
    let frames = turn(host, &demo.session, &mut follow, prompt).await;
    let answer = events(&frames).into_iter().rev().find_map(|it| match it.kind {
        EventKind::MessageCommitted { text, .. } => Some(text.text),
        _ => None,
    });
    answer.expect("an answer")
}

/// The whole demo, with a restart between its turns. The card of the second contradicts its answer.
#[cfg(unix)]
#[tokio::test]
async fn the_first_turn_does_what_it_says_and_the_second_claims_more_than_was_done() {
    let home = tempfile::tempdir().expect("a folder");
    let first = host(home.path());
    let demo = first.start_demo().await.expect("the demo");
    assert_eq!(demo.prompts.len(), 2);
    play(&first, &demo, &demo.prompts[0]).await;
    let listed = first.list_sessions().await.expect("a list");
    assert_eq!(listed.iter().map(|it| it.is_demo).collect::<Vec<_>>(), [true]);
    let done = first.turn_result(demo.session.clone(), TurnId(0)).await.expect("a result");
    assert_eq!(done.outcome, TurnOutcome::Completed);
    let files = done.receipt.diff.expect("changes").files;
    let files: Vec<_> =
        files.iter().map(|it| (it.path.as_str(), it.kind, it.added, it.removed)).collect();
    assert_eq!(
        files,
        [
            ("cases/last-line.sh", FileChangeKind::Create, 2, 0),
            ("tally.sh", FileChangeKind::Modify, 1, 1),
        ]
    );
    let [check] = &done.receipt.verifications[..] else { panic!("one check") };
    assert_eq!(
        (check.command.text.as_str(), check.passed, check.stale),
        ("sh check.sh", true, false)
    );
    assert_eq!(done.receipt.notes, []);
    first.shutdown().await;

    let second = host(home.path());
    second.join_session(demo.session.clone(), free()).await.expect("it opens again");
    let claimed = play(&second, &demo, &demo.prompts[1]).await;
    assert!(claimed.contains("I added a case") && claimed.contains("the check passes"));
    let done = second.turn_result(demo.session.clone(), TurnId(1)).await.expect("a result");
    let files = done.receipt.diff.expect("changes").files;
    assert_eq!(files.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["tally.sh"]);
    let [check] = &done.receipt.verifications[..] else { panic!("one check") };
    assert!(check.passed && check.stale, "the check is older than the change");

    let after = play(&second, &demo, "more").await;
    assert!(after.contains("settings"), "{after}");
    let done = second.turn_result(demo.session.clone(), TurnId(2)).await.expect("a result");
    assert!(done.receipt.notes.contains(&ResultNote::NoNetChanges));
}

/// PM-2: the copy can be worked in; what lies beside it cannot.
#[tokio::test]
async fn each_demo_has_a_copy_of_its_own_and_our_own_folders_stay_closed() {
    let home = tempfile::tempdir().expect("a folder");
    let host = host(home.path());
    let (one, two) = (host.start_demo().await.expect("one"), host.start_demo().await.expect("two"));
    assert_ne!(one.workspace, two.workspace);
    let listed = host.list_sessions().await.expect("a list");
    assert!(listed.iter().any(|it| it.workspace == one.workspace), "spelled alike");
    let samples = home.path().join("demo");
    for closed in [home.path(), &samples, &home.path().join("sessions")] {
        let error = host.new_session(closed, free()).await.expect_err("it is ours");
        assert_eq!(error.kind(), ErrorKind::BadRequest, "{}", closed.display());
        let mut options = free();
        options.add_dirs.push(closed.to_owned());
        let error = host.new_session(Path::new(&one.workspace), options).await;
        assert_eq!(error.expect_err("it is ours").kind(), ErrorKind::BadRequest);
    }
}

/// AN-8: a window that asks for the same session again, even twice at once, gets the one there is.
#[tokio::test]
async fn an_open_session_is_joined() {
    let home = tempfile::tempdir().expect("a folder");
    let first = host(home.path());
    let demo = first.start_demo().await.expect("the demo");
    first.shutdown().await;
    let host = host(home.path());
    let join = || host.join_session(demo.session.clone(), free());
    let (one, two) = tokio::join!(join(), join());
    assert_eq!(one.expect("it opens"), two.expect("it is joined"));
}
