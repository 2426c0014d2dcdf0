//! Pages of files, and what the host knows of them.

use std::fs;

use protocol::Limits;
use workspace::{Depth, FileError, Page, PageError, WindowError};

use crate::bench::Bench;

fn small() -> Limits {
    Limits { identity_bytes: 50, whole_file_bytes: 100, ..Limits::default() }
}

fn page(bench: &Bench, offset: u32, limit: u32, depth: Depth) -> Result<Page, PageError> {
    let place = bench.workspace.resolve("a").expect("a file");
    bench.workspace.page(&place, offset, Some(limit), depth)
}

/// SI-3, SI-5, SI-6: a file at the bound is fingerprinted, by the bytes of the page; one byte more
/// is paged all the same, and nothing is said of its version.
#[test]
fn a_file_is_known_by_its_bytes_up_to_the_bound_and_paged_above() {
    let bench = Bench::with(&small());
    for (size, local, whole) in
        [(50, true, true), (51, false, true), (100, false, true), (101, false, false)]
    {
        let mut text = "a\nb\n".repeat(size / 4);
        text.push_str(&"cc\n"[3 - size % 4..]);
        bench.put("a", &text);
        let place = bench.workspace.resolve("a").unwrap();
        for (depth, is_known) in [(Depth::Local, local), (Depth::Whole, whole)] {
            let it = page(&bench, 1, 2, depth).unwrap();
            assert_eq!(it.window.numbered, "2\tb\n3\ta");
            let lines = text.split_inclusive('\n').count() as u32;
            assert_eq!(it.window.total_lines, is_known.then_some(lines), "{size} {depth:?}");
            let fingerprint = bench.workspace.read(&place).ok().map(|it| it.fingerprint());
            assert_eq!(it.fingerprint, fingerprint.filter(|_| is_known), "{size} {depth:?}");
            assert_eq!(it.fingerprint.is_some(), is_known, "{size} {depth:?}");
        }
    }
}

/// RE-9, RE-10: the end of a file is found out by reaching it, however large it is.
#[test]
fn an_empty_file_and_an_offset_past_the_end_are_facts_of_any_file() {
    let bench = Bench::with(&small());
    bench.put("a", "");
    let empty = page(&bench, 3, 1, Depth::Local).unwrap();
    assert!(empty.window.is_empty_file() && empty.window.eof && empty.fingerprint.is_some());
    bench.put("a", "a\r\n".repeat(40));
    let past = page(&bench, 41, 1, Depth::Local).unwrap();
    assert_eq!(past.fingerprint, None);
    assert!(past.window.is_past_end() && past.window.eof && !past.window.is_empty_file());
    assert_eq!((past.window.first, past.window.total_lines), (40, Some(40)));
    let last = page(&bench, 39, 9, Depth::Local).unwrap();
    assert_eq!((last.window.end, last.window.total_lines, last.window.eof), (40, Some(40), true));
    assert!(!last.window.is_past_end());
}

/// SI-10, SI-12: a stamp is that of the file which was read, and tells what changed since.
#[test]
fn a_page_and_an_image_of_one_state_have_one_stamp() {
    let bench = Bench::with(&small());
    let path = bench.put("a", "1\n".repeat(40));
    let place = bench.workspace.resolve("a").unwrap();
    let local = page(&bench, 0, 1, Depth::Local).unwrap();
    let whole = page(&bench, 0, 1, Depth::Whole).unwrap();
    assert_eq!((local.fingerprint, local.stamp), (None, whole.stamp));
    assert_eq!(bench.workspace.read(&place).unwrap().stamp(), local.stamp);
    // Another file of the same size in its place, with its time.
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    bench.put("b", "2\n".repeat(40));
    let other = fs::File::options().write(true).open(bench.root.join("b")).unwrap();
    other.set_modified(time).unwrap();
    drop(other);
    #[cfg(unix)]
    {
        fs::rename(bench.root.join("b"), &path).unwrap();
        assert_ne!(page(&bench, 0, 1, Depth::Local).unwrap().stamp, local.stamp);
    }
    bench.put("a", "2\n".repeat(41));
    assert_ne!(page(&bench, 0, 1, Depth::Local).unwrap().stamp, local.stamp);
}

/// SI-10: the mode is a part of what a file is known by.
#[cfg(unix)]
#[test]
fn another_mode_is_another_stamp() {
    use std::os::unix::fs::PermissionsExt as _;

    let bench = Bench::new();
    let path = bench.put("a", "a\n");
    let before = page(&bench, 0, 1, Depth::Local).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let after = page(&bench, 0, 1, Depth::Local).unwrap();
    assert_eq!(before.fingerprint, after.fingerprint);
    assert_ne!(before.stamp, after.stamp);
}

/// RE-7, RE-8: the same is no page, whether the file is read whole or in part.
#[test]
fn what_has_no_page_is_told_apart_in_a_file_of_any_size() {
    let limits = Limits { line_bytes: 8, ..small() };
    let bench = Bench::with(&limits);
    bench.put("dir/a", "");
    let of = |text: &str| {
        let place = bench.workspace.resolve(text).unwrap();
        bench.workspace.page(&place, 0, None, Depth::Local)
    };
    assert!(matches!(of("dir"), Err(PageError::File(FileError::IsFolder { .. }))));
    assert!(matches!(of("b"), Err(PageError::File(FileError::Missing { .. }))));
    assert!(matches!(of("no/b"), Err(PageError::File(FileError::Missing { .. }))));
    for size in [10, 90] {
        bench.put("a", "\0".repeat(size));
        assert!(matches!(of("a"), Err(PageError::NotText(_))), "{size}");
        bench.put("a", format!("{}\nb\n", "x".repeat(size)));
        let failed = WindowError::LineTooLong { number: 1, limit_bytes: 8 };
        assert!(matches!(of("a"), Err(PageError::Window(it)) if it == failed), "{size}");
        let after = page(&bench, 1, 1, Depth::Local).unwrap();
        assert_eq!((after.window.numbered.as_str(), after.window.eof), ("2\tb", true));
    }
}

/// EN-1, RE-7: a large file in another encoding is shown as a small one is.
#[test]
fn a_large_file_is_decoded_as_a_small_one() {
    let text = "名称=旧的名字\r\n";
    let gb18030 = b"\xC3\xFB\xB3\xC6=\xBE\xC9\xB5\xC4\xC3\xFB\xD7\xD6\r\n";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let files = [
        text.repeat(30).into_bytes(),
        gb18030.repeat(30),
        utf16(&format!("\u{FEFF}{}", text.repeat(30))),
    ];
    let bench = Bench::with(&small());
    for bytes in files {
        bench.put("a", &bytes);
        let it = page(&bench, 28, 9, Depth::Local).unwrap();
        assert_eq!(it.fingerprint, None);
        assert_eq!(it.window.numbered, "29\t名称=旧的名字\n30\t名称=旧的名字");
    }
}
