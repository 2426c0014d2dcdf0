//! The streams of providers, played to the built `evident`: ours, and recorded ones that are read
//! from a folder and never copied here.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::{Value, json};

use crate::{STREAMS, top};

fn ours() -> PathBuf {
    top().join("tests/fixtures/provider")
}

fn play(folder: &Path) -> Output {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_bench"));
    bench.arg("streams").arg(folder).output().expect("it starts")
}

/// Returns what was printed, if all streams passed.
fn passed(folder: &Path) -> String {
    let out = play(folder);
    let printed = String::from_utf8_lossy(&out.stdout).into_owned();
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{printed}{said}");
    printed
}

/// AN-40, PV-5, PV-6: the cache is read by each vendor's rule; what is malformed, cut off, joined or
/// sent twice is not run and is answered; an answer that breaks keeps its text.
#[test]
fn our_streams_decode_in_all_four_ways_of_delivery() {
    let printed = passed(&ours());
    let streams = fs::read_dir(ours()).expect("there is such a folder");
    let names = streams.map(|it| it.expect("it can be listed").file_name());
    let count = names.filter(|it| it.to_string_lossy().ends_with(".sse")).count();
    assert!(printed.ends_with(&format!("\n{count} passed, 0 failed, 0 skipped\n")), "{printed}");
    let first = printed.lines().next().unwrap_or_default();
    for way in ["whole", "byte by byte", "in pieces by seed ", "slowly"] {
        assert!(first.contains(way), "{first}");
    }
    // The others go back in the field they came in, or always in one.
    let told = "\nnot compared  reasoning_field (in 1): this provider gets no reasoning back\n";
    assert!(printed.contains(told), "{printed}");
}

#[test]
fn the_recorded_streams_decode_in_all_four_ways_of_delivery() {
    let Some(folder) = env::var_os(STREAMS).filter(|it| !it.is_empty()) else {
        // Past the test's own output, which is shown only where it fails.
        let told = format!("skipped: {STREAMS} names no folder of recorded streams\n");
        io::stderr().write_all(told.as_bytes()).expect("someone listens");
        return;
    };
    let printed = passed(&top().join(folder));
    let end = printed.lines().last().unwrap_or_default();
    assert!(end.contains(" passed, 0 failed, ") && !end.starts_with("0 "), "{printed}");
}

#[test]
fn what_differs_is_told_and_what_is_not_played_says_why() {
    let folder = tempfile::tempdir().expect("there is room");
    let (from, to) = (ours(), folder.path());
    let copy = |from: &Path, name: &str| {
        fs::copy(from, to.join(name)).expect("it can be copied");
    };
    copy(&from.join("custom-filtered.sse"), "a-wrong.sse");
    copy(&from.join("openai-cache.expect.json"), "a-wrong.expect.json");
    copy(&from.join("custom-filtered.sse"), "b-alone.sse");
    copy(&from.join("custom-filtered.sse"), "c-other.sse");
    fs::write(to.join("c-other.expect.json"), r#"{"protocol":"gemini"}"#).expect("there is room");
    let out = play(to);
    assert_eq!(out.status.code(), Some(1));
    let printed = String::from_utf8_lossy(&out.stdout);
    let lines = printed.lines().collect::<Vec<_>>();
    let [wrong, alone, other, left, end] = lines[..] else { panic!("{printed}") };
    assert!(wrong.starts_with("FAIL  a-wrong: "), "{wrong}");
    for difference in [
        r#"text is "I can" of 5 bytes, not "ok""#,
        "inputTokens is None, not Some(100)",
        r#"the notice answer_filtered is true at Some("stop")"#,
    ] {
        assert!(wrong.contains(difference), "{wrong}");
    }
    assert_eq!(alone, "skip  b-alone: no .expect.json stands beside it");
    assert_eq!(other, "skip  c-other: gemini is another protocol than openai-chat");
    assert!(left.starts_with("not compared  why (in 1): "), "{left}");
    assert_eq!(end, "0 passed, 1 failed, 2 skipped");
}

#[test]
fn what_is_compared_with_nothing_is_told_with_its_reason() {
    let folder = tempfile::tempdir().expect("there is room");
    fs::copy(ours().join("custom-call-and-stop.sse"), folder.path().join("a.sse"))
        .expect("it can be copied");
    let beside = fs::read(ours().join("custom-call-and-stop.expect.json")).expect("it is there");
    let mut answer: Value = serde_json::from_slice(&beside).expect("it is JSON");
    answer["usage"] = json!({ "raw": { "a": 1 }, "cost": 3 });
    fs::write(folder.path().join("a.expect.json"), answer.to_string()).expect("there is room");
    let printed = passed(folder.path());
    let (_, told) = printed.split_once('\n').expect("a line for the stream");
    assert_eq!(
        told,
        "\
not compared  done_marker (in 1): beside a finish reason it changes nothing
not compared  finish_reason (in 1): a turn goes on if there are calls, whatever the vendor's word is
not compared  tool_calls.index (in 1): calls are kept in the order in which they began, which is compared
not compared  usage.cost (in 1): no such word is known here
not compared  usage.raw (in 1): its counts are compared one by one
not compared  why (in 1): it is about the recording, whose size is compared
1 passed, 0 failed, 0 skipped
"
    );
}

#[test]
fn a_folder_without_streams_is_an_error() {
    let folder = tempfile::tempdir().expect("there is room");
    for path in [folder.path(), &folder.path().join("none")] {
        assert_eq!(play(path).status.code(), Some(1));
    }
}
