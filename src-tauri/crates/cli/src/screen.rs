//! The last lines of a terminal, which are written anew in place. What is measured and what is
//! written are plain texts, so that neither needs a terminal to be tried.

use std::io::IsTerminal as _;

/// Most rows at once, the one that counts the others among them. No terminal is that low.
const MOST_ROWS: usize = 4;
/// Stands for what has no room. Of letters that are one column wide in every terminal.
const CUT: &str = "...";

/// Returns how many columns standard output has; nothing where lines of it cannot be written anew.
pub(crate) fn columns() -> Option<usize> {
    let is_dumb = std::env::var_os("TERM").is_none_or(|it| it.is_empty() || it == "dumb");
    if is_dumb || !std::io::stdout().is_terminal() { None } else { columns_of_stdout() }
}

#[cfg(unix)]
fn columns_of_stdout() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|it| 0 < *it)
}

/// A console may show the words that move the cursor instead of moving it; whether it does was not
/// asked for.
#[cfg(not(unix))]
fn columns_of_stdout() -> Option<usize> {
    None
}

/// Returns what puts a text, and then these rows, in the place of the rows that were written last.
pub(crate) fn written(before: usize, text: &str, rows: &[String]) -> String {
    let mut out = String::new();
    if 0 < before {
        // Up to the first of them, and nothing stays from there on.
        out.push_str(&format!("\x1b[{before}A\r\x1b[J"));
    }
    out.push_str(text);
    for row in rows {
        out.push_str(row);
        out.push('\n');
    }
    out
}

/// Returns as many rows as there may be, none of them wider than the terminal. What does not fit is
/// counted.
pub(crate) fn rows(all: &[String], columns: usize) -> Vec<String> {
    // In the last column some terminals begin the next line.
    let room = columns.saturating_sub(1);
    let shown = if all.len() <= MOST_ROWS { all.len() } else { MOST_ROWS - 1 };
    let mut rows: Vec<String> = all[..shown].iter().map(|it| fitted(it, room)).collect();
    if shown < all.len() {
        rows.push(fitted(&format!("[and {} more reads]", all.len() - shown), room));
    }
    rows
}

/// Returns a text of at most so many columns: its start, where it has more.
fn fitted(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let keeps = room.saturating_sub(CUT.len());
    head(text.chars(), keeps).chain(CUT.chars().take(room)).collect()
}

/// Returns a text of at most so many columns: its end, where it has more. Of a path that is the name.
pub(crate) fn end_of(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let keeps = room.saturating_sub(CUT.len());
    let mut end: Vec<char> = head(text.chars().rev(), keeps).collect();
    end.reverse();
    CUT.chars().take(room).chain(end).collect()
}

/// Returns the characters that fit into so many columns.
fn head(chars: impl Iterator<Item = char>, room: usize) -> impl Iterator<Item = char> {
    let mut left = room;
    chars.map_while(move |it| {
        left = left.checked_sub(columns_of(it))?;
        Some(it)
    })
}

fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// Returns how many columns a character takes at most. A mark that stands over another takes none,
/// and is counted as one: a row that is too short does no harm, and one that is too long does.
fn columns_of(it: char) -> usize {
    let is_wide = matches!(
        u32::from(it),
        0x1100..=0x115f | 0x231a..=0x231b | 0x23e9..=0x23f3 | 0x2600..=0x27bf | 0x2b00..=0x2bff
            | 0x2e80..=0xa4cf | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff
            | 0xfe10..=0xfe6f | 0xff00..=0xffe6 | 0x16fe0..=0x18fff | 0x1aff0..=0x1b2ff
            | 0x1f000..=0x1faff | 0x20000..=0x3fffd
    );
    if is_wide { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn a_row_is_written_in_the_place_of_the_last_one() {
        assert_eq!(written(0, "", &of(&["a"])), "a\n");
        assert_eq!(written(1, "", &of(&["b"])), "\x1b[1A\r\x1b[Jb\n");
        assert_eq!(written(1, "text\n", &of(&["b", "c"])), "\x1b[1A\r\x1b[Jtext\nb\nc\n");
        assert_eq!(written(2, "half a line", &[]), "\x1b[2A\r\x1b[Jhalf a line");
        assert_eq!(written(0, "half a line", &[]), "half a line");
    }

    #[test]
    fn no_row_is_wider_than_the_terminal() {
        let texts = of(&["[reading a.txt]", "[读取文件的内容]", "[\u{1f600}\u{1f600}]"]);
        assert_eq!(rows(&texts, 80), texts);
        assert_eq!(rows(&texts, 12), of(&["[reading...", "[读取文...", "[\u{1f600}\u{1f600}]"]));
        assert_eq!(rows(&texts, 5), of(&["[...", "[...", "[..."]));
        for columns in 0..40 {
            for row in rows(&texts, columns) {
                assert!(width(&row) < columns.max(1), "{row:?} in {columns}");
            }
        }
    }

    #[test]
    fn there_are_a_few_rows_at_most() {
        let all: Vec<String> = (0..9).map(|it| it.to_string()).collect();
        assert_eq!(rows(&all[..4], 80), of(&["0", "1", "2", "3"]));
        assert_eq!(rows(&all, 80), of(&["0", "1", "2", "[and 6 more reads]"]));
    }

    #[test]
    fn of_a_long_path_the_end_is_shown() {
        assert_eq!(end_of("src/a.rs", 8), "src/a.rs");
        assert_eq!(end_of("src/deep/a.rs", 8), ".../a.rs");
        assert_eq!(end_of("源代码/读取.rs", 10), "...读取.rs");
        assert_eq!(end_of("源代码/读取.rs", 9), "...取.rs");
        assert_eq!(end_of("src/a.rs", 2), "..");
    }
}
