//! The sentences of the cases that a program can look into. The others are left to a person.

use serde_json::Value;

use super::{
    case::{Act, Case},
    expect::{CheckStatus, Reason, StepStatus},
    judge::{calls, reason, statuses},
    played::Record,
    turns::check_status,
    world::Node,
};

/// Returns what is wrong, if anything is.
type Probe = fn(&str, &Case, &Record) -> Option<String>;

/// Beginnings of sentences, and what looks into them.
const PROBES: &[(&str, Probe)] = &[
    ("If the bytes are the same, the result of s2 says so", no_change_is_told),
    ("Every edit that was reported as done is in the file", edits_are_what_they_say),
    ("One call with name READ_TOOL ran and its result holds AAA.", one_read_ran),
    ("The next request does not carry arguments that are no JSON.", held_everywhere),
    ("The shown and stored text is exactly: ", text_is),
    ("The person is shown ", failure_says),
    ("A next message works.", held_everywhere),
    ("Message and answer are read back as written", texts_are_read_back),
    ("The question shows the exact command.", command_is_shown),
    ("Nothing in a file can change the approval mode.", preset_stays),
    ("Nowhere \"passed\" for ", nothing_passed),
    ("Answers 1 to 3 are shown after the restart (4 too", rest_is_shown),
    ("Turn 5 is stored: after one more restart it is there.", last_turn_is_kept),
    ("s1 tells that there is more (", more_is_told),
];

/// Looks into the sentences of a case; returns what is wrong, and how many were not looked into.
pub(super) fn probe(case: &Case, record: &Record) -> (Vec<String>, usize) {
    let (mut wrong, mut by_hand) = (Vec::new(), 0);
    for sentence in &case.expect.always {
        match PROBES.iter().find(|(start, _)| sentence.starts_with(start)) {
            Some((_, probe)) => {
                let why = probe(sentence, case, record);
                wrong.extend(why.map(|it| format!("it is not so that {sentence:?}: {it}")));
            }
            None => by_hand += 1,
        }
    }
    (wrong, by_hand)
}

/// What could not be looked into is no proof.
fn unreadable() -> Option<String> {
    Some("it cannot be looked into".to_owned())
}

/// Requests are checked for it, and every session is gone on with, in each case.
fn held_everywhere(_: &str, _: &Case, _: &Record) -> Option<String> {
    None
}

fn no_change_is_told(_: &str, _: &Case, record: &Record) -> Option<String> {
    let Ok(now) = record.folders.now() else { return unreadable() };
    let files =
        record.heard.turns.first().map_or(&Value::Null, |it| &it.done["receipt"]["diff"]["files"]);
    let files = files.as_array().map_or(&[][..], Vec::as_slice);
    if now != record.folders.start {
        let counts: Vec<_> = files.iter().map(|it| (&it["added"], &it["removed"])).collect();
        let one = Value::from(1);
        return (counts != [(&one, &one)]).then(|| format!("{files:?} is listed"));
    }
    let told = calls("s2", record).iter().all(|it| {
        let shown = it.finished["output"]["text"].as_str().unwrap_or_default();
        reason(it) == Some(Reason::NoChange) || shown.contains("nothing was written")
    });
    (!told || !files.is_empty()).then(|| format!("{files:?} is listed, or it is not said"))
}

fn edits_are_what_they_say(_: &str, case: &Case, record: &Record) -> Option<String> {
    let Ok(now) = record.folders.now() else { return unreadable() };
    case.steps.iter().find_map(|step| {
        let Act::Edit { path, old, new, .. } = &step.act else { return None };
        let Some(Node::File { bytes, .. }) = now.get(path) else {
            return Some(format!("no {path}"));
        };
        let text = String::from_utf8_lossy(bytes);
        let is_done = statuses(&step.id, record).concat().contains(&StepStatus::Ok);
        let fits = if is_done { text.contains(new) } else { text.contains(old) };
        (!fits).then(|| format!("{} is done: {is_done}, and the file is another", step.id))
    })
}

fn one_read_ran(_: &str, _: &Case, record: &Record) -> Option<String> {
    let fits = match &record.heard.calls[..] {
        [only] => {
            let output = record.outputs.get(&only.id).map_or("", String::as_str);
            only.finished["tool"] == "read_file" && only.has_started() && output.contains("AAA")
        }
        _ => false,
    };
    (!fits).then(|| format!("{:?}", record.heard.calls))
}

fn text_is(sentence: &str, _: &Case, record: &Record) -> Option<String> {
    let quoted = sentence.split_once(": ").map_or("", |(_, quoted)| quoted);
    let Ok(expected) = serde_json::from_str::<Value>(quoted) else { return unreadable() };
    let shown = record.heard.turns.iter().flat_map(|it| &it.messages);
    let shown: Vec<_> = shown.map(|it| &it["text"]["text"]).collect();
    (!shown.contains(&&expected)).then(|| format!("{shown:?}"))
}

fn failure_says(sentence: &str, _: &Case, record: &Record) -> Option<String> {
    let Some(expected) = sentence.split('"').nth(1) else { return unreadable() };
    let failures = record.heard.turns.iter().map(|it| &it.done["outcome"]["failure"]["message"]);
    let failures: Vec<_> = failures.filter_map(Value::as_str).collect();
    (!failures.iter().any(|it| it.contains(expected))).then(|| format!("{failures:?}"))
}

fn texts_are_read_back(_: &str, case: &Case, record: &Record) -> Option<String> {
    let texts = |value: &Value| value["text"].as_str().unwrap_or_default().to_owned();
    let turns = &record.heard.turns;
    let mut stored: Vec<_> = turns.iter().map(|it| texts(&it.started["prompt"])).collect();
    stored.extend(turns.iter().flat_map(|it| &it.messages).map(|it| texts(&it["text"])));
    case.steps.iter().find_map(|step| {
        let (Act::User { text } | Act::Final { text }) = &step.act else { return None };
        (!stored.contains(text)).then(|| format!("{text:?} is not among {stored:?}"))
    })
}

fn command_is_shown(_: &str, case: &Case, record: &Record) -> Option<String> {
    case.steps.iter().find_map(|step| {
        let Act::Shell { command, .. } = &step.act else { return None };
        let asked: Vec<_> =
            calls(&step.id, record).iter().map(|it| it.asked["subject"]["text"].clone()).collect();
        (asked != [Value::from(&**command)]).then(|| format!("{asked:?} was shown"))
    })
}

fn preset_stays(_: &str, _: &Case, record: &Record) -> Option<String> {
    let presets = record.heard.turns.iter().map(|it| &it.started["preset"]);
    let wrong: Vec<_> = presets.filter(|it| **it != "read-only").collect();
    (!wrong.is_empty()).then(|| format!("{wrong:?}"))
}

/// No check at all is one that passed, and so none of these.
fn nothing_passed(_: &str, _: &Case, record: &Record) -> Option<String> {
    let receipts = record.heard.turns.iter().map(|it| &it.done["receipt"]["verifications"]);
    let checks = receipts.filter_map(Value::as_array).flatten();
    let passed: Vec<_> = checks.filter(|it| check_status(it) == CheckStatus::Passed).collect();
    (!passed.is_empty()).then(|| format!("{passed:?}"))
}

/// Of a harmed session each answer is shown but the last, that too if its words are still in the
/// file; and where something is not shown, that is told with the rest. That the file is damaged was
/// told when it was opened.
fn rest_is_shown(_: &str, _: &Case, record: &Record) -> Option<String> {
    let Some(damaged) = &record.damaged else { return unreadable() };
    let texts = damaged.shown.values().map(|it| &it["kind"]["text"]["text"]);
    let shown: Vec<_> = texts.filter_map(Value::as_str).collect();
    let said = damaged.before.turns.iter().flat_map(|it| &it.messages);
    let said: Vec<_> = said.filter_map(|it| it["text"]["text"].as_str()).collect();
    let Some((last, others)) = said.split_last() else { return unreadable() };
    let mut expected = others.iter().chain(damaged.holds(last).then_some(last));
    if let Some(missing) = expected.find(|it| !shown.contains(it)) {
        return Some(format!("{missing:?} is not among {shown:?}"));
    }
    let lost = damaged.before.events.len().saturating_sub(damaged.shown.len());
    let is_told = damaged.told.as_ref().is_some_and(|it| !it.is_empty());
    (0 < lost && !is_told).then(|| format!("{lost} events are lost, and that is not told"))
}

/// What the last message was answered with is in the history of a session that is opened again.
fn last_turn_is_kept(_: &str, case: &Case, record: &Record) -> Option<String> {
    let last = case.steps.last().map(|it| &it.act);
    let Some(Act::Final { text }) = last else { return unreadable() };
    let Some(turn) = record.heard.turns.len().checked_sub(1) else { return unreadable() };
    let kept = record.kept.values().filter(|it| it["turn"] == turn);
    let kept: Vec<_> = kept.map(|it| &it["kind"]).collect();
    let is_answered = kept.iter().any(|it| it["text"]["text"] == **text);
    let is_done = kept.iter().any(|it| it["outcome"]["is"] == "completed");
    (!is_answered || !is_done).then(|| format!("{kept:?}"))
}

fn more_is_told(_: &str, _: &Case, record: &Record) -> Option<String> {
    let told: Vec<_> =
        calls("s1", record).iter().filter_map(|it| record.outputs.get(&it.id)).collect();
    let says_so = |it: &&String| it.contains("; next offset ");
    (told.is_empty() || !told.iter().all(says_so)).then(|| "nothing says so".to_owned())
}
