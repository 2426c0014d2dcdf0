//! The few lines that are known to only look where PowerShell runs them.

use super::{
    Act, CommandEffect, Family,
    lex::{Glob, Word},
    programs,
};

/// Whole lines, whatever their case.
const LOOKS: &[&str] =
    &["dir", "get-childitem", "get-date", "get-location", "hostname", "ls", "pwd", "whoami"];

/// Says what a line does: git and questions for a version in plain words, a few bare commands.
pub(super) fn effect(line: &str) -> CommandEffect {
    let line = line.trim_matches(' ');
    if LOOKS.contains(&line.to_ascii_lowercase().as_str()) {
        return Act::Reads.effect(Family::Look);
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || " -_./=".contains(c);
    let words: Vec<Word> = line
        .split_ascii_whitespace()
        .map(|word| Word { text: word.to_owned(), glob: Glob::No })
        .collect();
    match words.split_first() {
        Some((name, rest))
            if line.chars().all(plain)
                && (name.text == "git" || programs::asks_version(&name.text, rest)) =>
        {
            programs::effect(&words)
        }
        Some(_) | None => Act::Unclear.effect(Family::Unfamiliar),
    }
}
