//! Judges operands that are more than names: formats, settings, tests.

use super::{Act, lex::Glob, rule::Seen};

/// `date`: only a format is no setting.
pub(super) fn date(seen: &Seen<'_>) -> Act {
    match seen.operands.as_slice() {
        [] => Act::Reads,
        [format] if format.text.starts_with('+') && format.glob == Glob::No => Act::Reads,
        _ => Act::Host,
    }
}

/// `command`: harmless only while it looks names up.
pub(super) fn command(seen: &Seen<'_>) -> Act {
    if seen.has(&["v", "V"]) { Act::Reads } else { Act::RunsCode }
}

/// `printf`: the format can set variables, `PATH` for one, and so can `-v`.
pub(super) fn printf(seen: &Seen<'_>) -> Act {
    let words = match seen.operands.as_slice() {
        [dashes, rest @ ..] if dashes.text == "--" => rest,
        [option, ..] if option.text.starts_with('-') => return Act::Unclear,
        words => words,
    };
    match words {
        [] => Act::Reads,
        [format, ..] if format.glob != Glob::No => Act::Expands,
        [format, ..] if sets_variable(&format.text) => Act::RunsCode,
        _ => Act::Reads,
    }
}

/// Whether a format has the conversion `%n`, with whatever may stand between.
fn sets_variable(format: &str) -> bool {
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let conversion = after.trim_start_matches(|c| "#'-+ 0123456789*.$hlLjztq".contains(c));
        if conversion.starts_with('n') {
            return true;
        }
        rest = after.strip_prefix('%').unwrap_or(after);
    }
    false
}

/// `test` and `[`: `-v` and `-R` evaluate their operand as a subscript.
pub(super) fn test(seen: &Seen<'_>) -> Act {
    let patterns = seen.operands.iter().any(|word| word.glob != Glob::No);
    let evaluates = seen.operands.iter().any(|word| matches!(word.text.as_str(), "-v" | "-R"));
    match (patterns, evaluates) {
        (_, true) => Act::RunsCode,
        (true, false) => Act::Expands,
        (false, false) => Act::Reads,
    }
}
