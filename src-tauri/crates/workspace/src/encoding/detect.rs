//! Finds out in which encoding bytes are (EN-1).

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{GB18030, GBK};

use super::{Encoding, Look, NotText, form::Form, signs};

/// UTF-16 without a mark is not told in fewer bytes (EN-6).
const UTF16_BYTES: usize = 16;
/// So many characters of UTF-8 for each piece that is none make it a damaged UTF-8 file.
const GOOD_FOR_A_BAD_ONE: usize = 4;

/// Returns the encoding of a whole file.
pub(super) fn of_file(bytes: &[u8], look: Look) -> Result<Encoding, NotText> {
    if let Some(told) = of_head(bytes, look)? {
        return Ok(told);
    }
    let form = match bytes.iter().position(|it| !it.is_ascii()) {
        Some(at) => of_rest(&bytes[at..], true, look),
        None => Form::Utf8,
    };
    Ok(Encoding { form, has_mark: false })
}

/// Returns the encoding of a file that starts so, if a mark or NUL bytes tell it. Otherwise it is
/// one in which ASCII is ASCII.
pub(super) fn of_head(head: &[u8], look: Look) -> Result<Option<Encoding>, NotText> {
    let peek = &head[..head.len().min(look.peek_bytes)];
    let marked = Form::MARKED.into_iter().find(|it| head.starts_with(it.mark()));
    let has_mark = marked.is_some();
    let told = marked.or_else(|| utf16(&head[..head.len().min(look.sample_bytes)], peek));
    let is_utf16 = matches!(told, Some(Form::Utf16Le | Form::Utf16Be));
    if !is_utf16 && peek.contains(&0) {
        return Err(NotText);
    }
    Ok(told.map(|form| Encoding { form, has_mark }))
}

/// Returns the form of a text that its file's head does not tell. It starts with its first byte
/// that is not ASCII, which is a character's start, and may end inside of a character unless it is
/// all there is (EN-5).
pub(super) fn of_rest(rest: &[u8], is_all: bool, look: Look) -> Form {
    let is_utf8 = match str::from_utf8(rest) {
        Ok(_) => true,
        Err(it) => !is_all && it.error_len().is_none(),
    };
    if is_utf8 || is_damaged_utf8(rest) { Form::Utf8 } else { guess(rest, is_all, look) }
}

/// Tells UTF-16 without a mark by where the NUL bytes are: at one place of each pair (EN-6).
fn utf16(sample: &[u8], peek: &[u8]) -> Option<Form> {
    let pairs = || sample.chunks_exact(2);
    let cannot_be = sample.len() < UTF16_BYTES || !sample.contains(&0);
    if cannot_be || peek.chunks_exact(2).any(|it| it == [0, 0]) {
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

/// Returns what the bytes are most like.
fn guess(rest: &[u8], is_all: bool, look: Look) -> Form {
    let sample = &rest[..rest.len().min(look.sample_bytes)];
    let is_all = is_all && sample.len() == rest.len();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, is_all);
    let guessed = detector.guess(None, Utf8Detection::Deny);
    let is_gb = guessed == GBK || guessed == GB18030;
    let may_be_gb = || {
        let end = if is_all { None } else { sample.iter().rposition(|it| *it == b'\n') };
        let lines = &sample[..end.unwrap_or(sample.len())];
        signs::speak_for_chinese(lines, guessed) && Form::Gb18030.decode(lines).1
    };
    if is_gb || may_be_gb() { Form::Gb18030 } else { Form::Foreign(guessed) }
}
