//! What may run without asking, and what was granted.

use std::collections::BTreeSet;

use protocol::{AskReason, Decision, PermissionId, Preset};
use tools::{CommandEffect, Intent, Writing};

/// An answer to a question of this session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub permission: PermissionId,
    pub decision: Decision,
}

/// Who answers questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approvals {
    /// The user does.
    Ask,
    /// Everything is allowed.
    All,
    /// Everything is denied.
    None,
    /// Nobody is there, so everything is denied, and the user is told that.
    Nobody,
}

/// What a call needs to be allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// The exact command.
    Command(String),
    /// A write, by the path as a person sees it.
    Write(String),
    /// A write of a file that Git goes by, by its path.
    GitFile(String),
}

impl Subject {
    /// Returns what is shown: the exact command, or the path.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Command(text) | Self::Write(text) | Self::GitFile(text) => text,
        }
    }
}

/// What was allowed for this session. In memory only; a restart asks again (PM-4).
#[derive(Debug, Default)]
pub struct Grants {
    commands: BTreeSet<String>,
    git_files: BTreeSet<String>,
    writes: bool,
}

impl Grants {
    /// Keeps a grant: that exact command or file of Git's, or writes of other files.
    pub(crate) fn grant(&mut self, subject: &Subject) {
        match subject {
            Subject::Command(command) => {
                self.commands.insert(command.clone());
            }
            Subject::GitFile(path) => {
                self.git_files.insert(path.clone());
            }
            Subject::Write(_) => self.writes = true,
        }
    }

    fn covers(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Command(command) => self.commands.contains(command),
            Subject::GitFile(path) => self.git_files.contains(path),
            Subject::Write(_) => self.writes,
        }
    }
}

/// Says what a call must ask for, and why; `None` if it may run (PM-1, DEC-17).
///
/// There is no sandbox yet, so a restricted preset asks before each command that is not known to
/// only read.
pub(crate) fn asks(
    preset: Preset,
    grants: &Grants,
    intent: &Intent,
    effect: Option<&CommandEffect>,
) -> Option<(Subject, AskReason)> {
    let (subject, reason) = match (preset, intent) {
        (Preset::DangerFullAccess, _) => return None,
        (
            Preset::ReadOnly | Preset::WorkspaceWrite,
            Intent::Create(writing) | Intent::Replace(writing) | Intent::Overwrite(writing),
        ) if is_in_git_folder(writing) => {
            (Subject::GitFile(writing.place.shown().to_owned()), AskReason::GitFolder)
        }
        (
            Preset::ReadOnly,
            Intent::Create(writing) | Intent::Replace(writing) | Intent::Overwrite(writing),
        ) => (Subject::Write(writing.place.shown().to_owned()), AskReason::ReadOnlyPreset),
        (Preset::ReadOnly | Preset::WorkspaceWrite, Intent::Run(running)) => {
            if effect.is_some_and(CommandEffect::is_reader) {
                return None;
            }
            (Subject::Command(running.command.clone()), AskReason::NoSandbox)
        }
        (Preset::WorkspaceWrite, Intent::Create(_) | Intent::Replace(_) | Intent::Overwrite(_))
        | (
            Preset::ReadOnly | Preset::WorkspaceWrite,
            Intent::Read(_)
            | Intent::List(_)
            | Intent::Search(_)
            | Intent::Unchanged { .. }
            | Intent::Note { .. },
        ) => return None,
    };
    (!grants.covers(&subject)).then_some((subject, reason))
}

/// Returns whether a write is of something in `.git`, or of a file of that name, which leads there.
/// Its settings and hooks name programs, so a later command that only reads would run them (PM-9).
fn is_in_git_folder(writing: &Writing) -> bool {
    let path = writing.place.path().relative();
    path.split('/').any(|part| part.eq_ignore_ascii_case(".git"))
}
