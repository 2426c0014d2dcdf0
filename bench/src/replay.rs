//! Makes the last commits of a git repository again, each by the host's writers in turns of its own,
//! and holds what was counted against git: the kinds, the counts, and each patch by `git apply`.
//!
//! Of git's four ways of comparing its default is the one to be equal to. Where another one is as
//! right, both have the same difference of lines added and removed, and that has to be ours too.

mod compare;
mod edits;
mod git;
mod plan;
mod played;

use std::{collections::BTreeMap, path::Path};

use tokio::runtime;

use crate::Result;
use compare::Tally;
use git::{Pair, Repository};
use plan::{LeftOut, Plan};

/// How much of a commit's id is printed.
const SHORT_ID: usize = 10;

/// Replays the last commits that came from another one, prints a line for each disagreement, and
/// what all came to.
pub(crate) fn play(repository: &Path, count: u32) -> Result<()> {
    let evident = crate::evident("cargo xtask replay")?;
    let unreadable = |error| format!("{}: {error}", repository.display());
    let git = Repository::open(repository).map_err(unreadable)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut replay = Replay::default();
    for pair in git.pairs(count)? {
        let played = runtime.block_on(replay.commit(&evident, &git, &pair));
        if let Err(error) = played {
            replay.tally.failed.push(format!("it cannot be replayed: {error}"));
        }
        replay.tell(&pair)?;
    }
    crate::print(replay.totals())?;
    if 0 < replay.failed {
        return Err(format!("{} disagreements with {}", replay.failed, repository.display()).into());
    }
    Ok(())
}

#[derive(Default)]
struct Replay {
    commits: usize,
    turns: usize,
    left_out: BTreeMap<LeftOut, usize>,
    tally: Tally,
    failed: usize,
}

impl Replay {
    async fn commit(&mut self, evident: &Path, git: &Repository, pair: &Pair) -> Result<()> {
        self.commits += 1;
        let Plan { turns, left_out } = plan::plan(git, pair)?;
        for (why, count) in left_out {
            *self.left_out.entry(why).or_default() += count;
        }
        if turns.is_empty() {
            return Ok(());
        }
        for (files, turn) in turns.iter().zip(&played::play(evident, &turns).await?) {
            self.turns += 1;
            self.tally.add(files, turn)?;
        }
        let only_read = std::mem::take(&mut self.tally.only_read);
        if 0 < only_read {
            *self.left_out.entry(LeftOut::Encoding).or_default() += only_read;
        }
        Ok(())
    }

    /// Prints what there is to say of a commit.
    fn tell(&mut self, pair: &Pair) -> Result<()> {
        let id = pair.commit.get(..SHORT_ID).unwrap_or(&pair.commit);
        for wrong in self.tally.failed.drain(..) {
            self.failed += 1;
            crate::print(format!("FAIL  {id} {}\n", wrong.replace('\n', " | ")))?;
        }
        for other in self.tally.others.drain(..) {
            crate::print(format!("other {id} {other}\n"))?;
        }
        Ok(())
    }

    fn totals(&self) -> String {
        let Self { commits, turns, left_out, tally, failed } = self;
        let Tally { created, edited, overwritten, applied, not_applied, .. } = tally;
        let Tally { without_patch, cut_off, kinds, differences, .. } = tally;
        let Tally { equal, equal_to_one, passed, .. } = tally;
        let changes = created + edited + overwritten;
        let left: Vec<_> = left_out.iter().map(|(why, count)| format!("{count} {why}")).collect();
        let left = if left.is_empty() { "none".to_owned() } else { left.join(", ") };
        let share = |part: usize| part as f64 * 100.0 / changes.max(1) as f64;
        format!(
            "changes: {changes} of {commits} commits in {turns} turns: {created} created, {edited} \
             edited, {overwritten} overwritten\n\
             left out: {left}\n\
             patches: {applied} applied, {not_applied} not, {without_patch} too long to be kept\n\
             kinds: {kinds} right\n\
             added minus removed: {differences} equal, {cut_off} not counted\n\
             counts: {equal} equal to git's ({:.1} %), {equal_to_one} to one of its four ways \
             ({:.1} %)\n\
             {passed} passed, {failed} failed\n",
            share(*equal),
            share(*equal_to_one),
        )
    }
}
