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
    /// The exact command, and the folder it runs in.
    Command { command: String, folder: String },
    /// A write, by the path as a person sees it.
    Write(String),
    /// A write of a file that Git or Evident goes by, by its path.
    Guarded(String),
}

impl Subject {
    /// Returns what is shown: the exact command, or the path.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Command { command: text, .. } | Self::Write(text) | Self::Guarded(text) => text,
        }
    }

    /// Returns the folder that a command runs in; empty for the workspace itself.
    pub(crate) fn folder(&self) -> &str {
        match self {
            Self::Command { folder, .. } => folder,
            Self::Write(_) | Self::Guarded(_) => "",
        }
    }
}

/// What was allowed for this session. In memory only; a restart asks again (PM-4).
#[derive(Debug, Default)]
pub struct Grants {
    commands: BTreeSet<(String, String)>,
    guarded: BTreeSet<String>,
    writes: bool,
}

impl Grants {
    /// Keeps a grant: that exact command in its folder, that file, or writes of other files.
    pub(crate) fn grant(&mut self, subject: &Subject) {
        match subject {
            Subject::Command { command, folder } => {
                self.commands.insert((command.clone(), folder.clone()));
            }
            Subject::Guarded(path) => {
                self.guarded.insert(path.clone());
            }
            Subject::Write(_) => self.writes = true,
        }
    }

    fn covers(&self, subject: &Subject) -> bool {
        match subject {
            Subject::Command { command, folder } => {
                self.commands.contains(&(command.clone(), folder.clone()))
            }
            Subject::Guarded(path) => self.guarded.contains(path),
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
        ) if is_guarded(writing) => {
            (Subject::Guarded(writing.place.shown().to_owned()), AskReason::Guarded)
        }
        (
            Preset::ReadOnly,
            Intent::Create(writing) | Intent::Replace(writing) | Intent::Overwrite(writing),
        ) => (Subject::Write(writing.place.shown().to_owned()), AskReason::ReadOnlyPreset),
        (Preset::ReadOnly | Preset::WorkspaceWrite, Intent::Run(running)) => {
            if effect.is_some_and(CommandEffect::is_reader) {
                return None;
            }
            let (command, folder) = (running.command.clone(), running.cwd.shown().to_owned());
            (Subject::Command { command, folder }, AskReason::NoSandbox)
        }
        (Preset::WorkspaceWrite, Intent::Create(_) | Intent::Replace(_) | Intent::Overwrite(_))
        | (
            Preset::ReadOnly | Preset::WorkspaceWrite,
            Intent::Read(_)
            | Intent::List(_)
            | Intent::Search(_)
            | Intent::Unchanged { .. }
            | Intent::Job(_)
            | Intent::Note { .. },
        ) => return None,
    };
    (!grants.covers(&subject)).then_some((subject, reason))
}

/// Returns whether a write is of something in `.git`, or of a file of that name, which leads there:
/// its settings and hooks name programs, so a later command that only reads would run them (PM-9).
/// The same goes for `.evident`, whose settings say which commands prove something.
fn is_guarded(writing: &Writing) -> bool {
    let path = writing.place.path().relative();
    let guarded =
        |part: &str| part.eq_ignore_ascii_case(".git") || part.eq_ignore_ascii_case(".evident");
    path.split('/').any(guarded)
}
