//! A line for PowerShell or `cmd` as its commands. Their grammar is not read: a status counts only
//! where the line is one plain command.

use super::{Part, Status};

/// What joins commands, in either shell.
const SIGNS: &[char] = &[';', '|', '&', '\n', '(', ')', '{', '}'];

/// Splits a line into the commands that it may run.
pub(super) fn parts(command: &str) -> Vec<Part> {
    let pieces: Vec<Vec<String>> =
        split(command).into_iter().filter(|words| !words.is_empty()).collect();
    let status = if pieces.len() == 1 { Status::OWN } else { Status::NONE };
    pieces.into_iter().map(|words| Part { words, status }).collect()
}

fn split(command: &str) -> Vec<Vec<String>> {
    let mut pieces = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for next in command.chars() {
        match quote {
            Some(sign) if next == sign => quote = None,
            Some(_) => word.get_or_insert_default().push(next),
            None if matches!(next, '"' | '\'') => {
                quote = Some(next);
                word.get_or_insert_default();
            }
            None if SIGNS.contains(&next) => {
                end_word(&mut pieces, &mut word);
                pieces.push(Vec::new());
            }
            None if next.is_whitespace() => end_word(&mut pieces, &mut word),
            None => word.get_or_insert_default().push(next),
        }
    }
    end_word(&mut pieces, &mut word);
    pieces
}

fn end_word(pieces: &mut [Vec<String>], word: &mut Option<String>) {
    if let (Some(piece), Some(word)) = (pieces.last_mut(), word.take()) {
        piece.push(word);
    }
}
