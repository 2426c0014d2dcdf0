//! A session as a whole: its title, the archive, the trash, copies.

use std::{fs, path::Path};

use protocol::{ErrorKind, EventKind, Limits, ModelMessage, SessionId};
use serde_json::json;
use session::{SessionLog, SessionReader};
use testkit::{
    Project,
    script::{Reply, Script},
};

use crate::rig::{done, events, free, host, new_session, scripted, turn};

fn store(home: &Path, session: &SessionId) -> std::path::PathBuf {
    home.join("sessions").join(format!("{session}.sqlite"))
}

/// AN-30, SM-1: another title is kept whether the session is open, runs, or is closed; a session
/// that another process writes is left to it.
#[tokio::test]
async fn a_session_is_renamed_and_archived_whatever_it_does() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let script = Script::new([Reply::text("wait ").and_hold("running"), Reply::text("again")]);
    let server = scripted(script).await;
    let first = host(home.path(), &server);
    let mut opened = new_session(&first, &project).await;
    let session = || opened.session.clone();
    first.prompt(&opened.session, "first words".to_owned()).await.expect("it begins");
    server.reached("running").await.expect("it streams");
    let named = first.rename_session(session(), "while it runs".to_owned()).await.expect("named");
    assert_eq!(named.title, "while it runs");
    let second = host(home.path(), &server);
    let other = second.rename_session(session(), "by another".to_owned()).await;
    assert_eq!(other.expect_err("held").kind(), ErrorKind::SessionBusy);
    server.release("running");
    done(&mut opened.follow).await;
    assert!(first.archive_session(session(), true).await.expect("put away").archived);
    first.shutdown().await;
    let listed = second.list_sessions().await.expect("a list");
    assert_eq!((listed[0].title.as_str(), listed[0].archived), ("while it runs", true));
    let renamed = second.rename_session(session(), String::new()).await.expect("closed");
    assert_eq!(renamed.title, "first words");
    assert!(!second.archive_session(session(), false).await.expect("taken out").archived);
    let missing = second.rename_session(SessionId::from_bits(1), "x".to_owned()).await;
    assert_eq!(missing.expect_err("none").kind(), ErrorKind::Missing);
}

/// Deleting loses nothing, and waits for whoever writes.
#[tokio::test]
async fn a_session_is_deleted_into_the_trash_when_nobody_writes_it() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let server = scripted(Script::new([Reply::text("wait ").and_hold("running")])).await;
    let (first, second) = (host(home.path(), &server), host(home.path(), &server));
    let mut opened = new_session(&first, &project).await;
    let session = opened.session.clone();
    first.prompt(&session, "go".to_owned()).await.expect("it begins");
    server.reached("running").await.expect("it streams");
    let running = first.delete_session(session.clone()).await.expect_err("it runs");
    assert_eq!(running.kind(), ErrorKind::TurnRunning);
    assert!(running.to_string().contains("interrupt it"), "{running}");
    let held = second.delete_session(session.clone()).await.expect_err("it is held");
    assert_eq!(held.kind(), ErrorKind::SessionBusy);
    assert!(held.to_string().contains("closed there"), "{held}");
    server.release("running");
    done(&mut opened.follow).await;
    // It is open here, and nothing runs.
    first.delete_session(session.clone()).await.expect("it is closed and moved");
    assert_eq!(first.list_sessions().await.expect("a list"), []);
    let prompted = first.prompt(&session, "go".to_owned()).await.expect_err("it is gone");
    assert_eq!(prompted.kind(), ErrorKind::Missing);
    let trash = home.path().join("trash").join(format!("{session}.sqlite"));
    fs::rename(trash, store(home.path(), &session)).expect("put back");
    assert_eq!(second.history(session, None, 1).await.expect("history").turns.len(), 1);
}

/// SM-13: a turn in the copy changes the copy alone; the model is sent all that was said before.
#[tokio::test]
async fn a_copy_is_gone_on_with_and_the_original_stays_byte_for_byte() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let write = Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"}));
    let script = Script::new([write, Reply::text("made"), Reply::text("more")]);
    let server = scripted(script).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    turn(&host, &opened.session, &mut opened.follow, "make it").await;
    host.close(&opened.session).await;
    let before = fs::read(store(home.path(), &opened.session)).expect("readable");
    let made = host.copy_session(opened.session.clone()).await.expect("a copy");
    assert_eq!((made.lost_records, &made.damage), (0, &None));
    let mut copy = host.open_session(made.session.clone(), free(), None).await.expect("it opens");
    turn(&host, &copy.session, &mut copy.follow, "and more").await;
    let sent = server.requests();
    let bodies: Vec<_> =
        sent.iter().map(|it| it.json().expect("JSON")["messages"].clone()).collect();
    let (second, third) = (bodies[1].as_array().expect("a list"), bodies[2].as_array());
    assert_eq!(third.expect("a list")[..second.len()], second[..], "the same prefix");
    host.shutdown().await;
    let page = host.history(made.session.clone(), None, 9).await.expect("history");
    assert_eq!(page.turns.len(), 2);
    let origin = host.list_sessions().await.expect("a list");
    let origin = origin.iter().find(|it| it.session == made.session).expect("listed");
    assert_eq!(origin.copied_from, Some(opened.session.clone()));
    assert_eq!(fs::read(store(home.path(), &opened.session)).expect("readable"), before);
}

/// JR-3, SM-4: a damaged session is shown as far as it can be read, says so, is written by nobody,
/// and goes on in a copy.
#[tokio::test]
async fn a_damaged_session_is_shown_and_goes_on_in_a_copy() {
    let (home, project) = (tempfile::tempdir().expect("a folder"), Project::new([]));
    let replies = (0..7).map(|number| Reply::text(format!("answer {number}")));
    let server = scripted(Script::new(replies)).await;
    let host = host(home.path(), &server);
    let mut opened = new_session(&host, &project).await;
    let session = opened.session.clone();
    for number in 0..6 {
        let prompt = format!("prompt {number} {}", "x".repeat(5_000));
        turn(&host, &session, &mut opened.follow, &prompt).await;
    }
    host.close(&session).await;
    let path = store(home.path(), &session);
    let mut bytes = fs::read(&path).expect("readable");
    let at = bytes.windows(8).rposition(|it| it == b"prompt 3").expect("it is there");
    bytes[at / 1024 * 1024..][..1024].fill(0xee);
    fs::write(&path, &bytes).expect("writable");

    let page = host.history(session.clone(), None, 9).await.expect("what can be read");
    assert_eq!(page.turns.len(), 6);
    assert!(page.damage.is_some());
    let refused = host.open_session(session.clone(), free(), None).await.expect_err("damaged");
    assert_eq!(refused.kind(), ErrorKind::SessionDamaged);
    let said = refused.to_string();
    assert!(said.contains("kept as it is") && said.contains("--copy"), "{said}");
    let made = host.copy_session(session.clone()).await.expect("a copy");
    assert!(0 < made.lost_records && made.damage.is_some(), "{made:?}");
    let mut copy = host.open_session(made.session.clone(), free(), None).await.expect("it opens");
    let frames = turn(&host, &copy.session, &mut copy.follow, "go on").await;
    assert!(events(&frames).iter().any(|it| matches!(it.kind, EventKind::TurnDone { .. })));
    let sent = server.requests().last().expect("it was asked").json().expect("JSON").to_string();
    assert!(sent.contains("was damaged here") && sent.contains("answer 5"), "{sent}");
    assert!(!sent.contains("prompt 3"), "no part of a turn is sent as the whole");
    assert_eq!(fs::read(&path).expect("readable"), bytes);
    host.shutdown().await;
    SessionLog::open(&home.path().join("sessions"), made.session.clone(), &Limits::default())
        .expect("it is sound");
    let reader = SessionReader::open(&home.path().join("sessions"), &made.session).expect("sound");
    let messages = reader.model_messages().expect("all of them");
    assert!(matches!(messages[0], ModelMessage::Context { .. }));
}
