//! The cases, played to the built `evident`; and wrong ones, which the runner has to see.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::{Value, json};

use crate::{STREAMS, top};

/// What is not played, and what its reason speaks of.
const SKIPPED: &[(&str, &str)] = &[
    ("R045", "safe revert"),
    ("R048", "safe revert"),
    ("R049", "safe revert"),
    ("R078", "queue"),
    ("R085", "rules"),
    ("R087", "rules"),
    ("R095", "MCP"),
    ("R098", "compaction"),
];

fn ours() -> PathBuf {
    top().join("tests/fixtures/cases")
}

pub(crate) fn play(folder: &Path, ids: &[&str]) -> Output {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_bench"));
    bench.arg("cases").arg(folder).args(ids);
    // The folder is named from the top, and a test runs elsewhere.
    if let Some(streams) = env::var_os(STREAMS).filter(|it| !it.is_empty()) {
        bench.env(STREAMS, top().join(streams));
    }
    bench.output().expect("it starts")
}

pub(crate) fn printed(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn our_cases_do_what_they_expect_and_a_skipped_one_says_why() {
    let out = play(&ours(), &[]);
    let printed = printed(&out);
    assert!(out.status.success(), "{printed}{}", String::from_utf8_lossy(&out.stderr));
    let skips: Vec<_> = printed.lines().filter_map(|it| it.strip_prefix("skip  ")).collect();
    for (id, reason) in SKIPPED {
        let is_told = |it: &&str| it.starts_with(&format!("{id}: ")) && it.contains(reason);
        assert!(skips.iter().any(is_told), "{id} is not skipped for {reason:?}:\n{printed}");
    }
    // Elsewhere there is more that a case requires and does not find.
    if cfg!(unix) {
        assert_eq!(skips.len(), SKIPPED.len(), "{printed}");
        assert!(printed.ends_with("\n39 passed, 0 failed, 8 skipped\n"), "{printed}");
    }
}

#[test]
fn only_the_cases_that_are_named_are_played() {
    let out = play(&ours(), &["R064", "R045"]);
    let printed = printed(&out);
    let names: Vec<_> = printed.lines().filter_map(|it| it.get(6..10)).collect();
    assert_eq!(names[..2], ["R045", "R064"], "{printed}");
    for (folder, ids) in [(ours(), &["R999"] as &[&str]), (ours().join("none"), &[])] {
        assert_eq!(play(&folder, ids).status.code(), Some(1));
    }
}

/// A case of one file, which is read and edited, after an edit that finds nothing; with checks before
/// and after.
fn case(id: &str, expect: &Value) -> Value {
    let step = |round: u32, id: &str, tool: &str, args: Value| json!({ "turn": 1, "round": round, "id": id, "tool": tool, "args": args });
    json!({
        "schema": 1,
        "id": id,
        "title": "a file is edited",
        "workspace": {
            "files": {
                "a.txt": { "text": "a\n" }, "b.txt": { "text": "b\n" },
                ".evident/config.toml": { "text": "checks = ['echo so', 'exit 3']" },
            },
            "outside": { "o.txt": { "text": "o\n" } },
        },
        "settings": { "approval": "auto" },
        "steps": [
            step(1, "s1", "read", json!({ "path": "a.txt" })),
            step(2, "s2", "edit", json!({ "path": "a.txt", "old": "z", "new": "y" })),
            step(2, "c1", "shell", json!({ "command": "echo so" })),
            step(3, "s3", "edit", json!({ "path": "a.txt", "old": "a\n", "new": "A\nB\n" })),
            step(3, "c2", "shell", json!({ "command": "echo so" })),
            step(3, "c3", "shell", json!({ "command": "exit 3" })),
            step(4, "f1", "final", json!({ "text": "done" })),
        ],
        "expect": expect,
    })
}

/// What is true of that case.
fn right() -> Value {
    json!({
        "steps": {
            "s1": { "status": "ok", "effect": "none", "output_has": "a", "output_lacks": ["z"], "max_seconds": 60 },
            "s2": { "status": ["refused", "failed"], "effect": "none", "reason_any": ["not_found"] },
            "s3": { "status": "ok", "effect": "applied" },
            "c3": { "status": "failed", "exit_code": 3 },
        },
        "files": { "a.txt": { "text": "A\nB\n" }, "b.txt": { "same": true }, "c.txt": { "absent": true } },
        "outside": { "o.txt": { "same": true } },
        "any_of": [{ "a.txt": { "same": true } }, { "a.txt": { "b64": "QQpCCg==" } }],
        "turns": { "1": {
            "status": ["completed", "paused"],
            "coverage": "complete",
            "files": { "a.txt": { "op": "modify", "added": 2, "removed": 1 } },
            "files_or_partial": { "a.txt": { "op": "modify", "counts_any": [null, [2, 1]] } },
            "checks": { "s1": "none", "c1": "stale", "c2": ["failed", "passed"], "c3": "failed" },
        } },
        "requests": { "paired_calls": true, "no_empty_tool_calls": true, "prefix_stable": true, "max": 4 },
        "limits": { "max_seconds": 60, "max_requests": 4, "same_refusal_max": 1 },
    })
}

/// Expectations that are wrong, and what has to be said of each.
fn wrong() -> Vec<(Value, &'static str)> {
    let step = |id: &str, expected: Value| json!({ "steps": { id: expected } });
    let turn = |expected: Value| json!({ "turns": { "1": expected } });
    let file = |expected: Value| json!({ "files": { "a.txt": expected } });
    let change = |expected: Value| turn(json!({ "files": { "a.txt": expected } }));
    let check = |step: &str, expected: Value| turn(json!({ "checks": { step: expected } }));
    vec![
        (step("s1", json!({ "status": "refused" })), "s1 is Ok, not Refused"),
        (step("s2", json!({ "status": "ok" })), "s2 is Refused, not Ok (error: "),
        (
            step("s3", json!({ "status": ["not_run", "unknown"] })),
            "s3 is Ok, not NotRun or Unknown",
        ),
        (step("f1", json!({ "status": "asked" })), "f1 is Ok, not Asked"),
        (step("s3", json!({ "effect": "none" })), "s3 has the effect Applied, not None"),
        (step("s2", json!({ "effect": "applied" })), "s2 has the effect None, not Applied"),
        (step("s1", json!({ "output_has": "zzz" })), r#"s1 does not show "zzz": "#),
        (step("s1", json!({ "output_lacks": ["x", "a"] })), r#"s1 shows "a""#),
        (step("s1", json!({ "exit_code": 3 })), "s1 ended with the exit code null, not 3"),
        (
            step("s2", json!({ "reason_any": ["stale", "binary"] })),
            "s2 failed for NotFound, not for Stale or Binary",
        ),
        (file(json!({ "text": "A\n" })), r#"a.txt is "A\nB\n", not "A\n""#),
        (file(json!({ "same": true })), "a.txt is not as it was"),
        (file(json!({ "absent": true })), "a.txt is there"),
        (file(json!({ "symlink": "b.txt" })), "a.txt is no link to b.txt"),
        (json!({ "files": { "c.txt": { "text": "" } } }), "c.txt is no file"),
        (json!({ "outside": { "o.txt": { "text": "p\n" } } }), r#"o.txt is "o\n", not "p\n""#),
        (
            json!({ "any_of": [{ "a.txt": { "same": true } }, { "b.txt": { "absent": true } }] }),
            "none of the branches holds: a.txt is not as it was; or b.txt is there",
        ),
        (turn(json!({ "status": "failed" })), "turn 1: status is Completed, not Failed"),
        (turn(json!({ "coverage": ["partial"] })), "turn 1: coverage is Complete, not Partial"),
        (turn(json!({ "files": {} })), "turn 1: it lists a.txt"),
        (
            turn(json!({ "files_or_partial": {
                "a.txt": { "op": "modify" }, "b.txt": { "op": "create" },
            } })),
            "turn 1: it does not list b.txt",
        ),
        (
            change(json!({ "op": "create", "added": 2, "removed": 1 })),
            "not as create with Some((2, 1))",
        ),
        (
            change(json!({ "op": "modify", "added": 2, "removed": 0 })),
            "not as modify with Some((2, 0))",
        ),
        (
            change(json!({ "op": "modify", "counts_any": [null, [1, 1]] })),
            "not as modify with None or Some((1, 1))",
        ),
        (change(json!({ "op": "modify", "binary": true })), "not as modify as binary"),
        (change(json!({ "op": "modify", "mode_only": true })), "not as modify in its mode alone"),
        (change(json!({ "op": "modify", "added": 2 })), "added and removed go together"),
        (check("s1", json!("passed")), "turn 1: check s1 is None, not Passed"),
        (check("c1", json!(["passed", "failed"])), "check c1 is Stale, not Passed or Failed"),
        (check("c2", json!("none")), "turn 1: check c2 is Passed, not None"),
        (check("c2", json!(["stale", "unclassified", "interrupted"])), "check c2 is Passed, not "),
        (check("c3", json!("passed")), "turn 1: check c3 is Failed, not Passed"),
        (json!({ "requests": { "max": 3 } }), "it made 4 requests, not 3 at most"),
        (
            json!({ "requests": { "reasoning_echo": true } }),
            "no reply of the case has reasoning and calls",
        ),
        (json!({ "limits": { "max_requests": 1 } }), "it made 4 requests, not 1 at most"),
        (json!({ "limits": { "max_seconds": 0 } }), "s, not 0 at most"),
        (json!({ "limits": { "same_refusal_max": 0 } }), "was refused 1 times, not 0 at most"),
        (json!({ "always": ["The person is shown \"no\""] }), "it is not so that "),
        (
            json!({ "always": ["The shown and stored text is exactly: \"no\""] }),
            "it is not so that ",
        ),
        (
            json!({ "always": ["The shown and stored text is exactly: no"] }),
            "it cannot be looked into",
        ),
        (
            json!({ "always": ["The question shows the exact command."] }),
            "it is not so that \"The question",
        ),
        (
            json!({ "always": ["If the bytes are the same, the result of s2 says so"] }),
            "it is not so that \"If the bytes",
        ),
        (
            json!({ "always": ["Nowhere \"passed\" for c3, whatever is said."] }),
            "it is not so that \"Nowhere",
        ),
        (
            json!({ "always": ["Answers 1 to 3 are shown after the restart (4 too)"] }),
            "it cannot be looked into",
        ),
        // What is not known is told before anything is played.
        (json!({ "stpes": {} }), "unknown field `stpes`"),
        (step("s1", json!({ "statsu": "ok" })), "unknown field `statsu`"),
        (step("s1", json!({ "status": "fine" })), "unknown variant `fine`"),
        (step("s1", json!({ "reason_any": ["bored"] })), "unknown variant `bored`"),
        (file(json!({ "sha256": "0" })), "unknown field `sha256`"),
        (turn(json!({ "lines": 3 })), "unknown field `lines`"),
        (json!({ "requests": { "min": 3 } }), "unknown field `min`"),
        (json!({ "limits": { "tokens": 3 } }), "unknown field `tokens`"),
        (check("c1", json!("green")), "unknown variant `green`"),
        (check("c9", json!("passed")), "it expects something of c9, which is no step"),
        (step("s9", json!({ "status": "ok" })), "it expects something of s9, which is no step"),
        (json!({ "turns": { "2": { "status": "completed" } } }), "it expects something of turn 2"),
    ]
}

#[test]
fn each_wrong_expectation_is_a_failure_that_says_what_is_so() {
    let folder = tempfile::tempdir().expect("there is room");
    let write = |id: &str, expect: &Value| {
        let case = case(id, expect).to_string();
        fs::create_dir(folder.path().join(id)).expect("there is room");
        fs::write(folder.path().join(id).join("case.json"), case).expect("there is room");
    };
    write("right", &right());
    let wrong = wrong();
    for (at, (expect, _)) in wrong.iter().enumerate() {
        write(&format!("wrong{at:02}"), expect);
    }
    let out = play(folder.path(), &[]);
    let printed = printed(&out);
    assert_eq!(out.status.code(), Some(1), "{printed}");
    assert!(printed.starts_with("pass  right: a file is edited\n"), "{printed}");
    for (at, (expect, said)) in wrong.iter().enumerate() {
        let name = format!("FAIL  wrong{at:02}: ");
        let line = printed.lines().find_map(|it| it.strip_prefix(&*name)).unwrap_or_default();
        assert!(line.contains(said), "{expect} is told as {line:?}");
        // One expectation is wrong, and one reason is given for it.
        assert!(!line.contains("; ") || line.contains("; or "), "{expect} is told as {line:?}");
    }
    let end = format!("\n1 passed, {} failed, 0 skipped\n", wrong.len());
    assert!(printed.ends_with(&end), "{printed}");
}

#[test]
fn what_cannot_be_played_fails_or_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("there is room");
    let write = |id: &str, change: &dyn Fn(&mut Value)| {
        let mut case = case(id, &json!({}));
        change(&mut case);
        fs::create_dir(folder.path().join(id)).expect("there is room");
        let file = folder.path().join(id).join("case.json");
        fs::write(file, case.to_string()).expect("there is room");
    };
    write("a", &|case| case["schema"] = 2.into());
    write("b", &|case| case["steps"][0]["tool"] = "peek".into());
    write("c", &|case| case["steps"][0]["args"]["lines"] = 3.into());
    write("d", &|case| case["steps"][0]["round"] = 9.into());
    write("e", &|case| case["requires"] = json!(["a second moon"]));
    write("g", &|case| {
        case["steps"][6] = json!({
            "id": "i", "tool": "interrupt", "args": { "during": "s2" },
        })
    });
    // The model is done sooner than the case has it.
    write("f", &|case| {
        case["steps"][0] = json!({
            "turn": 1, "round": 1, "id": "s1", "tool": "final", "args": { "text": "done" },
        })
    });
    let out = play(folder.path(), &[]);
    let printed = printed(&out);
    for said in [
        "FAIL  a: case.json: its schema is 2, not 1\n",
        "FAIL  b: case.json: step s1: unknown variant `peek`",
        "FAIL  c: case.json: step s1: unknown field `lines`",
        "FAIL  d: step s2: it is out of order\n",
        "skip  e: it requires a second moon, which is not here\n",
        "FAIL  f: turn 1 ended 3 replies before its last\n",
        "FAIL  g: s2 did not start, so nothing came while it ran\n",
        "\n0 passed, 6 failed, 1 skipped\n",
    ] {
        assert!(printed.contains(said), "{said:?} is not in\n{printed}");
    }
}

#[test]
fn a_recorded_stream_is_read_from_the_folder_that_is_named_and_skipped_without() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut case = case("a", &json!({ "steps": { "s1": { "status": "ok" } } }));
    case["steps"] = json!([{
        "turn": 1, "round": 1, "id": "s1", "tool": "provider_raw",
        "args": { "stream": "custom-filtered", "chunks": "random" },
    }]);
    fs::create_dir(folder.path().join("a")).expect("there is room");
    let file = folder.path().join("a").join("case.json");
    fs::write(file, case.to_string()).expect("there is room");
    let play = |streams: &str| {
        let mut bench = Command::new(env!("CARGO_BIN_EXE_bench"));
        bench.arg("cases").arg(folder.path()).env(STREAMS, streams);
        printed(&bench.output().expect("it starts"))
    };
    let streams = top().join("tests/fixtures/provider");
    let here = play(&streams.to_string_lossy());
    assert!(here.starts_with("pass  a: "), "{here}");
    let nowhere = play("");
    assert!(nowhere.starts_with(&format!("skip  a: {STREAMS} names no folder")), "{nowhere}");
}
