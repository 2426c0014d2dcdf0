//! The words of a command without what only carries it: `env`, `timeout`, `npx`, `poetry run`.

/// Returns the words of the command that is carried, or all of them.
pub(super) fn unwrapped(words: &[String]) -> &[String] {
    let mut rest = words;
    // Each step drops a word, so it ends.
    while let Some(inner) = carried(rest) {
        rest = inner;
    }
    rest
}

/// Returns the line that a shell is given: `bash -c '…'`.
pub(super) fn inner_line(words: &[String]) -> Option<&str> {
    let [shell, rest @ ..] = words else { return None };
    if !matches!(name_of(shell), "bash" | "sh" | "dash" | "zsh") {
        return None;
    }
    let at =
        rest.iter().position(|it| is_option(it) && !it.starts_with("--") && it.ends_with('c'))?;
    rest.get(at + 1).map(String::as_str)
}

/// The name of a program without its folder and, on Windows, its ending.
pub(super) fn name_of(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    [".exe", ".cmd", ".bat"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// Returns the folder that a `cd` with a plain name leads to.
pub(super) fn led_to(words: &[String]) -> Option<&str> {
    let [program, to] = words else { return None };
    let is_plain = !to.starts_with(['-', '~']) && !to.contains(['$', '`', '*', '?']);
    (matches!(program.as_str(), "cd" | "pushd") && is_plain).then(|| to.trim_end_matches('/'))
}

/// Whether a part of a line does nothing to files, as far as its program tells.
pub(super) fn only_looks(words: &[String]) -> bool {
    const LOOKS: &[&str] = &[
        "cd", "pushd", "popd", "echo", "printf", "set", "export", "unset", "true", "false", "exit",
        ":", "source", ".", "tail", "head", "grep", "rg", "cat", "wc", "sort", "uniq", "cut", "tr",
        "sleep", "test", "[", "[[", "ls", "pwd", "which", "wait", "date", "awk", "less", "return",
    ];
    words.first().is_none_or(|program| LOOKS.contains(&name_of(program)))
}

pub(super) fn is_option(word: &str) -> bool {
    1 < word.len() && word.starts_with('-')
}

fn carried(words: &[String]) -> Option<&[String]> {
    let [program, rest @ ..] = words else { return None };
    let first = rest.first().map(String::as_str);
    match name_of(program) {
        "command" | "exec" | "builtin" | "nohup" | "time" | "chronic" | "unbuffer" | "npx"
        | "bunx" | "caffeinate" | "winpty" => Some(after_options(rest, &[])),
        "env" => Some(after_assignments(after_options(rest, &["-u", "-C", "-S"]))),
        "sudo" => Some(after_assignments(after_options(rest, &["-u", "-g", "-C"]))),
        "nice" => Some(after_options(rest, &["-n"])),
        "ionice" => Some(after_options(rest, &["-c", "-n", "-p"])),
        "stdbuf" => Some(after_options(rest, &["-i", "-o", "-e"])),
        "setsid" => Some(after_options(rest, &[])),
        "xvfb-run" => Some(after_options(rest, &["-s", "-n", "-e", "-f"])),
        "dotenv" => Some(after_options(rest, &["-e", "-f"])),
        "cross-env" => Some(after_assignments(rest)),
        // The time comes first.
        "timeout" | "gtimeout" => after_options(rest, &["-k", "-s"]).get(1..),
        "faketime" => after_options(rest, &[]).get(1..),
        "pnpm" | "yarn" if matches!(first, Some("exec" | "dlx")) => {
            Some(after_options(&rest[1..], &[]))
        }
        "bun" if first == Some("x") => Some(after_options(&rest[1..], &[])),
        "npm" if matches!(first, Some("exec" | "x")) => Some(after_options(&rest[1..], &["-p"])),
        "poetry" | "pipenv" | "pdm" | "hatch" | "rye" | "uv" if first == Some("run") => {
            Some(after_options(&rest[1..], &["--with", "--extra", "--group", "-p", "--python"]))
        }
        "conda" | "mamba" | "micromamba" if first == Some("run") => {
            Some(after_options(&rest[1..], &["-n", "-p", "--name"]))
        }
        "bundle" | "mise" | "direnv" if first == Some("exec") => {
            Some(after_options(&rest[1..], &[]))
        }
        "python" | "python3" | "py" => match after_options(rest, &["-W", "-X"]) {
            // `-m` is an option too, and what follows is the program.
            _ if rest.iter().any(|it| it == "-m") => {
                let at = rest.iter().position(|it| it == "-m")?;
                rest[..at].iter().all(|it| is_option(it)).then(|| &rest[at + 1..])
            }
            _ => None,
        },
        _ if is_assignment(program) => Some(rest),
        _ => None,
    }
}

/// Skips options, and the values of those that have one in the next word.
pub(super) fn after_options<'a>(words: &'a [String], with_value: &[&str]) -> &'a [String] {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if word == "--" {
            return &words[at + 1..];
        }
        if !is_option(word) {
            break;
        }
        at += if with_value.contains(&word.as_str()) { 2 } else { 1 };
    }
    words.get(at..).unwrap_or_default()
}

fn after_assignments(words: &[String]) -> &[String] {
    let count = words.iter().take_while(|it| is_assignment(it)).count();
    &words[count..]
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
