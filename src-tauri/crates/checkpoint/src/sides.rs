//! A file of a result as it was at both ends of the turn, from what is stored and nothing else.

use protocol::{FileChangeKind, ResultId, TurnId};
use session::{LocalRecord, SessionError, SessionReader, fingerprint};

use crate::{apply::apply, capture::Checkpoint};

/// A file at one end of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredSide {
    /// There was no file.
    Absent,
    /// What it held, byte for byte.
    Bytes(Vec<u8>),
    /// It was there, and what it held is not stored, or no more, or is damaged.
    NotKept,
}

/// Returns a file as it was before a turn and as the turn left it; `None` if the turn has no result
/// that lists it.
///
/// What a turn leaves is stored only where something else names it too, as the next turn's
/// before-image; else it is made of the before-image and the patch. Whichever it is made of, it has
/// the fingerprint that was recorded.
///
/// # Errors
///
/// [`SessionError::Damaged`] or [`SessionError::Store`].
pub fn stored_sides(
    turn: TurnId,
    records: &[LocalRecord],
    path: &str,
    blobs: &SessionReader,
) -> Result<Option<(StoredSide, StoredSide)>, SessionError> {
    let captures = Checkpoint::replay(turn, ResultId::minted(turn.to_string()), records);
    let Some((changes, patches)) = &captures.frozen else { return Ok(None) };
    let Some(listed) = changes.files.iter().find(|it| it.path == path) else { return Ok(None) };
    let file = captures.files.values().find(|it| it.shown == path);

    let before = match (listed.kind, file.and_then(|it| it.blob)) {
        (FileChangeKind::Create, _) => StoredSide::Absent,
        (FileChangeKind::Modify | FileChangeKind::Delete, Some(blob)) => {
            blobs.detail(turn, blob)?.map_or(StoredSide::NotKept, StoredSide::Bytes)
        }
        (FileChangeKind::Modify | FileChangeKind::Delete, None) => StoredSide::NotKept,
    };
    if listed.kind == FileChangeKind::Delete {
        return Ok(Some((before, StoredSide::Absent)));
    }
    let Some(left) = file.and_then(|it| it.after()).and_then(|it| it.fingerprint) else {
        return Ok(Some((before, StoredSide::NotKept)));
    };
    if let Some(bytes) = blobs.detail(turn, left)? {
        return Ok(Some((before, StoredSide::Bytes(bytes))));
    }
    let patch = match patches.iter().find(|it| it.path == path) {
        Some(patch) => blobs.detail(turn, patch.blob)?,
        None => None,
    };
    let after = patch.and_then(|patch| made(&before, &patch)).filter(|it| fingerprint(it) == left);
    Ok(Some((before, after.map_or(StoredSide::NotKept, StoredSide::Bytes))))
}

fn made(before: &StoredSide, patch: &[u8]) -> Option<Vec<u8>> {
    match before {
        StoredSide::Absent => apply(b"", patch).ok(),
        StoredSide::Bytes(before) => apply(before, patch).ok(),
        StoredSide::NotKept => None,
    }
}
