//! Tells Chinese in GB18030 where there are too few characters for a guess (EN-1).

use encoding_rs::{EUC_JP, EUC_KR};

/// In so many characters, what is guessed to be Korean, Japanese or letters of single bytes is that.
/// In fewer of them, Chinese is guessed to be it too.
const TELLING_HANGUL: usize = 8;
const TELLING_KANJI: usize = 16;
const TELLING_LETTERS: usize = 12;
/// Capitals, and the small letters of KOI8, make usual characters in pairs. Of so many that are
/// Chinese, one has a byte that is no letter.
const TELLING_PAIRS: usize = 4;

/// A character in GB18030 that is not ASCII.
struct Character {
    first: u8,
    second: u8,
    /// It is the only one there, and a letter of ASCII is beside it: most often half a word of
    /// another language.
    is_in_a_word: bool,
}

/// Returns whether bytes that were guessed to be something else are rather Chinese, if GB18030
/// restores them. They start with a character.
pub(super) fn speak_for_chinese(bytes: &[u8], guessed: &'static encoding_rs::Encoding) -> bool {
    let found: Vec<_> = characters(bytes).take(TELLING_KANJI).collect();
    if guessed == EUC_KR {
        return found.len() < TELLING_HANGUL;
    }
    if guessed == EUC_JP {
        return found.len() < TELLING_KANJI && !found.iter().any(Character::is_kana);
    }
    found.len() < TELLING_LETTERS
        && found.iter().all(Character::is_usual)
        && (found.len() < TELLING_PAIRS || !found.iter().all(Character::is_like_letters))
}

impl Character {
    /// It is one of the 3,755 usual ones of Chinese, its punctuation, or Greek as formulas have it.
    fn is_usual(&self) -> bool {
        let is_usual = matches!(self.first, 0xA1..=0xA3 | 0xA6 | 0xB0..=0xD7);
        is_usual && 0xA1 <= self.second && !self.is_in_a_word
    }

    fn is_kana(&self) -> bool {
        matches!(self.first, 0xA4 | 0xA5) && 0xA1 <= self.second
    }

    /// Both bytes are letters in the alphabets of single bytes.
    fn is_like_letters(&self) -> bool {
        0xC0 <= self.first && 0xC0 <= self.second
    }
}

/// Bytes that are half a character at the end are none.
fn characters(bytes: &[u8]) -> impl Iterator<Item = Character> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let at = end + bytes[end..].iter().position(|it| !it.is_ascii())?;
        let is_next = 0 < at && at == end;
        let (first, second) = (bytes[at], *bytes.get(at + 1)?);
        end = bytes.len().min(at + if second.is_ascii_digit() { 4 } else { 2 });
        let (before, after) = (bytes[..at].last(), bytes.get(end));
        let is_alone = !is_next && after.is_none_or(u8::is_ascii);
        let is_letter = |it: Option<&u8>| it.is_some_and(u8::is_ascii_alphabetic);
        let is_in_a_word = is_alone && (is_letter(before) || is_letter(after));
        Some(Character { first, second, is_in_a_word })
    })
}

#[cfg(test)]
mod tests;
