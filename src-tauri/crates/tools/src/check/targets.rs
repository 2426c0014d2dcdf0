//! Targets of `make` and `just`, and scripts of packages: followed to what they run, where that can
//! be read.

mod makefile;
mod scripts;

use super::{Part, ReadFile, Status, line, runner::Known, words::name_of};

/// A named target of a build file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    file: File,
    /// `None` for the file's first target.
    name: Option<String>,
    /// From the folder of the command; empty or ending with a slash.
    folder: String,
    /// Words for the script.
    more: Vec<String>,
    /// Where the file has no such script, the name is a program's.
    or_program: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Makefile,
    Justfile,
    Package(&'static str),
    Composer,
    /// Known by its name alone.
    Other(&'static str),
}

/// What a target turned out to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parts {
    Read(Vec<Part>),
    /// The file is there, and the target is not in it: nothing is run.
    Missing,
}

/// Returns the target that the words run.
pub(super) fn target(words: &[String]) -> Option<Target> {
    let [program, rest @ ..] = words else { return None };
    match name_of(program) {
        "make" | "gmake" => make(rest),
        "just" => just(rest),
        it @ ("npm" | "pnpm" | "yarn" | "bun") => scripts::target(it, rest),
        "node" => {
            let at = rest.iter().position(|it| it == "--run")?;
            Some(package("node --run", rest.get(at + 1)?, String::new(), &[]))
        }
        "composer" => {
            let at = usize::from(matches!(rest.first()?.as_str(), "run" | "run-script"));
            let name = rest.get(at)?;
            (!name.starts_with('-')).then(|| Target {
                name: Some(name.clone()),
                more: rest.get(at + 1..).unwrap_or_default().to_vec(),
                ..Target::of(File::Composer)
            })
        }
        "cargo" if rest.first().is_some_and(|it| it == "xtask") => {
            other("cargo xtask", rest.get(1)?)
        }
        "task" => other("task", rest.first()?),
        "mise" if matches!(rest.first().map(String::as_str), Some("run" | "r")) => {
            other("mise", rest.get(1)?)
        }
        it @ ("nx" | "turbo" | "lerna" | "rush" | "moon") => {
            let at = usize::from(matches!(rest.first()?.as_str(), "run" | "run-many"));
            let runner = match it {
                "nx" => "nx",
                "turbo" => "turbo",
                "lerna" => "lerna",
                "rush" => "rush",
                _ => "moon",
            };
            let name = rest.get(at)?.rsplit(':').next()?;
            other(runner, rest.iter().find_map(|it| it.strip_prefix("--target=")).unwrap_or(name))
        }
        _ => None,
    }
}

fn other(runner: &'static str, name: &str) -> Option<Target> {
    Some(Target { name: Some(name.to_owned()), ..Target::of(File::Other(runner)) })
}

fn package(manager: &'static str, name: &str, folder: String, more: &[String]) -> Target {
    let (name, more) = (Some(name.to_owned()), more.to_vec());
    Target { name, folder, more, ..Target::of(File::Package(manager)) }
}

fn make(rest: &[String]) -> Option<Target> {
    let mut target = Target::of(File::Makefile);
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-n" | "--dry-run" | "--just-print" | "-q" => return None,
            "-C" | "--directory" => target.folder = folder(words.next()?),
            // Another file is read under its own name.
            "-f" | "--file" | "--makefile" => target.more.push(words.next()?.clone()),
            "-j" | "-k" | "-s" | "-B" | "-i" => {}
            _ if word.starts_with('-') || word.contains('=') => {}
            _ if target.name.is_none() => target.name = Some(word.clone()),
            // Of several targets none is followed.
            _ => target.file = File::Other("make"),
        }
    }
    Some(target)
}

fn just(rest: &[String]) -> Option<Target> {
    let name = rest.iter().find(|it| !it.starts_with('-'));
    if rest.iter().any(|it| matches!(it.as_str(), "--list" | "-l" | "--summary" | "-n")) {
        return None;
    }
    Some(Target { name: name.cloned(), ..Target::of(File::Justfile) })
}

fn folder(path: &str) -> String {
    if path.is_empty() || path.ends_with('/') { path.to_owned() } else { format!("{path}/") }
}

impl Target {
    fn of(file: File) -> Self {
        Self { file, name: None, folder: String::new(), more: Vec::new(), or_program: false }
    }

    /// Returns the commands it runs; `None` where its file cannot be read.
    pub(super) fn parts(&self, read: &ReadFile<'_>) -> Option<Parts> {
        let text =
            |names: &[&str]| names.iter().find_map(|it| read(&format!("{}{it}", self.folder)));
        match self.file {
            File::Makefile => {
                let named = self.more.first().map(String::as_str);
                let names: &[&str] = if let Some(it) = &named {
                    &[*it]
                } else {
                    &["GNUmakefile", "makefile", "Makefile"]
                };
                Some(self.recipe(makefile::make(&text(names)?, self.name.as_deref())))
            }
            File::Justfile => {
                let names = ["justfile", "Justfile", ".justfile"];
                Some(self.recipe(makefile::just(&text(&names)?, self.name.as_deref())))
            }
            File::Package(_) => {
                let script = scripts::script(&text(&["package.json"])?, self.name.as_deref()?)?;
                Some(self.line(script))
            }
            File::Composer => {
                let script = scripts::script(&text(&["composer.json"])?, self.name.as_deref()?)?;
                Some(self.line(script))
            }
            File::Other(_) => None,
        }
    }

    fn line(&self, script: scripts::Script) -> Parts {
        match script {
            scripts::Script::Missing if self.or_program => {
                let words = self.name.iter().chain(&self.more).cloned().collect();
                Parts::Read(vec![Part { words, status: Status::OWN }])
            }
            scripts::Script::Missing => Parts::Missing,
            scripts::Script::Is(mut text) => {
                for word in &self.more {
                    text.push(' ');
                    text.push_str(&quoted(word));
                }
                Parts::Read(line::parts(&text))
            }
        }
    }

    /// Each line of a recipe is a command of its own, and the first that fails ends it.
    fn recipe(&self, lines: Option<Vec<makefile::Line>>) -> Parts {
        let Some(lines) = lines else { return Parts::Missing };
        let several = 1 < lines.len();
        let parts = lines.into_iter().flat_map(|it| {
            let outer = Status { is_masked: it.is_ignored, is_shared: several || it.is_ignored };
            line::parts(&it.command)
                .into_iter()
                .map(move |part| Part { status: outer.of_inner(part.status), ..part })
        });
        Parts::Read(parts.collect())
    }

    /// What is said of a target that was not followed: nothing, unless its name says that it checks.
    pub(super) fn unclassified(&self) -> Option<Known> {
        let runner = match self.file {
            File::Makefile => "make",
            File::Justfile => "just",
            File::Composer => "composer",
            File::Package(runner) | File::Other(runner) => runner,
        };
        let name = self.name.as_deref().unwrap_or("all");
        is_check_name(name).then(|| Known::unclassified(runner))
    }
}

fn is_check_name(name: &str) -> bool {
    const CHECKS: &[&str] = &[
        "test",
        "tests",
        "check",
        "checks",
        "lint",
        "typecheck",
        "types",
        "spec",
        "unit",
        "e2e",
        "integration",
        "verify",
        "ci",
        "build",
        "coverage",
        "all",
        "validate",
        "clippy",
        "tsc",
    ];
    const NOT: &[&str] = &["watch", "dev", "fix", "serve", "clean", "install", "start"];
    let lower = name.to_lowercase();
    let mut pieces = lower.split(|c: char| !c.is_ascii_alphanumeric());
    pieces.clone().any(|it| CHECKS.contains(&it)) && !pieces.any(|it| NOT.contains(&it))
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
