//! What the host costs per request: time, processor, memory, disk, and the size of the prompt.

mod run;
mod trace;

use std::{env, fmt::Write as _, process::Command};

use nix::sys::{
    resource::{UsageWho, getrusage},
    time::{TimeVal, TimeValLike},
};
use serde_json::{Value, json};

use crate::Result;
use run::{Fixture, REQUESTS, Run};

const RUNS: usize = 5;
/// The words that build what is measured here.
const BUILT_BY: &str = "cargo xtask bench line";

/// One line of the table: its name, its key in the JSON of a run, its unit, and the figures to
/// hold ours against.
struct Row {
    name: &'static str,
    key: &'static str,
    unit: &'static str,
    decimals: usize,
    aim: &'static str,
    best_peer: &'static str,
    bare_loop: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        name: "start to first request",
        key: "start_ms",
        unit: "ms",
        decimals: 1,
        aim: "45 ms",
        best_peer: "188 ms",
        bare_loop: "33 ms",
    },
    Row {
        name: "host time per round trip",
        key: "trip_ms",
        unit: "ms",
        decimals: 2,
        aim: "5 ms",
        best_peer: "29 ms",
        bare_loop: "0.8 ms",
    },
    Row {
        name: "processor time per request",
        key: "cpu_ms",
        unit: "ms",
        decimals: 2,
        aim: "6 ms",
        best_peer: "33 ms",
        bare_loop: "5 ms",
    },
    Row {
        name: "peak memory",
        key: "peak_mb",
        unit: "MB",
        decimals: 1,
        aim: "40 MB",
        best_peer: "85 MB",
        bare_loop: "28 MB",
    },
    Row {
        name: "written to its own files per request",
        key: "own_kb",
        unit: "kB",
        decimals: 2,
        aim: "<= 12 kB",
        best_peer: "7 kB",
        bare_loop: "",
    },
    Row {
        name: "syncs of its own files per request",
        key: "own_syncs",
        unit: "",
        decimals: 2,
        aim: "<= 4",
        best_peer: "0.3",
        bare_loop: "",
    },
    Row {
        name: "first request",
        key: "first_bytes",
        unit: "B",
        decimals: 0,
        aim: "<= 6000 B",
        best_peer: "19091 B",
        bare_loop: "",
    },
];

/// Runs several times, once more under strace, and returns the table.
pub(crate) fn table() -> Result<String> {
    let runs = (0..RUNS).map(|_| once_in_a_process()).collect::<Result<Vec<Value>>>()?;
    let traced = traced()?;
    let mut text =
        format!("{:38}{:>12}{:>12}{:>12}{:>12}\n", "", "evident", "aim", "best peer", "bare loop");
    for row in ROWS {
        let figures =
            if traced.get(row.key).is_some() { std::slice::from_ref(&traced) } else { &runs };
        let ours = figure(median(figures, row.key)?, row);
        let Row { name, aim, best_peer, bare_loop, .. } = row;
        let line = format!("{name:38}{ours:>12}{aim:>12}{best_peer:>12}{bare_loop:>12}");
        writeln!(text, "{}", line.trim_end())?;
    }
    let folder = env::temp_dir();
    writeln!(
        text,
        "\nMedians of {RUNS} runs of {REQUESTS} requests; files and syncs from one more, under strace. \
         Of each four trips one reads a file\n(read_file), one lists a folder (bash: ls), one edits \
         that file (edit_file) and one writes a new one (write_file).\n\
         kB and MB are 1,000 and 1,000,000 bytes. Folders below {}.",
        folder.display()
    )?;
    Ok(text)
}

/// Runs once in this process and returns the figures. Nothing else may have run in it: what the
/// system says of children is their sum, and their maximum.
pub(crate) fn once() -> Result<String> {
    let fixture = Fixture::new()?;
    let Run { start, trip, first_bytes } =
        run::play(&fixture, Command::new(crate::evident(BUILT_BY)?))?;
    let used = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = |time: TimeVal| time.num_microseconds();
    let cpu_micros = micros(used.user_time()) + micros(used.system_time());
    let figures = json!({
        "start_ms": start.as_secs_f64() * 1e3,
        "trip_ms": trip.as_secs_f64() * 1e3,
        "cpu_ms": cpu_micros as f64 / 1e3 / REQUESTS as f64,
        "peak_mb": used.max_rss() as f64 * 1024.0 / 1e6,
        "first_bytes": first_bytes,
    });
    Ok(format!("{figures}\n"))
}

fn once_in_a_process() -> Result<Value> {
    let out = Command::new(env::current_exe()?).args(["line", "once"]).output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).trim_end().into());
    }
    Ok(serde_json::from_slice(&out.stdout)?)
}

fn traced() -> Result<Value> {
    let fixture = Fixture::new()?;
    let trace = fixture.scratch("trace");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-y", "-qq", "-s", "0", "-e"]).arg(trace::CALLS).arg("-o").arg(&trace);
    strace.arg(crate::evident(BUILT_BY)?);
    run::play(&fixture, strace)?;
    let totals = trace::totals(&std::fs::read_to_string(trace)?, &fixture.home()?);
    Ok(json!({
        "own_kb": totals.written_bytes as f64 / 1e3 / REQUESTS as f64,
        "own_syncs": totals.syncs as f64 / REQUESTS as f64,
    }))
}

fn median(figures: &[Value], key: &str) -> Result<f64> {
    let mut all = figures
        .iter()
        .map(|it| it[key].as_f64().ok_or_else(|| format!("a run has no {key}").into()))
        .collect::<Result<Vec<f64>>>()?;
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().ok_or_else(|| "there were no runs".into())
}

fn figure(value: f64, row: &Row) -> String {
    let Row { unit, decimals, .. } = row;
    format!("{value:.decimals$} {unit}").trim_end().to_owned()
}

#[test]
fn the_median_is_the_middle_one() {
    let figures = [json!({"a": 3}), json!({"a": 1.5}), json!({"a": 2})];
    assert_eq!(median(&figures, "a").ok(), Some(2.0));
    assert!(median(&figures, "b").is_err() && median(&[], "a").is_err());
}
