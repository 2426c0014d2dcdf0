//! The words that a result and a receipt are said in.

use protocol::{CompletionReceipt, TurnFile};
use serde_json::{Value, json};
use testkit::script::{Reply, Script};

use crate::rig::Rig;

fn as_json(receipt: &CompletionReceipt) -> Value {
    serde_json::to_value(receipt).expect("a receipt is JSON")
}

/// TR-20, TR-31, TR-33, TR-40: a turn that only talked has a result and a receipt as well, every
/// list is there, and the host gives no verdict.
#[tokio::test]
async fn a_turn_that_only_talked_has_a_whole_receipt() {
    let mut rig = Rig::new(&[]).await;
    let end = rig.turn("hello", Script::new([Reply::text("hello")])).await;
    let mut receipt = as_json(&end.receipt);
    let id = receipt["diff"]["id"].take();
    assert!(id.as_str().is_some_and(|it| it.starts_with("0:1700000000")), "{id}");
    let nothing = json!({
        "diff": {
            "id": null, "turn": 0, "coverage": "complete", "files": [], "totalFiles": 0,
            "added": 0, "removed": 0, "levels": [], "reasons": [],
        },
        "interrupted": false,
        "verdict": "unknown",
        "assessmentKind": "facts",
        "verifications": [],
        "refused": [],
        "notes": [{ "note": "no_recorded_check" }, { "note": "no_net_changes" }],
    });
    assert_eq!(receipt, nothing);
}

/// TR-21, TR-23, TR-32: each file says how it is known and by which calls, each level has its totals,
/// what is not so is left out, and no event carries a patch.
#[tokio::test]
async fn a_file_says_what_is_known_of_it_and_how() {
    let mut rig = Rig::new(&[("a.txt", "old line\n")]).await;
    let script = Script::new([
        Reply::call("read_file", json!({"path": "a.txt"})),
        Reply::call("write_file", json!({"path": "a.txt", "content": "new line\n"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    let mut diff = as_json(&end.receipt)["diff"].take();
    let call = diff["files"][0]["callIds"][0].take();
    assert!(call.is_string(), "{diff}");
    let file = json!({
        "path": "a.txt", "kind": "modify", "added": 1, "removed": 1, "level": "written",
        "callIds": [null],
    });
    assert_eq!(diff["files"], json!([file]));
    let level = json!({ "level": "written", "files": 1, "added": 1, "removed": 1 });
    assert_eq!(diff["levels"], json!([level]));
    let events = serde_json::to_string(&rig.events()).expect("events are JSON");
    assert!(!events.contains("@@") && !events.contains("diff --git"), "{events}");
}

/// AN-23, TR-32, TR-40: what an older version did not say is unknown now, and neither zero nor a
/// reason not to read the rest.
#[test]
fn what_an_old_receipt_does_not_say_is_not_made_up() {
    let old = json!({
        "interrupted": false, "verdict": "unknown", "assessmentKind": "facts",
        "verifications": [], "refused": [], "notes": [],
    });
    let receipt: CompletionReceipt = serde_json::from_value(old).expect("it is read");
    assert_eq!(receipt.diff, None);
    let old = json!({ "path": "a.txt", "kind": "modify", "added": 1, "removed": 1 });
    let file: TurnFile = serde_json::from_value(old).expect("it is read");
    assert_eq!((file.level, file.unavailable, file.uncounted), (None, None, false));
    assert_eq!(file.call_ids, []);
}
