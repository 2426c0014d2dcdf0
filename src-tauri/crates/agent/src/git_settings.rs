//! Whether the settings of a repository name programs that a reader of Git would run.

use std::path::{Path, PathBuf};

use crate::command;

/// Returns whether `git`, run in `folder`, could run a program that settings in the workspace name:
/// of the repository, or of any file below one of `roots` (SH-5: external diff, textconv, filter).
///
/// What the user or the system has set is theirs. If it cannot be found out, the answer is yes.
pub(crate) async fn name_programs(folder: &Path, roots: &[PathBuf]) -> bool {
    let words = ["config", "--list", "--null", "--show-scope", "--show-origin"];
    match command::printed("git", &words, folder).await {
        Ok(Some(listed)) => any_names_a_program(&listed, folder, roots),
        Ok(None) | Err(_) => true,
    }
}

/// Looks through triples of scope, origin, and key with value.
fn any_names_a_program(listed: &[u8], folder: &Path, roots: &[PathBuf]) -> bool {
    let listed = String::from_utf8_lossy(listed);
    let fields: Vec<&str> = listed.split('\0').collect();
    let mut settings = fields.chunks_exact(3);
    let found = settings.by_ref().any(|setting| {
        let [scope, origin, setting] = setting else { return true };
        let (key, value) = setting.split_once('\n').unwrap_or((setting, ""));
        is_of_the_workspace(scope, origin, folder, roots) && names_a_program(key, value)
    });
    // The list ends with a NUL; anything else after whole triples is not understood.
    found || settings.remainder().iter().any(|rest| !rest.is_empty())
}

fn is_of_the_workspace(scope: &str, origin: &str, folder: &Path, roots: &[PathBuf]) -> bool {
    match scope {
        "system" | "global" => {
            let file = origin.strip_prefix("file:").map(|it| folder.join(it));
            let real = file.map(|it| workspace::real_path(&it).unwrap_or(it));
            real.is_none_or(|file| roots.iter().any(|root| file.starts_with(root)))
        }
        "command" => false,
        _ => true,
    }
}

/// Whether a setting names a program, or makes a reader run one. Git gives keys in lower case, but
/// for the middle part.
fn names_a_program(key: &str, value: &str) -> bool {
    let first = key.split('.').next().unwrap_or_default();
    let last = key.rsplit('.').next().unwrap_or_default();
    match (first, last) {
        ("diff", "external" | "command" | "textconv")
        | ("filter", "clean" | "smudge" | "process")
        | ("gpg", "program")
        | ("core", "sshcommand" | "gitproxy" | "askpass" | "alternaterefscommand" | "hookspath")
        | ("interactive", "difffilter")
        | ("credential", "helper")
        | ("remote", "uploadpack" | "vcs") => true,
        ("log", "showsignature") => !matches!(value, "false" | "no" | "off" | "0"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SH-5, PM-9.
    #[test]
    fn only_what_the_workspace_can_set_counts() {
        let roots = [PathBuf::from("/w")];
        for (scope, origin, setting, names) in [
            ("local", "file:.git/config", "diff.external\nx", true),
            ("local", "file:.git/config", "diff.WORD.textconv\nx", true),
            ("worktree", "file:.git/config.worktree", "filter.lfs.clean\nx", true),
            ("local", "file:.git/config", "log.showsignature\ntrue", true),
            ("local", "file:.git/config", "log.showsignature\nfalse", false),
            ("local", "file:.git/config", "core.bare\nfalse", false),
            ("local", "file:.git/config", "diff.algorithm\nhistogram", false),
            ("global", "file:/home/.gitconfig", "filter.lfs.clean\ngit-lfs", false),
            ("global", "file:/w/.gitconfig", "diff.external\nx", true),
            ("command", "command line:", "core.fsmonitor\nfalse", false),
            ("unknown", "file:x", "diff.external\nx", true),
        ] {
            let listed = format!("{scope}\0{origin}\0{setting}\0");
            let found = any_names_a_program(listed.as_bytes(), Path::new("/w"), &roots);
            assert_eq!(found, names, "{scope} {origin} {setting}");
        }
        assert!(any_names_a_program(b"local\0file:x", Path::new("/w"), &roots), "half a list");
    }
}
