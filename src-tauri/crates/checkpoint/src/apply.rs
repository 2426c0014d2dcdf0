//! Puts a patch onto the bytes it was made from.

use std::ops::Range;

use thiserror::Error;

use crate::{
    patch::{ENCODING, NO_NEWLINE},
    utf16::Utf16,
};

/// Why a patch does not go onto some bytes. Lines are the patch's own, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatchError {
    /// A line stands where no such line can.
    #[error("line {line} of the patch is not understood")]
    NotUnderstood { line: usize },
    /// The bytes are not those that the patch was made from.
    #[error("the file is not what line {line} of the patch says")]
    Mismatch { line: usize },
}

/// Puts the patch of one file onto `before` and returns what it makes of it.
///
/// Exact: nothing is searched for and nothing is forgiven. Names and permission bits are passed
/// over, so a patch without hunks gives `before` back.
///
/// # Errors
///
/// - [`PatchError::NotUnderstood`] if it is no whole patch.
/// - [`PatchError::Mismatch`] if it was made from other bytes.
pub fn apply(before: &[u8], patch: &[u8]) -> Result<Vec<u8>, PatchError> {
    let head = (1..).zip(patch.split(|it| *it == b'\n'));
    let mut head = head.take_while(|(_, it)| !it.starts_with(b"@@"));
    let Some((line, label)) =
        head.find_map(|(line, it)| Some((line, it.strip_prefix(ENCODING.as_bytes())?)))
    else {
        return apply_lines(before, patch);
    };
    let label = str::from_utf8(label).ok().and_then(Utf16::labelled);
    let order = label.ok_or(PatchError::NotUnderstood { line })?;
    let before = order.decoded(before).ok_or(PatchError::Mismatch { line })?;
    let after = apply_lines(before.as_bytes(), patch)?;
    let after = str::from_utf8(&after).map_err(|_| PatchError::NotUnderstood { line })?;
    Ok(order.encoded(after))
}

fn apply_lines(before: &[u8], patch: &[u8]) -> Result<Vec<u8>, PatchError> {
    let (old, patch) = (lines(before), lines(patch));
    let mut new: Vec<&[u8]> = Vec::new();
    let mut taken = 0;
    let numbered = (1..).zip(&patch);
    let mut rest = numbered.skip_while(|(_, it)| !it.starts_with(b"@@")).peekable();
    while let Some((line, head)) = rest.next() {
        let (olds, news) = spans(head).ok_or(PatchError::NotUnderstood { line })?;
        new.extend(old.get(taken..olds.start).ok_or(PatchError::Mismatch { line })?);
        taken = olds.start;
        if new.len() != news.start {
            return Err(PatchError::NotUnderstood { line });
        }
        while taken < olds.end || new.len() < news.end {
            let cut = PatchError::NotUnderstood { line: patch.len() + 1 };
            let (line, text) = rest.next().ok_or(cut)?;
            let (sign, mut text) = text.split_at(1);
            if rest.next_if(|(_, it)| **it == NO_NEWLINE.as_bytes()).is_some() {
                text = text.strip_suffix(b"\n").unwrap_or(text);
            }
            let (is_old, is_new) = match sign {
                b" " => (true, true),
                b"-" => (true, false),
                b"+" => (false, true),
                _ => return Err(PatchError::NotUnderstood { line }),
            };
            if is_old && old.get(taken) != Some(&text) {
                return Err(PatchError::Mismatch { line });
            }
            taken += usize::from(is_old);
            new.extend(is_new.then_some(text));
        }
        if taken != olds.end || new.len() != news.end {
            return Err(PatchError::NotUnderstood { line });
        }
    }
    new.extend(&old[taken..]);
    Ok(new.concat())
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Reads `@@ -FIRST[,COUNT] +FIRST[,COUNT] @@`, and what both sides' lines are, counted from 0.
fn spans(head: &[u8]) -> Option<(Range<usize>, Range<usize>)> {
    let head = str::from_utf8(head).ok()?.strip_prefix("@@ -")?;
    let (old, rest) = head.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    Some((span(old)?, span(new)?))
}

fn span(text: &str) -> Option<Range<usize>> {
    let (first, count) = text.split_once(',').unwrap_or((text, "1"));
    let (first, count): (usize, usize) = (first.parse().ok()?, count.parse().ok()?);
    // Of no lines, the number is that of the line before them.
    let start = if count == 0 { first } else { first.checked_sub(1)? };
    Some(start..start.checked_add(count)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &[u8] = b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+eins\n two\n";

    #[test]
    fn a_patch_goes_onto_its_own_bytes_and_no_others() {
        assert_eq!(apply(b"one\ntwo\nthree\n", PATCH), Ok(b"eins\ntwo\nthree\n".to_vec()));
        assert_eq!(apply(b"uno\ntwo\n", PATCH), Err(PatchError::Mismatch { line: 4 }));
        assert_eq!(apply(b"one\n", PATCH), Err(PatchError::Mismatch { line: 6 }));
        assert_eq!(apply(b"same", b"diff --git a/x b/x\n"), Ok(b"same".to_vec()));
        let later = b"@@ -3 +4 @@\n-three\n+drei\n";
        let its_place_is_another = Err(PatchError::NotUnderstood { line: 1 });
        assert_eq!(apply(b"one\ntwo\nthree\n", later), its_place_is_another);
    }

    #[test]
    fn half_a_patch_is_not_understood() {
        let cut = PATCH.strip_suffix(b" two\n").unwrap();
        assert_eq!(apply(b"one\ntwo\n", cut), Err(PatchError::NotUnderstood { line: 6 }));
        for head in ["@@ -0 +1 @@", "@@ -1,x +1 @@", "@@ -1 +1", "@@ -18446744073709551615,9 +1 @@"]
        {
            assert_eq!(apply(b"", head.as_bytes()), Err(PatchError::NotUnderstood { line: 1 }));
        }
    }
}
