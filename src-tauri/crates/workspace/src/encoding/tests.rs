use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, GB18030, IBM866, KOI8_R, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252,
};
use proptest::{collection::vec, prelude::*, sample::select};

use super::*;

const CHINESE: &str = "名称=旧的名字\r\n版本=1\r\n";

fn read(bytes: &[u8]) -> DecodedText {
    decode(bytes, &Limits::default()).expect("a text")
}

fn gb18030(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

/// SI-10, EN-1, EN-2: a text goes back as it came, and a mark at the start is kept and not shown.
#[test]
fn what_was_decoded_encodes_to_the_same_bytes() {
    let plain = "naïve 字 plain text\r\n";
    let marked = |mark: &[u8], said: Vec<u8>| [mark, &said].concat();
    let files = [
        ("utf-8", "", plain, plain.as_bytes().to_vec()),
        ("utf-8", "\u{FEFF}", plain, marked(b"\xEF\xBB\xBF", plain.into())),
        ("utf-16le", "\u{FEFF}", plain, marked(b"\xFF\xFE", utf16le(plain))),
        ("utf-16be", "\u{FEFF}", plain, marked(b"\xFE\xFF", utf16be(plain))),
        ("utf-16le", "", plain, utf16le(plain)),
        ("utf-16be", "", plain, utf16be(plain)),
        ("gb18030", "", CHINESE, gb18030(CHINESE)),
        ("gb18030", "\u{FEFF}", CHINESE, marked(b"\x84\x31\x95\x33", gb18030(CHINESE))),
        ("utf-8", "", "", vec![]),
        ("utf-8", "\u{FEFF}", "", b"\xEF\xBB\xBF".to_vec()),
        ("utf-16le", "\u{FEFF}", "", b"\xFF\xFE".to_vec()),
    ];
    for (encoding, mark, text, bytes) in files {
        let file = read(&bytes);
        assert_eq!((file.encoding(), file.text()), (encoding, text));
        assert_eq!(file.mark().is_empty(), mark.is_empty());
        assert_eq!(file.encode(text), Ok(bytes.clone()));
        assert_eq!(file.mark().len() + file.size_of(text), bytes.len());
    }
}

/// RE-7, EN-1: UTF-16 is told before a NUL makes a file binary.
#[test]
fn a_nul_counts_only_near_the_start_and_utf16_is_not_binary() {
    let limits = Limits { binary_peek_bytes: 4, ..Limits::default() };
    let is_binary = |bytes: &[u8]| decode(bytes, &limits).is_err();
    assert!(is_binary(b"abc\0") && is_binary(b"\xEF\xBB\xBF\0"));
    assert!(!is_binary(b"abcd\0"));
    assert!(!is_binary(b"\xFF\xFEa\0") && !is_binary(b"\xFE\xFF\0a"));
    assert!(!is_binary(&utf16le("plain text")));
}

/// EN-6: at least 16 bytes, NULs at one place of the pairs, hardly any at the other.
#[test]
fn utf16_without_a_mark_is_told_by_where_the_nuls_are() {
    let is_binary = |bytes: &[u8]| decode(bytes, &Limits::default()).is_err();
    assert_eq!(read(&utf16le("abcdefgh")).text(), "abcdefgh");
    assert!(is_binary(&utf16le("abcdefg")), "too short");
    assert_eq!(read(&utf16be("abc字字字字字字字")).encoding(), "utf-16be");
    assert!(is_binary(&utf16be("ab字字字字字字字字")), "under 30 %");
    assert!(is_binary(&[utf16le("abcdefghabcdefgh"), b"\0\0".to_vec()].concat()));
    assert!(is_binary(&[0, 1].repeat(8).iter().chain(&[1, 0]).copied().collect::<Vec<_>>()));
}

/// UTF-32 starts like UTF-16. It is not written as if it were.
#[test]
fn what_only_starts_like_utf16_is_not_written() {
    let utf32 = b"\xFF\xFE\0\0a\0\0\0b\0\0\0";
    assert_eq!(read(utf32).writable(), Err(NotEncoded::Damaged { encoding: "utf-16le" }));
}

/// Half a character, half a pair, and codes that two ways lead to (dependencies: A3A0 of 23 940).
#[test]
fn a_file_whose_bytes_would_not_come_back_is_only_read() {
    let lone = [utf16le("plain text "), vec![0x00, 0xD8], utf16le(" and more")].concat();
    let odd = [utf16le("plain text"), vec![b'x']].concat();
    let twice = [gb18030(CHINESE), b"\xA3\xA0".to_vec()].concat();
    let torn = ["字".repeat(20).as_bytes(), b"\xE5\xAD"].concat();
    let (le, gb, utf8) = ("utf-16le", "gb18030", "utf-8");
    for (bytes, encoding) in [(lone, le), (odd, le), (twice, gb), (torn, utf8)] {
        let file = read(&bytes);
        let refused = NotEncoded::Damaged { encoding };
        assert_eq!((file.writable(), file.encode("")), (Err(refused), Err(refused)));
        assert!(file.text().contains(['字', 'p', '名']), "{}", file.text());
    }
}

/// EN-1: every text is shown; one that is in no known encoding is not written.
#[test]
fn other_encodings_are_read_as_what_they_are_most_like() {
    let files = [
        (WINDOWS_1252, "Größe der Straße\n"),
        (WINDOWS_1252, "naïve façade, señor\n"),
        (SHIFT_JIS, "日本語のテキスト\n"),
        (EUC_KR, "안녕하세요, 반갑습니다\n"),
    ];
    for (encoding, text) in files {
        let file = read(&encoding.encode(text).0);
        assert_eq!(file.text(), text);
        assert_eq!(file.encode(text), Err(NotEncoded::Foreign { encoding: encoding.name() }));
    }
    assert_eq!(read(b"\xC4\xE3\xBA\xC3").text(), "你好", "too short to be told");
}

/// EN-4, B23.
#[test]
fn a_character_that_does_not_fit_is_named_with_its_line() {
    let file = read(&gb18030(CHINESE));
    let refused = file.encode("一\n二\n三\u{E5E5}").unwrap_err();
    assert_eq!(
        refused,
        NotEncoded::NoSuchCharacter { character: '\u{E5E5}', line: 3, encoding: "gb18030" }
    );
    assert_eq!(refused.to_string(), "gb18030 cannot hold U+E5E5, in line 3");
    let more = format!("{CHINESE}é\u{1F600}");
    assert!(file.encode(&more).is_ok(), "GB18030 has what GBK has not");
    let file = read(b"plain");
    let refused = ["a\nb\0", "\u{FEFF}a"].map(|it| file.encode(it).unwrap_err().to_string());
    let named = ["utf-8 cannot hold U+0000, in line 2", "utf-8 cannot hold U+FEFF, in line 1"];
    assert_eq!(refused, named);
}

/// EN-1, EN-4, EN-6: nothing is written that would be read as something else.
#[test]
fn a_text_that_would_be_read_otherwise_is_not_written() {
    let chinese = "这里没有拉丁字母".repeat(4);
    let utf16 = [(utf16le as fn(&str) -> Vec<u8>, "utf-16le"), (utf16be, "utf-16be")];
    for (encode, encoding) in utf16 {
        let file = read(&encode(&format!("{}\n{chinese}", "plain text ".repeat(4))));
        let instead = |text: &str| match file.encode(text) {
            Ok(bytes) => panic!("{bytes:?}"),
            Err(NotEncoded::ReadOtherwise { encoding: told, instead }) => {
                assert_eq!(told, encoding);
                instead
            }
            Err(other) => panic!("{other}"),
        };
        assert_ne!(instead(&chinese), encoding);
        assert_eq!(instead("abc"), "a binary file", "too short to be told");
        assert!(file.encode("").is_ok() && file.encode("abcdefgh").is_ok());
        let marked = read(&[file.encoding.form.mark(), &encode("a")].concat());
        assert!(marked.encode(&chinese).is_ok(), "a mark tells it whatever comes after");
    }
    let file = read(&gb18030(CHINESE));
    let refused = file.encode("é à ü\n").unwrap_err();
    assert_eq!(refused, NotEncoded::ReadOtherwise { encoding: "gb18030", instead: "Big5" });
    let told = "it is gb18030 without a byte order mark, and would be read as Big5 then";
    assert_eq!(refused.to_string(), told);
    assert_eq!(file.encode("plain\n").as_deref(), Ok(&b"plain\n"[..]), "the same in each of them");
}

/// EN-5: the sample ends inside a character, and the text that counts comes late.
#[test]
fn a_sample_is_taken_where_it_says_something_and_may_end_anywhere() {
    for shift in 0..4 {
        let text = format!("{}{}", "a".repeat(300_000), "b".repeat(shift) + &"字节".repeat(70_000));
        let file = read(&gb18030(&text));
        assert_eq!((file.encoding(), file.text() == text), ("gb18030", true));
    }
}

/// RE-7: bytes of every kind give at most three times as many of text.
#[test]
fn what_a_text_takes_is_bounded_by_what_its_file_takes() {
    for pattern in
        [&b"\xE4"[..], b"a\0\xFF\xFE", b"\xFF\xFE\x57\x5B", b"\xC4\xE3\xBA\xC3", b"\xE9 "]
    {
        let bytes = pattern.repeat(50_000 / pattern.len());
        assert!(read(&bytes).text().len() <= 3 * bytes.len());
    }
}

/// Every form that a file can be told to be in.
fn forms() -> Vec<Form> {
    let foreign = [BIG5, EUC_JP, EUC_KR, SHIFT_JIS, WINDOWS_1252, WINDOWS_1251, KOI8_R, IBM866];
    let known = [Form::Utf8, Form::Utf16Le, Form::Utf16Be, Form::Gb18030];
    known.into_iter().chain(foreign.map(Form::Foreign)).collect()
}

/// RE-10: lines are counted where they are, however many there are at once.
#[test]
fn line_feeds_are_counted_between_characters() {
    for form in forms() {
        let mut feed = b"\n".to_vec();
        if let Form::Utf16Le | Form::Utf16Be = form {
            feed.clear();
            form.encode("\n", &mut feed).unwrap();
        }
        let bytes = feed.repeat(1000);
        assert_eq!((form.count_feeds(&bytes), form.count_lines(&bytes)), (1000, 1000));
        assert_eq!(form.after_feeds(&bytes, 1000), Some(bytes.len()));
        assert_eq!((form.after_feeds(&bytes, 1001), form.after_feed(b"")), (None, None));
        assert_eq!((form.ends_line(&bytes), form.count_lines(b"")), (true, 0));
    }
    // U+0A0A, U+0A00 and U+000A that is torn from its pair.
    let torn = [(Form::Utf16Le, b"\x0A\x0A\x0A\x0A\0"), (Form::Utf16Be, b"\x0A\x0A\x0A\0\x0A")];
    for (form, bytes) in torn {
        assert_eq!((form.count_feeds(bytes), form.count_lines(bytes)), (0, 1));
        assert!(!form.ends_line(bytes), "{form:?}");
    }
}

/// Pieces of texts as files have them, and some that none has.
const PIECES: [&str; 11] =
    ["a", "key=", "名字", "€", "é", "\u{1F600}", "\u{E5E5}", "\r\n", "\n", "\r", "\u{FEFF}"];

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        4 => select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(part, 0..60).prop_map(|it| it.concat())
}

/// How often bytes are decoded; `EVIDENT_FUZZ_RUNS` makes it more.
fn runs() -> ProptestConfig {
    let asked = std::env::var("EVIDENT_FUZZ_RUNS").ok().and_then(|it| it.parse().ok());
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(asked.unwrap_or(500)) }
}

/// SI-10: what can be written comes back as it was, and another text comes back as it was written.
fn check(bytes: &[u8], other: &str) {
    let limits = Limits::default();
    let Ok(file) = decode(bytes, &limits) else {
        return assert!(bytes.iter().take(limits.binary_peek_bytes as usize).any(|it| *it == 0));
    };
    assert!(file.text().len() <= 3 * bytes.len());
    if file.writable().is_err() {
        return assert!(file.encode(file.text()).is_err());
    }
    assert_eq!(file.encode(file.text()).as_deref(), Ok(bytes));
    match file.encode(other) {
        Ok(said) => {
            let again = read(&said);
            assert_eq!(again.text(), other);
            assert!(again.encoding == file.encoding || said.is_ascii(), "{again:?}");
            assert_eq!(said.len() - file.mark().len(), file.size_of(other));
        }
        Err(NotEncoded::NoSuchCharacter { .. } | NotEncoded::ReadOtherwise { .. }) => {}
        Err(why @ (NotEncoded::Foreign { .. } | NotEncoded::Damaged { .. })) => panic!("{why:?}"),
    }
}

proptest! {
    #![proptest_config(runs())]

    /// RE-7: what a page relies on to show a line without the others, and to know early that one is
    /// too long.
    #[test]
    fn a_line_says_the_same_alone_and_says_enough(
        bytes in vec(prop_oneof![any::<u8>(), select(&b"\n\r0\x81\x8F\xFE"[..])], 0..60),
    ) {
        for form in forms() {
            let (mut rest, mut lines) = (&bytes[..], String::new());
            while !rest.is_empty() {
                let end = form.after_feed(rest).unwrap_or(rest.len());
                let line = form.text_of(&rest[..end]);
                assert!(end <= 2 * line.len(), "{form:?} {line}");
                lines += &line;
                rest = &rest[end..];
            }
            assert_eq!(lines, form.text_of(&bytes), "{form:?}");
        }
    }

    #[test]
    fn any_bytes_come_back_or_are_only_read(bytes in vec(any::<u8>(), 0..200), other in texts()) {
        check(&bytes, &other);
    }

    /// The same with bytes that are nearly a text.
    #[test]
    fn any_text_comes_back_or_is_only_read(
        text in texts(),
        encode in select(&[gb18030 as fn(&str) -> Vec<u8>, utf16le, utf16be, |it| it.into()][..]),
        torn in 0..3_usize,
        other in texts(),
    ) {
        let mut bytes = encode(&text);
        bytes.truncate(bytes.len().saturating_sub(torn));
        check(&bytes, &other);
    }
}
