//! Plays the streams of a folder to the built `evident` over loopback HTTP, each in four ways of
//! delivery, and holds what it made of them against what stands beside them.
//!
//! `NAME.sse` is a response's body; `NAME.expect.json` says what is in it. What that says and
//! nothing is compared with, since no answer shows it, is printed with its reason: `left_out` lists
//! it.

mod compare;
mod expected;
mod heard;
mod left_out;
mod played;

use std::{
    collections::BTreeMap,
    fmt,
    hash::{BuildHasher as _, RandomState},
    path::Path,
    sync::Arc,
};

use testkit::script::{Chunks, Raw, Reply};
use tokio::{runtime, sync::Semaphore, task::JoinHandle};

use crate::Result;
use expected::{Case, Expected};

/// How many streams are cut at random places, unless a seed is given.
const SEEDS: u64 = 3;
/// Wait between two pieces of a slow stream.
const SLOW_MS: u32 = 100;
/// How many are played at a time, apart from the slow ones, which wait most of theirs.
const AT_A_TIME: usize = 4;

/// How a stream is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Whole,
    Bytes,
    Pieces { seed: u64 },
    Slow,
}

impl Way {
    fn reply(self, body: &[u8]) -> Reply {
        let (chunks, pace_ms) = match self {
            Self::Whole => (Chunks::Whole, 0),
            Self::Bytes => (Chunks::Byte, 0),
            Self::Pieces { seed } => (Chunks::Random { seed }, 0),
            Self::Slow => (Chunks::Slow, SLOW_MS),
        };
        Reply::Raw(Raw { body: body.to_vec(), chunks, pace_ms, ..Raw::default() })
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Bytes => f.write_str("byte by byte"),
            Self::Pieces { seed } => write!(f, "in pieces by seed {seed}"),
            Self::Slow => f.write_str("slowly"),
        }
    }
}

/// Plays all streams of a folder, prints a line for each, and how many passed, failed and were
/// skipped. With a seed they are cut by that one alone.
pub(crate) fn play(folder: &Path, seed: Option<u64>) -> Result<()> {
    let evident: Arc<Path> = crate::evident("cargo xtask streams")?.into();
    let cases = expected::read_all(folder)?;
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let failed = runtime.block_on(play_all(cases, &ways(seed), &evident))?;
    if 0 < failed {
        return Err(format!("{failed} of the streams in {} failed", folder.display()).into());
    }
    Ok(())
}

fn ways(seed: Option<u64>) -> Vec<Way> {
    // As many places as fit on a line, other ones each time.
    let fresh = |at| RandomState::new().hash_one(at) % 1_000_000;
    let seeds = seed.map_or_else(|| (0..SEEDS).map(fresh).collect(), |it| vec![it]);
    let pieces = seeds.into_iter().map(|seed| Way::Pieces { seed });
    [Way::Whole, Way::Bytes].into_iter().chain(pieces).chain([Way::Slow]).collect()
}

/// Plays them side by side; prints in order, and returns how many failed.
async fn play_all(cases: Vec<Case>, ways: &[Way], evident: &Arc<Path>) -> Result<usize> {
    let turns = Arc::new(Semaphore::new(AT_A_TIME));
    let started: Vec<_> = cases
        .into_iter()
        .map(|case| {
            let plays = case.expected.map(|expected| {
                let expected = Arc::new(expected);
                let play = |way: &Way| (*way, start(&expected, *way, evident, &turns));
                ways.iter().map(play).collect::<Vec<_>>()
            });
            (case.name, plays)
        })
        .collect();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    let mut left_out: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for (name, plays) in started {
        match plays {
            Err(why) => {
                skipped += 1;
                crate::print(format!("skip  {name}: {why}\n"))?;
            }
            Ok(plays) => {
                let Compared { wrong, left_out: words } = compared(plays).await?;
                for word in words {
                    *left_out.entry(word).or_default() += 1;
                }
                if wrong.is_empty() {
                    passed += 1;
                    let ways = ways.iter().map(Way::to_string).collect::<Vec<_>>().join(", ");
                    crate::print(format!("pass  {name}: {ways}\n"))?;
                } else {
                    failed += 1;
                    crate::print(format!("FAIL  {name}: {}\n", wrong.join("; ")))?;
                }
            }
        }
    }
    for ((word, why), streams) in left_out {
        crate::print(format!("not compared  {word} (in {streams}): {why}\n"))?;
    }
    crate::print(format!("{passed} passed, {failed} failed, {skipped} skipped\n"))?;
    Ok(failed)
}

/// What came of a stream.
#[derive(Default)]
struct Compared {
    wrong: Vec<String>,
    /// The words that say what was compared with nothing, and why.
    left_out: BTreeMap<String, &'static str>,
}

type Play = JoinHandle<Result<Compared>>;

fn start(expected: &Arc<Expected>, way: Way, evident: &Arc<Path>, turns: &Arc<Semaphore>) -> Play {
    let (expected, evident, turns) = (Arc::clone(expected), Arc::clone(evident), Arc::clone(turns));
    tokio::spawn(async move {
        let _turn = if way == Way::Slow { None } else { Some(turns.acquire_owned().await?) };
        let heard = played::play(&evident, expected.provider, way.reply(&expected.body)).await?;
        let (wrong, left_out) = (expected.differences(&heard), expected.left_out(&heard));
        Ok(Compared { wrong, left_out })
    })
}

/// Returns what is wrong with a stream, and the ways of delivery that showed it.
async fn compared(plays: Vec<(Way, Play)>) -> Result<Compared> {
    let all = plays.len();
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut left_out = BTreeMap::new();
    for (way, play) in plays {
        let of_this_way = play.await?.unwrap_or_else(|error| Compared {
            wrong: vec![error.to_string()],
            ..Compared::default()
        });
        for difference in of_this_way.wrong {
            wrong.entry(difference).or_default().push(way.to_string());
        }
        left_out.extend(of_this_way.left_out);
    }
    let told = wrong.into_iter().map(|(difference, ways)| {
        if ways.len() == all { difference } else { format!("{difference} ({})", ways.join(", ")) }
    });
    Ok(Compared { wrong: told.collect(), left_out })
}
