use super::*;

fn kept(most_bytes: u64, chunks: &[&[u8]]) -> Kept {
    let mut kept = Kept::up_to(most_bytes);
    chunks.iter().for_each(|chunk| kept.take(chunk));
    kept
}

fn text(stretch: &Stretch, shown_bytes: u32) -> String {
    stretch.text(shown_bytes, Otherwise::Utf8, &Limits::default()).0
}

/// AN-15: however it comes, the first and the last of it are kept, and all of it is counted.
#[test]
fn the_start_and_the_end_are_kept_and_the_rest_is_counted() {
    let all: Vec<u8> = (0..100).collect();
    for size in [1, 3, 7, 50, 100] {
        let chunks: Vec<&[u8]> = all.chunks(size).collect();
        let short = kept(10, &chunks);
        assert_eq!(short.bytes(), [0, 1, 2, 3, 4, 95, 96, 97, 98, 99], "{size}");
        assert_eq!((short.total_bytes(), short.cut_at()), (100, Some(5)), "{size}");
        let whole = kept(100, &chunks);
        assert_eq!((whole.bytes(), whole.cut_at()), (all.clone(), None), "{size}");
    }
}

#[test]
fn a_stretch_begins_where_the_last_one_ended() {
    let all: Vec<u8> = (0..100).collect();
    let short = kept(10, &[&all]);
    let parts = |from| {
        let it = short.since(from);
        (it.start, it.end, it.left_out_bytes)
    };
    assert_eq!(parts(3), (vec![3, 4], vec![95, 96, 97, 98, 99], 90));
    assert_eq!(parts(40), (vec![], vec![95, 96, 97, 98, 99], 55));
    assert_eq!(parts(97), (vec![], vec![97, 98, 99], 0));
    assert_eq!(parts(100), (vec![], vec![], 0));
    assert_eq!(parts(1_000), (vec![], vec![], 0));
    for from in [0, 3, 40, 97, 100] {
        assert_eq!(short.since(from).total_bytes(), 100 - from);
        let shortened = short.shortened(from, 4);
        assert_eq!(shortened.total_bytes(), 100 - from, "{from}");
        assert!(shortened.bytes().len() <= 4, "{from}");
        assert!(shortened.bytes().ends_with(&all[100.max(from as usize + 2) - 2..]), "{from}");
    }
}

/// R064 and the like: what fits is shown whole; of the rest both ends are, and how long it is.
#[test]
fn a_long_output_shows_both_its_ends_and_says_how_long_it_is() {
    let long = kept(1 << 20, &[b"first line\n", &[b'x'; 5_000], b"\nlast line\n"]);
    let told = text(&long.since(0), 400);
    assert!(told.starts_with("first line\nxxx") && told.ends_with("xxx\nlast line\n"), "{told}");
    assert!(told.contains("of 5022 bytes of output the middle is left out"), "{told}");
    assert!(told.len() < 500);
    let short = kept(1 << 20, &[b"one\n", b"two\n"]);
    assert_eq!(
        short.since(0).text(400, Otherwise::Utf8, &Limits::default()),
        ("one\ntwo\n".to_owned(), true)
    );
}

/// R061: what a process in the background prints over and over does not crowd out the one line that
/// the command had to say, wherever between it falls.
#[test]
fn a_run_of_equal_lines_takes_no_room_from_the_others() {
    for at in [0, 1_000, 25_000, 49_999, 50_000] {
        let (before, after) = ("y\n".repeat(at), "y\n".repeat(50_000 - at));
        let long = kept(1 << 20, &[before.as_bytes(), b"two\n", after.as_bytes()]).since(0);
        let (told, is_whole) = long.text(16 << 10, Otherwise::Utf8, &Limits::default());
        assert!(told.contains("two\n") && !is_whole, "{at}: {told}");
        assert!(told.len() < 100, "{at}: {told}");
    }
    let long = kept(1 << 20, &[b"a\n", &b"same\n".repeat(100), b"b\n"]);
    assert_eq!(text(&long.since(0), 100), "a\nsame\n[the line above 99 more times]\nb\n");
    assert_eq!(text(&long.since(0), 507), "a\n".to_owned() + &"same\n".repeat(100) + "b\n");
    // Of what is too long to be kept, both ends are folded.
    let longer = kept(1_000, &[b"first\n", &b"same\n".repeat(1_000), b"last\n"]).since(0);
    let told = text(&longer, 400);
    assert!(told.starts_with("first\nsame\n[the line above "), "{told}");
    assert!(told.ends_with(" more times]\nlast\n") && told.contains("of 5011 bytes"), "{told}");
}

#[test]
fn lines_are_folded_only_where_that_is_shorter_and_they_are_lines() {
    for lines in ["a\nb\na\nb\n", "a\na\na\n", "\n\n\n\n", "same\nsame", ""] {
        assert_eq!(folded(lines.as_bytes()), lines.as_bytes());
    }
    let utf16: Vec<u8> = "y\n".repeat(100).encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(folded(&utf16), utf16);
}

/// A character is never shown in halves, wherever the cut or the look falls.
#[test]
fn no_character_is_cut_in_two() {
    let chinese = "字".repeat(400);
    for most in 20..40 {
        let told = text(&kept(64, &[chinese.as_bytes()]).since(0), most);
        assert!(!told.contains('\u{fffd}'), "{most}: {told}");
    }
    let half_bytes = "ok字".as_bytes().split_last().expect("bytes").1;
    let mut half = kept(64, &[half_bytes]).since(0);
    assert_eq!((half.hold_back(), text(&half, 400).as_str()), (2, "ok"));
    assert_eq!(kept(64, &[b"ok\xff"]).since(0).hold_back(), 0, "it never will be one");
}

/// Bytes that are no text are told as what they are, and nothing breaks.
#[test]
fn invalid_utf8_and_escapes_are_told_as_they_are() {
    let told = text(&kept(64, &[b"a\xff\x00b \x1b[31mred\n"]).since(0), 400);
    assert_eq!(told, "a\u{fffd}\0b \u{1b}[31mred\n");
    let noise: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    let told = text(&kept(512, &[&noise]).since(0), 300);
    assert!(told.len() < 400, "{}", told.len());
}

/// EN-9: where programs print in a code page of their own, it is found out; UTF-8 stays UTF-8.
#[test]
fn an_output_in_a_code_page_is_read_as_that() {
    let decoded = |bytes: &[u8]| decoded(bytes, Otherwise::Detected, &Limits::default());
    let gbk = b"\xb4\xed\xce\xf3: \xd5\xd2\xb2\xbb\xb5\xbd\xce\xc4\xbc\xfe\r\n";
    assert_eq!(decoded(gbk), "错误: 找不到文件\r\n");
    assert_eq!(decoded("错误: 找不到文件\r\n".as_bytes()), "错误: 找不到文件\r\n");
    let utf16: Vec<u8> = "usage: wsl.exe\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(decoded(&utf16), "usage: wsl.exe\r\n");
    assert_eq!(decoded(b"\0\xff\0binary"), "\0\u{fffd}\0binary");
    let unix = Otherwise::Utf8;
    assert_eq!(super::decoded(b"\xb4\xed", unix, &Limits::default()), "\u{fffd}\u{fffd}");
}
