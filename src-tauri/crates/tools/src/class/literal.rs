//! The files that a command line provably writes (SH-3).

use super::{
    Certainty, Shell, effect,
    lex::{Glob, Redirect, Word},
    parse::{self, Segment},
};

/// Returns the targets of a single `echo` or `printf` with redirections, in their order; `None`
/// where the scope cannot be proven.
pub fn literal_targets(shell: Shell, command: &str) -> Option<Vec<String>> {
    let segments = match shell {
        Shell::Bash => parse::segments(command).ok()?,
        Shell::PowerShell | Shell::Cmd => return None,
    };
    let [segment] = segments.as_slice() else { return None };
    let Segment { words, redirects } = segment;
    let prints = words.first().is_some_and(|name| matches!(name.text.as_str(), "echo" | "printf"));
    let literal = words.iter().all(|word| word.glob == Glob::No);
    let provable = |(redirect, target): &(Redirect, Word)| {
        *redirect == Redirect::Write
            && !target.text.is_empty()
            && !target.text.contains(['*', '?', '[', '{', '~'])
    };
    let proven = prints
        && literal
        && !redirects.is_empty()
        && redirects.iter().all(provable)
        && effect(segment).certainty == Certainty::Known;
    proven.then(|| redirects.iter().map(|(_, target)| target.text.clone()).collect())
}
