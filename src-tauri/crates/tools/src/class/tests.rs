//! The classifier against tables of command lines, against itself, and against bash.

#[cfg(target_os = "linux")]
mod bash;
mod compositions;
mod git;
mod readers;
mod shell;

use super::*;

/// Compares the answer to every line of a table: the answer, two spaces, the command. `␤` is a
/// new line.
fn check(shell: Shell, table: &str) {
    let wrong: Vec<String> = rows(table)
        .filter_map(|(expected, command)| {
            let answer = answer(&classify(shell, &command));
            (answer != expected).then(|| format!("{command}\n  is {answer}, not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn rows(table: &str) -> impl Iterator<Item = (&str, String)> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| {
        let (expected, command) = line.trim().split_once("  ").expect("two columns");
        (expected, command.trim_start().replace('␤', "\n"))
    })
}

fn answer(effect: &CommandEffect) -> String {
    let CommandEffect { certainty, writes, executes_code, uses_network, permission_safe, .. } =
        effect;
    assert_eq!(*permission_safe, effect.is_reader());
    if *certainty == Certainty::Unknown {
        assert!(*writes == Writes::ALL && *executes_code && *uses_network, "unknown fails closed");
        return format!("?{:?}", effect.reason).to_lowercase();
    }
    let parts = [
        (writes.content, "content"),
        (writes.metadata, "metadata"),
        (writes.host, "host"),
        (writes.external, "external"),
        (*executes_code, "code"),
        (*uses_network, "network"),
    ];
    let parts: Vec<&str> = parts.iter().filter(|part| part.0).map(|part| part.1).collect();
    assert_eq!(parts.is_empty(), effect.is_reader());
    if parts.is_empty() { "reader".to_owned() } else { parts.join("+") }
}

/// The command lines of all tables, with their answers.
fn all_rows() -> Vec<(&'static str, String)> {
    let tables = [
        git::HISTORY,
        git::SUBCOMMANDS,
        git::VECTORS,
        readers::LOOKING,
        readers::TURNED,
        shell::PARTS,
        shell::REDIRECTIONS,
        shell::UNTAKEN,
    ];
    tables.into_iter().flat_map(rows).collect()
}

/// Splits a text at its blanks; `␣` is one, `␤` a new line.
fn pieces(text: &str) -> Vec<String> {
    let unmarked = |piece: &str| piece.replace('␣', " ").replace('␤', "\n");
    text.split_whitespace().map(unmarked).collect()
}

/// A sequence of numbers that looks random and is always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn pick<'a>(&mut self, of: &'a [impl AsRef<str>]) -> &'a str {
        of[self.below(of.len())].as_ref()
    }
}
