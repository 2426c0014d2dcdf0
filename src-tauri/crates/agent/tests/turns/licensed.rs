//! Writes and what licenses them: the lines that were shown, and a refusal that brings those that
//! were not.

use protocol::{DiagnosticCode, EventKind, LineRange, ToolCallStatus};
use serde_json::json;
use session::LocalRecord;
use testkit::script::{Reply, Script};

use crate::rig::Rig;

fn lines(count: u32) -> String {
    (1..=count).map(|it| format!("line {it}\n")).collect()
}

fn edit(old: &str, new: &str) -> Reply {
    Reply::call("edit_file", json!({"path": "a.txt", "old_string": old, "new_string": new}))
}

fn read(arguments: serde_json::Value) -> Reply {
    Reply::call("read_file", arguments)
}

fn refusals(rig: &Rig) -> Vec<(DiagnosticCode, Vec<LineRange>)> {
    let refusal = |event: protocol::SessionEvent| match event.kind {
        EventKind::ToolFinished { refusal: Some(it), .. } => Some((it.code, it.required_ranges)),
        _ => None,
    };
    rig.events().into_iter().filter_map(refusal).collect()
}

fn told(rig: &Rig) -> Vec<String> {
    rig.ended().into_iter().map(|it| it.2).collect()
}

/// DEC-9, B26, CL-1: an edit of lines that were never read is refused once, brings them, and the same
/// edit goes through in the next answer, without a read.
#[tokio::test]
async fn an_edit_of_unread_lines_is_refused_once_and_brings_its_cure() {
    let mut rig = Rig::new(&[("a.txt", &lines(50))]).await;
    let script = Script::new([
        edit("line 20\nline 21\n", "changed\n"),
        edit("line 20\nline 21\n", "changed\n"),
        Reply::text("done"),
    ]);
    rig.turn("go", script).await;
    assert_eq!(
        refusals(&rig),
        [(DiagnosticCode::WriteEvidenceMissing, vec![LineRange::new(19, 21)])]
    );
    assert!(told(&rig)[0].contains("\n20\tline 20\n21\tline 21\n"), "{}", told(&rig)[0]);
    assert!(rig.project.read("a.txt").contains("line 19\nchanged\nline 22\n"));
    let reads =
        rig.reader().local_records(protocol::TurnId(0)).expect("records").into_iter().filter_map(
            |it| match it {
                LocalRecord::Read { envelope } => Some(envelope),
                _ => None,
            },
        );
    let reads: Vec<_> = reads.collect();
    assert_eq!(reads.len(), 1, "an ordinary read, with its own envelope: {reads:?}");
    assert_eq!(reads[0].delivered_ranges, [LineRange::new(19, 21)]);
    rig.check_requests();
}

/// DEC-9: more lines than a refusal brings are named.
#[tokio::test]
async fn lines_too_many_to_be_brought_are_named() {
    let mut rig = Rig::new(&[("a.txt", &lines(1_000))]).await;
    let overwrite = || Reply::call("write_file", json!({"path": "a.txt", "content": "new\n"}));
    let script = Script::new([
        overwrite(),
        read(json!({"path": "a.txt"})),
        overwrite(),
        Reply::text("done"),
    ]);
    rig.turn("go", script).await;
    assert_eq!(
        refusals(&rig),
        [(DiagnosticCode::WriteEvidenceMissing, vec![LineRange::new(0, 1_000)])]
    );
    assert!(told(&rig)[0].contains("read lines 1-1000"), "{}", told(&rig)[0]);
    assert!(!told(&rig)[0].contains("line 7"), "{}", told(&rig)[0]);
    assert_eq!(rig.project.read("a.txt"), "new\n");
}

/// DEC-2 (b), B26, 09 row 23: an edit of other lines than those that somebody else changed keeps that
/// change, and names it.
#[tokio::test]
async fn a_foreign_change_of_other_lines_is_kept_and_named() {
    let mut rig = Rig::new(&[("a.txt", &lines(9))]).await;
    let script = Script::new([
        read(json!({"path": "a.txt"})),
        edit("line 5", "changed").and_hold("read"),
        edit("line 7", "too"),
        Reply::text("done"),
    ]);
    let file = rig.project.path().join("a.txt");
    rig.turn_while("go", script, async |server, _, _| {
        server.reached("read").await.expect("it was read");
        std::fs::write(&file, format!("by hand\n{}", lines(9))).expect("somebody else writes");
        server.release("read");
    })
    .await;
    let expected = format!("by hand\n{}", lines(9)).replace("line 5", "changed");
    assert_eq!(rig.project.read("a.txt"), expected.replace("line 7", "too"));
    assert_eq!(refusals(&rig), []);
    assert!(told(&rig)[1].contains("[line 1 of a.txt"), "{}", told(&rig)[1]);
    rig.check_requests();
}

/// WB-36, DEC-9: an edit whose passage is gone is refused with the lines that are there now.
#[tokio::test]
async fn an_edit_whose_passage_is_gone_is_refused_with_the_lines_of_now() {
    let mut rig = Rig::new(&[("a.txt", &lines(9))]).await;
    let script = Script::new([
        read(json!({"path": "a.txt"})),
        edit("line 4\nline 5\nline 6\n", "changed\n").and_hold("read"),
        edit("line 4\nby hand\nline 6\n", "changed\n"),
        Reply::text("done"),
    ]);
    let file = rig.project.path().join("a.txt");
    rig.turn_while("go", script, async |server, _, _| {
        server.reached("read").await.expect("it was read");
        let by_hand = lines(9).replace("line 5", "by hand");
        std::fs::write(&file, by_hand).expect("somebody else writes");
        server.release("read");
    })
    .await;
    assert_eq!(refusals(&rig).len(), 1, "{:?}", refusals(&rig));
    assert_eq!(refusals(&rig)[0].0, DiagnosticCode::WriteEvidenceStale);
    assert!(told(&rig)[1].contains("\n5\tby hand\n"), "{}", told(&rig)[1]);
    assert!(rig.project.read("a.txt").contains("line 3\nchanged\nline 7\n"));
}

/// DEC-13: what was read in one turn can be edited in the next.
#[tokio::test]
async fn what_was_read_in_one_turn_can_be_edited_in_the_next() {
    let mut rig = Rig::new(&[("a.txt", &lines(9))]).await;
    let script = Script::new([read(json!({"path": "a.txt"})), Reply::text("nine lines")]);
    rig.turn("what is in it?", script).await;
    let script = Script::new([edit("line 5", "changed"), Reply::text("done")]);
    rig.turn("change line 5", script).await;
    assert_eq!(refusals(&rig), []);
    assert!(rig.project.read("a.txt").contains("changed"));
}

/// DEC-2 (a), WB-39: edits after edits, and after a whole file was written, need no read.
#[tokio::test]
async fn edits_after_own_writes_need_no_read() {
    let mut rig = Rig::new(&[("a.txt", &lines(60))]).await;
    let script = Script::new([
        read(json!({"path": "a.txt", "offset": 9, "limit": 10})),
        edit("line 12\n", "12a\n12b\n12c\n"),
        edit("12c\nline 13\n", "13\n").and_call(
            "edit_file",
            json!({"path": "a.txt", "old_string": "13\nline 14", "new_string": "14"}),
        ),
        Reply::call("write_file", json!({"path": "b.txt", "content": "x\ny\nz\n"})),
        Reply::call(
            "edit_file",
            json!({"path": "b.txt", "old_string": "y\n", "new_string": "w\n"}),
        ),
        Reply::call("write_file", json!({"path": "b.txt", "content": "all new\n"})),
        Reply::text("done"),
    ]);
    rig.turn("go", script).await;
    assert_eq!(refusals(&rig), [], "{:?}", told(&rig));
    assert!(rig.project.read("a.txt").contains("line 11\n12a\n12b\n14\nline 15\n"));
    assert_eq!(rig.project.read("b.txt"), "all new\n");
    assert!(rig.ended().iter().all(|it| it.1 == ToolCallStatus::Completed));
}

/// WB-32, B8, DEC-2: a read licenses nothing in its own answer; in the next one it does.
#[tokio::test]
async fn b8_a_read_licenses_writes_of_the_next_answer() {
    let mut rig = Rig::new(&[("a.txt", &lines(9))]).await;
    let call = json!({"path": "a.txt", "old_string": "line 5", "new_string": "changed"});
    let script = Script::new([
        read(json!({"path": "a.txt"})).and_call("edit_file", call),
        edit("line 5", "changed"),
        Reply::text("done"),
    ]);
    rig.turn("go", script).await;
    assert_eq!(refusals(&rig).len(), 1);
    assert!(rig.project.read("a.txt").contains("changed"));
}

/// WB-40, B9: a file that the user asks to be written anew, by its path, needs no read. Another one of
/// that name does.
#[tokio::test]
async fn b9_a_file_that_the_user_wants_anew_needs_no_read() {
    let mut rig = Rig::new(&[("a/x.txt", "old\n"), ("b/x.txt", "old\n")]).await;
    let write = |path: &str| Reply::call("write_file", json!({"path": path, "content": "new\n"}));
    let script = Script::new([write("a/x.txt"), write("b/x.txt"), Reply::text("done")]);
    rig.turn("请重写 a/x.txt", script).await;
    let refused = refusals(&rig);
    assert_eq!(refused, [(DiagnosticCode::WriteEvidenceMissing, vec![LineRange::new(0, 1)])]);
    assert_eq!(rig.project.read("a/x.txt"), "new\n");
    assert_eq!(rig.project.read("b/x.txt"), "old\n");
    let script = Script::new([write("b/x.txt"), Reply::text("done")]);
    rig.turn("do not rewrite b/x.txt", script).await;
    assert_eq!(rig.project.read("b/x.txt"), "new\n", "its line was shown by the refusal");
}
