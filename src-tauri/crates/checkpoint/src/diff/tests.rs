#[cfg(unix)]
mod git;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use expect_test::expect;
use proptest::prelude::*;
use protocol::Moment;

use super::*;

/// A clock that moves by `step` at each look.
fn clock(step: Duration) -> Clock {
    let looks = AtomicU64::new(0);
    Clock::new(move || {
        let count = u32::try_from(looks.fetch_add(1, Ordering::Relaxed)).unwrap();
        Moment { unix_nanos: 0, steady: step * count }
    })
}

fn counted(path: &str, change: Change<'_>) -> FileDiff {
    diff(path, change, &Limits::default(), &clock(Duration::ZERO))
}

fn plain(bytes: &[u8]) -> Side<'_> {
    Side { bytes, mode: Some(0o644) }
}

fn modify<'a>(before: &'a [u8], after: &'a [u8]) -> Change<'a> {
    Change::Modify { before: plain(before), after: plain(after) }
}

fn patch(diff: FileDiff) -> String {
    match diff {
        FileDiff::Lines { patch, .. } | FileDiff::ModeOnly { patch } => {
            String::from_utf8(patch).unwrap()
        }
        FileDiff::Binary | FileDiff::Cut => panic!("there is no patch"),
    }
}

#[test]
fn counts_come_from_the_steps_that_make_the_patch() {
    let before = b"user line\nold\n1\n2\n3\n4\n5\n6\n7\nlast";
    let after = b"user line\nnew\nnewer\n1\n2\n3\n4\n5\n6\n7\nlast\n";
    let FileDiff::Lines { added, removed, patch } = counted("a.txt", modify(before, after)) else {
        panic!("these are lines")
    };
    assert_eq!((added, removed), (3, 2));
    expect![[r#"
        diff --git a/a.txt b/a.txt
        --- a/a.txt
        +++ b/a.txt
        @@ -1,5 +1,6 @@
         user line
        -old
        +new
        +newer
         1
         2
         3
        @@ -7,4 +8,4 @@
         5
         6
         7
        -last
        \ No newline at end of file
        +last
    "#]]
    .assert_eq(&String::from_utf8(patch).unwrap());
}

/// TR-9, AN-22, B13 (e): a diff that took 500 ms has no numbers; created and deleted files need no
/// diff.
#[test]
fn a_diff_that_was_cut_off_says_so_and_a_new_file_is_exact() {
    let limits = Limits::default();
    let slow = clock(Duration::from_millis(500));
    assert_eq!(diff("a", modify(b"1\n", b"2\n"), &limits, &slow), FileDiff::Cut);
    let quick = clock(Duration::from_millis(499));
    assert!(matches!(diff("a", modify(b"1\n", b"2\n"), &limits, &quick), FileDiff::Lines { .. }));

    let lines = "line\n".repeat(2_100);
    for (change, counts) in [
        (Change::Create(plain(lines.as_bytes())), (2_100, 0)),
        (Change::Delete(plain(lines.as_bytes())), (0, 2_100)),
    ] {
        let FileDiff::Lines { added, removed, .. } = diff("a", change, &limits, &slow) else {
            panic!("it needs no diff")
        };
        assert_eq!((added, removed), counts);
    }
}

/// TR-7: no line counts are invented for what has no lines.
#[test]
fn binary_files_and_mere_modes_have_no_counts() {
    assert_eq!(counted("a", modify(b"a\0b\n", b"a\0c\n")), FileDiff::Binary);
    assert_eq!(counted("a", modify(b"text\n", b"a\0c\n")), FileDiff::Binary);
    assert_eq!(counted("a", Change::Create(plain(b"\0"))), FileDiff::Binary);
    let was = plain(b"\0 even in a binary file\n");
    let mode_only =
        |mode| counted("a", Change::Modify { before: was, after: Side { mode, ..was } });
    expect![[r"
        diff --git a/a b/a
        old mode 100644
        new mode 100755
    "]]
    .assert_eq(&patch(mode_only(Some(0o755))));
    let unknown_to_git = FileDiff::ModeOnly { patch: Vec::new() };
    assert_eq!(mode_only(Some(0o600)), unknown_to_git);
}

/// Text of few different lines, so that many repeat, with and without a newline at the end.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just(&b"\n"[..]),
        Just(&b"a\n"[..]),
        Just(&b"b\n"[..]),
        Just(&b"  }\n"[..]),
        Just(&b"dos\r\n"[..]),
        Just(&b"lone\rreturn\n"[..]),
        Just(&b"-- looks like a head\n"[..]),
        Just(&b"+\n"[..]),
        Just(&b"@@ -1 +1 @@\n"[..]),
        Just(&b"\\ No newline at end of file\n"[..]),
        Just("\u{5b57} \u{e9}\n".as_bytes()),
        Just(&b"\xff\xfe not utf-8\n"[..]),
    ];
    (prop::collection::vec(line, 0..40), any::<bool>()).prop_map(|(lines, ends)| {
        let text = lines.concat();
        if ends { text } else { text.strip_suffix(b"\n").unwrap_or(&text).to_vec() }
    })
}

/// A text, and what became of it by a few edits, so that most of it stays.
fn edited() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edit = (any::<prop::sample::Index>(), 0..4_usize, text());
    (text(), text(), prop::collection::vec(edit, 1..4)).prop_map(|(text, more, edits)| {
        let before = [text, more].concat();
        let mut lines: Vec<Vec<u8>> = lines(&before).into_iter().map(<[u8]>::to_vec).collect();
        for (at, gone, new) in edits {
            let at = at.index(lines.len() + 1);
            let end = lines.len().min(at + gone);
            lines.splice(
                at..end,
                new.split_inclusive(|it| *it == b'\n').take(3).map(<[u8]>::to_vec),
            );
        }
        (before, lines.concat())
    })
}

/// A file of an added folder is shown by its absolute path.
#[test]
fn an_absolute_path_loses_its_slash_in_the_head() {
    let head = patch(counted("/srv/notes.txt", Change::Create(plain(b""))));
    assert_eq!(head, "diff --git a/srv/notes.txt b/srv/notes.txt\nnew file mode 100644\n");
}

fn utf16(order: Utf16, mark: &str, text: &[u8]) -> Vec<u8> {
    order.encoded(&format!("{mark}{}", String::from_utf8_lossy(text)))
}

/// AN-21: lines of UTF-16 are counted as lines, and the patch says what they are.
#[test]
fn utf16_is_compared_by_its_lines_and_the_patch_names_it() {
    let words = b"plain words\r\nand more of them\r\nend";
    let after = b"plain words\r\nand \xE5\xAD\x97 of them\r\nend";
    for (order, mark) in [(Utf16::Le, "\u{FEFF}"), (Utf16::Le, ""), (Utf16::Be, "\u{FEFF}")] {
        let (before, after) = (utf16(order, mark, words), utf16(order, mark, after));
        let FileDiff::Lines { added, removed, patch } = counted("a", modify(&before, &after))
        else {
            panic!("these are lines")
        };
        assert_eq!((added, removed), (1, 1));
        let head = format!("diff --git a/a b/a\nencoding: {}\n--- a/a\n", order.label());
        assert!(patch.starts_with(head.as_bytes()));
        assert_eq!(crate::apply(&before, &patch), Ok(after));
        let other = crate::apply(b"plain words\r\n", &patch);
        assert!(matches!(other, Err(crate::PatchError::Mismatch { .. })), "{other:?}");
        let created = counted("a", Change::Create(plain(&before)));
        assert!(matches!(created, FileDiff::Lines { added: 3, removed: 0, .. }), "{created:?}");
    }
    let (le, be) = (utf16(Utf16::Le, "", words), utf16(Utf16::Be, "", words));
    for other in [&be[..], words, &[&le[..], b"\0"].concat()] {
        assert_eq!(counted("a", modify(&le, other)), FileDiff::Binary);
    }
    let unknown = b"encoding: utf-7\n@@ -0,0 +1 @@\n+a\n";
    assert_eq!(crate::apply(b"", unknown), Err(crate::PatchError::NotUnderstood { line: 1 }));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// AN-21.
    #[test]
    fn our_own_apply_makes_the_after_image_of_utf16_too(
        (before, after) in edited(),
        order in prop::sample::select(&[Utf16::Le, Utf16::Be][..]),
    ) {
        let [before, after] = [before, after].map(|it| utf16(order, "\u{FEFF}", &it));
        prop_assume!(before != after);
        match counted("x", modify(&before, &after)) {
            FileDiff::Lines { patch, .. } => {
                prop_assert_eq!(crate::apply(&before, &patch), Ok(after));
            }
            it @ (FileDiff::Binary | FileDiff::ModeOnly { .. } | FileDiff::Cut) => {
                prop_assert!(false, "{:?}", it);
            }
        }
    }

    #[test]
    fn our_own_apply_makes_the_after_image_too((before, after) in edited()) {
        prop_assume!(before != after);
        match counted("x", modify(&before, &after)) {
            FileDiff::Lines { patch, .. } => {
                prop_assert_eq!(crate::apply(&before, &patch), Ok(after));
            }
            it @ (FileDiff::Binary | FileDiff::ModeOnly { .. } | FileDiff::Cut) => {
                prop_assert!(false, "{:?}", it);
            }
        }
    }
}
