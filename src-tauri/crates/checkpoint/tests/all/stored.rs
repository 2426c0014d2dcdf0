//! What becomes of a result later on, and of two at a time.

use checkpoint::Checkpoint;
use expect_test::expect;
use protocol::TurnId;
use session::LocalRecord;

use crate::turn::{Turn, told};

#[test]
fn a_summary_outlives_its_patches() {
    // TR-28, TR-29: what is cleaned away is missing, and nothing else is another thing than it was.
    let mut turn = Turn::new();
    turn.put("a.txt", "old\n");
    turn.write("a.txt", "new\n");
    turn.write("b.txt", "new\n");
    let (frozen, id) = (turn.freeze(), turn.checkpoint.id().clone());
    turn.next_turn();
    let mut records = turn.log.reader().local_records(TurnId(0)).unwrap();
    for record in &mut records {
        match record {
            LocalRecord::Before { blob, .. } => *blob = None,
            LocalRecord::Frozen { patches, .. } => {
                patches[0].blob = session::fingerprint(b"cleaned away");
            }
            LocalRecord::Opened { .. }
            | LocalRecord::After { .. }
            | LocalRecord::Gap { .. }
            | LocalRecord::Check { .. }
            | LocalRecord::Output { .. }
            | LocalRecord::Read { .. }
            | LocalRecord::ReadPause { .. }
            | LocalRecord::ReadCompletion { .. } => {}
        }
    }
    turn.checkpoint = Checkpoint::replay(TurnId(0), id, &records);
    let later = turn.freeze();
    assert_eq!(later.changes, frozen.changes);
    assert_eq!(later.patches, frozen.patches[1..]);
}

#[test]
fn two_turns_in_one_workspace_are_frozen_each_for_itself() {
    // TR-30, TR-6: what the other one wrote is as foreign as anyone's, and the baseline where it was
    // there before.
    let mut one = Turn::new();
    let mut other = one.beside();
    one.put("shared.txt", "old\n");
    one.write("shared.txt", "one\n");
    one.write("ones.txt", "one\n");
    other.write("shared.txt", "other\nother\n");
    other.write("others.txt", "other\n");
    expect![[r#"
        Partial +1 -0
        Create ones.txt +1 -0 ["c2"]
        ExternalChange shared.txt
    "#]]
    .assert_eq(&told(&one.freeze()));
    expect![[r#"
        Complete +3 -1
        Create others.txt +1 -0 ["c2"]
        Modify shared.txt +2 -1 ["c1"]
    "#]]
    .assert_eq(&told(&other.freeze()));
}

#[test]
fn a_foreign_file_beside_those_of_the_turn_is_no_part_of_it() {
    // TR-6, TR-14: nothing is looked for in the workspace.
    let mut turn = Turn::new();
    turn.put("there.txt", "old\n");
    turn.write("ours.txt", "new\n");
    turn.put("there.txt", "the user's\n");
    turn.put("theirs.txt", "the user's\n");
    expect![[r#"
        Complete +1 -0
        Create ours.txt +1 -0 ["c1"]
    "#]]
    .assert_eq(&told(&turn.freeze()));
}
