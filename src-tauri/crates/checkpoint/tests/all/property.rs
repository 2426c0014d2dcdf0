//! Whatever a turn does: what is listed is the difference of first and last, and a turn that was
//! read back knows what the one that was lived through knew.

use std::{collections::BTreeMap, fs};

use checkpoint::apply;
use proptest::{prelude::*, sample::Index};
use protocol::FileChangeKind;

use crate::turn::Turn;

const NAMES: [&str; 3] = ["a.txt", "b.txt", "in/c.txt"];

/// Few texts, so that files are often put back as they were.
const TEXTS: [&str; 6] =
    ["", "1\n", "1\n2\n3\n", "1\nzwei\n3\n", "3\n2\n1", "1\n2\n3\n4\n5\n6\n7\n"];

#[derive(Clone, Debug)]
enum Step {
    Write {
        name: &'static str,
        text: &'static str,
    },
    Delete {
        name: &'static str,
    },
    /// A write that the disk refused.
    Refused {
        name: &'static str,
    },
    /// A write of which the end was not recorded.
    Lost {
        name: &'static str,
        text: &'static str,
    },
    /// The user's own.
    Foreign {
        name: &'static str,
        text: &'static str,
    },
}

impl Step {
    fn name(&self) -> &'static str {
        match self {
            Self::Write { name, .. }
            | Self::Delete { name }
            | Self::Refused { name }
            | Self::Lost { name, .. }
            | Self::Foreign { name, .. } => name,
        }
    }
}

fn owned() -> impl Strategy<Value = Step> {
    let text = prop::sample::select(&TEXTS[..]);
    (prop::sample::select(&NAMES[..]), text, any::<Index>()).prop_map(|(name, text, kind)| {
        match kind.index(5) {
            0 => Step::Delete { name },
            _ => Step::Write { name, text },
        }
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    let some = (prop::sample::select(&NAMES[..]), prop::sample::select(&TEXTS[..]), 0..3_u8);
    let troubled = some.prop_map(|(name, text, kind)| match kind {
        0 => Step::Refused { name },
        1 => Step::Lost { name, text },
        _ => Step::Foreign { name, text },
    });
    prop_oneof![3 => owned(), 1 => troubled]
}

fn play(turn: &mut Turn, step: &Step) {
    match step {
        Step::Write { name, text } => {
            turn.write(name, text);
        }
        Step::Delete { name } => {
            turn.change(name, |path| {
                if path.exists() {
                    fs::remove_file(path).unwrap();
                }
            });
        }
        Step::Refused { name } => turn.refuse(name),
        Step::Lost { name, text } => {
            let (_, permit) = turn.begin(name);
            let _unrecorded = turn.workspace.write(permit, text.as_bytes()).unwrap();
        }
        Step::Foreign { name, text } => turn.put(name, text),
    }
}

fn contents(turn: &Turn) -> BTreeMap<&'static str, Option<Vec<u8>>> {
    NAMES.map(|name| (name, fs::read(turn.path(name)).ok())).into_iter().collect()
}

/// Begins with some of the files there, the user's own changes in them.
fn begin(there: &[Option<&'static str>; 3]) -> Turn {
    let turn = Turn::new();
    for (name, text) in NAMES.iter().zip(there) {
        text.iter().for_each(|text| turn.put(name, text));
    }
    turn
}

fn there() -> impl Strategy<Value = [Option<&'static str>; 3]> {
    let text = || prop::option::of(prop::sample::select(&TEXTS[..]));
    [text(), text(), text()]
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// TR-6.
    #[test]
    fn the_net_change_is_the_difference_of_first_and_last(
        there in there(),
        steps in prop::collection::vec(owned(), 0..8),
    ) {
        let mut turn = begin(&there);
        let first = contents(&turn);
        steps.iter().for_each(|step| play(&mut turn, step));
        let last = contents(&turn);
        let frozen = turn.freeze();
        prop_assert!(frozen.changes.reasons.is_empty(), "{:?}", frozen.changes);

        let changed: Vec<&str> =
            NAMES.into_iter().filter(|name| first[name] != last[name]).collect();
        let listed: Vec<&str> = frozen.changes.files.iter().map(|it| it.path.as_str()).collect();
        prop_assert_eq!(listed, changed);
        let patches: BTreeMap<String, Vec<u8>> = frozen.patches.into_iter().collect();
        for file in &frozen.changes.files {
            let (before, after) = (&first[file.path.as_str()], &last[file.path.as_str()]);
            let kind = match (before, after) {
                (None, _) => FileChangeKind::Create,
                (_, None) => FileChangeKind::Delete,
                (Some(_), Some(_)) => FileChangeKind::Modify,
            };
            prop_assert_eq!(file.kind, kind);
            let (before, after) = (before.clone().unwrap_or_default(), after.clone());
            let patch = &patches[&file.path];
            prop_assert_eq!(apply(&before, patch), Ok(after.clone().unwrap_or_default()));
            let lines = |bytes: &[u8]| bytes.split_inclusive(|it| *it == b'\n').count();
            let grown = i64::from(file.added) - i64::from(file.removed);
            let counted = lines(&after.unwrap_or_default()) as i64 - lines(&before) as i64;
            prop_assert_eq!(grown, counted);
        }
    }

    /// CP-3, TR-14, TR-25: of a file in which not everything is known to be the turn's, nothing is
    /// claimed; of every other, all.
    #[test]
    fn what_was_stored_knows_what_was_lived_through(
        there in there(),
        steps in prop::collection::vec(any_step(), 0..10),
    ) {
        let mut turn = begin(&there);
        let mut touched: BTreeMap<&str, Touched> = BTreeMap::new();
        for step in &steps {
            let found = contents(&turn)[step.name()].clone();
            play(&mut turn, step);
            let left = contents(&turn)[step.name()].clone();
            // What changed nothing leaves a file untouched, whose before-image is still to be taken.
            let is_touch = match step {
                Step::Write { .. } | Step::Delete { .. } => left != found,
                Step::Lost { .. } => true,
                Step::Refused { .. } | Step::Foreign { .. } => false,
            };
            if is_touch {
                let it = Touched { first: found.clone(), left: found.clone(), is_ours: true, is_known: true };
                touched.entry(step.name()).or_insert(it);
            }
            let Some(it) = touched.get_mut(step.name()) else { continue };
            match step {
                Step::Write { .. } | Step::Delete { .. } => {
                    it.is_ours &= it.left == found;
                    // A write that left what was there tells nothing of one whose end was lost.
                    it.is_known |= it.left != left;
                    it.left = left;
                }
                Step::Lost { .. } => it.is_known = false,
                Step::Refused { .. } | Step::Foreign { .. } => {}
            }
        }
        let last = contents(&turn);
        let lived = turn.freeze();
        let listed: Vec<&str> = lived.changes.files.iter().map(|it| it.path.as_str()).collect();
        let ours = touched.iter().filter(|(name, it)| {
            it.is_ours && it.is_known && it.left == last[*name] && it.first != last[*name]
        });
        prop_assert_eq!(listed, ours.map(|(name, _)| *name).collect::<Vec<_>>());

        let replayed = turn.replayed();
        prop_assert_eq!(&replayed, &turn.checkpoint);
        turn.checkpoint = replayed;
        prop_assert_eq!(turn.freeze(), lived);
    }
}

/// What is to be known of a file that the turn touched.
struct Touched {
    first: Option<Vec<u8>>,
    /// What the last recorded write left.
    left: Option<Vec<u8>>,
    /// Each write found what the one before it had left.
    is_ours: bool,
    /// The last write was recorded.
    is_known: bool,
}
