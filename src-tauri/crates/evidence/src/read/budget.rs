//! How much of a file the model's context takes without being asked (RC-12).

use protocol::ReadStopCode;

/// What is kept free for whatever comes beside the read.
const SPARE_TOKENS: u32 = 1024;
/// Of the window, what is left alone before the conversation would be folded (CX-1).
const TRIGGER_PERCENT: u64 = 80;

/// What is known of the room in the model's context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The context window; missing where the catalogue does not know it.
    pub window_tokens: Option<u32>,
    /// What the next request holds already.
    pub visible_tokens: u32,
    /// What the reads of this turn took of their share (RC-13).
    pub spent_tokens: u32,
}

impl Room {
    /// Returns how many tokens a page may have that is read because the whole file is wanted.
    ///
    /// # Errors
    ///
    /// [`ReadStopCode::UnknownWindow`] if the window is not known; [`ReadStopCode::NoHeadroom`] if
    /// nothing is left.
    pub fn page_tokens(self) -> Result<u32, ReadStopCode> {
        let window = self.window_tokens.ok_or(ReadStopCode::UnknownWindow)?;
        let trigger = u32::try_from(u64::from(window) * TRIGGER_PERCENT / 100).unwrap_or(window);
        let headroom = trigger.saturating_sub(self.visible_tokens).saturating_sub(SPARE_TOKENS);
        let share = (window / 4).saturating_sub(self.spent_tokens);
        match headroom.min(share) {
            0 => Err(ReadStopCode::NoHeadroom),
            tokens => Ok(tokens),
        }
    }
}

/// Estimates the tokens of a text: one for each character of a language that is written without
/// spaces, and one for every four bytes of the rest.
pub fn tokens(text: &str) -> u32 {
    // All of a conversation is estimated for each page of a whole file, and most of it is this.
    if text.is_ascii() {
        return u32::try_from(text.len().div_ceil(4)).unwrap_or(u32::MAX);
    }
    let (mut wide, mut other_bytes) = (0_usize, 0_usize);
    for it in text.chars() {
        if is_wide(it) {
            wide += 1;
        } else {
            other_bytes += it.len_utf8();
        }
    }
    u32::try_from(wide + other_bytes.div_ceil(4)).unwrap_or(u32::MAX)
}

/// Returns how many of a page's lines fit, whole, and the tokens that those take (RE-15).
pub fn lines_that_fit(lines: &[&str], first: u32, tokens_left: u32) -> (u32, u32) {
    let mut left = tokens_left;
    let mut fit = 0;
    for (number, line) in (first + 1..).zip(lines) {
        // Its number, the tab and the line feed.
        let about = tokens(line).saturating_add((number.ilog10() + 3).div_ceil(4));
        let Some(rest) = left.checked_sub(about) else { break };
        left = rest;
        fit += 1;
    }
    (fit, tokens_left - left)
}

fn is_wide(it: char) -> bool {
    matches!(
        u32::from(it),
        0x2e80..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff00..=0xffef
            | 0x20000..=0x3ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(window: u32, visible: u32) -> Room {
        Room { window_tokens: Some(window), visible_tokens: visible, spent_tokens: 0 }
    }

    /// B5, RC-12.
    #[test]
    fn b5_the_budget_is_what_is_left_before_the_trigger_and_a_quarter_at_most() {
        assert_eq!(room(128_000, 90_000).page_tokens(), Ok(11_376));
        assert_eq!(room(128_000, 0).page_tokens(), Ok(32_000));
        assert_eq!(room(128_000, 102_000).page_tokens(), Err(ReadStopCode::NoHeadroom));
        assert_eq!(Room::default().page_tokens(), Err(ReadStopCode::UnknownWindow));
    }

    /// RC-13: the quarter is one for all reads of a turn.
    #[test]
    fn what_earlier_reads_took_is_gone() {
        let after = |spent_tokens| Room { spent_tokens, ..room(128_000, 0) }.page_tokens();
        assert_eq!(after(30_000), Ok(2_000));
        assert_eq!(after(32_000), Err(ReadStopCode::NoHeadroom));
    }

    /// RC-12: Chinese text costs more than its bytes say.
    #[test]
    fn a_text_is_estimated_by_its_script() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("abcde"), 2);
        assert_eq!(tokens("读取文件"), 4);
        assert_eq!(tokens("读 a.rs"), 3);
    }

    /// RE-15: a page ends with the last line that fits whole.
    #[test]
    fn a_page_is_cut_between_lines() {
        let lines = ["abcdefgh", "", "abcdefgh"];
        let fit = |left| lines_that_fit(&lines, 0, left);
        assert_eq!([fit(0), fit(2), fit(3), fit(4)], [(0, 0), (0, 0), (1, 3), (2, 4)]);
        assert_eq!([fit(6), fit(7), fit(99)], [(2, 4), (3, 7), (3, 7)]);
    }
}
