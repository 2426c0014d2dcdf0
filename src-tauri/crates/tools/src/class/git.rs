//! Git: its global options, and the operands that decide what a subcommand does (SH-5).

mod forms;

use self::forms::FORMS;
use super::{
    Act, CommandEffect, Family,
    lex::{Glob, Word},
    rule::Seen,
};

/// Says what `git` does with these words after it.
pub(super) fn effect(words: &[Word]) -> CommandEffect {
    let act = |act: Act| act.effect(Family::Git);
    let Some(words) = after_globals(words) else { return act(Act::Unclear) };
    let Some((command, arguments)) = words.split_first() else { return act(Act::Unclear) };
    if command.glob != Glob::No {
        return act(Act::Expands);
    }
    if command.text.contains(' ') {
        return act(Act::Unclear);
    }
    if checks_signatures(words) {
        return act(Act::RunsCode);
    }
    let pair = arguments.first().map(|second| format!("{} {}", command.text, second.text));
    let named = |name: &str| FORMS.iter().find(|form| form.names.contains(&name));
    match (pair.and_then(|pair| named(&pair)), named(&command.text)) {
        (Some(form), _) => form.effect(&arguments[1..]),
        (None, Some(form)) => form.effect(arguments),
        (None, None) => act(Act::Unclear),
    }
}

/// Skips the options before the subcommand. Of these only some change nothing: `-c` could name
/// a program, and so could the settings of a repository in a folder of any name.
fn after_globals(mut words: &[Word]) -> Option<&[Word]> {
    loop {
        let (first, mut rest) = words.split_first()?;
        let (option, value) = match first.text.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value)),
            Some(_) | None => (first.text.as_str(), None),
        };
        let mut value_of = |first: &Word| match value {
            Some(value) => (first.glob == Glob::No).then(|| value.to_owned()),
            None => {
                let (next, after) = rest.split_first()?;
                rest = after;
                (next.glob == Glob::No).then(|| next.text.clone())
            }
        };
        match option {
            "--no-pager" => {}
            "-C" | "--work-tree" => drop(value_of(first)?),
            "--git-dir" => {
                let folder = value_of(first)?;
                (folder.trim_end_matches('/').rsplit('/').next() == Some(".git")).then_some(())?;
            }
            _ => return Some(words),
        }
        words = rest;
    }
}

/// Some formats, and an order, show a signature: the configured program checks it.
fn checks_signatures(words: &[Word]) -> bool {
    const FORMATS: [&str; 6] = ["%G", "%+G", "%-G", "% G", "%(signature", "%(*signature"];
    let sorts = words.iter().any(|word| word.text.starts_with("--sort"));
    words.iter().any(|word| {
        FORMATS.iter().any(|format| word.text.contains(format))
            || (sorts && word.text.contains("signature"))
    })
}

const LISTING: [&str; 8] =
    ["contains", "list", "merged", "n", "no-contains", "no-merged", "points-at", "show-current"];

/// `git branch`: an operand is a pattern where it lists, else a new branch.
fn branch(seen: &Seen<'_>) -> Act {
    match (seen.operands.is_empty(), seen.has(&LISTING)) {
        (true, _) | (_, true) => Act::Reads,
        // Old versions take `-l` for something else.
        (false, false) if seen.has(&["l"]) => Act::Unclear,
        (false, false) => Act::Metadata,
    }
}

/// `git tag`: as for branches, but `-l` always listed.
fn tag(seen: &Seen<'_>) -> Act {
    let lists = seen.operands.is_empty() || seen.has(&LISTING) || seen.has(&["l"]);
    if lists { Act::Reads } else { Act::Metadata }
}

/// `git clean`: only a trial run reads.
fn clean(seen: &Seen<'_>) -> Act {
    let trial = seen.has(&["n", "dry-run"]) && !seen.has(&["f", "force", "i", "interactive"]);
    if trial { Act::Reads } else { Act::Content }
}

/// `git commit`: with a message and nothing else it owes nothing to any file's content.
fn commit(seen: &Seen<'_>) -> Act {
    let plain = seen.operands.is_empty() && seen.has(&["m", "message"]);
    if plain { Act::Metadata } else { Act::ContentAndMetadata }
}

/// `git reflog REF` reads, but any word may be a subcommand of another version.
fn reflog(seen: &Seen<'_>) -> Act {
    let known = seen.operands.iter().all(|word| word.text.starts_with("HEAD"));
    if known { Act::Reads } else { Act::Unclear }
}

/// `git remote show NAME` asks the remote, unless told not to.
fn remote_show(seen: &Seen<'_>) -> Act {
    if seen.operands.is_empty() || seen.has(&["n"]) { Act::Reads } else { Act::Asks }
}

/// `git config`: reads one value or all; two operands set one, wherever the scope says.
fn config(seen: &Seen<'_>) -> Act {
    const READS: [&str; 7] =
        ["get", "get-all", "get-color", "get-colorbool", "get-regexp", "get-urlmatch", "list"];
    const WRITES: [&str; 7] =
        ["add", "remove-section", "rename-section", "replace-all", "set", "unset", "unset-all"];
    if seen.operands.iter().any(|word| word.glob != Glob::No) {
        return Act::Expands;
    }
    let words: Vec<&str> = seen.operands.iter().map(|word| word.text.as_str()).collect();
    let verb = words.first().copied().unwrap_or_default();
    let writes = seen.has(&WRITES) || WRITES.contains(&verb);
    let reads = seen.has(&READS) || seen.has(&["l"]) || matches!(verb, "get" | "list");
    let one_key = matches!(words.as_slice(), [key] if key.contains('.'));
    match (writes, reads || one_key, words.len()) {
        (false, true, _) => Act::Reads,
        (false, false, 0 | 1) => Act::Unclear,
        _ if seen.has(&["global", "system"]) => Act::Host,
        _ if seen.has(&["f", "file"]) => Act::ContentAndMetadata,
        _ => Act::Metadata,
    }
}
