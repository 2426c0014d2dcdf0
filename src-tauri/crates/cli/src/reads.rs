//! Reads of whole files as a person follows them: in a terminal one row for each, written anew in
//! place; elsewhere a line where one begins, pauses and ends (HL-9).

use std::collections::BTreeMap;

use protocol::{LineRange, ReadId, ReadState, ReadStatus, ReadStopCode};

use crate::{screen, text::plain};

/// Where a read stands, as far as that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    GoesOn,
    Paused,
    Ended,
}

/// What was said of each read, where lines stay as they were written.
#[derive(Debug, Default)]
pub(crate) struct Lines(BTreeMap<ReadId, Standing>);

/// The reads that have a row, in the order in which they got it.
#[derive(Debug, Default)]
pub(crate) struct Rows(Vec<ReadStatus>);

impl Lines {
    /// Returns what is to be said of where a read stands now, if anything is. What one page met is
    /// said by its call (RS-5).
    pub(crate) fn take(&mut self, status: &ReadStatus) -> Option<String> {
        let standing = standing(status)?;
        let said = if standing == Standing::Ended {
            self.0.remove(&status.read_id)?;
            None
        } else {
            self.0.insert(status.read_id.clone(), standing)
        };
        let path = plain(&status.path);
        let line = match standing {
            Standing::GoesOn => format!("[reading {path} to its end]"),
            Standing::Paused | Standing::Ended => line(status, &path),
        };
        (said != Some(standing)).then_some(line)
    }
}

impl Rows {
    /// Takes in where a read stands; returns the line that stays of it, once it is over.
    pub(crate) fn take(&mut self, status: &ReadStatus) -> Option<String> {
        let at = self.0.iter().position(|it| it.read_id == status.read_id);
        if at.is_some_and(|at| !is_newer(status, &self.0[at])) {
            return None;
        }
        match (at, standing(status)) {
            (Some(at), Some(Standing::Ended)) => {
                self.0.remove(at);
                Some(line(status, &plain(&status.path)))
            }
            (Some(at), Some(Standing::GoesOn | Standing::Paused)) => {
                self.0[at] = status.clone();
                None
            }
            (None, Some(Standing::GoesOn | Standing::Paused)) => {
                self.0.push(status.clone());
                None
            }
            (None, Some(Standing::Ended)) | (_, None) => None,
        }
    }

    /// Returns the rows for a terminal of so many columns. Of a path no more than half of them.
    pub(crate) fn fitted(&self, columns: usize) -> Vec<String> {
        let row = |it: &ReadStatus| line(it, &screen::end_of(&plain(&it.path), columns / 2));
        screen::rows(&self.0.iter().map(row).collect::<Vec<_>>(), columns)
    }

    /// Returns what stays of the reads that have a row when the turn ends, whole.
    pub(crate) fn end(&mut self) -> Vec<String> {
        self.0.drain(..).map(|it| line(&it, &plain(&it.path))).collect()
    }
}

/// A frame that is not newer than what is shown says nothing (RS-3).
fn is_newer(status: &ReadStatus, shown: &ReadStatus) -> bool {
    (shown.generation, shown.seq) < (status.generation, status.seq)
}

/// Returns where a read stands; nothing for what lasts as long as a page is read.
fn standing(status: &ReadStatus) -> Option<Standing> {
    match status.state {
        ReadState::NeedsMore if status.active => Some(Standing::GoesOn),
        ReadState::NeedsMore | ReadState::Blocked | ReadState::NeedsScope => Some(Standing::Paused),
        ReadState::Satisfied | ReadState::Cancelled => Some(Standing::Ended),
        ReadState::Created | ReadState::Fetching | ReadState::Delivered | ReadState::Stale => None,
    }
}

/// Says where a read stands, with its lines.
fn line(status: &ReadStatus, path: &str) -> String {
    match status.state {
        ReadState::Satisfied => format!("[{path} was read to its end{}]", named(&status.covered)),
        ReadState::Cancelled => format!("[reading {path} was stopped{}]", named(&status.missing)),
        ReadState::NeedsMore if status.active => {
            let of = status.source_end.filter(|_| !status.covered.is_empty());
            let of = of.map_or(String::new(), |end| format!(" of {end}"));
            format!("[reading {path}{}{of}]", named(&status.covered))
        }
        ReadState::NeedsMore
        | ReadState::Blocked
        | ReadState::NeedsScope
        | ReadState::Created
        | ReadState::Fetching
        | ReadState::Delivered
        | ReadState::Stale => {
            let why = status.reason.map_or("the model did not go on", why);
            let missing = named(&status.missing);
            format!("[reading {path} paused: {why}{missing}; send a message to go on]")
        }
    }
}

/// Names lines as a person counts them (RS-5).
fn named(lines: &[LineRange]) -> String {
    let lines: Vec<String> =
        lines.iter().map(|it| format!("{}-{}", it.start + 1, it.end)).collect();
    if lines.is_empty() { String::new() } else { format!("; lines {}", lines.join(", ")) }
}

fn why(code: ReadStopCode) -> &'static str {
    match code {
        ReadStopCode::NoProgress => "the same lines came again and again",
        ReadStopCode::PageBudget => "it took as many pages as one read may",
        ReadStopCode::TimeBudget => "it took as much time as one read may",
        ReadStopCode::UnknownWindow => "the size of the model's context is not known",
        ReadStopCode::NoHeadroom => "the model's context has no room left for it",
        ReadStopCode::UnversionedSource => "the file is too large for its version to be told",
        ReadStopCode::NoCursor => "the file changed, and there is nothing to go on with",
    }
}

#[cfg(test)]
mod tests;
