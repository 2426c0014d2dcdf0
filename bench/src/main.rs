//! Figures of the built `evident`, and streams, cases and commits played to it: all taken from outside.

mod app;
mod cases;
#[cfg(target_os = "linux")]
mod line;
/// The figures come from what only Linux says of a process.
#[cfg(not(target_os = "linux"))]
mod line {
    pub(crate) fn table() -> crate::Result<String> {
        Err("these figures can be taken on Linux alone".into())
    }

    pub(crate) fn once() -> crate::Result<String> {
        table()
    }
}
mod reads;
mod replay;
mod streams;
mod turn;

use std::{
    env,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
};

const HELP: &str = "\
bench line                 what the host costs per request, for the `evident` beside this program
bench line once            one run of that, as JSON
bench reads                what it costs that a read has a row of its own
bench streams DIR [SEED]   whether that `evident` decodes the provider streams in a folder; SEED cuts
                           them as it did before
bench cases DIR [ID...]    whether it does what the cases in a folder expect, all or some of them
bench replay REPO COUNT    whether it counts the last commits of a git repository, each made again as a
                           turn, as git does
";

type Error = Box<dyn std::error::Error + Send + Sync>;
type Result<T> = std::result::Result<T, Error>;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = match words.as_slice() {
        ["line"] => line::table().and_then(print),
        ["line", "once"] => line::once().and_then(print),
        ["reads"] => reads::table().and_then(print),
        ["streams", folder] => streams::play(Path::new(folder), None),
        ["streams", folder, seed] => match seed.parse() {
            Ok(seed) => streams::play(Path::new(folder), Some(seed)),
            Err(_) => Err(format!("a seed is a number, not {seed:?}").into()),
        },
        ["cases", folder, ids @ ..] => cases::play(Path::new(folder), ids),
        ["replay", repository, count] => match count.parse() {
            Ok(count) => replay::play(Path::new(repository), count),
            Err(_) => Err(format!("a count is a number, not {count:?}").into()),
        },
        unknown => {
            eprint!("no such figures: {}\n\n{HELP}", unknown.join(" "));
            return ExitCode::from(2);
        }
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard output at once.
fn print(text: impl AsRef<str>) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_ref().as_bytes())?;
    Ok(stdout.flush()?)
}

/// Returns the `evident` that was built beside this program. `built_by` are the words that do it.
fn evident(built_by: &str) -> Result<PathBuf> {
    let name = format!("evident{}", env::consts::EXE_SUFFIX);
    let path = env::current_exe()?.with_file_name(name);
    if !path.is_file() {
        return Err(format!("{} is not there; `{built_by}` builds it", path.display()).into());
    }
    Ok(path)
}
