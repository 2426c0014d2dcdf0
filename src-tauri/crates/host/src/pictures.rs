//! Files of a result as pictures, read from the session's record and from nowhere else.

use checkpoint::{StoredSide, stored_sides};
use protocol::{
    FileSide, Limits, PictureGap, PictureMedia, PictureSide, Pictures, SessionId, TurnId,
};
use session::SessionReader;

use crate::{Host, HostError, pictures::kind::kind};

mod kind;
mod svg;

impl Host {
    /// Returns what can be shown of one file of a result as a picture, before the turn and after it.
    /// What sort of picture it is, its bytes tell; an SVG is one by its name too.
    ///
    /// # Errors
    ///
    /// [`HostError::NoFile`] if the result lists no such file; [`HostError::Session`] if the session
    /// is missing or cannot be read.
    pub async fn pictures(
        &self,
        session: SessionId,
        turn: TurnId,
        path: String,
    ) -> Result<Pictures, HostError> {
        let limits = self.options.limits.clone();
        self.read(session, move |reader, _| {
            let (before, after) = sides(reader, turn, &path)?;
            let removed = reader.has_no_details(turn)?;
            let said = |side: &StoredSide| said(side, &path, removed, &limits);
            Ok(Pictures { before: said(&before), after: said(&after) })
        })
        .await
    }

    /// Returns the bytes of one of them.
    ///
    /// # Errors
    ///
    /// [`HostError::NoPicture`] if there is none on that side that can be shown;
    /// [`HostError::DetailsRemoved`] if it is kept no more; others as above.
    pub async fn picture(
        &self,
        session: SessionId,
        turn: TurnId,
        path: String,
        side: FileSide,
    ) -> Result<Vec<u8>, HostError> {
        let limits = self.options.limits.clone();
        self.read(session, move |reader, _| {
            let (before, after) = sides(reader, turn, &path)?;
            let stored = match side {
                FileSide::Before => before,
                FileSide::After => after,
            };
            let removed = reader.has_no_details(turn)?;
            match (said(&stored, &path, removed, &limits), stored) {
                (PictureSide::Picture { .. }, StoredSide::Bytes(bytes)) => Ok(bytes),
                (PictureSide::Unavailable { why: PictureGap::Removed, .. }, _) => {
                    Err(HostError::DetailsRemoved { turn })
                }
                (
                    PictureSide::Picture { .. }
                    | PictureSide::Absent
                    | PictureSide::Other { .. }
                    | PictureSide::Unavailable { .. },
                    _,
                ) => Err(HostError::NoPicture { turn, path }),
            }
        })
        .await
    }
}

fn sides(
    reader: &SessionReader,
    turn: TurnId,
    path: &str,
) -> Result<(StoredSide, StoredSide), HostError> {
    let records = reader.local_records(turn)?;
    stored_sides(turn, &records, path, reader)?
        .ok_or_else(|| HostError::NoFile { turn, path: path.to_owned() })
}

fn said(side: &StoredSide, path: &str, removed: bool, limits: &Limits) -> PictureSide {
    let bytes = match side {
        StoredSide::Absent => return PictureSide::Absent,
        StoredSide::NotKept => {
            let why = if removed { PictureGap::Removed } else { PictureGap::NotKept };
            return PictureSide::Unavailable { why, total_bytes: None, pixels: None };
        }
        StoredSide::Bytes(bytes) => bytes,
    };
    let total_bytes = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let Some((media, pixels)) = kind(path, bytes, limits) else {
        return PictureSide::Other { total_bytes };
    };
    // An SVG is drawn as large as it is shown, whatever size it says.
    let must_be_drawn_whole = media != PictureMedia::Svg;
    let why = match pixels {
        _ if limits.picture_bytes < bytes.len() as u64 => PictureGap::TooLarge,
        None if must_be_drawn_whole => PictureGap::Broken,
        Some(it) if must_be_drawn_whole && limits.picture_pixels < it.count() => {
            PictureGap::TooManyPixels
        }
        Some(_) | None => return PictureSide::Picture { media, total_bytes, pixels },
    };
    PictureSide::Unavailable { why, total_bytes: Some(total_bytes), pixels }
}

#[cfg(test)]
mod tests;
