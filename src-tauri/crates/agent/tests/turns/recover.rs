//! The end of a program in the middle of a turn, and what the next one finds.

use std::path::Path;

#[cfg(unix)]
use protocol::GapReason;
use protocol::{
    CappedText, CheckKind, Coverage, EventKind, Limits, Notice, Preset, ResultId, RootId,
    SessionId, ToolCallId, ToolCallStatus, TurnId, TurnOutcome, UnixSeconds, Verification,
    WorkspacePath,
};
use serde_json::json;
use session::{CapturedState, Commit, LocalRecord, Record, SessionLog};
use testkit::script::{Reply, Script};

use crate::rig::{LONG, Rig, session_id};

/// Returns what the user was told.
fn notices(rig: &Rig) -> Vec<Notice> {
    let notice = |event: protocol::SessionEvent| match event.kind {
        EventKind::Notice { notice } => Some(notice),
        _ => None,
    };
    rig.events().into_iter().filter_map(notice).collect()
}

/// Returns how the newest turn ended, and its receipt.
fn last_end(rig: &Rig) -> (TurnOutcome, protocol::CompletionReceipt) {
    let done = |event: protocol::SessionEvent| match event.kind {
        EventKind::TurnDone { outcome, receipt } => Some((outcome, receipt)),
        _ => None,
    };
    rig.events().into_iter().rev().find_map(done).expect("the turn is closed")
}

/// TI-1, TI-4: a command that was running is unknown; nothing is run again, nothing is made up.
#[tokio::test]
async fn an_open_call_is_told_as_unknown_and_the_next_turn_works() {
    let mut rig = Rig::new(&[]).await;
    let marker = rig.project.path().join("started");
    let script = Script::new([Reply::call(
        "bash",
        json!({"command": format!("echo x >> started && {LONG}")}),
    )
    .and_call("write_file", json!({"path": "a.txt", "content": "x"}))]);
    rig.cut_off("go", script, async |_| {
        // It is there before anything is in it.
        while !std::fs::read(&marker).is_ok_and(|it| it.ends_with(b"\n")) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let statuses: Vec<_> = rig.ended().into_iter().map(|(_, status, _)| status).collect();
    assert_eq!(statuses, [ToolCallStatus::Unknown, ToolCallStatus::Cancelled]);
    let (outcome, receipt) = last_end(&rig);
    assert_eq!(outcome, TurnOutcome::Interrupted);
    assert_eq!(receipt.diff.expect("a result").coverage, Coverage::Partial);
    let told = rig
        .events()
        .into_iter()
        .any(|event| matches!(event.kind, EventKind::Notice { notice: Notice::TurnRecovered }));
    assert!(told);

    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert_eq!((end.outcome, end.turn.0), (TurnOutcome::Completed, 1));
    assert_eq!(rig.project.read("started").trim(), "x", "it was not run again");
    rig.check_requests();
}

/// JR-2: text that streamed before the end is kept, marked as interrupted, and goes on.
#[tokio::test]
async fn streamed_text_survives_as_interrupted() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([Reply::text("half of it").and_hold("never")]);
    let folder = rig.sessions_folder().to_owned();
    rig.cut_off("go", script, async |server| {
        server.reached("never").await.expect("it streams");
        let reader = session::SessionReader::open(&folder, &session_id()).expect("readable");
        loop {
            let kept = reader.scratch_text().expect("scratch");
            if kept.iter().any(|it| it.text.contains("half of it")) {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    let kept = rig.events().into_iter().any(|event| {
        matches!(event.kind, EventKind::MessageCommitted { text, interrupted: true, .. } if text.text.contains("half of it"))
    });
    assert!(kept);
    assert!(rig.reader().scratch_text().expect("scratch").is_empty());
    rig.turn("go on", Script::new([Reply::text("ok")])).await;
    rig.check_requests();
}

/// TR-25, JR-6: a result that cannot be stored says so; when the session can be written again the
/// turn is closed, and the next one works. On Windows nobody can take away a file that is open.
#[cfg(unix)]
#[tokio::test]
async fn a_turn_whose_end_cannot_be_stored_is_closed_later() {
    let mut rig = Rig::new(&[]).await;
    let script = Script::new([
        Reply::call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("so").and_hold("end"),
    ]);
    let (folder, away) = (rig.sessions_folder().to_owned(), rig.project.path().join("../away"));
    let file = format!("{}.sqlite", session_id());
    let end = rig
        .turn_while("go", script, async |server, _, _| {
            server.reached("end").await.expect("it streams");
            std::fs::rename(folder.join(&file), &away).expect("the file is taken away");
            server.release("end");
        })
        .await;
    assert!(!end.saved);
    let diff = end.receipt.diff.expect("a result");
    assert!(diff.reasons.iter().any(|gap| gap.reason == GapReason::ResultNotSaved), "{diff:?}");
    assert_eq!(diff.coverage, Coverage::Partial);

    std::fs::rename(&away, folder.join(&file)).expect("the file is put back");
    let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
    assert!(end.saved);
    let outcomes = rig.events().into_iter().filter_map(|event| match event.kind {
        EventKind::TurnDone { outcome, .. } => Some(outcome),
        _ => None,
    });
    let outcomes: Vec<_> = outcomes.collect();
    assert_eq!(outcomes, [TurnOutcome::Interrupted, TurnOutcome::Completed]);
    rig.check_requests();
}

/// TR-4, CP-3: what the turn had written is counted from its stored captures.
#[tokio::test]
async fn a_cut_off_turn_is_frozen_when_the_session_is_opened() {
    let mut rig = Rig::new(&[("a.txt", "one\ntwo\n")]).await;
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call(
            "edit_file",
            json!({"path": "a.txt", "old_string": "two", "new_string": "2\n3"}),
        ),
        Reply::text("so").and_hold("never"),
    ]);
    rig.cut_off("go", script, async |server| server.reached("never").await.expect("it streams"))
        .await;
    let diff = last_end(&rig).1.diff.expect("a result");
    assert_eq!((diff.coverage, diff.added, diff.removed), (Coverage::Complete, 2, 1));
    let before = rig.events().len();
    rig.restart().await;
    assert_eq!(rig.events().len(), before, "it is closed once");
}

/// Stores a turn that began, checked and wrote, and has no end.
fn begin_a_turn(folder: &Path) {
    let mut log = SessionLog::open(folder, session_id(), &Limits::default()).expect("it is free");
    let (call, path) = (ToolCallId::minted("call00000"), WorkspacePath::new(RootId(0), "a.txt"));
    let check = Verification {
        command: CappedText::cut("exit 0"),
        kind: CheckKind::Declared,
        passed: true,
        stale: false,
        interrupted: false,
        exit_code: Some(0),
        tool_call_id: call.clone(),
        level: None,
        runner: None,
        qualifiers: Vec::new(),
        counts: None,
        cwd: None,
        started_at: None,
        duration_ms: Some(1),
        tool_result_id: None,
    };
    let (path, shown) = (path.expect("a path"), "spoiled image".to_owned());
    let nothing = CapturedState { fingerprint: None, mode: None };
    let written = Some(session::fingerprint(b"x\n"));
    let after = CapturedState { fingerprint: written, mode: None };
    let before = LocalRecord::Before {
        path: path.clone(),
        shown,
        call: call.clone(),
        before: nothing,
        blob: None,
    };
    let records = vec![
        Record::Event(EventKind::TurnStarted {
            result: ResultId::minted("0:17"),
            prompt: CappedText::cut("spoiled start"),
            model: "scripted".to_owned(),
            preset: Preset::WorkspaceWrite,
        }),
        Record::Local(before),
        Record::Local(LocalRecord::After { path, call, after }),
        Record::Local(LocalRecord::Check { check }),
    ];
    let at = UnixSeconds(1_700_000_000);
    let commit = Commit { turn: TurnId(0), at, records, blobs: Vec::new(), clear_scratch: None };
    log.commit(commit).expect("it is stored");
}

/// Spoils the record that holds a text, and puts a copy of what can still be read in its place.
fn spoil_and_copy(folder: &Path, text: &str) {
    let copy = SessionId::from_bits(9);
    let file = |id: &SessionId| folder.join(format!("{id}.sqlite"));
    let mut bytes = std::fs::read(file(&session_id())).expect("readable");
    let at = bytes.windows(text.len()).position(|it| it == text.as_bytes()).expect("it is there");
    bytes[at] = b'"';
    std::fs::write(file(&session_id()), bytes).expect("writable");
    let made = session::copy(folder, &session_id(), copy.clone(), UnixSeconds(1_700_000_000));
    assert_eq!(made.expect("a copy").lost_records, 1);
    std::fs::rename(file(&copy), file(&session_id())).expect("it takes the place");
}

/// TR-3, CL-6, JR-3: of a turn whose records were lost with a damaged file nothing is made up: in
/// the copy it is closed, its result is unknown, no check of it passed, and the next turn works.
#[tokio::test]
async fn a_turn_whose_records_were_lost_has_an_unknown_result() {
    for (text, is_lost) in [("", false), ("spoiled start", true), ("spoiled image", true)] {
        let mut rig = Rig::new(&[("a.txt", "x\n")]).await;
        rig.restart_after(|folder| {
            begin_a_turn(folder);
            if is_lost {
                spoil_and_copy(folder, text);
            }
        })
        .await;
        let (outcome, receipt) = last_end(&rig);
        let said = if is_lost { TurnOutcome::Unknown } else { TurnOutcome::Interrupted };
        assert_eq!(outcome, said, "{text}");
        let notice = if is_lost { Notice::RecordIncomplete } else { Notice::TurnRecovered };
        assert_eq!(notices(&rig), [notice], "{text}");
        let (diff, checks) = (receipt.diff.expect("a result"), receipt.verifications);
        assert_eq!(diff.coverage == Coverage::Unknown, is_lost, "{text}: {diff:?}");
        assert!(!is_lost || diff.files.is_empty() && diff.reasons.is_empty(), "{diff:?}");
        assert_eq!(checks.iter().map(|it| it.stale).collect::<Vec<_>>(), [is_lost], "{text}");
        let end = rig.turn("go on", Script::new([Reply::text("ok")])).await;
        assert_eq!((end.outcome, end.turn.0), (TurnOutcome::Completed, 1));
    }
}

/// Puts a copy in the place of a session that another program writes.
fn copy_while_it_is_written(folder: &Path) {
    let file = |id: &SessionId| folder.join(format!("{id}.sqlite"));
    let copy = SessionId::from_bits(9);
    let writer = SessionLog::open(folder, session_id(), &Limits::default()).expect("it is free");
    let made = session::copy(folder, &session_id(), copy.clone(), UnixSeconds(1_700_000_000));
    made.expect("a copy");
    drop(writer);
    std::fs::rename(file(&copy), file(&session_id())).expect("it takes the place");
}

/// SM-13, CL-6, CL-9: the copy of a turn that ran on elsewhere says neither that the program had
/// ended nor that nothing was checked; the model is told once that the rest is missing, after all that
/// it was sent before.
#[tokio::test]
async fn the_copy_of_a_running_turn_has_an_unknown_end() {
    let mut rig = Rig::new(&[("a.txt", "x\n")]).await;
    rig.turn("first", Script::new([Reply::text("one")])).await;
    rig.begin_only("second").await.expect("it begins");
    rig.restart_after(copy_while_it_is_written).await;
    let (outcome, receipt) = last_end(&rig);
    assert_eq!(outcome, TurnOutcome::Unknown);
    assert_eq!(receipt.notes, [], "nobody knows what it did");
    assert_eq!(receipt.diff.expect("a result").coverage, Coverage::Unknown);
    assert_eq!(notices(&rig), [Notice::RecordIncomplete]);
    rig.restart().await;
    rig.turn("go on", Script::new([Reply::text("ok")])).await;
    rig.turn("and on", Script::new([Reply::text("ok")])).await;
    let notes = rig.messages().into_iter().filter(|it| *it == session::rest_is_lost());
    assert_eq!(notes.count(), 1);
    // Each request begins with the one before it, and the last one has the note.
    rig.check_requests();
    let last = rig.requests().last().expect("requests").json().expect("JSON").to_string();
    assert_eq!(last.matches("is missing").count(), 1, "{last}");
}
