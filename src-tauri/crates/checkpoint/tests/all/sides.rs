//! A file of a result at both ends of its turn, long after.

use std::fs;

use checkpoint::{StoredSide, stored_sides};
use protocol::TurnId;
use session::LocalRecord;

use crate::turn::Turn;

fn sides(turn: &Turn, number: u32, path: &str) -> Option<(StoredSide, StoredSide)> {
    let reader = turn.log.reader();
    let records = reader.local_records(TurnId(number)).unwrap();
    stored_sides(TurnId(number), &records, path, reader).unwrap()
}

fn bytes(bytes: &[u8]) -> StoredSide {
    StoredSide::Bytes(bytes.to_vec())
}

#[test]
fn both_sides_are_what_the_turn_found_and_left() {
    // TR-24, TR-26: byte for byte, and whatever becomes of the files.
    let mut turn = Turn::new();
    let wide = [b"\xFF\xFEa\0\n\0b\0\n\0".to_vec(), b"\xFF\xFEa\0\n\0c\0".to_vec()];
    turn.put("kept.txt", "1\r\n2\n3");
    turn.put("wide.txt", &wide[0]);
    turn.put("gone.txt", "gone\n");
    turn.write("kept.txt", b"1\r\n\xFF");
    turn.write("wide.txt", &wide[1]);
    turn.write("new.txt", "new");
    turn.write("empty.txt", "");
    turn.change("gone.txt", |path| fs::remove_file(path).unwrap());
    turn.next_turn();
    for name in ["kept.txt", "wide.txt", "new.txt", "empty.txt", "gone.txt"] {
        turn.put(name, "the user's");
    }
    let kept = (bytes(b"1\r\n2\n3"), bytes(b"1\r\n\xFF"));
    assert_eq!(sides(&turn, 0, "kept.txt"), Some(kept));
    assert_eq!(sides(&turn, 0, "wide.txt"), Some((bytes(&wide[0]), bytes(&wide[1]))));
    assert_eq!(sides(&turn, 0, "new.txt"), Some((StoredSide::Absent, bytes(b"new"))));
    assert_eq!(sides(&turn, 0, "empty.txt"), Some((StoredSide::Absent, bytes(b""))));
    assert_eq!(sides(&turn, 0, "gone.txt"), Some((bytes(b"gone\n"), StoredSide::Absent)));
    assert_eq!(sides(&turn, 0, "other.txt"), None);
    assert_eq!(sides(&turn, 1, "kept.txt"), None, "of a turn without a result");
}

#[test]
fn what_was_not_kept_is_not_made_up() {
    // CL-6: there is no patch of bytes, so what the turn left is known once another one names it.
    let mut turn = Turn::new();
    turn.put("a.bin", b"a\0b");
    turn.write("a.bin", b"a\0c");
    turn.next_turn();
    assert_eq!(sides(&turn, 0, "a.bin"), Some((bytes(b"a\0b"), StoredSide::NotKept)));
    turn.write("a.bin", b"a\0d");
    turn.next_turn();
    assert_eq!(sides(&turn, 0, "a.bin"), Some((bytes(b"a\0b"), bytes(b"a\0c"))));
}

#[test]
fn a_patch_that_does_not_lead_to_what_was_left_leads_to_nothing() {
    let mut turn = Turn::new();
    turn.put("a.txt", "old\n");
    turn.put("b.txt", "old\n");
    turn.write("a.txt", "new\n");
    turn.write("b.txt", "newer\n");
    turn.next_turn();
    let reader = turn.log.reader();
    let mut records = reader.local_records(TurnId(0)).unwrap();
    let exchanged = |record: &mut LocalRecord| match record {
        LocalRecord::Frozen { patches, .. } => patches[0].blob = patches[1].blob,
        LocalRecord::Before { .. }
        | LocalRecord::Opened { .. }
        | LocalRecord::After { .. }
        | LocalRecord::Gap { .. }
        | LocalRecord::Check { .. }
        | LocalRecord::Output { .. }
        | LocalRecord::Read { .. }
        | LocalRecord::ReadPause { .. }
        | LocalRecord::ReadCompletion { .. } => {}
    };
    records.iter_mut().for_each(exchanged);
    let sides = stored_sides(TurnId(0), &records, "a.txt", reader).unwrap();
    assert_eq!(sides, Some((bytes(b"old\n"), StoredSide::NotKept)));
}
