//! Background jobs outside of turns: their end is told when it comes, and a close ends them.

use std::time::Duration;

use protocol::{EventKind, Feed, JobState};
use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{host, new_session, scripted, until};

fn background(command: &str) -> Script {
    let call = Reply::call("bash", json!({"command": command, "run_in_background": true}));
    Script::new([call, Reply::text("it runs")])
}

fn is_done(frame: &Feed) -> bool {
    matches!(frame, Feed::Event(event) if matches!(event.kind, EventKind::TurnDone { .. }))
}

fn state(frame: &Feed) -> Option<(u32, JobState)> {
    match frame {
        Feed::Event(event) => match &event.kind {
            EventKind::JobChanged { state, .. } => Some((event.turn.0, *state)),
            _ => None,
        },
        Feed::Delta(_) => None,
    }
}

/// CL-5: a job that ends between two turns is told then, in the turn that was last.
#[tokio::test]
async fn a_job_that_ends_between_turns_is_told_then() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(background("until [ -e go ]; do sleep 0.05; done; exit 3")).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    host.prompt(&opened.session, "go".to_owned()).await.expect("it begins");
    until(&mut opened.follow, is_done).await;
    project.write("go", "");
    let frames = until(&mut opened.follow, |it| state(it).is_some()).await;
    assert_eq!(frames.last().and_then(state), Some((0, JobState::Ended)));
    let page = host.history(opened.session.clone(), None, 1).await.expect("history");
    let last = page.turns[0].events.last().expect("events").clone();
    assert_eq!(Some(&Feed::Event(Box::new(last))), frames.last(), "it is stored as it was shown");
    host.close(&opened.session).await;
}

/// TI-7, AN-30: a close ends what runs in the background, within the grace, and says so.
#[tokio::test]
async fn a_close_ends_what_runs_in_the_background() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(background("sleep 300 & sleep 300")).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    host.prompt(&opened.session, "go".to_owned()).await.expect("it begins");
    until(&mut opened.follow, is_done).await;
    let closing = host.close(&opened.session);
    tokio::time::timeout(Duration::from_secs(60), closing).await.expect("it is bounded");
    let frames = until(&mut opened.follow, |it| state(it).is_some()).await;
    assert_eq!(frames.last().and_then(state), Some((0, JobState::Stopped)));
    assert_eq!(opened.follow.next().await.expect("readable"), None);
}
