//! Reading and fingerprinting.

use std::fs;

use protocol::Limits;
use workspace::{FileError, decode};

use crate::bench::Bench;

fn small() -> Limits {
    Limits { whole_file_bytes: 100, capture_file_bytes: 50, ..Limits::default() }
}

/// SI-2, SI-3: the fingerprint is that of the bytes, by the published vectors of SHA-256.
#[test]
fn a_file_is_known_by_its_bytes() {
    let bench = Bench::new();
    bench.put("a", "abc");
    let place = bench.workspace.resolve("a").unwrap();
    let image = bench.workspace.read(&place).unwrap();
    assert_eq!(image.bytes(), b"abc");
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(image.fingerprint().to_string(), abc);
    assert_eq!(image.links(), 1);
    assert_eq!(bench.workspace.state(&place).unwrap(), image.state());
    assert_eq!(image.mode().is_some(), cfg!(unix));
}

/// SI-10: each of these is another version.
#[test]
fn every_difference_in_bytes_is_another_version() {
    let bench = Bench::new();
    let mut seen = Vec::new();
    for bytes in ["a\n", "a\r\n", "\u{FEFF}a\n", "a\0\n\0", "b\n", ""] {
        bench.put("a", bytes);
        let version = bench.state("a").unwrap();
        assert!(!seen.contains(&version), "{bytes:?}");
        seen.push(version);
    }
}

/// SI-6, CP-5: a limit is what is still let through.
#[test]
fn a_file_at_the_limit_is_read_and_one_byte_more_is_too_large() {
    let bench = Bench::with(&small());
    let read = |bytes: usize| {
        bench.put("a", "x".repeat(bytes));
        bench.workspace.read(&bench.workspace.resolve("a").unwrap())
    };
    assert_eq!(read(100).unwrap().bytes().len(), 100);
    assert!(matches!(read(101), Err(FileError::TooLarge { limit_bytes: 100, .. })));
    bench.put("a", "x".repeat(50));
    assert!(bench.state("a").is_ok());
    bench.put("a", "x".repeat(51));
    assert!(matches!(bench.state("a"), Err(FileError::TooLarge { limit_bytes: 50, .. })));
}

/// RE-8: a folder is no file, and a missing file is a confirmed absence.
#[test]
fn a_folder_and_a_missing_file_are_told_apart() {
    let bench = Bench::new();
    bench.put("src/a", "");
    let read = |text: &str| bench.workspace.read(&bench.workspace.resolve(text).unwrap());
    assert!(matches!(read("src"), Err(FileError::IsFolder { shown }) if shown == "src"));
    assert!(matches!(read("."), Err(FileError::IsFolder { shown }) if shown == "."));
    assert!(matches!(read("b"), Err(FileError::Missing { shown }) if shown == "b"));
    assert!(matches!(read("no/b"), Err(FileError::Missing { .. })));
    assert_eq!(bench.state("no/b").unwrap().fingerprint, None);
    assert!(matches!(bench.state("src"), Err(FileError::IsFolder { .. })));
}

#[test]
fn a_file_that_vanished_since_it_was_found_is_missing() {
    let bench = Bench::new();
    bench.put("src/a", "");
    let place = bench.workspace.resolve("src/a").unwrap();
    fs::remove_dir_all(bench.root.join("src")).unwrap();
    assert!(matches!(bench.workspace.read(&place), Err(FileError::Missing { .. })));
    assert_eq!(bench.workspace.state(&place).unwrap().fingerprint, None);
}

/// RE-7: what was read is decoded from the same bytes.
#[test]
fn a_name_may_hold_any_character() {
    let bench = Bench::new();
    let names = [
        "with space",
        "日本語 テキスト.txt",
        "é",
        "-flag",
        "#hash?",
        "a'b\"c",
        "tab\tand\nnewline",
    ];
    for name in names.iter().take(if cfg!(windows) { 4 } else { names.len() }) {
        let applied = bench.write(name, name).expect(name);
        assert_eq!(applied.shown, *name);
        let image = bench.workspace.read(&bench.workspace.resolve(name).unwrap()).unwrap();
        assert_eq!(decode(image.bytes(), &small()).unwrap().text(), *name);
    }
}
