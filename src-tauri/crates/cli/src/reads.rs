//! Reads of whole files as a person follows them in a terminal: where one begins, pauses and ends.

use std::collections::BTreeMap;

use protocol::{LineRange, ReadId, ReadState, ReadStatus, ReadStopCode};

use crate::text::plain;

/// What was said of each read.
#[derive(Debug, Default)]
pub(crate) struct Reads(BTreeMap<ReadId, Said>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    GoesOn,
    Paused,
}

impl Reads {
    /// Returns what is to be said of where a read stands now, if anything is. What one page met is
    /// said by its call (HL-9, RS-5).
    pub(crate) fn line(&mut self, status: &ReadStatus) -> Option<String> {
        let path = plain(&status.path);
        let said = self.0.get(&status.read_id).copied();
        match status.state {
            ReadState::NeedsMore if status.active => {
                self.0.insert(status.read_id.clone(), Said::GoesOn);
                (said != Some(Said::GoesOn)).then(|| format!("[reading {path} to its end]"))
            }
            ReadState::NeedsMore | ReadState::Blocked | ReadState::NeedsScope => {
                self.0.insert(status.read_id.clone(), Said::Paused);
                let why = status.reason.map_or("the model did not go on", why);
                let missing = named(&status.missing);
                let line =
                    format!("[reading {path} paused: {why}{missing}; send a message to go on]");
                (said != Some(Said::Paused)).then_some(line)
            }
            ReadState::Satisfied => {
                self.0.remove(&status.read_id)?;
                Some(format!("[{path} was read to its end{}]", named(&status.covered)))
            }
            ReadState::Cancelled => {
                self.0.remove(&status.read_id)?;
                Some(format!("[reading {path} was stopped{}]", named(&status.missing)))
            }
            ReadState::Created | ReadState::Fetching | ReadState::Delivered | ReadState::Stale => {
                None
            }
        }
    }
}

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
