//! What a page of a file costs, printed beside the aims. A figure is never judged; what is held is
//! that the page was read, and whether it was identified.

use std::time::{Duration, Instant};

use protocol::{Limits, TurnId};
use serde_json::json;
use tools::Intent;

use crate::bench::Bench;

const LINES: usize = 2000;
/// A program that was not built to be fast has no figures.
const ROUNDS: usize = if cfg!(debug_assertions) { 2 } else { 400 };

fn text() -> String {
    (0..LINES)
        .map(|it| format!("{it}: what stands in this line, as long as one of a program\n"))
        .collect()
}

/// Reads the page as the first of a turn, and returns what that took: from the arguments of the call
/// to the text that the model gets.
fn page(it: &mut Bench) -> Duration {
    it.index.begin_turn(TurnId(1), evidence::Binding::of([1; 4]), evidence::EvidenceMode::Coverage);
    let began = Instant::now();
    let told = it.call("read_file", &json!({ "path": "a.txt" })).expect("a text");
    let took = began.elapsed();
    assert!(told.starts_with("1\t0: ") && told.contains("\n2000\t1999: "));
    took
}

fn is_identified(it: &mut Bench) -> bool {
    let planned = it.plan("read_file", &json!({ "path": "a.txt" })).expect("a plan");
    let Intent::Read(reading) = planned.intent else { panic!("a read") };
    it.page(&reading).snapshot.is_some()
}

fn median(mut all: Vec<Duration>) -> f64 {
    all.sort();
    all[all.len() / 2].as_secs_f64() * 1e3
}

/// SI-1, SI-5: a page is recorded with the version that it is of, or without one.
#[test]
fn figures_of_a_page_with_and_without_an_identity() {
    let files = [("a.txt", text())];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    let mut identified = Bench::new(&files);
    let mut plain = Bench::limited(&files, &Limits { identity_bytes: 0, ..Limits::default() });
    assert_eq!((is_identified(&mut identified), is_identified(&mut plain)), (true, false));
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        without.push(page(&mut plain));
        with.push(page(&mut identified));
    }
    let (with, without) = (median(with), median(without));
    let more = (with / without - 1.0) * 100.0;
    println!("a page of {LINES} lines of a warm file, medians of {ROUNDS} reads:");
    println!("  read, identified and recorded: {with:.2} ms (aim <= 2 ms)");
    println!("  read and recorded: {without:.2} ms");
    println!("  what the identity adds: {more:.0} % (aim <= 25 %)");
}
