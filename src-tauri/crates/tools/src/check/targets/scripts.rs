//! Scripts of `package.json` and `composer.json`.

use serde_json::Value;

use super::{Target, folder, package};

/// A script by its name.
pub(super) enum Script {
    Is(String),
    Missing,
}

/// Returns a script of a manifest; `None` where the manifest is none.
pub(super) fn script(manifest: &str, name: &str) -> Option<Script> {
    let manifest: Value = serde_json::from_str(manifest).ok()?;
    let script = manifest.get("scripts").and_then(|it| it.get(name));
    Some(match script {
        Some(Value::String(text)) => Script::Is(text.clone()),
        // Composer runs a list one by one, and ends at the first that fails.
        Some(Value::Array(list)) => {
            let lines: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            Script::Is(lines.join(" && "))
        }
        Some(_) | None => Script::Missing,
    })
}

/// Returns the script that a package manager is asked to run.
pub(super) fn target(manager: &str, rest: &[String]) -> Option<Target> {
    let name = match manager {
        "npm" => "npm",
        "pnpm" => "pnpm",
        "yarn" => "yarn",
        _ => "bun",
    };
    let mut at = 0;
    let mut path = String::new();
    let mut is_elsewhere = false;
    while let Some(word) = rest.get(at) {
        match word.as_str() {
            "--prefix" | "--cwd" | "-C" | "--dir" => {
                path = folder(rest.get(at + 1)?);
                at += 2;
            }
            "-w" | "--workspace" | "--filter" | "-F" if name != "yarn" => {
                is_elsewhere = true;
                at += 2;
            }
            "workspace" if name == "yarn" => {
                is_elsewhere = true;
                at += 2;
            }
            "workspaces" if name == "yarn" => return None,
            _ if word.starts_with("--prefix=") || word.starts_with("--cwd=") => {
                path = folder(word.split_once('=')?.1);
                at += 1;
            }
            _ if word.starts_with("--filter=") || word.starts_with("--workspace=") => {
                is_elsewhere = true;
                at += 1;
            }
            "-r" | "--recursive" | "--workspaces" | "-ws" => {
                is_elsewhere = true;
                at += 1;
            }
            _ if word.starts_with('-') => at += 1,
            _ => break,
        }
    }
    let word = rest.get(at)?.as_str();
    let (script, after) = match (name, word) {
        (_, "run" | "run-script" | "rum" | "urn") => {
            let skip = rest[at + 1..].iter().take_while(|it| it.starts_with('-')).count();
            (rest.get(at + 1 + skip)?.as_str(), at + 2 + skip)
        }
        // Bun's own runner of tests is no script.
        ("npm" | "pnpm" | "yarn", "test") | ("npm" | "pnpm", "t" | "tst") => ("test", at + 1),
        // These run a script by its bare name, unless it is a word of theirs.
        ("yarn" | "pnpm", word) if !is_own_word(word) => (word, at + 1),
        _ => return None,
    };
    let after = rest.get(after..).unwrap_or_default();
    let more = match after.iter().position(|it| it == "--") {
        Some(at) => &after[at + 1..],
        // npm takes what stands before `--` for its own.
        None if name == "npm" => &[],
        None => after,
    };
    is_elsewhere |= name == "npm" && after.iter().any(|it| is_place(it));
    let or_program = script == word && word != "test";
    let target = Target { or_program, ..package(name, script, path, more) };
    // Which package another one is, is not looked for.
    Some(if is_elsewhere { Target { file: super::File::Other(name), ..target } } else { target })
}

/// Whether an option names another package than the one of the folder.
fn is_place(word: &str) -> bool {
    matches!(word, "-w" | "--workspace" | "--workspaces" | "-ws" | "--prefix" | "-C")
        || word.starts_with("--workspace=")
        || word.starts_with("--prefix=")
}

fn is_own_word(word: &str) -> bool {
    matches!(
        word,
        "add"
            | "install"
            | "i"
            | "remove"
            | "rm"
            | "up"
            | "update"
            | "upgrade"
            | "init"
            | "create"
            | "why"
            | "list"
            | "ls"
            | "outdated"
            | "audit"
            | "publish"
            | "pack"
            | "link"
            | "dlx"
            | "exec"
            | "config"
            | "cache"
            | "set"
            | "import"
            | "info"
            | "version"
            | "login"
            | "node"
            | "global"
            | "store"
            | "prune"
            | "fetch"
            | "rebuild"
            | "dedupe"
            | "start"
    )
}
