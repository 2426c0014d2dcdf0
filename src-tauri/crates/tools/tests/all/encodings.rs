//! Files in every supported encoding: read, searched, edited, overwritten.

use encoding_rs::GB18030;
use protocol::FailureCode;
use serde_json::json;

use crate::bench::{Bench, failed};

const CHINESE: &str =
    "名称=旧的名字\r\n版本=1\r\n说明=这是一个用来测试编码的配置文件，内容是中文的。\r\n";

fn gb18030(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// A byte order mark, or none, and how a text is said after it.
pub(crate) type Form = (&'static [u8], fn(&str) -> Vec<u8>);

/// The supported encodings.
pub(crate) const ENCODINGS: [Form; 8] = [
    (b"", |it| it.into()),
    (b"\xEF\xBB\xBF", |it| it.into()),
    (b"", utf16le),
    (b"\xFF\xFE", utf16le),
    (b"", utf16be),
    (b"\xFE\xFF", utf16be),
    (b"", gb18030),
    (b"\x84\x31\x95\x33", gb18030),
];

/// B23, R020, EN-2, EN-7: the text is sent with plain line ends, and put into the file's own form.
#[test]
fn a_line_of_a_gb18030_file_with_crlf_is_edited_and_nothing_else() {
    let mut it = Bench::new(&[("cfg.ini", &gb18030(CHINESE))]);
    assert!(it.read("cfg.ini").expect("a text").starts_with("1\t名称=旧的名字\n2\t版本=1\n"));
    it.edit("cfg.ini", "名称=旧的名字\n版本", "名称=新的名字\n额外=€\n版本").expect("it was read");
    let expected = CHINESE.replace("旧的名字\r\n", "新的名字\r\n额外=€\r\n");
    assert_eq!(it.bytes("cfg.ini"), gb18030(&expected));
}

/// B23, EN-4: no `?`, no other encoding; the character and its line are named.
#[test]
fn a_character_outside_the_encoding_leaves_the_file_as_it_was() {
    let mut it = Bench::new(&[("cfg.ini", &gb18030(CHINESE))]);
    it.read("cfg.ini").expect("a text");
    let told =
        [it.edit("cfg.ini", "版本=1", "版本=\u{E5E5}"), it.overwrite("cfg.ini", "1\n\u{E5E5}")];
    for failure in told.map(failed) {
        assert_eq!(failure.code, FailureCode::BadArguments);
        assert!(failure.message.contains("U+E5E5, in line 2"), "{}", failure.message);
    }
    assert_eq!(it.bytes("cfg.ini"), gb18030(CHINESE));
}

/// EN-4, 09 row 20: what only its bytes tell is not written so that they tell something else; what
/// is named instead works.
#[test]
fn a_file_that_would_be_read_otherwise_afterwards_is_left_as_it_was() {
    let chinese = "这里没有拉丁字母\n".repeat(8);
    let old = format!("# a line in plain ASCII, long enough to tell the encoding\n{chinese}");
    let ascii = old.lines().next().expect("it has one");
    let files =
        [("utf-16le", utf16le(&old)), ("utf-16be", utf16be(&old)), ("gb18030", gb18030(CHINESE))];
    for (encoding, bytes) in &files {
        let mut it = Bench::new(&[("a", bytes)]);
        it.read("a").expect("a text");
        let is_gb = *encoding == "gb18030";
        let change = |it: &mut Bench| {
            if is_gb {
                it.overwrite("a", "é à ü\n")
            } else {
                it.edit("a", ascii, "全是中文")
            }
        };
        let refused = failed(change(&mut it));
        assert_eq!(refused.code, FailureCode::BadArguments);
        let told = format!("a: it is {encoding} without a byte order mark, and would be read as ");
        assert!(refused.message.starts_with(&told), "{}", refused.message);
        let next = format!(
            "nothing was written; convert it first, with bash, where read_file shows it as it \
             should read: iconv -f {encoding} -t UTF-8"
        );
        assert_eq!(refused.next, next);
        assert_eq!(it.bytes("a"), *bytes, "every byte is as it was");
        let text = if is_gb { CHINESE } else { &old };
        it.put("a", text.as_bytes());
        it.read("a").expect("a text");
        change(&mut it).expect("it is UTF-8 now");
    }
}

/// DEC-7: an overwrite keeps encoding, mark and line ends.
#[test]
fn an_overwrite_keeps_the_encoding_of_the_file() {
    for (mark, encode) in ENCODINGS {
        let said = |text: &str| [mark, &encode(text)].concat();
        let old = format!("plain text\r\n{CHINESE}");
        let mut it = Bench::new(&[("a", &said(&old))]);
        it.read("a").expect("a text");
        it.overwrite("a", "new\n旧的\n").expect("it was read");
        assert_eq!(it.bytes("a"), said("new\r\n旧的\r\n"));
    }
}

/// EN-2: a search looks at texts, whatever their bytes.
#[test]
fn a_search_finds_text_in_every_encoding() {
    let plain = "plain text\r\n名称=旧\r\n这是一个用来测试编码的配置文件\r\n";
    let said = ENCODINGS.map(|(mark, encode)| [mark, &encode(plain)].concat());
    let names = ["0", "1", "2", "3", "4", "5", "6", "7"];
    let files: Vec<(&str, &[u8])> = names.into_iter().zip(said.iter().map(Vec::as_slice)).collect();
    let mut it = Bench::new(&files);
    let told = it.capability("grep", &json!({ "pattern": "^名称=.$" })).expect("a search");
    assert_eq!(told, names.map(|it| format!("{it}:2:名称=旧")).join("\n"));
}

/// EN-1: what is in no supported encoding is shown and not changed.
#[test]
fn a_text_that_is_not_byte_exact_is_read_and_not_edited() {
    let torn = [gb18030(CHINESE), b"\xA3\xA0".to_vec()].concat();
    let files: [(&str, &[u8], &str); 2] =
        [("latin", b"caf\xE9 au lait\n", "café"), ("torn", &torn, "旧的名字")];
    for (name, bytes, text) in files {
        let mut it = Bench::new(&[(name, bytes)]);
        assert!(it.read(name).expect("a text").contains(text));
        let failure = failed(it.edit(name, text, "x"));
        assert_eq!(failure.code, FailureCode::UnknownEncoding);
        let next = "change it with bash, or convert it first, with bash, where read_file shows it \
                    as it should read: iconv -f ";
        assert!(failure.next.starts_with(next), "{}", failure.next);
        assert_eq!(it.bytes(name), bytes);
    }
}

/// EN-7: what a page shows of lines that end in `\r\r\n` can be sent back.
#[test]
fn lines_with_two_returns_are_matched_as_they_are_shown() {
    let mut it = Bench::new(&[("a", b"a\r\r\nb\r\r\n")]);
    assert_eq!(it.read("a").expect("a text"), "1\ta\n2\tb");
    it.edit("a", "a\nb", "a\nB").expect("it was read");
    assert_eq!(it.text("a"), "a\r\r\nB\r\r\n");
    assert_eq!(it.overwrite("a", "a\nB\n").expect("a no-op"), "unchanged a");
}
