//! Plays the cases of a folder to the built `evident` over its pipe, and holds what came of each
//! against what it expects.
//!
//! A case is a folder with a `case.json`: what a scripted model asks for, what the outside world does
//! meanwhile, and what must be true afterwards. Nothing is read or tried again that the case does not
//! say.

mod always;
mod case;
mod expect;
mod heard;
mod judge;
mod plan;
mod played;
mod reply;
mod requests;
mod skipped;
mod turns;
mod world;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::{runtime, sync::Semaphore, task::JoinHandle};

use crate::Result;

/// How many are played at a time: most of them wait for a command or a disk.
const AT_A_TIME: usize = 4;

/// What came of one case.
struct Verdict {
    title: String,
    outcome: Outcome,
}

enum Outcome {
    /// It holds; so many of its sentences are left to a person.
    Passed {
        by_hand: usize,
    },
    Failed(Vec<String>),
    Skipped(String),
}

/// Plays the cases of a folder, or only those named, prints a line for each, and how many passed,
/// failed and were skipped.
pub(crate) fn play(folder: &Path, ids: &[&str]) -> Result<()> {
    let evident: Arc<Path> = crate::evident("cargo xtask cases")?.into();
    let cases = find(folder, ids)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let failed = runtime.block_on(play_all(cases, &evident))?;
    if 0 < failed {
        return Err(format!("{failed} of the cases in {} failed", folder.display()).into());
    }
    Ok(())
}

/// Returns the folders of the cases by their names, in the order of these.
fn find(folder: &Path, ids: &[&str]) -> Result<Vec<(String, PathBuf)>> {
    let mut cases = Vec::new();
    let unreadable = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().filter(|_| path.join("case.json").is_file()) {
            cases.push((name.to_string_lossy().into_owned(), path));
        }
    }
    cases.sort();
    let known: BTreeSet<_> = cases.iter().map(|(name, _)| &**name).collect();
    if let Some(unknown) = ids.iter().find(|it| !known.contains(**it)) {
        return Err(format!("there is no case {unknown} in {}", folder.display()).into());
    }
    cases.retain(|(name, _)| ids.is_empty() || ids.contains(&&**name));
    if cases.is_empty() {
        return Err(format!("{} holds no cases", folder.display()).into());
    }
    Ok(cases)
}

/// Plays them side by side; prints in order, and returns how many failed.
async fn play_all(cases: Vec<(String, PathBuf)>, evident: &Arc<Path>) -> Result<usize> {
    let turns = Arc::new(Semaphore::new(AT_A_TIME));
    let started: Vec<_> =
        cases.into_iter().map(|(name, path)| (name, start(path, evident, &turns))).collect();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, play) in started {
        let verdict = play.await.map_err(crate::Error::from).and_then(|it| it);
        let verdict = verdict.unwrap_or_else(|error| Verdict {
            title: String::new(),
            outcome: Outcome::Failed(vec![error.to_string()]),
        });
        let title = verdict.title;
        let line = match verdict.outcome {
            Outcome::Passed { by_hand } => {
                passed += 1;
                let left = if by_hand == 0 {
                    String::new()
                } else {
                    format!(" ({by_hand} to be looked at by a person)")
                };
                format!("pass  {name}: {title}{left}\n")
            }
            Outcome::Failed(wrong) => {
                failed += 1;
                format!("FAIL  {name}: {}\n", wrong.join("; ").replace('\n', " | "))
            }
            Outcome::Skipped(why) => {
                skipped += 1;
                format!("skip  {name}: {why}\n")
            }
        };
        crate::print(line)?;
    }
    crate::print(format!("{passed} passed, {failed} failed, {skipped} skipped\n"))?;
    Ok(failed)
}

fn start(
    case: PathBuf,
    evident: &Arc<Path>,
    turns: &Arc<Semaphore>,
) -> JoinHandle<Result<Verdict>> {
    let (evident, turns) = (Arc::clone(evident), Arc::clone(turns));
    tokio::spawn(async move {
        let _turn = turns.acquire_owned().await?;
        play_one(&case, &evident).await
    })
}

async fn play_one(folder: &Path, evident: &Path) -> Result<Verdict> {
    let case = case::read(folder)?;
    let title = case.title.clone();
    if let Some(why) = skipped::reason(&case) {
        return Ok(Verdict { title, outcome: Outcome::Skipped(why) });
    }
    let record = played::play(evident, &case).await?;
    let judged = judge::judge(&case, &record)?;
    let outcome = if judged.wrong.is_empty() {
        Outcome::Passed { by_hand: judged.by_hand }
    } else {
        Outcome::Failed(judged.wrong)
    };
    Ok(Verdict { title, outcome })
}
