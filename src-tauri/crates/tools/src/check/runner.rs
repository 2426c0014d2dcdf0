//! The runners that are known, by the words of their command (CH-4).

mod javascript;
mod native;
mod scripting;

use protocol::CheckKind;

use super::{
    counts::Counter,
    words::{is_option, name_of},
};

/// A command that is known as a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) kind: CheckKind,
    pub(super) runner: &'static str,
    pub(super) counter: Option<Counter>,
    pub(super) is_filtered: bool,
}

impl Known {
    fn new(kind: CheckKind, runner: &'static str) -> Self {
        Self { kind, runner, counter: None, is_filtered: false }
    }

    fn tests(runner: &'static str) -> Self {
        Self::new(CheckKind::Test, runner)
    }

    fn types(runner: &'static str) -> Self {
        Self::new(CheckKind::TypeCheck, runner)
    }

    fn lint(runner: &'static str) -> Self {
        Self::new(CheckKind::Lint, runner)
    }

    fn build(runner: &'static str) -> Self {
        Self::new(CheckKind::Build, runner)
    }

    pub(super) fn unclassified(runner: &'static str) -> Self {
        Self::new(CheckKind::Unclassified, runner)
    }

    fn counted(self, counter: Counter) -> Self {
        Self { counter: Some(counter), ..self }
    }

    fn filtered(self, is_filtered: bool) -> Self {
        Self { is_filtered, ..self }
    }
}

/// Returns what the words run, if it is known.
pub(super) fn known(words: &[String]) -> Option<Known> {
    let [program, rest @ ..] = words else { return None };
    let call = Call { program: name_of(program), rest };
    if call.has(&["--help", "--version", "-V"]) {
        return None;
    }
    native::known(&call).or_else(|| javascript::known(&call)).or_else(|| scripting::known(&call))
}

/// A program and the words after it.
struct Call<'a> {
    program: &'a str,
    rest: &'a [String],
}

impl<'a> Call<'a> {
    fn word(&self, at: usize) -> Option<&'a str> {
        self.rest.get(at).map(String::as_str)
    }

    /// Whether one of the options stands there, alone or with its value after `=`.
    fn has(&self, options: &[&str]) -> bool {
        self.rest.iter().take_while(|it| *it != "--").any(|it| {
            let name = it.split_once('=').map_or(it.as_str(), |(name, _)| name);
            options.contains(&name)
        })
    }

    /// The same call after a first word, such as `test` in `cargo test`.
    fn after(&self, count: usize) -> Self {
        Self { program: self.program, rest: self.rest.get(count..).unwrap_or_default() }
    }

    /// The words that are no options and no values of options, up to `--`.
    fn operands(&self, with_value: &[&str]) -> Vec<&'a str> {
        let mut operands = Vec::new();
        let mut words = self.rest.iter();
        while let Some(word) = words.next() {
            if word == "--" {
                break;
            }
            if with_value.contains(&word.as_str()) {
                words.next();
            } else if !is_option(word) && !word.contains("$") {
                operands.push(word.as_str());
            }
        }
        operands
    }

    /// Whether a part of the project is named, and not all of it.
    fn names_a_part(&self, with_value: &[&str]) -> bool {
        self.operands(with_value).iter().any(|it| !matches!(*it, "." | "./" | "./..." | "..."))
    }
}
