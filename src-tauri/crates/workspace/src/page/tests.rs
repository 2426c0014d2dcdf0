use std::io::Cursor;

use encoding_rs::GB18030;
use proptest::{collection::vec, prelude::*, sample::select};

use super::*;
use crate::{Cut, decode};

/// How a text becomes a file's bytes.
type Encode = fn(&str) -> Vec<u8>;

/// The forms that are read and written, with a mark and without.
const FORMS: [Encode; 8] = [
    |it| it.into(),
    |it| [b"\xEF\xBB\xBF", it.as_bytes()].concat(),
    utf16le,
    |it| [b"\xFF\xFE".to_vec(), utf16le(it)].concat(),
    utf16be,
    |it| [b"\xFE\xFF".to_vec(), utf16be(it)].concat(),
    gb18030,
    |it| [b"\x84\x31\x95\x33".to_vec(), gb18030(it)].concat(),
];
/// What keeps a text in UTF-16 from being taken for a binary file, whatever follows.
const ASCII: &str = "plain text to begin with\n";
const PIECES: [&str; 12] =
    ["a", "key=", "名字", "€", "é", "\u{1F600}", "\u{FEFF}", "\u{A0A}", "\r\n", "\n", "\n", "\r"];

fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn utf16be(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_be_bytes).collect()
}

fn gb18030(text: &str) -> Vec<u8> {
    GB18030.encode(text).0.into_owned()
}

/// What can be said of a page without a look at the rest of the file.
type Shown = Result<(String, u32, u32, bool, Option<Cut>), u32>;

fn shown(page: Result<Window, PageError>) -> Shown {
    match page {
        Ok(it) => Ok((it.numbered, it.first, it.end, it.eof, it.cut)),
        Err(PageError::Window(WindowError::LineTooLong { number, .. })) => Err(number),
        Err(other) => panic!("{other}"),
    }
}

/// The page as it is told from the text of the whole file.
fn model(text: &str, ask: Ask<'_>) -> Shown {
    let Ask { offset, limit, limits } = ask;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = lines.len().min(offset as usize);
    let asked = limit.filter(|it| *it != 0).unwrap_or(limits.page_lines) as usize;
    let (mut numbered, mut end) = (String::new(), first);
    let mut cut = (first + asked < lines.len()).then_some(Cut::PageLimit);
    for line in lines.iter().skip(first).take(asked) {
        let number = end + 1;
        let bare = line.strip_suffix('\n').map_or(*line, |it| it.trim_end_matches('\r'));
        let returns = line.trim_end_matches('\n').len() - bare.len();
        if (limits.line_bytes as usize) < bare.len() + returns.saturating_sub(1) {
            return Err(number as u32);
        }
        let more = format!("{}{number}\t{bare}", if end == first { "" } else { "\n" });
        if (limits.page_bytes as usize) < numbered.len() + more.len() && first < end {
            cut = Some(Cut::SafetyPage);
            break;
        }
        numbered += &more;
        end = number;
    }
    Ok((numbered, first as u32, end as u32, end == lines.len(), cut))
}

fn streamed(bytes: &[u8], ask: Ask<'_>, piece_bytes: usize) -> Result<Window, PageError> {
    Source { file: Cursor::new(bytes), shown: "a" }.streamed(ask, piece_bytes)
}

/// Compares each page of a file, streamed and of the whole, with what its text says.
fn check(bytes: &[u8], limits: &Limits, piece_bytes: usize) {
    let whole = Limits { encoding_sample_bytes: 256 << 10, ..limits.clone() };
    let Ok(file) = decode(bytes, &whole) else {
        let ask = Ask { offset: 0, limit: None, limits };
        let page = streamed(bytes, ask, piece_bytes);
        return assert!(matches!(page, Err(PageError::NotText(NotText))), "{page:?}");
    };
    let total = file.text().split_inclusive('\n').count() as u32;
    for offset in (0..=total + 1).chain([u32::MAX]) {
        let ask = Ask { offset, limit: None, limits };
        let page = streamed(bytes, ask, piece_bytes);
        if let Ok(page) = &page {
            assert_eq!(page.total_lines, page.eof.then_some(total), "at {offset}");
        }
        let expected = model(file.text(), ask);
        assert_eq!(shown(page), expected, "at {offset}");
        let page = Ask { limits: &whole, ..ask }.page_of(bytes);
        assert!(page.as_ref().map_or(true, |it| it.total_lines == Some(total)));
        assert_eq!(shown(page), expected, "at {offset}");
    }
}

fn texts() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        6 => select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z]{20,60}",
    ];
    vec(part, 0..60).prop_map(|it| it.concat())
}

fn tiny() -> impl Strategy<Value = Limits> {
    (1..4_u32, 1..60_u32, 8..40_u32).prop_map(|(page_lines, page_bytes, line_bytes)| Limits {
        page_lines,
        page_bytes,
        line_bytes,
        ..Limits::default()
    })
}

fn runs() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) }
}

proptest! {
    #![proptest_config(runs())]

    /// RE-5 to RE-10, EN-1: wherever a file is torn into pieces, and in whatever form it is, each
    /// of its pages is the one that its whole text has.
    #[test]
    fn a_streamed_page_is_the_page_of_the_whole_text(
        text in texts(),
        encode in select(&FORMS[..]),
        limits in tiny(),
        half_piece in 1..20_usize,
        torn in 0..3_usize,
    ) {
        let mut bytes = encode(&(ASCII.to_owned() + &text));
        bytes.truncate(bytes.len().saturating_sub(torn));
        check(&bytes, &limits, 2 * half_piece);
    }

    /// The same of bytes that are nearly a text.
    #[test]
    fn a_streamed_page_shows_what_is_no_text_as_the_whole_shows_it(
        bytes in vec(select(&b"a\n\r\xFF\xFE\xE5\xAD\x97\xC4\xE3\x81\x30\x84\x8F\xD8\x00"[..]), 0..80),
        limits in tiny(),
        half_piece in 1..20_usize,
    ) {
        check(&bytes, &limits, 2 * half_piece);
    }

    /// RE-7, EN-5: UTF-8 and what has a mark need no large sample, and it may end in a character.
    #[test]
    fn a_small_sample_tells_utf8_and_what_is_marked(
        text in texts().prop_filter("a NUL is told within the sample", |it| !it.contains('\0')),
        encode in select(&[FORMS[0], FORMS[1], FORMS[3], FORMS[5], FORMS[7]][..]),
        encoding_sample_bytes in 4..40_u32,
    ) {
        let limits = Limits { page_lines: 3, encoding_sample_bytes, ..Limits::default() };
        check(&encode(&text), &limits, 6);
    }
}

/// RE-7, EN-5: the sample is taken where the text is no longer ASCII, however late that is.
#[test]
fn text_far_behind_the_start_tells_the_encoding_of_its_page() {
    let text = format!("{}{}", "plain\n".repeat(40_000), "名称=旧的名字\r\n".repeat(400));
    let bytes = gb18030(&text);
    for encoding_sample_bytes in 1000..1004 {
        let limits = Limits { encoding_sample_bytes, ..Limits::default() };
        let page = |offset| {
            let ask = Ask { offset, limit: Some(1), limits: &limits };
            streamed(&bytes, ask, PIECE_BYTES).expect("a page").numbered
        };
        assert_eq!(page(40_100), "40101\t名称=旧的名字");
        assert_eq!(page(39_999), "40000\tplain");
    }
}

/// RE-7: the first bytes tell a binary file, and the others do not.
#[test]
fn a_nul_near_the_start_is_no_text_and_one_behind_is_shown() {
    let limits = Limits { binary_peek_bytes: 4, ..Limits::default() };
    let ask = Ask { offset: 0, limit: None, limits: &limits };
    assert!(matches!(streamed(b"abc\0", ask, 2), Err(PageError::NotText(NotText))));
    assert_eq!(streamed(b"abcd\0", ask, 2).expect("a page").numbered, "1\tabcd\0");
    assert_eq!(streamed(&FORMS[3]("abc"), ask, 2).expect("a page").numbered, "1\tabc");
}

/// SI-3: bytes that the page was not made of are in no fingerprint, so a size that is wrong leaves
/// none.
#[test]
fn a_file_that_is_larger_than_it_says_is_paged_without_a_fingerprint() {
    let limits = Limits::default();
    let ask = Ask { offset: 1, limit: None, limits: &limits };
    let page = |size_bytes| {
        let mut source = Source { file: Cursor::new(b"a\nb\n"), shown: "a" };
        source.page(ask, size_bytes, 50).expect("a page")
    };
    for (size_bytes, is_known) in [(0, false), (3, false), (4, true), (5, true)] {
        let (window, known) = page(size_bytes);
        assert_eq!((window.numbered.as_str(), window.total_lines), ("2\tb", Some(2)));
        assert_eq!(known, is_known.then(|| fingerprint(b"a\nb\n")), "{size_bytes}");
    }
}

/// What was asked of a file.
struct Counted<'a> {
    file: Cursor<&'a [u8]>,
    most_at_once: usize,
    end: u64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.most_at_once = self.most_at_once.max(buffer.len());
        let count = self.file.read(buffer)?;
        self.end = self.end.max(self.file.position());
        Ok(count)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.file.seek(to)
    }
}

/// SI-5: a question about the middle of a long file takes one bounded page, and reads no further.
#[test]
fn a_page_reads_no_further_than_to_know_whether_a_line_follows() {
    let limits = Limits { encoding_sample_bytes: 1 << 10, ..Limits::default() };
    let text: String = (1..=200_000).map(|it| format!("line {it}\n")).collect();
    let file = Counted { file: Cursor::new(text.as_bytes()), most_at_once: 0, end: 0 };
    let mut source = Source { file, shown: "a" };
    let ask = Ask { offset: 99_999, limit: Some(2), limits: &limits };
    let page = source.streamed(ask, PIECE_BYTES).expect("a page");
    assert_eq!(page.numbered, "100000\tline 100000\n100001\tline 100001");
    assert_eq!((page.total_lines, page.eof, page.cut), (None, false, Some(Cut::PageLimit)));
    let end = text.find("line 100003").expect("the line") as u64;
    assert!(source.file.end < end + 2 * PIECE_BYTES as u64, "{}", source.file.end);
    assert!(source.file.most_at_once <= PIECE_BYTES, "{}", source.file.most_at_once);
}

/// RE-7: a line without an end is given up as soon as it is too long, and before the page it is
/// only counted.
#[test]
fn a_line_that_is_too_long_is_not_held() {
    let limits = Limits { line_bytes: 1 << 10, ..Limits::default() };
    let text = format!("{}\nb\n", "x".repeat(4 << 20));
    let file = Counted { file: Cursor::new(text.as_bytes()), most_at_once: 0, end: 0 };
    let mut source = Source { file, shown: "a" };
    let mut page =
        |offset| shown(source.streamed(Ask { offset, limit: None, limits: &limits }, 64));
    assert_eq!(page(0), Err(1));
    assert_eq!(page(1), Ok(("2\tb".to_owned(), 1, 2, true, None)));
    assert_eq!(page(9), Ok((String::new(), 2, 2, true, None)));
    source.file.end = 0;
    let limits = Limits { encoding_sample_bytes: 1 << 10, ..limits };
    let ask = Ask { offset: 0, limit: None, limits: &limits };
    assert_eq!(shown(source.streamed(ask, 64)), Err(1));
    assert!(source.file.end < 3 << 10, "{}", source.file.end);
}
