//! `evident log`: what a recorded check printed, from the store alone.

use std::io::IsTerminal as _;

use host::{Host, HostError};

use crate::{Exit, arguments::LogArguments, print, show};

/// Prints the log of one check: into a pipe as it was printed, on a terminal without what would do
/// more than colour it.
///
/// # Errors
///
/// [`HostError::NoLog`] if there is none any more; others if the session cannot be read.
pub(crate) async fn log(host: &Host, arguments: LogArguments) -> Result<Exit, HostError> {
    let LogArguments { session, turn, check } = arguments;
    let Some(session) = show::find(host, &session).await? else { return Ok(Exit::BadUsage) };
    let checks = host.turn_result(session.clone(), turn).await?.receipt.verifications;
    let Some(found) = checks.get(check as usize - 1) else {
        let (turn, count) = (turn.0 + 1, checks.len());
        let s = if count == 1 { "" } else { "s" };
        print::diagnostic(&format!(
            "turn {turn} has {count} recorded check{s}, and none is number {check}"
        ));
        return Ok(Exit::BadUsage);
    };
    let Some(result) = found.tool_result_id else { return Err(HostError::NoLog { turn }) };
    let log = host.check_log(session, turn, found.tool_call_id.clone(), result).await?;
    if log.is_cut {
        print::diagnostic(&format!(
            "the end of it: {} of {} bytes",
            log.text.len(),
            log.total_bytes
        ));
    }
    if std::io::stdout().is_terminal() {
        print::out(&harmless(&log.text));
    } else {
        print::raw(log.text.as_bytes());
    }
    Ok(Exit::Done)
}

/// Leaves lines, tabs and colours, and drops every other control of a terminal.
fn harmless(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_control() && !matches!(c, '\n' | '\t')) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let colour = colour_end(rest);
        let skipped = rest.chars().next().map_or(0, char::len_utf8);
        kept.push_str(&rest[..colour.unwrap_or(0)]);
        rest = &rest[colour.unwrap_or(skipped)..];
    }
    kept.push_str(rest);
    kept
}

/// The length of a colour at the start: `ESC [ digits m`.
fn colour_end(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    (parameters.as_bytes()[end] == b'm').then_some(2 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LG-5: a log may colour, and may not move, hide, ask or rename anything.
    #[test]
    fn only_colours_are_left_of_what_a_terminal_obeys() {
        let log = "\u{1b}[1;31mred\u{1b}[0m\tend\r\n\u{1b}]0;title\u{7}x\u{1b}[2J\u{9b}5né\u{8}\n";
        assert_eq!(harmless(log), "\u{1b}[1;31mred\u{1b}[0m\tend\n]0;titlex[2J5né\n");
        assert_eq!(harmless("\u{1b}[31"), "[31");
    }
}
