//! What a text really shows of a file: evidence is taken from what the model got (RE-13).

/// A text as a page of a file: numbered lines, and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown<'a> {
    /// The first line, counted from 0; 0 where there is none.
    pub first: u32,
    /// The lines, without their numbers.
    pub lines: Vec<&'a str>,
    pub end: PageEnd,
}

/// How a page ends (RE-6, RE-9, RE-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageEnd {
    /// With its last line.
    Whole,
    /// The lines that were asked for end, and more follow.
    PageLimit {
        next: u32,
    },
    /// The page is as large as it may be.
    SafetyPage {
        next: u32,
        requested_end: u32,
    },
    EmptyFile,
    /// It begins behind the last line.
    PastEnd,
    /// Something cut it off: the last line may be half a line.
    CutOff,
}

/// What a line in brackets under a page means.
#[derive(Clone, Copy)]
enum Form {
    PageLimit,
    SafetyPage,
    EmptyFile,
    PastEnd,
    /// It says something of the page, and nothing of where it ends.
    Remark,
    /// Of older programs: a text to show, and never evidence.
    NoEvidence,
}

/// Every line that may stand under a page, by how it begins. Old sessions hold those without a cursor.
const FORMS: [(&str, Form); 9] = [
    ("[page limit: ", Form::PageLimit),
    ("[safety page: ", Form::SafetyPage),
    ("[empty file]", Form::EmptyFile),
    ("[no lines: ", Form::PastEnd),
    ("[source_token ", Form::Remark),
    ("[nothing new: ", Form::Remark),
    ("[paused: ", Form::Remark),
    // It stands for lines that it does not show.
    ("[unchanged: ", Form::NoEvidence),
    ("[PARTIAL view", Form::NoEvidence),
];

impl<'a> Shown<'a> {
    /// Reads a text; nothing unless its lines are numbered without a gap, and all that follows them
    /// is known (RE-5). What is nothing is no evidence.
    pub fn parse(text: &'a str) -> Option<Self> {
        let mut lines = text.split('\n').peekable();
        let mut shown = Self { first: 0, lines: Vec::new(), end: PageEnd::Whole };
        let mut expected = None;
        while let Some((number, line)) = lines.peek().and_then(|it| numbered(it)) {
            if expected.is_some_and(|it| it != number) {
                return None;
            }
            if expected.is_none() {
                shown.first = number - 1;
            }
            expected = Some(number.checked_add(1)?);
            shown.lines.push(line);
            lines.next();
        }
        while let Some(line) = lines.next() {
            let form =
                FORMS.iter().find(|(start, _)| line.starts_with(start) && line.ends_with(']'));
            match form.map(|it| it.1) {
                Some(Form::PageLimit) => {
                    shown.end = PageEnd::PageLimit { next: number_after(line, "next offset ")? };
                }
                Some(Form::SafetyPage) => {
                    let next = number_after(line, "next offset ")?;
                    let requested_end = number_after(line, "requested end ")?;
                    shown.end = PageEnd::SafetyPage { next, requested_end };
                }
                Some(Form::EmptyFile) => shown.end = PageEnd::EmptyFile,
                Some(Form::PastEnd) => shown.end = PageEnd::PastEnd,
                Some(Form::Remark) => {}
                Some(Form::NoEvidence) => return None,
                // Only the last line of a text can be half a line.
                None if lines.peek().is_none() && !shown.lines.is_empty() => {
                    shown.end = PageEnd::CutOff;
                }
                None => return None,
            }
        }
        let says_end = matches!(shown.end, PageEnd::EmptyFile | PageEnd::PastEnd);
        (shown.lines.is_empty() == says_end).then_some(shown)
    }
}

/// Returns how many of a page's lines a text shows whole, from the first one on (RE-13). `page` is
/// what was read, line by line; `first` the number of its first line, counted from 0.
pub fn lines_shown(text: &str, first: u32, page: &[&str]) -> u32 {
    let Some(shown) = Shown::parse(text).filter(|it| it.first == first) else { return 0 };
    let same = shown.lines.iter().zip(page).take_while(|(shown, read)| shown == read).count();
    u32::try_from(same).unwrap_or(u32::MAX)
}

/// Splits a line into its number, counted from 1, and its text.
fn numbered(line: &str) -> Option<(u32, &str)> {
    let (number, text) = line.split_once('\t')?;
    let is_number = number.bytes().all(|it| it.is_ascii_digit()) && !number.starts_with('0');
    Some((number.parse().ok().filter(|_| is_number)?, text))
}

/// Returns the number that follows some words.
fn number_after(line: &str, words: &str) -> Option<u32> {
    let (_, rest) = line.split_once(words)?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests;
