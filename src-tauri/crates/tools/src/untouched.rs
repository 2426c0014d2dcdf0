//! Proves that an edit left alone what it does not name (09, row 19).

use workspace::DecodedText;

use crate::passage::Change;

/// Returns whether `after` has every byte of `before` but those of the changed passages. It does
/// not look at what stands in them.
pub(crate) fn is_untouched(
    file: &DecodedText,
    (text, changes): (&str, &[Change]),
    before: &[u8],
    after: &[u8],
) -> bool {
    let (mut old, mut new) = (Bytes(before), Bytes(after));
    let (mut old_text, mut new_text) = (0, 0);
    let mark = file.mark().len();
    let mut is_same = same(&mut old, &mut new, mark);
    for change in changes {
        let kept = file.size_of(&file.text()[old_text..change.before.start]);
        is_same &= kept == file.size_of(&text[new_text..change.after.start]);
        is_same &= same(&mut old, &mut new, kept);
        old.take(file.size_of(&file.text()[change.before.clone()]));
        new.take(file.size_of(&text[change.after.clone()]));
        (old_text, new_text) = (change.before.end, change.after.end);
    }
    is_same && old.0 == new.0 && old.0.len() == file.size_of(&file.text()[old_text..])
}

fn same(old: &mut Bytes<'_>, new: &mut Bytes<'_>, count: usize) -> bool {
    old.take(count).is_some_and(|it| new.take(count) == Some(it))
}

/// What is left of some bytes.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// Takes that many from the start; nothing, and none are left, if there are too few.
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).unzip();
        self.0 = rest.unwrap_or_default();
        taken
    }
}

#[cfg(test)]
mod tests {
    use protocol::Limits;

    use super::*;
    use crate::passage::Passages;

    /// Whatever byte outside the passages differs, and wherever bytes are lost or added, it is seen.
    #[test]
    fn a_changed_byte_outside_the_passages_is_seen() {
        let before = b"\xEF\xBB\xBFone\r\ntwo\r\none\r\nend";
        let file = workspace::decode(before, &Limits::default()).expect("a text");
        let edited = Passages::find(file.text(), "one").replaced("eins\nzwei");
        let good = file.encode(&edited.text).expect("UTF-8 says everything");
        let is_good =
            |after: &[u8]| is_untouched(&file, (&edited.text, &edited.changes), before, after);
        assert!(is_good(&good));
        let named = |at: &usize| edited.changes.iter().any(|it| it.after.contains(&(at - 3)));
        for at in (0..good.len()).filter(|at| *at < 3 || !named(at)) {
            let mut wrong = good.clone();
            wrong[at] ^= 1;
            assert!(!is_good(&wrong), "{at}");
            wrong.remove(at);
            assert!(!is_good(&wrong), "{at}");
        }
        assert!(!is_good(&[&good[..], b"x"].concat()) && !is_good(b""));
    }
}
