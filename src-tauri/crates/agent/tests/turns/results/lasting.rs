//! When a result is there, how long, and who is told of it.

#[cfg(unix)]
use protocol::GapReason;
use protocol::{Coverage, EventKind, Feed, TurnChanges, TurnId, TurnOutcome};
use serde_json::json;
use session::LocalRecord;
use testkit::script::{Reply, Script};

#[cfg(unix)]
use crate::rig::session_id;
use crate::rig::{LONG, Rig, changes, files};

fn write(path: &str, content: &str) -> Reply {
    Reply::call("write_file", json!({ "path": path, "content": content }))
}

/// Returns the stored result of a turn, and its patches.
fn frozen(rig: &Rig, turn: TurnId) -> (TurnChanges, Vec<String>) {
    let reader = rig.reader();
    let records = reader.local_records(turn).expect("records");
    let Some(LocalRecord::Frozen { changes, patches }) = records.last() else {
        panic!("the result is not the last that is kept of it: {records:?}")
    };
    let patch = |it: &session::StoredPatch| {
        let bytes = reader.blob(it.blob).expect("it is readable").expect("it is there");
        String::from_utf8(bytes).expect("it is UTF-8")
    };
    (changes.clone(), patches.iter().map(patch).collect())
}

/// B12, TR-6, TR-25, 09 rows 16 and 27: a result is what its own turn changed of what it found, net.
/// It is the same after a restart and after a later turn, and that one counts nothing of it.
#[tokio::test]
async fn a_result_is_of_its_own_turn_and_stays_what_it_was() {
    let mut rig = Rig::new(&[("a.txt", "user line\nold\n")]).await;
    let edit = |old: &str, new: &str| {
        let edit = json!({ "path": "a.txt", "old_string": old, "new_string": new });
        Reply::call("edit_file", edit)
    };
    let read = || Reply::call("read_file", json!({ "path": "a.txt" }));
    let script = Script::new([
        read(),
        edit("old", "temporary"),
        edit("temporary", "new"),
        write("b.txt", "one line\n"),
        Reply::text("I changed a dozen files."),
    ]);
    let first = rig.turn("go", script).await;
    assert_eq!(files(&first.receipt), ["Modify a.txt +1 -1", "Create b.txt +1 -0"]);
    let it = changes(&first.receipt);
    assert_eq!((it.total_files, it.added, it.removed), (2, 2, 1));
    assert_eq!(it.coverage, Coverage::Complete);
    let stored = frozen(&rig, first.turn);
    assert_eq!(stored.0, *it);
    let patch = &stored.1[0];
    assert!(patch.contains("\n-old\n+new\n") && !patch.contains("-user line"), "{patch}");
    rig.restart().await;
    assert_eq!(frozen(&rig, first.turn), stored);
    let script = Script::new([read(), edit("new", "newest"), Reply::text("done")]);
    let second = rig.turn("again", script).await;
    assert_eq!(files(&second.receipt), ["Modify a.txt +1 -1"]);
    let it = changes(&second.receipt);
    assert_eq!((it.total_files, it.added, it.removed), (1, 1, 1));
    let patch = &frozen(&rig, second.turn).1[0];
    assert!(patch.contains("\n-new\n+newest\n"), "{patch}");
    assert_eq!(frozen(&rig, first.turn), stored);
}

/// CP-1, 09 row 24: a message is one turn with one checkpoint, counted from 0 and on through failures and
/// restarts; the closing of a turn that was cut off is none.
#[tokio::test]
async fn turns_are_numbered_by_messages_alone() {
    let mut rig = Rig::new(&[]).await;
    let told = Script::new([write("a.txt", "a\n"), Reply::text("done")]);
    assert_eq!(rig.turn("first", told).await.turn.0, 0);
    rig.restart().await;
    let failed = Script::new([Reply::status(500, r#"{"error":{"message":"overloaded"}}"#)]);
    let end = rig.turn("second", failed).await;
    assert!(matches!(end.outcome, TurnOutcome::Failed { .. }), "{:?}", end.outcome);
    let command = json!({ "command": LONG });
    let half = Script::new([write("b.txt", "b\n"), Reply::call("bash", command)]);
    let path = rig.project.path().join("b.txt");
    rig.cut_off("third", half, async |_| {
        while !path.exists() {
            tokio::task::yield_now().await;
        }
    })
    .await;
    rig.restart().await;
    let end = rig.turn("fourth", Script::new([Reply::text("done")])).await;
    assert_eq!(end.turn.0, 3);
    let started: Vec<_> = rig
        .events()
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::TurnStarted { prompt, .. } => Some((event.turn.0, prompt.text)),
            _ => None,
        })
        .collect();
    let wanted = [(0, "first"), (1, "second"), (2, "third"), (3, "fourth")];
    assert_eq!(started, wanted.map(|(turn, prompt)| (turn, prompt.to_owned())));
    for turn in rig.events().into_iter().map(|event| event.turn) {
        let records = rig.reader().local_records(turn).expect("records");
        let frozen = records.iter().filter(|it| matches!(it, LocalRecord::Frozen { .. })).count();
        assert_eq!(frozen, 1, "turn {} is frozen once (TR-1, TR-3)", turn.0);
    }
}

/// CP-27, TR-1, TR-23, 09 row 25: when the end of a turn is shown, its result and its patches can be had.
#[tokio::test]
async fn the_result_is_there_when_the_end_of_the_turn_is_shown() {
    let mut rig = Rig::new(&[]).await;
    let reader = rig.reader();
    let mut frames = rig.watchers.frames.subscribe();
    let script = Script::new([write("a.txt", "a\n"), Reply::text("done")]);
    let shown = async move {
        let is_end = |frame: &Feed| match frame {
            Feed::Event(event) => matches!(event.kind, EventKind::TurnDone { .. }),
            Feed::Delta(_) => false,
        };
        let Feed::Event(event) = Rig::frame(&mut frames, is_end).await else { unreachable!() };
        // Nothing is waited for: it has to be there by now.
        let records = reader.local_records(event.turn).expect("records");
        let Some(LocalRecord::Frozen { changes, patches }) = records.last() else {
            panic!("the result is not the last that is kept of it: {records:?}")
        };
        let patch = reader.blob(patches[0].blob).expect("it is readable").expect("it is there");
        (event.seq, changes.clone(), patch)
    };
    let (end, (seq, stored, patch)) = tokio::join!(rig.turn("go", script), shown);
    assert_eq!(stored, *changes(&end.receipt));
    // However fast what follows is stored: nothing does.
    assert_eq!(rig.reader().last_seq().expect("it is readable"), seq);
    assert!(patch.ends_with(b"@@ -0,0 +1 @@\n+a\n"), "{}", String::from_utf8_lossy(&patch));
}

/// CL-5, TR-1, TR-25, 09 row 25: an end is shown after it is stored. Where nothing can be stored, no end is
/// shown but the one that says so; what is shown first would be seen here, however short the time between.
/// On Windows nobody can take away a file that is open.
#[cfg(unix)]
#[tokio::test]
async fn an_end_that_cannot_be_stored_is_never_shown_as_one_that_is() {
    let mut rig = Rig::new(&[]).await;
    let mut frames = rig.watchers.frames.subscribe();
    let script = Script::new([write("a.txt", "a\n"), Reply::text("so").and_hold("end")]);
    let (folder, away) = (rig.sessions_folder().to_owned(), rig.project.path().join("../away"));
    let file = folder.join(format!("{}.sqlite", session_id()));
    rig.turn_while("go", script, async |server, _, _| {
        server.reached("end").await.expect("it streams");
        std::fs::rename(&file, &away).expect("the file is taken away");
        server.release("end");
    })
    .await;
    let mut ends = Vec::new();
    while let Ok(frame) = frames.try_recv() {
        if let Feed::Event(event) = frame
            && let EventKind::TurnDone { receipt, .. } = event.kind
        {
            ends.push(receipt.diff.expect("every turn that ended has a result (TR-33)").reasons);
        }
    }
    let [reasons] = &ends[..] else { panic!("one end is shown: {ends:?}") };
    assert!(reasons.iter().any(|gap| gap.reason == GapReason::ResultNotSaved), "{reasons:?}");
}

/// TR-41: the model is told nothing of a result: the next request is the one before, what was
/// answered, and the new message.
#[tokio::test]
async fn a_result_is_not_told_to_the_model() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([write("a.txt", "a\n"), Reply::text("done")]);
    let end = rig.turn("go", script).await;
    rig.turn("and now?", Script::new([Reply::text("nothing")])).await;
    let [.., before, after] = rig.requests() else { panic!("there are three") };
    let [before, after] = [before, after].map(|it| it.json().expect("a request is JSON"));
    let sent = |of: &serde_json::Value| of["messages"].as_array().cloned().unwrap_or_default();
    let added = sent(&after).split_off(sent(&before).len());
    let roles: Vec<_> = added.iter().map(|it| it["role"].as_str().unwrap_or_default()).collect();
    assert_eq!(roles, ["assistant", "user"]);
    assert_eq!((&added[0]["content"], &added[1]["content"]), (&json!("done"), &json!("and now?")));
    assert_eq!(before["tools"], after["tools"]);
    assert!(!after.to_string().contains(changes(&end.receipt).id.as_str()));
    rig.check_requests();
}
