//! What a command line may do: the one answer for permissions, evidence, parallelism and gaps
//! (SH-8).
//!
//! It judges words, not the machine. It holds where the shell is started without start-up files,
//! `BASH_ENV` and exported functions, and where `PATH` names absolute folders that the workspace
//! does not write to.

mod act;
mod git;
mod lex;
mod literal;
mod operands;
mod parse;
mod powershell;
mod programs;
mod readers;
mod repositories;
mod rule;
mod sed;
mod tree;

use std::fmt;

use self::{act::Act, lex::Redirect, parse::Segment};

pub use self::{
    literal::literal_targets,
    repositories::{GitUse, git_use},
};

/// The shell that would run a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shell {
    /// Bash, Git's on Windows too.
    Bash,
    /// PowerShell, of any version.
    PowerShell,
    /// The system's own on Windows. Nothing in it is known to only look.
    Cmd,
}

/// Whether a command line is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// To the last word.
    Known,
    /// Not in full. Whatever it may do is taken for what it does.
    Unknown,
}

/// The kinds of state that a command may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writes {
    /// Files of the workspace.
    pub content: bool,
    /// What a repository keeps beside the files: index, refs, objects, configuration.
    pub metadata: bool,
    /// The machine: its clock, its processes, the user's settings.
    pub host: bool,
    /// Something elsewhere: a remote repository.
    pub external: bool,
}

impl Writes {
    const NONE: Self = Self { content: false, metadata: false, host: false, external: false };
    const ALL: Self = Self { content: true, metadata: true, host: true, external: true };

    fn any(self) -> bool {
        self != Self::NONE
    }

    fn join(self, other: Self) -> Self {
        Self {
            content: self.content || other.content,
            metadata: self.metadata || other.metadata,
            host: self.host || other.host,
            external: self.external || other.external,
        }
    }
}

/// What sort of command it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Looks at files or at the machine.
    Look,
    /// Handles files.
    Files,
    /// Git.
    Git,
    /// Builds, tests or installs.
    Build,
    /// Talks to another machine.
    Network,
    /// Changes the machine.
    System,
    /// Runs what it is given.
    Runner,
    /// Nothing we know.
    Unfamiliar,
    /// Several of these in one line.
    Mixed,
}

/// What a person is told about a command, the weightiest last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It only reads.
    Reads,
    /// It asks another machine.
    Network,
    /// It changes the repository's records.
    Repository,
    /// It changes the machine.
    Host,
    /// It changes something on another machine.
    External,
    /// It may write files.
    Files,
    /// It is not known.
    NotKnown,
    /// It runs code of the workspace, or what it is given.
    Code,
    /// It uses expansions.
    Expansions,
    /// Its form is not understood.
    Syntax,
    /// It leaves something running.
    Background,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reads => "only reads",
            Self::Network => "uses the network",
            Self::Repository => "changes the repository's records",
            Self::Host => "changes this machine",
            Self::External => "changes something on another machine",
            Self::Files => "may write files",
            Self::NotKnown => "is not known",
            Self::Code => "runs code",
            Self::Expansions => "uses expansions",
            Self::Syntax => "has a form that is not understood",
            Self::Background => "leaves something running",
        })
    }
}

/// What a command line may do. Where it is not known, everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandEffect {
    /// Whether the line is understood.
    pub certainty: Certainty,
    /// What it may change.
    pub writes: Writes,
    /// It may run code that the workspace or the line itself holds.
    pub executes_code: bool,
    /// It may talk to other machines.
    pub uses_network: bool,
    /// It may run without asking.
    pub permission_safe: bool,
    /// What sort of command it is.
    pub family: Family,
    /// What a person is told.
    pub reason: Reason,
}

impl CommandEffect {
    fn known(family: Family, writes: Writes, reason: Reason) -> Self {
        Self {
            certainty: Certainty::Known,
            writes,
            executes_code: false,
            uses_network: false,
            permission_safe: !writes.any(),
            family,
            reason,
        }
    }

    fn unknown(family: Family, reason: Reason) -> Self {
        Self {
            certainty: Certainty::Unknown,
            writes: Writes::ALL,
            executes_code: true,
            uses_network: true,
            permission_safe: false,
            family,
            reason,
        }
    }

    fn running_code(self) -> Self {
        Self { executes_code: true, permission_safe: false, ..self }
    }

    fn using_network(self) -> Self {
        Self { uses_network: true, permission_safe: false, ..self }
    }

    /// Known, writes nothing, runs no foreign code, uses no network: it may run without asking,
    /// and leaves no gap.
    pub fn is_reader(&self) -> bool {
        self.certainty == Certainty::Known
            && !self.writes.any()
            && !self.executes_code
            && !self.uses_network
            && self.permission_safe
    }

    /// The same command where something it goes by, such as a repository's settings, names
    /// programs: then it may do anything.
    pub fn running_programs_of_the_folder(self) -> Self {
        Self::unknown(self.family, Reason::Code)
    }

    /// A content writer that an open requirement may hold up: builds and network commands never
    /// are (DEC-3, WB-41).
    pub fn is_opaque_writer(&self) -> bool {
        self.writes.content && !matches!(self.family, Family::Build | Family::Network)
    }

    /// Joins what two parts of one line do (SH-1).
    fn join(self, other: Self) -> Self {
        let family = match (self.is_reader(), other.is_reader()) {
            (true, false) => other.family,
            (false, true) => self.family,
            (true, true) | (false, false) if self.family == other.family => self.family,
            (true, true) => Family::Look,
            (false, false) => Family::Mixed,
        };
        Self {
            certainty: self.certainty.max(other.certainty),
            writes: self.writes.join(other.writes),
            executes_code: self.executes_code || other.executes_code,
            uses_network: self.uses_network || other.uses_network,
            permission_safe: self.permission_safe && other.permission_safe,
            family,
            reason: self.reason.max(other.reason),
        }
    }
}

/// Says what a command line may do (SH-1, SH-2). A line that is not understood may do anything.
pub fn classify(shell: Shell, command: &str) -> CommandEffect {
    let segments = match shell {
        Shell::PowerShell => return powershell::effect(command),
        Shell::Cmd => return Act::Unclear.effect(Family::Unfamiliar),
        Shell::Bash => parse::segments(command),
    };
    match segments {
        Ok(segments) => joined(segments.iter().map(effect)),
        Err(reason) => CommandEffect::unknown(Family::Unfamiliar, reason),
    }
}

/// What one simple command does, with its redirections.
fn effect(segment: &Segment) -> CommandEffect {
    let command = (!segment.words.is_empty()).then(|| programs::effect(&segment.words));
    let redirects = segment.redirects.iter();
    let redirects =
        redirects.map(|(redirect, target)| redirection(*redirect, target).effect(Family::Files));
    joined(command.into_iter().chain(redirects))
}

/// Nothing at all is no command, and not understood.
fn joined(effects: impl Iterator<Item = CommandEffect>) -> CommandEffect {
    let nothing = CommandEffect::unknown(Family::Unfamiliar, Reason::Syntax);
    effects.reduce(CommandEffect::join).unwrap_or(nothing)
}

/// Bash makes a connection of `/dev/tcp/…`, so of the devices only one is let through.
fn redirection(redirect: Redirect, target: &lex::Word) -> Act {
    let path = target.text.as_str();
    match redirect {
        Redirect::Duplicate if matches!(path, "1" | "2") => Act::Reads,
        Redirect::Duplicate if path.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {
            Act::Unclear
        }
        _ if path == "/dev/null" => Act::Reads,
        _ if path.starts_with("/dev/") => Act::Unclear,
        Redirect::Read if target.glob != lex::Glob::No => Act::Unclear,
        Redirect::Read => Act::Reads,
        Redirect::Write | Redirect::WriteOther | Redirect::Duplicate => Act::Content,
    }
}

#[cfg(test)]
mod tests;
