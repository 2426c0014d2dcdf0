//! Holds a frozen result against what git says of the same files.

use std::{collections::BTreeMap, fs};

use serde_json::{Value, json};

use super::{
    git,
    plan::{By, Planned},
    played::PlayedTurn,
};
use crate::Result;

/// What was found out of many files.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Files that stayed as they are, since the host does not write their encoding.
    pub(super) only_read: usize,
    pub(super) created: usize,
    pub(super) edited: usize,
    pub(super) overwritten: usize,
    /// Patches that git put on, and that made the file what it is.
    pub(super) applied: usize,
    /// Patches that do not do so.
    pub(super) not_applied: usize,
    /// Files of which the counts are said and the patch is not, since it is too long.
    pub(super) without_patch: usize,
    /// Files of which it is said that the diff was cut off, so that they have no numbers.
    pub(super) cut_off: usize,
    pub(super) kinds: usize,
    pub(super) differences: usize,
    /// Counts that are git's, in its default way of comparing.
    pub(super) equal: usize,
    /// Counts that are git's, in one of its ways.
    pub(super) equal_to_one: usize,
    /// Files with nothing wrong.
    pub(super) passed: usize,
    /// Sentences about what is wrong with a file, or with a turn.
    pub(super) failed: Vec<String>,
    /// Sentences about counts that are right, and are not those of git's default.
    pub(super) others: Vec<String>,
}

impl Tally {
    /// Takes in one turn.
    pub(super) fn add(&mut self, files: &[Planned], turn: &PlayedTurn) -> Result<()> {
        let listed = turn.changes["files"].as_array().map_or(&[][..], Vec::as_slice);
        let listed = listed.iter().zip(&turn.patches);
        let mut listed: BTreeMap<_, _> = listed
            .map(|(it, patch)| (it["path"].as_str().unwrap_or_default(), (it, patch)))
            .collect();
        for (file, content) in files.iter().zip(&turn.contents) {
            if file.is_of_other_encoding() && *content == file.before {
                self.only_read += 1;
                continue;
            }
            match file.by {
                By::Create => self.created += 1,
                By::Edits(_) => self.edited += 1,
                By::Overwrite => self.overwritten += 1,
            }
            let wrong = if content.as_ref() == Some(&file.after) {
                match listed.remove(&*file.path) {
                    Some((entry, patch)) => self.file(file, entry, patch.as_deref())?,
                    None => vec!["it is not listed".to_owned()],
                }
            } else {
                listed.remove(&*file.path);
                let said = turn.refused.iter().find(|it| it.contains(&*file.path));
                vec![format!("the tools did not make it: {}", said.map_or("", |it| it))]
            };
            if wrong.is_empty() {
                self.passed += 1;
            } else {
                self.failed.push(format!("{}: {}", file.path, wrong.join("; ")));
            }
        }
        let more =
            listed.into_keys().map(|path| format!("{path}: it is listed, and was not touched"));
        self.failed.extend(more);
        self.failed.extend(turn_faults(turn));
        Ok(())
    }

    /// Returns what is wrong with the entry of a file.
    fn file(&mut self, file: &Planned, entry: &Value, patch: Option<&[u8]>) -> Result<Vec<String>> {
        let mut wrong = Vec::new();
        let kind = if file.before.is_some() { "modify" } else { "create" };
        let is_of_kind =
            entry["kind"] == kind && ["binary", "modeOnly"].iter().all(|flag| entry[flag] != true);
        if is_of_kind {
            self.kinds += 1;
        } else {
            wrong.push(format!("it is {entry}, not {kind} with lines"));
        }
        if entry["uncounted"] == true {
            self.cut_off += 1;
            self.others.push(format!("{}: not counted, since its diff took too long", file.path));
            return Ok(wrong);
        }
        let count = |name: &str| entry[name].as_u64().and_then(|it| u32::try_from(it).ok());
        let counts = count("added").zip(count("removed"));
        let difference = |it: (u32, u32)| i64::from(it.0) - i64::from(it.1);
        let git = file.counts[0];
        if counts.map(difference) == Some(difference(git)) {
            self.differences += 1;
        } else {
            wrong.push(format!("it has the counts {counts:?}, and git has {git:?}"));
        }
        self.equal += usize::from(counts == Some(git));
        if counts.is_some_and(|it| file.counts.contains(&it)) {
            self.equal_to_one += 1;
        }
        if let Some((added, removed)) = counts.filter(|it| *it != git) {
            let (path, (gits, gone)) = (&file.path, git);
            self.others.push(format!("{path}: +{added} -{removed}, where git has +{gits} -{gone}"));
        }
        match patch {
            None if entry["unavailable"] == "size_limit" => self.without_patch += 1,
            None => wrong.push("it has no patch".to_owned()),
            Some(patch) => match applied(file, patch) {
                Ok(after) if after == file.after => self.applied += 1,
                Ok(_) => {
                    self.not_applied += 1;
                    wrong.push("its patch makes another file of it".to_owned());
                }
                Err(why) => {
                    self.not_applied += 1;
                    wrong.push(format!("its patch does not apply: {why}"));
                }
            },
        }
        Ok(wrong)
    }
}

/// Puts a patch onto a copy of the file as it was, and returns what it makes of it.
fn applied(file: &Planned, patch: &[u8]) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(&file.path);
    if let Some(before) = &file.before {
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        fs::write(&path, before)?;
    }
    git::apply(folder.path(), patch)?;
    Ok(fs::read(path)?)
}

/// Returns what is wrong with a turn as a whole.
fn turn_faults(turn: &PlayedTurn) -> Vec<String> {
    let mut wrong = Vec::new();
    let changes = &turn.changes;
    if turn.outcome["is"] != "completed" {
        wrong.push(format!("the turn came to {}", turn.outcome));
    }
    let files = changes["files"].as_array().map_or(&[][..], Vec::as_slice);
    let cut_off = files.iter().filter(|it| it["uncounted"] == true);
    let reasons: Vec<_> =
        cut_off.map(|it| json!({ "reason": "size_limit", "path": it["path"] })).collect();
    let coverage = if reasons.is_empty() { "complete" } else { "partial" };
    if changes["coverage"] != coverage || changes["reasons"] != json!(reasons) {
        wrong.push(format!("its result is {}, for {}", changes["coverage"], changes["reasons"]));
    }
    for name in ["added", "removed"] {
        let sum: u64 = files.iter().filter_map(|it| it[name].as_u64()).sum();
        if changes[name] != sum {
            wrong.push(format!("{name} is {}, and {sum} in its files", changes[name]));
        }
    }
    wrong
}

#[cfg(test)]
mod tests;
