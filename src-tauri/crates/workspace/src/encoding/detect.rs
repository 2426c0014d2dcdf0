//! Finds out in which encoding bytes are (EN-1).

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EUC_JP, EUC_KR, GB18030, GBK};

use super::{Encoding, form::Form};

/// How much is looked at where a guess is needed (RE-7).
const SAMPLE_BYTES: usize = 256 << 10;
/// UTF-16 without a mark is not told in fewer bytes (EN-6).
const UTF16_BYTES: usize = 16;
/// So many characters of UTF-8 for each piece that is none make it a damaged UTF-8 file.
const GOOD_FOR_A_BAD_ONE: usize = 4;
/// Fewer bytes that are not ASCII do not tell it from encodings with the same codes:
/// then they are GB18030, if that restores them (EN-1).
const TELLING_BYTES: usize = 16;
const RIVALS: [&encoding_rs::Encoding; 2] = [EUC_JP, EUC_KR];

/// Returns the encoding; nothing if the bytes are no text.
pub(super) fn detect(bytes: &[u8], peek_bytes: usize) -> Option<Encoding> {
    let head = &bytes[..bytes.len().min(peek_bytes)];
    let marked = Form::MARKED.into_iter().find(|it| bytes.starts_with(it.mark()));
    let has_mark = marked.is_some();
    let form = match marked.or_else(|| utf16(bytes, head)) {
        Some(form @ (Form::Utf16Le | Form::Utf16Be)) => form,
        _ if head.contains(&0) => return None,
        Some(form) => form,
        None if str::from_utf8(bytes).is_ok() || is_damaged_utf8(bytes) => Form::Utf8,
        None => guess(bytes),
    };
    Some(Encoding { form, has_mark })
}

/// Tells UTF-16 without a mark by where the NUL bytes are: at one place of each pair (EN-6).
fn utf16(bytes: &[u8], head: &[u8]) -> Option<Form> {
    let pairs = || bytes[..bytes.len().min(SAMPLE_BYTES)].chunks_exact(2);
    if bytes.len() < UTF16_BYTES || head.chunks_exact(2).any(|it| it == [0, 0]) {
        return None;
    }
    let total = pairs().len();
    let nuls = [0, 1].map(|at| pairs().filter(|it| it[at] == 0).count());
    let many = |count| total * 30 <= count * 100;
    let few = |count| count * 100 <= total * 5;
    match nuls {
        [first, second] if few(first) && many(second) => Some(Form::Utf16Le),
        [first, second] if many(first) && few(second) => Some(Form::Utf16Be),
        _ => None,
    }
}

/// Some bytes are no UTF-8, and the others are too much like it to be anything else.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    bad.saturating_mul(GOOD_FOR_A_BAD_ONE) <= good
}

/// Returns what the bytes are most like. The sample starts where they are no longer ASCII, which is
/// a character's start, and may end inside of one (EN-5).
fn guess(bytes: &[u8]) -> Form {
    let start = bytes.iter().position(|it| !it.is_ascii()).unwrap_or_default();
    let end = bytes.len().min(start + SAMPLE_BYTES);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[start..end], end == bytes.len());
    let guessed = detector.guess(None, Utf8Detection::Deny);
    let is_gb = guessed == GBK || guessed == GB18030;
    let is_open = || {
        let said = bytes[start..end].iter().filter(|it| !it.is_ascii()).count();
        said < TELLING_BYTES && RIVALS.contains(&guessed) && Form::Gb18030.decode(bytes).1
    };
    if is_gb || is_open() { Form::Gb18030 } else { Form::Foreign(guessed) }
}
