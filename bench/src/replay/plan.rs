//! What the host's writers can make of a commit, and in which turns.

use std::{collections::BTreeMap, fmt};

use super::{
    edits::{self, Edit},
    git::{Change, Pair, Repository},
};
use crate::Result;

/// What one result handles, in bytes of contents and patches.
const RESULT_BYTES: usize = 2 << 20;
/// Most files of one turn.
const MOST_FILES: usize = 100;

const PLAIN_FILE: &str = "100644";
const EXECUTABLE: &str = "100755";
const LINK: &str = "120000";
const SUBMODULE: &str = "160000";

/// Why a change is not replayed: no writer of the host can make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeftOut {
    Deleted,
    Mode,
    Link,
    Submodule,
    Binary,
    Encoding,
    LineEnds,
    Name,
    TooLarge,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deleted => "deleted",
            Self::Mode => "with another mode",
            Self::Link => "links",
            Self::Submodule => "submodules",
            Self::Binary => "binary",
            Self::Encoding => "in an encoding that is not written",
            Self::LineEnds => "other line ends",
            Self::Name => "names that are no UTF-8",
            Self::TooLarge => "larger than what a result handles",
        })
    }
}

/// One file, and how the change is made.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) path: String,
    /// Whether it may be run; that stays as it is.
    pub(super) is_executable: bool,
    /// `None` if there is no file.
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Vec<u8>,
    pub(super) by: By,
    /// Lines added and removed, by each of git's algorithms.
    pub(super) counts: [(u32, u32); 4],
}

/// The tool that makes it.
#[derive(Debug)]
pub(super) enum By {
    Create,
    Edits(Vec<Edit>),
    Overwrite,
}

impl Planned {
    /// Whether it is in an encoding that may be one of those that the host only reads.
    pub(super) fn is_of_other_encoding(&self) -> bool {
        self.before.as_ref().is_some_and(|it| str::from_utf8(it).is_err())
    }

    fn bytes(&self) -> usize {
        self.before.as_ref().map_or(0, Vec::len) + self.after.len()
    }
}

/// How a commit is made.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The files of each turn.
    pub(super) turns: Vec<Vec<Planned>>,
    /// How many changes no writer can make.
    pub(super) left_out: BTreeMap<LeftOut, usize>,
}

/// Returns how a commit is made.
pub(super) fn plan(repository: &Repository, pair: &Pair) -> Result<Plan> {
    let Plan { mut turns, mut left_out } = Plan::default();
    let mut left_bytes = 0;
    for change in repository.changes(pair)? {
        match planned(repository, &change)? {
            Err(why) => *left_out.entry(why).or_default() += 1,
            Ok(file) => {
                // A patch can be about as long as what it is of.
                let bytes = 2 * file.bytes();
                let fits = bytes <= left_bytes;
                match turns.last_mut() {
                    Some(turn) if fits && turn.len() < MOST_FILES => turn.push(file),
                    Some(_) | None => {
                        turns.push(vec![file]);
                        left_bytes = RESULT_BYTES;
                    }
                }
                left_bytes = left_bytes.saturating_sub(bytes);
            }
        }
    }
    Ok(Plan { turns, left_out })
}

fn planned(
    repository: &Repository,
    change: &Change,
) -> Result<std::result::Result<Planned, LeftOut>> {
    let Change { path, status, modes: [mode, new_mode], blobs, counts } = change;
    let Some(path) = path.clone() else { return Ok(Err(LeftOut::Name)) };
    let of_kind = |kind: &str| mode == kind || new_mode == kind;
    let is_new = *status == b'A';
    let left_out = match () {
        () if of_kind(SUBMODULE) => Some(LeftOut::Submodule),
        () if of_kind(LINK) => Some(LeftOut::Link),
        () if *status == b'D' => Some(LeftOut::Deleted),
        () if if is_new { new_mode != PLAIN_FILE } else { mode != new_mode } => Some(LeftOut::Mode),
        () => None,
    };
    if let Some(why) = left_out {
        return Ok(Err(why));
    }
    let before = if is_new { None } else { Some(repository.blob(&blobs[0])?) };
    let after = repository.blob(&blobs[1])?;
    let found = before.as_deref().unwrap_or_default();
    if [found, &after].into_iter().any(|it| it.contains(&0)) {
        return Ok(Err(LeftOut::Binary));
    }
    let Some(counts) = *counts else { return Ok(Err(LeftOut::Binary)) };
    let edits = match before {
        Some(_) => edits::edits(found, &after, &repository.hunks(blobs)?),
        None => None,
    };
    let is_text = str::from_utf8(found).is_ok() && str::from_utf8(&after).is_ok();
    let marks = [found, &after].map(|it| it.starts_with(edits::MARK));
    let loses_returns = found.contains(&b'\r') && !after.contains(&b'\r');
    let by = match (is_new, edits) {
        (true, _) if is_text => By::Create,
        (false, Some(edits)) => By::Edits(edits),
        // What a file is written in stays as it is.
        (false, None) if is_text && !loses_returns && marks[0] == marks[1] => By::Overwrite,
        (false, None) if is_text && loses_returns => return Ok(Err(LeftOut::LineEnds)),
        (true | false, _) => return Ok(Err(LeftOut::Encoding)),
    };
    let is_executable = new_mode == EXECUTABLE;
    let planned = Planned { path, is_executable, before, after, by, counts };
    if RESULT_BYTES < planned.bytes() {
        return Ok(Err(LeftOut::TooLarge));
    }
    Ok(Ok(planned))
}
