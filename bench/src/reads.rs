//! What it costs that a read has a row of its own: the same pages in the same turn, with and without.

use std::{fmt::Write as _, fs, process::Command, time::Duration};

use serde_json::{Value, json};
use testkit::script::{Reply, Script};

use crate::{
    Result,
    turn::{self, Folders, Turn},
};

const RUNS: usize = 5;
/// The words that build what is measured here.
const BUILT_BY: &str = "cargo xtask bench reads";

/// A first page of the default size, and then so many small ones.
const FIRST_LINES: usize = 2000;
const PAGES: usize = 40;
const PAGE_LINES: usize = 50;
const TRIPS: usize = 1 + PAGES;

/// Whether the whole file is wanted: then its read has a row that changes with each page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Shown,
    None,
}

/// Plays the turns in turn and returns what a page costs in each.
pub(crate) fn table() -> Result<String> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        without.extend(page_times(Row::None)?);
        with.extend(page_times(Row::Shown)?);
    }
    with.sort();
    without.sort();
    let mut text = format!("{:48}{:>10}{:>16}{:>16}\n", "", "median", "fastest tenth", "aim");
    let at = |all: &[Duration], part: usize| {
        all.get(all.len() / part).map_or(f64::NAN, |it| it.as_secs_f64() * 1e3)
    };
    let (mid, fast) = ((at(&without, 2), at(&with, 2)), (at(&without, 10), at(&with, 10)));
    let ms = |it: f64| format!("{it:.2} ms");
    let more = |(without, with): (f64, f64)| format!("{:+.2} ms", with - without);
    for (name, median, fastest, aim) in [
        ("host time for a page of a read without a row", ms(mid.0), ms(fast.0), ""),
        ("host time for a page of a read with a row", ms(mid.1), ms(fast.1), "as without"),
        ("what the row adds", more(mid), more(fast), "not measurable"),
    ] {
        let line = format!("{name:48}{median:>10}{fastest:>16}{aim:>16}");
        writeln!(text, "{}", line.trim_end())?;
    }
    writeln!(
        text,
        "\n{RUNS} turns each, of {PAGES} pages of {PAGE_LINES} lines; from the end of the model's answer to the next \
         request.\nIn one turn each page is all that was asked; in the other it is one of a whole file, and \
         its row is stored and sent twice a page."
    )?;
    Ok(text)
}

/// Returns what each page took after the first.
fn page_times(row: Row) -> Result<Vec<Duration>> {
    let folder = tempfile::tempdir()?;
    let [work, home] = ["work", "home"].map(|it| folder.path().join(it));
    fs::create_dir(&work)?;
    fs::create_dir(&home)?;
    let lines = FIRST_LINES + PAGES * PAGE_LINES;
    let text: String =
        (0..lines).map(|it| format!("{it}: what stands in this line of it\n")).collect();
    fs::write(work.join("a.txt"), text)?;
    let folders = Folders { work: &work, home: &home, said: &folder.path().join("stderr") };
    let evident = Command::new(crate::evident(BUILT_BY)?);
    let Turn { trips, server, .. } = turn::play(evident, &folders, script(row), TRIPS)?;
    let requests = server.requests();
    let last = requests.last().ok_or("no request came")?.json()?;
    check(&last)?;
    Ok(trips.into_iter().skip(1).collect())
}

fn script(row: Row) -> Script {
    let first = match row {
        Row::Shown => json!({ "path": "a.txt", "intent": "full" }),
        Row::None => json!({ "path": "a.txt" }),
    };
    let page = |at: usize| {
        let offset = FIRST_LINES + at * PAGE_LINES;
        json!({ "path": "a.txt", "offset": offset, "limit": PAGE_LINES })
    };
    let reads = std::iter::once(first).chain((0..PAGES).map(page));
    Script::new(reads.map(|it| Reply::call("read_file", it))).and(Reply::text("Done."))
}

/// Fails unless each page was shown: figures of failed calls would mean nothing.
fn check(last_request: &Value) -> Result<()> {
    let messages = last_request["messages"].as_array().map_or(&[] as &[_], Vec::as_slice);
    let told: Vec<_> = messages.iter().filter(|it| it["role"] == "tool").collect();
    for (at, told) in told.iter().enumerate() {
        let first = if at == 0 { 0 } else { FIRST_LINES + (at - 1) * PAGE_LINES };
        let start = format!("{}\t{first}: ", first + 1);
        if !told["content"].as_str().is_some_and(|it| it.starts_with(&start)) {
            return Err(format!("page {at} is not what was asked for: {told}").into());
        }
    }
    if told.len() == TRIPS { Ok(()) } else { Err("the model was not told every page".into()) }
}
