//! Whether what came of a case is what it expects.

use std::{collections::BTreeMap, path::Path};

use protocol::head;

use super::{
    always,
    case::{Case, Entry},
    expect::{Effect, ExpectedStep, Files, Reason, StepStatus, or},
    heard::HeardCall,
    played::Record,
    requests, turns,
    world::{Node, Snapshot, node, snapshot},
};
use crate::Result;

/// How much of a text stands in a sentence about it.
const SHOWN_BYTES: usize = 200;

/// What is wrong, in sentences; and how many sentences of the case are left to a person.
pub(super) struct Judgement {
    pub(super) wrong: Vec<String>,
    pub(super) by_hand: usize,
}

/// Holds what came of a case against what it expects.
pub(super) fn judge(case: &Case, record: &Record) -> Result<Judgement> {
    let mut wrong = record.faults.clone();
    wrong.extend(
        record.heard.contradictions.iter().map(|it| format!("it contradicts itself: {it}")),
    );
    for (id, expected) in &case.expect.steps {
        wrong.extend(step(id, expected, record).into_iter().map(|it| format!("{id} {it}")));
    }
    let workspace = record.folders.workspace();
    wrong.extend(files(&case.expect.files, &workspace, &record.folders.start)?);
    let outside = record.folders.outside();
    wrong.extend(files(&case.expect.outside, &outside, &record.folders.outside_start)?);
    if snapshot(&outside)? != record.folders.outside_start {
        wrong.push("something outside the workspace changed".to_owned());
    }
    wrong.extend(any_of(&case.expect.any_of, &workspace, &record.folders.start)?);
    for (number, expected) in &case.expect.turns {
        wrong.extend(turns::turn(*number, expected, record));
    }
    wrong.extend(turns::contradictions(record));
    wrong.extend(requests::requests(&case.expect.requests, record));
    wrong.extend(limits(case, record));
    let (probed, by_hand) = always::probe(case, record);
    wrong.extend(probed);
    Ok(Judgement { wrong, by_hand })
}

fn step(id: &str, expected: &ExpectedStep, record: &Record) -> Vec<String> {
    let (calls, mut wrong) = (calls(id, record), Vec::new());
    let is_fine = |it: &StepStatus| expected.status.contains(it);
    if !expected.status.is_empty() && !is_fine(&StepStatus::Any) {
        for ended in statuses(id, record).iter().filter(|it| !it.iter().any(is_fine)) {
            let told = calls.last().map(|it| told(it)).unwrap_or_default();
            wrong.push(format!("is {}, not {}{told}", or(ended), or(&expected.status)));
        }
    }
    let effect = effect(id, record);
    if let Some(expected) = expected.effect.filter(|it| *it != effect) {
        wrong.push(format!("has the effect {effect:?}, not {expected:?}"));
    }
    let output: String =
        calls.iter().filter_map(|it| record.outputs.get(&it.id)).cloned().collect();
    for has in expected.output_has.iter().filter(|it| !output.contains(&***it)) {
        wrong.push(format!("does not show {has:?}: {:?}", head(&output, SHOWN_BYTES)));
    }
    for lacks in expected.output_lacks.iter().filter(|it| output.contains(&***it)) {
        wrong.push(format!("shows {lacks:?}"));
    }
    if let Some(code) = expected.exit_code {
        let found: Vec<_> = calls.iter().map(|it| it.finished["exitCode"].to_string()).collect();
        if found != [code.to_string()] {
            wrong.push(format!("ended with the exit code {}, not {code}", found.join(" and ")));
        }
    }
    let has_reason = |it: &StepStatus| matches!(it, StepStatus::Refused | StepStatus::Failed);
    for call in calls.iter().filter(|it| statuses_of(it).iter().any(has_reason)) {
        let (reason, reasons) = (reason(call), &expected.reason_any);
        if !reasons.is_empty() && !reason.is_some_and(|it| reasons.contains(&it)) {
            let reason = reason.map_or_else(|| "another reason".to_owned(), |it| format!("{it:?}"));
            wrong.push(format!("failed for {reason}, not for {}{}", or(reasons), told(call)));
        }
    }
    let seconds = calls.iter().map(|it| it.seconds).fold(0.0, f64::max);
    if let Some(most) = expected.max_seconds.filter(|it| (*it as f64) < seconds) {
        wrong.push(format!("took {seconds:.1} s, not {most} at most"));
    }
    wrong
}

/// Returns how each call of a step ended, each in every word that is true of it.
pub(super) fn statuses(id: &str, record: &Record) -> Vec<Vec<StepStatus>> {
    let calls = calls(id, record);
    if !calls.is_empty() {
        return calls.into_iter().map(statuses_of).collect();
    }
    // An answer that calls nothing is what the message came to.
    let Some(turn) = record.heard.turn_of(id) else { return vec![vec![StepStatus::NotRun]] };
    let is_whole = turn.message(id).is_some_and(|it| it["interrupted"] == false);
    let is_call = record.rounds.iter().any(|it| it.calls_for(id));
    vec![vec![match (is_call, is_whole) {
        (true, _) => StepStatus::NotRun,
        (false, true) => StepStatus::Ok,
        (false, false) => StepStatus::Failed,
    }]]
}

/// Returns the calls that a step is.
pub(super) fn calls<'a>(id: &str, record: &'a Record) -> Vec<&'a HeardCall> {
    let is_it = |it: &&HeardCall| it.step.as_deref() == Some(id);
    record.heard.calls.iter().filter(is_it).collect()
}

fn statuses_of(call: &HeardCall) -> Vec<StepStatus> {
    let was_asked = !call.asked.is_null();
    if was_asked && call.answered == "deny" {
        return vec![StepStatus::Asked];
    }
    let ended = match call.finished["status"].as_str().unwrap_or_default() {
        "completed" => StepStatus::Ok,
        "rejected" => StepStatus::Refused,
        // The host did not get as far as to run it.
        "failed" if !call.has_started() => StepStatus::Refused,
        "failed" => StepStatus::Failed,
        "cancelled" => StepStatus::NotRun,
        _ => StepStatus::Unknown,
    };
    if was_asked { vec![StepStatus::Asked, ended] } else { vec![ended] }
}

/// What never started has no effect; of anything else the reply's results have what they show.
fn effect(id: &str, record: &Record) -> Effect {
    let has_started = calls(id, record).iter().any(|it| it.has_started());
    let mut rounds = record.rounds.iter().filter(|it| it.steps.iter().any(|step| step == id));
    let changed = rounds.any(|it| it.after.as_ref().is_some_and(|after| *after != it.before));
    if has_started && changed { Effect::Applied } else { Effect::None }
}

/// Returns what is meant by the code that a call ended with.
pub(super) fn reason(call: &HeardCall) -> Option<Reason> {
    let code = |of: &str| call.finished[of]["code"].as_str().unwrap_or_default().to_owned();
    Some(match (&*code("refusal"), &*code("failure")) {
        ("WRITE_EVIDENCE_STALE" | "FS_STALE_VERSION" | "FS_ALREADY_EXISTS", _) => Reason::Stale,
        ("WRITE_EVIDENCE_MISSING" | "FS_NOT_OBSERVED", _) => Reason::NotRead,
        ("WRITE_TARGET_AMBIGUOUS", _) => Reason::Ambiguous,
        ("WRITE_TARGET_ABSENT" | "FS_NOT_FOUND", _) | (_, "not_found" | "no_match") => {
            Reason::NotFound
        }
        (_, "no_change") => Reason::NoChange,
        (_, "outside_workspace") => Reason::Outside,
        (_, "bad_arguments" | "broken_call") => Reason::BadArgs,
        (_, "binary_file") => Reason::Binary,
        _ => return None,
    })
}

/// Returns what the program said of a call that did not do what was expected.
fn told(call: &HeardCall) -> String {
    let output = call.finished["output"]["text"].as_str().unwrap_or_default();
    format!(" ({})", head(output.trim(), SHOWN_BYTES).replace('\n', " | "))
}

/// Holds files against what is on the disk.
fn files(expected: &Files, folder: &Path, start: &Snapshot) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for (path, entry) in expected {
        let differs = file(entry, node(&folder.join(path))?, start.get(path))?;
        wrong.extend(differs.map(|it| format!("{path} {it}")));
    }
    Ok(wrong)
}

/// Returns in what a file is another one than was expected.
fn file(expected: &Entry, found: Option<Node>, start: Option<&Node>) -> Result<Option<String>> {
    if expected.absent {
        return Ok(found.map(|_| "is there".to_owned()));
    }
    if expected.same {
        return Ok((found.as_ref() != start).then(|| "is not as it was".to_owned()));
    }
    if let Some(target) = &expected.symlink {
        let is_it = found == Some(Node::Link(target.into()));
        return Ok((!is_it).then(|| format!("is no link to {target}")));
    }
    let Some(Node::File { bytes, mode }) = found else {
        return Ok(Some("is no file".to_owned()));
    };
    if let Some(expected) = expected.bytes()?.filter(|it| *it != bytes) {
        let (found, expected) = (shown(&bytes), shown(&expected));
        return Ok(Some(format!("is {found}, not {expected}")));
    }
    let wanted = expected.mode.as_deref().map(|it| u32::from_str_radix(it, 8)).transpose()?;
    Ok(wanted.filter(|it| *it != mode).map(|it| format!("has the mode {mode:o}, not {it:o}")))
}

fn any_of(branches: &[Files], folder: &Path, start: &Snapshot) -> Result<Option<String>> {
    let mut wrong = Vec::new();
    for branch in branches {
        let differs = files(branch, folder, start)?;
        if differs.is_empty() {
            return Ok(None);
        }
        wrong.push(differs.join(", "));
    }
    Ok((!wrong.is_empty()).then(|| format!("none of the branches holds: {}", wrong.join("; or "))))
}

fn limits(case: &Case, record: &Record) -> Vec<String> {
    let (limits, mut wrong) = (&case.expect.limits, Vec::new());
    if let Some(most) = limits.max_seconds.filter(|it| (*it as f64) < record.seconds) {
        wrong.push(format!("it took {:.1} s, not {most} at most", record.seconds));
    }
    let requests = record.requests.len();
    let most = limits.max_requests.into_iter().chain(case.expect.requests.max).min();
    if let Some(most) = most.filter(|it| *it < requests) {
        wrong.push(format!("it made {requests} requests, not {most} at most"));
    }
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let is_refused = |it: &&HeardCall| statuses_of(it).contains(&StepStatus::Refused);
    for call in record.heard.calls.iter().filter(is_refused) {
        let (tool, title) = (&call.finished["tool"], &call.finished["title"]["text"]);
        let why = format!("{tool} of {title} for {:?}", reason(call));
        *refused.entry(why).or_default() += 1;
    }
    for (why, times) in refused {
        if let Some(most) = limits.same_refusal_max.filter(|it| *it < times) {
            wrong.push(format!("{why} was refused {times} times, not {most} at most"));
        }
    }
    wrong
}

fn shown(bytes: &[u8]) -> String {
    format!("{:?}", head(&String::from_utf8_lossy(bytes), SHOWN_BYTES))
}
