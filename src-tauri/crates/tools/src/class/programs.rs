//! Finds the rule for a command, and the rules for the commands that do more than read.

use super::{
    Act, CommandEffect, Family, git,
    lex::{Glob, Word},
    readers::{READERS, VERSION_QUERIES},
    rule::{Operands, Options, Rule, Seen},
};

/// Says what one simple command does. There is at least one word.
pub(super) fn effect(words: &[Word]) -> CommandEffect {
    let unclear = Act::Unclear.effect(Family::Unfamiliar);
    let Some((command, arguments)) = words.split_first() else { return unclear };
    if command.glob != Glob::No {
        return Act::Expands.effect(Family::Unfamiliar);
    }
    let Some(name) = name(&command.text) else { return Act::RunsCode.effect(Family::Runner) };
    if name == "git" {
        return git::effect(arguments);
    }
    if name == "[" && arguments.last().is_none_or(|last| last.text != "]") {
        return unclear;
    }
    if asks_version(name, arguments) {
        return Act::Reads.effect(Family::Look);
    }
    let mut rules = READERS.iter().chain(OTHERS);
    let rule = rules.find(|rule| rule.names.contains(&name));
    rule.map_or(unclear, |rule| rule.effect(arguments))
}

/// Returns the name of a command that `PATH`, or one of the system's folders, leads to.
fn name(word: &str) -> Option<&str> {
    let folders = ["/usr/bin/", "/bin/"];
    let name = folders.iter().find_map(|folder| word.strip_prefix(folder)).unwrap_or(word);
    (!name.contains('/')).then_some(name)
}

/// Returns whether it only asks a tool for its version.
pub(super) fn asks_version(name: &str, arguments: &[Word]) -> bool {
    let [question] = arguments else { return false };
    VERSION_QUERIES.iter().any(|(names, questions)| {
        names.contains(&name) && questions.contains(&question.text.as_str())
    })
}

/// `cargo` and `go`: the subcommands that build and test, and no toolchain before them.
fn builds(seen: &Seen<'_>) -> Act {
    const BUILDS: [&str; 14] = [
        "b", "bench", "build", "c", "check", "clippy", "d", "doc", "fmt", "nextest", "run", "t",
        "test", "vet",
    ];
    match seen.operands.first() {
        Some(first) if BUILDS.contains(&first.text.as_str()) => Act::Builds,
        Some(_) | None => Act::RunsCode,
    }
}

const fn rule(names: &'static [&'static str], family: Family, act: Act) -> Rule {
    Rule { names, family, act, options: Options::Any, operands: Operands::Any }
}

static OTHERS: &[Rule] = &[
    rule(
        &[
            "chgrp", "chmod", "chown", "cp", "csplit", "dd", "ln", "mkdir", "mkfifo", "mktemp",
            "mv", "rm", "rmdir", "shred", "tee", "touch", "truncate", "unlink",
        ],
        Family::Files,
        Act::Content,
    ),
    rule(&["kill", "killall", "pkill"], Family::System, Act::Host),
    Rule {
        names: &["cargo", "go"],
        family: Family::Build,
        act: Act::Reads,
        options: Options::Any,
        operands: Operands::Judged(builds),
    },
    rule(
        &[
            "ant", "bazel", "bun", "bundle", "cc", "clang", "cmake", "composer", "ctest", "deno",
            "dotnet", "eslint", "g++", "gcc", "gradle", "jest", "just", "make", "meson", "mocha",
            "mvn", "mypy", "ninja", "npm", "npx", "phpunit", "pip", "pip3", "pnpm", "poetry",
            "pytest", "rspec", "ruff", "rustc", "rustup", "tox", "tsc", "uv", "vitest", "yarn",
        ],
        Family::Build,
        Act::RunsCode,
    ),
    rule(
        &[
            "curl", "dig", "ftp", "gh", "host", "nc", "nslookup", "ping", "rsync", "scp", "sftp",
            "ssh", "telnet", "wget",
        ],
        Family::Network,
        Act::Talks,
    ),
    rule(&["bg", "coproc", "disown", "nohup", "setsid"], Family::Runner, Act::Detaches),
    rule(
        &[
            ".", "awk", "bash", "builtin", "busybox", "chroot", "dash", "doas", "eval", "exec",
            "expect", "fish", "gawk", "java", "ksh", "lua", "mawk", "nawk", "nice", "node",
            "parallel", "perl", "php", "python", "python3", "ruby", "sh", "source", "stdbuf",
            "strace", "su", "sudo", "time", "timeout", "trap", "watch", "xargs", "zsh",
        ],
        Family::Runner,
        Act::RunsCode,
    ),
];
