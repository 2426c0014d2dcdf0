//! Which command lines are checks, and what their exit status and their output say (CH-2 to CH-4).
//!
//! A line is read as bash reads it, its parts are looked up in tables of runners, and targets of
//! `make`, `just` and of package scripts are followed to what they run. Nothing is run here.

mod counts;
mod line;
mod runner;
mod targets;
mod windows_line;
mod words;

use protocol::{CheckCounts, CheckKind, CheckQualifier};

use crate::Shell;

pub use self::counts::Reading;

/// A command line that checks something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it checks; of several the weightiest.
    pub kind: CheckKind,
    /// The runner's name as users know it, such as `cargo test`.
    pub runner: &'static str,
    /// It runs a part only: a name filter, or a subset of paths.
    pub is_filtered: bool,
    /// The line can end with 0 although the check failed or never ran.
    pub is_masked: bool,
    /// The line can end with another code though the check did not fail.
    pub is_shared: bool,
    /// The line runs something besides, which may change files.
    pub runs_more: bool,
    counter: Option<counts::Counter>,
}

/// Gives the text of a file of the project, by its path from the folder of the command; `None`
/// where there is none that can be read. Used for build files alone.
pub type ReadFile<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// How many steps a target is followed: `make test`, `npm test`, the script, and one more.
const DEPTH: usize = 4;

/// Returns what a command line checks, or `None` if it checks nothing that is known.
pub fn check_of(shell: Shell, command: &str, read: &ReadFile<'_>) -> Option<Check> {
    let parts = match shell {
        Shell::Bash => line::parts(command),
        Shell::PowerShell | Shell::Cmd => windows_line::parts(command),
    };
    let Line { found, runs_more } = found_in(&parts, read, DEPTH);
    joined(found, runs_more)
}

impl Check {
    /// Reads what the check printed. At most the last 2 MiB are looked at.
    pub fn read_output(&self, output: &str) -> Reading {
        self.counter.map(|counter| counter.read(counts::tail(output))).unwrap_or_default()
    }

    /// Returns the qualifiers to show beside the status (CH-2). `exit_code` is `None` where the
    /// check was stopped.
    pub fn qualifiers(&self, exit_code: Option<i32>, reading: &Reading) -> Vec<CheckQualifier> {
        let failed = exit_code.is_some_and(|code| code != 0);
        let all = [
            (self.is_masked, CheckQualifier::MaskedExit),
            (self.is_shared && failed, CheckQualifier::SharedExit),
            (reading.ran_none, CheckQualifier::NoTests),
            (self.is_filtered, CheckQualifier::Filtered),
        ];
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, it)| it).collect()
    }

    /// Returns whether the exit status says that it passed. The runner's own count of failures
    /// speaks against a masked status: what contradicts itself did not pass (CK-3).
    pub fn passed(&self, exit_code: Option<i32>, reading: &Reading) -> bool {
        let counted_failures = reading.counts.is_some_and(|CheckCounts { failed, .. }| 0 < failed);
        exit_code == Some(0) && !counted_failures
    }
}

/// One command of a line, as a shell would run it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    words: Vec<String>,
    status: Status,
}

/// What the status of the line says of one of its commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Status {
    is_masked: bool,
    is_shared: bool,
}

impl Status {
    /// The line's status is the command's.
    const OWN: Self = Self { is_masked: false, is_shared: false };
    /// The line's status says nothing of the command.
    const NONE: Self = Self { is_masked: true, is_shared: true };

    fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// What the status of a line inside a command of that status says.
    fn of_inner(self, inner: Self) -> Self {
        Self {
            is_masked: self.is_masked || inner.is_masked,
            is_shared: self.is_shared || inner.is_shared,
        }
    }
}

/// A check that was found in a part.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    known: runner::Known,
    status: Status,
}

/// What was found in the parts of a line.
#[derive(Debug, Default)]
struct Line {
    found: Vec<Found>,
    /// A part is no check, and may change files.
    runs_more: bool,
}

/// Build files are looked for where a `cd` before has led.
fn found_in(parts: &[Part], read: &ReadFile<'_>, depth: usize) -> Line {
    let mut folder = String::new();
    let mut line = Line::default();
    for part in parts {
        if let Some(to) = words::led_to(&part.words) {
            folder = if to.starts_with('/') { format!("{to}/") } else { format!("{folder}{to}/") };
            continue;
        }
        let here = found(part, &|path: &str| read(&format!("{folder}{path}")), depth);
        line.runs_more |= here.is_empty() && !words::only_looks(&part.words);
        line.found.extend(here);
    }
    line
}

fn found(part: &Part, read: &ReadFile<'_>, depth: usize) -> Vec<Found> {
    let words = words::unwrapped(&part.words);
    if let Some(inner) = words::inner_line(words) {
        if depth == 0 {
            return Vec::new();
        }
        return within(part.status, found_in(&line::parts(inner), read, depth - 1).found);
    }
    if let Some(target) = targets::target(words) {
        return within(part.status, of_target(&target, read, depth));
    }
    let known = runner::known(words);
    known.map(|known| Found { known, status: part.status }).into_iter().collect()
}

fn of_target(target: &targets::Target, read: &ReadFile<'_>, depth: usize) -> Vec<Found> {
    let unclassified = || {
        let known = target.unclassified()?;
        Some(Found { known, status: Status::OWN })
    };
    let parts = if depth == 0 { None } else { target.parts(read) };
    let Some(parts) = parts else { return unclassified().into_iter().collect() };
    match parts {
        targets::Parts::Missing => Vec::new(),
        targets::Parts::Read(parts) => {
            let found = found_in(&parts, read, depth - 1).found;
            if found.is_empty() { unclassified().into_iter().collect() } else { found }
        }
    }
}

fn within(outer: Status, found: Vec<Found>) -> Vec<Found> {
    found.into_iter().map(|it| Found { status: outer.of_inner(it.status), ..it }).collect()
}

/// One line has one status, so it is one check: named by its weightiest part, and qualified by all.
fn joined(found: Vec<Found>, runs_more: bool) -> Option<Check> {
    let several = 1 < found.len();
    let is_filtered = found.iter().any(|it| it.known.is_filtered);
    let is_masked = found.iter().any(|it| it.status.is_masked);
    let is_shared = several || found.iter().any(|it| it.status.is_shared);
    let counting = found.iter().filter(|it| it.known.counter.is_some()).count();
    // The first of the weightiest: `max_by_key` would return the last.
    let known = found
        .into_iter()
        .map(|it| it.known)
        .reduce(|best, it| if weight(best.kind) < weight(it.kind) { it } else { best })?;
    Some(Check {
        kind: known.kind,
        runner: known.runner,
        is_filtered,
        is_masked,
        is_shared,
        runs_more,
        // Two runners' lines in one output cannot be told apart for sure.
        counter: known.counter.filter(|_| counting == 1),
    })
}

fn weight(kind: CheckKind) -> u8 {
    match kind {
        CheckKind::Declared => 5,
        CheckKind::Test => 4,
        CheckKind::TypeCheck => 3,
        CheckKind::Lint => 2,
        CheckKind::Build => 1,
        CheckKind::Unclassified => 0,
    }
}

#[cfg(test)]
mod tests;
