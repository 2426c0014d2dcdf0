//! Whether a turn ended as a case expects.

use std::{collections::BTreeMap, fmt::Debug};

use serde_json::Value;

use super::{
    expect::{CheckStatus, Coverage, ExpectedChange, ExpectedTurn, Operation, TurnStatus, or},
    judge::calls,
    played::Record,
};

/// Holds a turn, by its number from 1, against what is expected of it.
pub(super) fn turn(number: u32, expected: &ExpectedTurn, record: &Record) -> Vec<String> {
    let at = usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    let done = record.heard.turns.get(at).map_or(&Value::Null, |it| &it.done);
    let changes = &done["receipt"]["diff"];
    let mut wrong = Vec::new();
    if done.is_null() {
        wrong.push("did not end".to_owned());
    }
    wrong.extend(differs("status", &expected.status, status(done)));
    wrong.extend(differs("coverage", &expected.coverage, coverage(changes)));
    if let Some(files) = &expected.files {
        wrong.extend(self::files(files, changes));
    }
    if let Some(files) = &expected.files_or_partial {
        let is_complete = coverage(changes) == Some(Coverage::Complete);
        if is_complete || changes.is_null() {
            wrong.extend(self::files(files, changes));
        }
    }
    for (step, expected) in &expected.checks {
        let check = check(step, &done["receipt"], record);
        wrong.extend(differs(&format!("check {step}"), &expected.any, Some(check)));
    }
    wrong.into_iter().map(|it| format!("turn {number}: {it}")).collect()
}

fn differs<T: Debug + PartialEq>(what: &str, expected: &[T], found: Option<T>) -> Option<String> {
    let fits = found.as_ref().is_some_and(|it| expected.contains(it));
    let found = found.map_or_else(|| "not known".to_owned(), |it| format!("{it:?}"));
    (!expected.is_empty() && !fits).then(|| format!("{what} is {found}, not {}", or(expected)))
}

fn status(done: &Value) -> Option<TurnStatus> {
    match done["outcome"]["is"].as_str()? {
        "completed" => Some(TurnStatus::Completed),
        "interrupted" => Some(TurnStatus::Interrupted),
        "failed" => Some(TurnStatus::Failed),
        _ => None,
    }
}

fn coverage(changes: &Value) -> Option<Coverage> {
    match changes["coverage"].as_str()? {
        "complete" => Some(Coverage::Complete),
        "partial" => Some(Coverage::Partial),
        "unknown" => Some(Coverage::Unknown),
        _ => None,
    }
}

/// Returns in what the list of changed files is another one.
fn files(expected: &BTreeMap<String, ExpectedChange>, changes: &Value) -> Vec<String> {
    let Some(listed) = changes["files"].as_array() else {
        return vec!["there is no list of its files".to_owned()];
    };
    let mut wrong = Vec::new();
    if changes["totalFiles"] != listed.len() {
        wrong.push(format!("it lists {} of {} files", listed.len(), changes["totalFiles"]));
    }
    for file in listed {
        let path = file["path"].as_str().unwrap_or_default();
        match expected.get(path) {
            Some(expected) => wrong.extend(file_differs(path, expected, file)),
            None => wrong.push(format!("it lists {path}")),
        }
    }
    let is_listed = |path: &str| listed.iter().any(|it| it["path"] == path);
    let missing = expected.keys().filter(|path| !is_listed(path));
    wrong.extend(missing.map(|path| format!("it does not list {path}")));
    wrong
}

fn file_differs(path: &str, expected: &ExpectedChange, file: &Value) -> Option<String> {
    let operation = match expected.op {
        Operation::Create => "create",
        Operation::Modify => "modify",
        Operation::Delete => "delete",
    };
    let flag = |name: &str| file[name] == true;
    let count = |name: &str| file[name].as_u64().and_then(|it| u32::try_from(it).ok());
    // A file that says so has no numbers.
    let is_counted = !flag("binary") && !flag("uncounted");
    let counts = count("added").zip(count("removed")).filter(|_| is_counted);
    let right = match (expected.added.zip(expected.removed), &expected.counts_any[..]) {
        (None, any) => any,
        (only @ Some(_), _) => &[only],
    };
    let fits = file["kind"] == operation
        && flag("binary") == expected.binary
        && flag("modeOnly") == expected.mode_only
        && (right.is_empty() || right.contains(&counts));
    let flags = [(expected.binary, " as binary"), (expected.mode_only, " in its mode alone")];
    let flags: String = flags.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| *word).collect();
    let right = if right.is_empty() { String::new() } else { format!(" with {}", or(right)) };
    (!fits).then(|| format!("it lists {path} as {file}, not as {operation}{right}{flags}"))
}

/// Returns what the receipt says of the check that a step is.
fn check(step: &str, receipt: &Value, record: &Record) -> CheckStatus {
    let ids: Vec<_> = calls(step, record).into_iter().map(|it| &it.id).collect();
    let checks = receipt["verifications"].as_array().map_or(&[][..], Vec::as_slice);
    let check = checks.iter().find(|it| ids.iter().any(|id| it["toolCallId"] == **id));
    check.map_or(CheckStatus::None, check_status)
}

/// Returns what may be concluded from a record: what proves nothing, or contradicts itself, is not
/// taken for a pass.
pub(super) fn check_status(check: &Value) -> CheckStatus {
    let has = |qualifier: &str| {
        check["qualifiers"].as_array().is_some_and(|it| it.iter().any(|it| it == qualifier))
    };
    let is_zero = check["exitCode"].is_null() || check["exitCode"] == 0;
    match () {
        () if check["interrupted"] == true => CheckStatus::Interrupted,
        () if has("unfinished") => CheckStatus::Unclassified,
        () if check["passed"] != true || !is_zero => CheckStatus::Failed,
        () if check["stale"] == true => CheckStatus::Stale,
        () if has("masked_exit") || has("no_tests") => CheckStatus::Unclassified,
        () => CheckStatus::Passed,
    }
}

/// Returns where the receipts say another thing than the calls did.
pub(super) fn contradictions(record: &Record) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, turn) in record.heard.turns.iter().enumerate() {
        let ids = |of: &Value| of.as_str().unwrap_or_default().to_owned();
        let listed = turn.done["receipt"]["refused"].as_array().map_or(&[][..], Vec::as_slice);
        let listed: Vec<_> = listed.iter().map(|it| ids(&it["call"])).collect();
        let calls = record.heard.calls.iter().filter(|it| it.turn == at);
        let refused = calls.filter(|it| was_refused(&it.finished));
        let refused: Vec<_> = refused.map(|it| it.id.clone()).collect();
        if listed != refused {
            wrong.push(format!(
                "turn {}: its receipt lists {listed:?} as refused, and {refused:?} were",
                at + 1
            ));
        }
    }
    wrong
}

/// Whether a call is a write that was turned away: by the gate, by whoever was asked, or since its file
/// is outside the workspace.
fn was_refused(finished: &Value) -> bool {
    let is_writer = matches!(finished["tool"].as_str(), Some("write_file" | "edit_file"));
    match finished["failure"]["code"].as_str() {
        Some("denied") => true,
        Some("outside_workspace") => is_writer,
        Some(_) | None => !finished["refusal"].is_null(),
    }
}
