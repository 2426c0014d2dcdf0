//! Figures of the built `evident`, taken from outside. They are printed, never judged.

#[cfg(target_os = "linux")]
mod line;
/// The figures come from what only Linux says of a process.
#[cfg(not(target_os = "linux"))]
mod line {
    use std::error::Error;

    pub(crate) fn table() -> Result<String, Box<dyn Error>> {
        Err("these figures can be taken on Linux alone".into())
    }

    pub(crate) fn once() -> Result<String, Box<dyn Error>> {
        table()
    }
}

use std::{
    env,
    io::{self, Write as _},
    process::ExitCode,
};

const HELP: &str = "\
bench line        what the host costs per request, for the `evident` beside this program
bench line once   one run of that, as JSON
";

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let printed = match words.as_slice() {
        ["line"] => line::table(),
        ["line", "once"] => line::once(),
        unknown => {
            eprint!("no such figures: {}\n\n{HELP}", unknown.join(" "));
            return ExitCode::from(2);
        }
    };
    match printed.and_then(|text| Ok(io::stdout().write_all(text.as_bytes())?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}
