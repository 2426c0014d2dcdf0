use serde_json::json;

use super::*;

const PATCH: &[u8] = b"--- a/x.txt\n+++ b/x.txt\n@@ -1 +1,2 @@\n-a\n+A\n+b\n";

/// It makes another file.
const OTHER: &[u8] = b"--- a/x.txt\n+++ b/x.txt\n@@ -1 +1,2 @@\n-a\n+A\n+c\n";

fn edited() -> Planned {
    Planned {
        path: "x.txt".to_owned(),
        is_executable: false,
        before: Some(b"a\n".to_vec()),
        after: b"A\nb\n".to_vec(),
        by: By::Overwrite,
        counts: [(2, 1), (2, 1), (3, 2), (2, 1)],
    }
}

/// What is right of that file.
fn entry() -> Value {
    json!({ "path": "x.txt", "kind": "modify", "added": 2, "removed": 1 })
}

fn turn(entry: Value) -> PlayedTurn {
    let (added, removed) = (entry["added"].clone(), entry["removed"].clone());
    let changes = json!({
        "coverage": "complete", "added": added, "removed": removed, "files": [entry], "reasons": [],
    });
    PlayedTurn {
        outcome: json!({ "is": "completed" }),
        changes,
        patches: vec![Some(PATCH.to_vec())],
        refused: Vec::new(),
        contents: vec![Some(b"A\nb\n".to_vec())],
    }
}

fn tally(turn: &PlayedTurn) -> Tally {
    let mut tally = Tally::default();
    tally.add(&[edited()], turn).expect("there is room");
    tally
}

fn with(field: &str, value: Value) -> PlayedTurn {
    let mut entry = entry();
    entry[field] = value;
    turn(entry)
}

#[test]
fn what_git_says_too_is_right() {
    let Tally { applied, kinds, differences, equal, passed, failed, others, .. } =
        tally(&turn(entry()));
    assert_eq!((applied, kinds, differences, equal, passed), (1, 1, 1, 1, 1));
    assert_eq!((failed, others), (Vec::new(), Vec::new()), "nothing is wrong");
    let mut other = entry();
    (other["added"], other["removed"]) = (3.into(), 2.into());
    let Tally { equal, equal_to_one, failed, others, .. } = tally(&turn(other));
    assert_eq!((equal, equal_to_one, failed), (0, 1, Vec::new()));
    assert_eq!(others, ["x.txt: +3 -2, where git has +2 -1"]);
}

#[test]
fn a_file_that_says_that_it_is_not_counted_is_told_and_right() {
    let mut cut = entry();
    (cut["uncounted"], cut["added"], cut["removed"]) = (true.into(), 0.into(), 0.into());
    let mut turn = turn(cut);
    turn.changes["coverage"] = "partial".into();
    turn.changes["reasons"] = json!([{ "reason": "size_limit", "path": "x.txt" }]);
    let Tally { cut_off, equal, passed, failed, others, .. } = tally(&turn);
    assert_eq!((cut_off, equal, passed, failed), (1, 0, 1, Vec::new()));
    assert_eq!(others, ["x.txt: not counted, since its diff took too long"]);
}

#[test]
fn each_disagreement_is_told() {
    let patch = |patch: Option<&[u8]>| PlayedTurn {
        patches: vec![patch.map(<[u8]>::to_vec)],
        ..turn(entry())
    };
    let mut partial = turn(entry());
    partial.changes["coverage"] = "partial".into();
    let mut miscounted = turn(entry());
    miscounted.changes["added"] = 5.into();
    let mut untouched = turn(entry());
    untouched.changes["files"][0]["path"] = "y.txt".into();
    let wrong: Vec<(PlayedTurn, &str)> = vec![
        (with("kind", "create".into()), "not modify with lines"),
        (with("binary", true.into()), "not modify with lines"),
        (with("uncounted", true.into()), r#"its result is "complete", for []"#),
        (with("added", 3.into()), "it has the counts Some((3, 1)), and git has (2, 1)"),
        (patch(None), "it has no patch"),
        (patch(Some(b"no patch")), "its patch does not apply: "),
        (patch(Some(OTHER)), "its patch makes another file of it"),
        (PlayedTurn { contents: vec![None], ..turn(entry()) }, "the tools did not make it: "),
        (PlayedTurn { outcome: Value::Null, ..turn(entry()) }, "the turn came to null"),
        (partial, r#"its result is "partial""#),
        (miscounted, "added is 5, and 2 in its files"),
        (untouched, "it is not listed"),
    ];
    for (turn, said) in wrong {
        let failed = tally(&turn).failed;
        assert!(failed.iter().any(|it| it.contains(said)), "{said:?} is not in {failed:?}");
    }
}
