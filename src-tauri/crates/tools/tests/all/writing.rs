//! `write_file`: creates, overwrites, or says that nothing would change.

use protocol::FailureCode;
use tools::Intent;

use crate::bench::{Bench, failed, refused};

/// WB-11.
#[test]
fn a_file_that_is_not_there_is_created_with_its_folders_and_exactly_these_bytes() {
    let mut it = Bench::new(&[]);
    let told = it.overwrite("src/new/a.txt", "a\r\nb\nc").expect("nothing is there");
    assert_eq!(told, "created src/new/a.txt (3 lines)");
    assert_eq!(it.text("src/new/a.txt"), "a\r\nb\nc");
    assert_eq!(it.overwrite("empty", "").expect("nothing is there"), "created empty (0 lines)");
}

/// WB-14, R013.
#[test]
fn a_file_that_was_not_read_is_not_overwritten() {
    let mut it = Bench::new(&[]);
    assert_eq!(failed(it.read("a")).code, FailureCode::NotFound);
    it.put("a", b"theirs\n");
    assert!(refused(it.overwrite("a", "mine\n")).retryable);
    assert_eq!(it.text("a"), "theirs\n");
    it.read("a").expect("a text");
    assert_eq!(it.overwrite("a", "mine\n").expect("it was read"), "replaced a (1 line)");
    assert_eq!(it.text("a"), "mine\n");
}

/// R008: versions are bytes, so the same content is no write at all.
#[test]
fn the_same_content_is_a_success_that_writes_nothing() {
    let mut it = Bench::new(&[("a", b"x\n")]);
    assert_eq!(it.overwrite("a", "x\n").expect("a no-op"), "unchanged a");
}

/// DEC-7.
#[test]
fn a_byte_order_mark_is_kept_and_never_doubled() {
    let mut it = Bench::new(&[("b.txt", b"\xEF\xBB\xBFold\n")]);
    it.read("b.txt").expect("a text");
    it.overwrite("b.txt", "new\n").expect("it was read");
    assert_eq!(it.bytes("b.txt"), b"\xEF\xBB\xBFnew\n");
    assert_eq!(it.overwrite("b.txt", "\u{FEFF}new\n").expect("a no-op"), "unchanged b.txt");
}

/// EN-7: what `read_file` showed, sent back, is the file; and a change of one line is one line.
#[test]
fn an_overwrite_keeps_the_line_ends_of_a_file_that_has_one_kind() {
    let mut it = Bench::new(&[("w", b"a\r\nb\r\n"), ("mixed", b"a\r\nb\n")]);
    it.read("w").expect("a text");
    assert_eq!(it.overwrite("w", "a\nb\n").expect("a no-op"), "unchanged w");
    it.overwrite("w", "a\nc\n").expect("it was read");
    assert_eq!(it.bytes("w"), b"a\r\nc\r\n");
    it.read("mixed").expect("a text");
    it.overwrite("mixed", "a\nc\n").expect("it was read");
    assert_eq!(it.bytes("mixed"), b"a\nc\n");
    assert_eq!(failed(it.overwrite("new/", "x")).code, FailureCode::BadArguments);
}

/// CL-1: what can never be overwritten says so, with a way round.
#[test]
fn a_binary_file_and_a_folder_are_not_overwritten() {
    let mut it = Bench::new(&[("i.bin", b"\0\x01"), ("latin", b"caf\xE9\n"), ("dir/a", b"")]);
    let binary = failed(it.overwrite("i.bin", "x"));
    assert_eq!(binary.code, FailureCode::BinaryFile);
    assert!(binary.next.contains("delete it"), "{}", binary.next);
    let foreign = failed(it.overwrite("latin", "x"));
    assert_eq!(foreign.code, FailureCode::UnknownEncoding);
    assert!(foreign.message.contains("windows-1252") && foreign.next.contains("delete it"));
    assert_eq!(failed(it.overwrite("dir", "x")).code, FailureCode::NotAFile);
    assert_eq!(failed(it.overwrite("/etc/passwd", "x")).code, FailureCode::OutsideWorkspace);
}

/// R035.
#[cfg(unix)]
#[test]
fn a_link_is_written_through() {
    let mut it = Bench::new(&[("real/w", b"old\n")]);
    std::os::unix::fs::symlink("real/w", it.path("w")).expect("a link");
    it.read("w").expect("a text");
    let told = it.overwrite("w", "new\n").expect("it was read");
    assert_eq!(told, "replaced w (a link to real/w) (1 line)");
    assert!(it.path("w").is_symlink());
    assert_eq!(it.text("real/w"), "new\n");
}

/// The plan carries what the gate and the checkpoint need.
#[test]
fn a_plan_of_a_write_holds_the_file_before_and_touches_nothing() {
    let it = Bench::new(&[("a", b"old\n")]);
    let planned = it.plan("write_file", &serde_json::json!({ "path": "./a", "content": "new\n" }));
    let planned = planned.expect("a plan");
    assert_eq!((planned.tool, planned.title.as_str()), ("write_file", "a"));
    let Intent::Overwrite(writing) = planned.intent else { panic!("an overwrite") };
    let before = writing.before.expect("there was a file");
    assert_eq!((before.bytes(), writing.contents.as_slice()), (&b"old\n"[..], &b"new\n"[..]));
    assert_eq!(it.text("a"), "old\n");
}

/// WB-11: what appears between the plan and the write is not overwritten.
#[test]
fn a_create_is_planned_against_the_absence() {
    let it = Bench::new(&[]);
    let planned = it.plan("write_file", &serde_json::json!({ "path": "a", "content": "x" }));
    let Intent::Create(writing) = planned.expect("a plan").intent else { panic!("a create") };
    assert_eq!(writing.request.current, evidence::Version::Absent);
    assert!(writing.before.is_none());
}
