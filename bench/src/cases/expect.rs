//! What a case expects, in the words of its file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::Deserialize;

use super::case::{Entry, Step, one_or_more};
use crate::Result;

/// Files by their paths below a folder.
pub(super) type Files = BTreeMap<String, Entry>;

/// All that must be true.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Expect {
    pub(super) steps: BTreeMap<String, ExpectedStep>,
    pub(super) files: Files,
    pub(super) outside: Files,
    /// One of these must hold; without any there is nothing to hold.
    pub(super) any_of: Vec<Files>,
    /// By number, from 1.
    pub(super) turns: BTreeMap<u32, ExpectedTurn>,
    pub(super) requests: ExpectedRequests,
    pub(super) limits: Limits,
    /// Sentences, for a probe or for a person.
    pub(super) always: Vec<String>,
}

/// What becomes of one step.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ExpectedStep {
    #[serde(deserialize_with = "one_or_more")]
    pub(super) status: Vec<StepStatus>,
    pub(super) effect: Option<Effect>,
    #[serde(deserialize_with = "one_or_more")]
    pub(super) output_has: Vec<String>,
    #[serde(deserialize_with = "one_or_more")]
    pub(super) output_lacks: Vec<String>,
    pub(super) exit_code: Option<i32>,
    #[serde(deserialize_with = "one_or_more")]
    pub(super) reason_any: Vec<Reason>,
    pub(super) max_seconds: Option<u64>,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StepStatus {
    Ok,
    /// The host said no, and nothing was done.
    Refused,
    /// It ran and failed.
    Failed,
    /// It never started.
    NotRun,
    /// A person was asked, and there was no yes.
    Asked,
    /// It started, and came to no end of its own that was seen.
    Unknown,
    Any,
}

/// Whether a step changed files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Effect {
    Applied,
    None,
}

/// Why a step was refused or failed: what is meant, not how it is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reason {
    Stale,
    NotRead,
    Partial,
    Ambiguous,
    NotFound,
    NoChange,
    Outside,
    BadArgs,
    Binary,
}

/// What becomes of one turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ExpectedTurn {
    /// The whole list.
    pub(super) files: Option<BTreeMap<String, ExpectedChange>>,
    /// The whole list, or coverage is not complete.
    pub(super) files_or_partial: Option<BTreeMap<String, ExpectedChange>>,
    #[serde(deserialize_with = "one_or_more")]
    pub(super) coverage: Vec<Coverage>,
    pub(super) checks: BTreeMap<String, Checks>,
    #[serde(deserialize_with = "one_or_more")]
    pub(super) status: Vec<TurnStatus>,
}

/// One changed file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedChange {
    pub(super) op: Operation,
    pub(super) added: Option<u32>,
    pub(super) removed: Option<u32>,
    #[serde(default)]
    pub(super) binary: bool,
    #[serde(default)]
    pub(super) mode_only: bool,
    /// Pairs of numbers that are right; null is none shown.
    #[serde(default)]
    pub(super) counts_any: Vec<Option<(u32, u32)>>,
}

/// What was done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Operation {
    Create,
    Modify,
    Delete,
}

/// How much of a turn is accounted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Coverage {
    Complete,
    Partial,
    Unknown,
}

/// What may be said of one check.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Checks {
    #[serde(deserialize_with = "one_or_more")]
    pub(super) any: Vec<CheckStatus>,
}

/// What is said of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckStatus {
    Passed,
    Failed,
    Interrupted,
    Stale,
    /// It ended with 0, and that proves nothing; or it had not ended with its turn.
    Unclassified,
    /// No check is recorded.
    None,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TurnStatus {
    Completed,
    Interrupted,
    Failed,
    Paused,
}

/// What is checked in the bodies of the requests.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ExpectedRequests {
    pub(super) paired_calls: bool,
    pub(super) no_empty_tool_calls: bool,
    pub(super) reasoning_echo: bool,
    pub(super) prefix_stable: bool,
    pub(super) max: Option<usize>,
}

/// Upper bounds.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) max_seconds: Option<u64>,
    pub(super) max_requests: Option<usize>,
    /// How often one intent may be refused for one reason.
    pub(super) same_refusal_max: Option<usize>,
}

impl Expect {
    /// Fails if it says something of a step that there is not, or of a turn, or half of a number.
    pub(super) fn names_only(&self, steps: &[Step]) -> Result<()> {
        let known: BTreeSet<&str> = steps.iter().map(|it| &*it.id).collect();
        let checks = self.turns.values().flat_map(|it| it.checks.keys());
        if let Some(id) = self.steps.keys().chain(checks).find(|it| !known.contains(&***it)) {
            return Err(format!("case.json: it expects something of {id}, which is no step").into());
        }
        let changes = self.turns.values().flat_map(|it| [&it.files, &it.files_or_partial]);
        let is_half = |it: &&ExpectedChange| it.added.is_some() != it.removed.is_some();
        if let Some(half) = changes.flatten().flat_map(BTreeMap::values).find(is_half) {
            return Err(format!("case.json: added and removed go together: {half:?}").into());
        }
        let last = steps.iter().filter_map(|it| it.place).map(|(turn, _)| turn).max();
        let beyond = |it: &&u32| **it == 0 || last.unwrap_or(1) < **it;
        if let Some(turn) = self.turns.keys().find(beyond) {
            return Err(format!("case.json: it expects something of turn {turn}").into());
        }
        Ok(())
    }
}

/// Joins alternatives.
pub(super) fn or<T: fmt::Debug>(of: &[T]) -> String {
    of.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(" or ")
}
