//! Following: no gap, no repeat, and all of the text so far for whoever comes late (AN-4).

use protocol::{EventKind, Feed, Seq};
use serde_json::json;
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{done, events, free, host, new_session, scripted, turn, until};

/// AN-4: the first delta of a running message holds all of it, and the next ones go on from there.
#[tokio::test]
async fn who_comes_late_gets_the_text_so_far_and_then_the_rest() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let text = Reply::text("one two three ").and_hold("half").and_text("four five");
    let server = scripted(Script::new([text])).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    host.prompt(&opened.session, "go".to_owned()).await.expect("it begins");
    server.reached("half").await.expect("it streams");
    until(
        &mut opened.follow,
        |it| matches!(it, Feed::Delta(delta) if delta.text.contains("three")),
    )
    .await;

    let mut late = host.follow(&opened.session, Seq(0)).await.expect("it is open");
    let first = until(&mut late, |it| matches!(it, Feed::Delta(_))).await;
    let Some(Feed::Delta(so_far)) = first.last() else { panic!("a delta") };
    assert_eq!(so_far.text, "one two three ");
    server.release("half");
    let rest = until(
        &mut late,
        |it| matches!(it, Feed::Event(event) if matches!(event.kind, EventKind::TurnDone { .. })),
    )
    .await;
    let (mut whole, mut part) = (so_far.text.clone(), so_far.part);
    for frame in &rest {
        if let Feed::Delta(delta) = frame {
            part += 1;
            assert_eq!(delta.part, part, "no gap");
            whole.push_str(&delta.text);
        }
    }
    assert_eq!(whole, "one two three four five");
    let seqs: Vec<Seq> = events(&[first, rest].concat()).iter().map(|it| it.seq).collect();
    assert!(seqs.is_sorted_by(|a, b| a < b), "{seqs:?}");
}

/// A watcher that does not read for longer than the backlog loses nothing that is stored.
#[tokio::test]
async fn who_falls_behind_reads_what_was_missed_from_the_store() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let replies = (0..700).map(|_| Reply::text("hi"));
    let server = scripted(Script::new(replies)).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let mut slow = host.follow(&opened.session, Seq(0)).await.expect("it is open");
    let mut live = Vec::new();
    for _ in 0..700 {
        live.extend(events(&turn(&host, &opened.session, &mut opened.follow, "go").await));
    }
    let last = live.last().expect("events").seq;
    let frames = until(&mut slow, |it| matches!(it, Feed::Event(event) if event.seq == last)).await;
    assert_eq!(events(&frames), live);
    host.shutdown().await;
    assert_eq!(slow.next().await.expect("readable"), None, "the feed ends with the session");
}

/// SM-8: what is replayed are the same rows as live, by the same ids; whoever reads the history and
/// then follows sees each of them once.
#[tokio::test]
async fn history_and_what_follows_are_each_event_once() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let write = Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"}));
    let script = Script::new([write, Reply::text("one"), Reply::text("two")]);
    let server = scripted(script).await;
    let first = host(home.path(), &server);
    let mut opened = new_session(&first, &project).await;
    let session = opened.session.clone();
    let mut live = events(&turn(&first, &session, &mut opened.follow, "one").await);
    first.shutdown().await;

    let second = host(home.path(), &server);
    let mut again = second.open_session(session.clone(), free(), None).await.expect("it opens");
    let page = second.history(session.clone(), None, 10).await.expect("history");
    let mut seen: Vec<_> = page.turns.into_iter().flat_map(|it| it.events).collect();
    assert_eq!(seen, live, "by the same ids");
    let last = seen.last().expect("a turn").seq;
    let mut follow = second.follow(&session, last).await.expect("it is open");
    live.extend(events(&turn(&second, &session, &mut again.follow, "two").await));
    seen.extend(events(&done(&mut follow).await));
    assert_eq!(seen, live);
    let numbers: std::collections::BTreeSet<_> = seen.iter().map(|it| it.seq).collect();
    assert_eq!(numbers.len(), seen.len());
}
