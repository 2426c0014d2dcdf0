//! Tells why a passage was not found, where that can be told.

use std::cmp::Reverse;

use protocol::LineRange;

/// Most lines of a text that is short.
const SHORT_LINES: u32 = 400;
/// Most bytes of a text that is looked through.
const TEXT_BYTES: usize = 4 << 20;
/// Most lines of a passage that is compared as a whole.
const PASSAGE_LINES: usize = 200;

/// Says what in `text` comes near to `old`, which is not in it.
pub(crate) fn explained(text: &str, old: &str) -> Option<String> {
    if TEXT_BYTES < text.len() {
        return None;
    }
    if let Some(bare) = without_numbers(old)
        && workspace::plain(text).contains(&bare)
    {
        return Some("leave out the line numbers of read_file".to_owned());
    }
    let (squeezed, wanted) = (squeezed(text), squeezed(old));
    let same = |at: &[(usize, String)]| at.iter().zip(&wanted).all(|((_, it), (_, to))| it == to);
    let first = wanted.first()?;
    if wanted.len() <= PASSAGE_LINES
        && let Some([(line, _), ..]) = squeezed.windows(wanted.len()).find(|it| same(it))
    {
        return Some(format!("line {line} and on differ from it in white space alone"));
    }
    let (line, _) = squeezed.iter().find(|(_, it)| *it == first.1)?;
    Some(format!("its first line is line {line}, and then they differ"))
}

/// Returns the lines of `text` that `old`, which is not in it, may have been taken from: those about a
/// line of it that still stands there, or all of a short text.
pub(crate) fn place(text: &str, old: &str) -> Option<LineRange> {
    if TEXT_BYTES < text.len() {
        return None;
    }
    let (lines, wanted) = (squeezed(text), squeezed(old));
    let count = u32::try_from(text.split_inclusive('\n').count()).unwrap_or(u32::MAX);
    // The longest tells most.
    let mut telling: Vec<_> = wanted.iter().take(PASSAGE_LINES).collect();
    telling.sort_by_key(|(_, it)| Reverse(it.len()));
    let found = telling.iter().find_map(|(at, line)| {
        let (there, _) = lines.iter().find(|(_, it)| it == line)?;
        Some((there.saturating_sub(*at), old.split_inclusive('\n').count()))
    });
    match found {
        Some((first, length)) => {
            let first = u32::try_from(first).unwrap_or(u32::MAX).min(count);
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            Some(LineRange::new(first, first.saturating_add(length).min(count)))
        }
        None => (count <= SHORT_LINES).then_some(LineRange::new(0, count)),
    }
    .filter(|it| !it.is_empty())
}

/// Returns the text without a number and a tab before every line, if every line has them.
fn without_numbers(text: &str) -> Option<String> {
    let bare = |line| -> Option<&str> {
        let (number, rest) = str::split_once(line, '\t')?;
        number.trim().parse::<u32>().is_ok().then_some(rest)
    };
    let lines: Option<Vec<&str>> = text.lines().map(bare).collect();
    lines.filter(|it| !it.is_empty()).map(|it| it.join("\n"))
}

/// Returns the lines that are not blank, with their numbers from 1 and without white space.
fn squeezed(text: &str) -> Vec<(usize, String)> {
    let squeeze = |line: &str| line.chars().filter(|it| !it.is_whitespace()).collect::<String>();
    let lines = text.lines().map(squeeze).enumerate();
    lines.map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_that_differs_in_white_space_or_carries_line_numbers_is_told() {
        let text = "fn f() {\r\n\tif x {\r\n\t\treturn 1\r\n\t}\r\n}\r\n";
        let told = |old| explained(text, old).unwrap_or_default();
        assert_eq!(
            told("    if x {\n        return 1\n"),
            "line 2 and on differ from it in white space alone"
        );
        assert_eq!(
            told("     2\t\tif x {\n     3\t\t\treturn 1"),
            "leave out the line numbers of read_file"
        );
        assert_eq!(told("if x {\nreturn 2"), "its first line is line 2, and then they differ");
        assert_eq!(told("nothing like it"), "");
        assert_eq!(told("\n \n"), "");
    }
    #[test]
    fn a_huge_text_is_not_looked_through() {
        let text = "a b\n".repeat(TEXT_BYTES / 4);
        assert!(explained(&text, "ab").is_some());
        assert_eq!(explained(&format!("{text}c"), "ab"), None);
    }
}
