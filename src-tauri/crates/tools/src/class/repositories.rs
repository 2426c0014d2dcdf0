//! Where the `git` of a command line works: the folders whose settings it goes by.

use super::{
    Shell,
    lex::{Glob, Word},
    parse,
};

/// More folders than a command of daily life goes through; beyond them it is not clear.
const FOLDERS: usize = 16;

/// What a command line has to do with Git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitUse {
    /// No part of it is `git`.
    None,
    /// `git` runs in one of these folders, relative to where the command starts, or in several.
    /// There may be more of them than it really enters, and never fewer.
    In(Vec<String>),
    /// It cannot be said where.
    Unclear,
}

/// Says in which folders a command line may run `git`.
pub fn git_use(shell: Shell, command: &str) -> GitUse {
    let segments = match shell {
        Shell::PowerShell | Shell::Cmd => return GitUse::Unclear,
        Shell::Bash => parse::segments(command),
    };
    let Ok(segments) = segments else { return GitUse::Unclear };
    let mut here = vec![String::new()];
    let mut found = Vec::new();
    for segment in &segments {
        let Some((name, arguments)) = segment.words.split_first() else { continue };
        let added = match name.text.rsplit('/').next() {
            Some("cd") => entered(&here, arguments).map(|folders| here.extend(folders)),
            Some("git") => git_folders(&here, arguments).map(|folders| found.extend(folders)),
            Some(_) | None => Some(()),
        };
        if added.is_none() || FOLDERS < here.len() || FOLDERS < found.len() {
            return GitUse::Unclear;
        }
    }
    if found.is_empty() { GitUse::None } else { GitUse::In(found) }
}

/// Returns the folders that `cd` may lead to.
fn entered(here: &[String], arguments: &[Word]) -> Option<Vec<String>> {
    let target = arguments.iter().find(|word| !word.text.starts_with('-'))?;
    literal(target).map(|target| joined(here, target))
}

/// Returns the folders in which this `git` may work: each `-C` goes on from the one before.
fn git_folders(here: &[String], arguments: &[Word]) -> Option<Vec<String>> {
    let mut folders = here.to_vec();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word.text == "-C" {
            folders = joined(&folders, literal(words.next()?)?);
        } else if word.text.starts_with("--git-dir") || word.text.starts_with("--work-tree") {
            return None;
        } else if !word.text.starts_with('-') {
            break;
        }
    }
    Some(folders)
}

fn literal(word: &Word) -> Option<&str> {
    (word.glob == Glob::No).then_some(word.text.as_str())
}

/// An absolute folder is where it is, wherever one was before.
fn joined(here: &[String], folder: &str) -> Vec<String> {
    if folder.starts_with('/') {
        return vec![folder.to_owned()];
    }
    let join = |from: &String| {
        if from.is_empty() { folder.to_owned() } else { format!("{from}/{folder}") }
    };
    here.iter().map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SH-5: every folder that may be meant is among those that are looked at.
    #[test]
    fn git_is_found_wherever_the_line_goes() {
        let folders = |all: &[&str]| GitUse::In(all.iter().map(|it| (*it).to_owned()).collect());
        for (command, expected) in [
            ("ls -la | grep git", GitUse::None),
            ("git status", folders(&[""])),
            ("cd sub && git log | head", folders(&["", "sub"])),
            ("cd a; cd b; git diff", folders(&["", "a", "b", "a/b"])),
            ("git -C x -C y status && ls", folders(&["x/y"])),
            ("git --no-pager -C /z log", folders(&["/z"])),
            ("/usr/bin/git diff", folders(&[""])),
            ("git --git-dir=.git log", GitUse::Unclear),
            ("cd - && git log", GitUse::Unclear),
            ("cd * && git log", GitUse::Unclear),
            ("git log > $X", GitUse::Unclear),
        ] {
            assert_eq!(git_use(Shell::Bash, command), expected, "{command}");
        }
        for shell in [Shell::PowerShell, Shell::Cmd] {
            assert_eq!(git_use(shell, "git log"), GitUse::Unclear);
        }
    }
}
