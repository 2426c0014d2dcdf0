//! A file of a result as a person looks at it: the picture that it was, and the one that it became.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What can be shown of a file of a result. The bytes are asked for by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Pictures {
    pub before: PictureSide,
    pub after: PictureSide,
}

/// Which end of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum FileSide {
    Before,
    After,
}

/// A file at one end of the turn. A missing number is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "is")]
pub enum PictureSide {
    /// There was no file.
    Absent,
    /// A picture, which can be asked for.
    Picture {
        media: PictureMedia,
        total_bytes: u32,
        /// As the file says. An SVG need not say any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pixels: Option<PixelSize>,
    },
    /// A file that is none of the pictures that are shown.
    Other { total_bytes: u32 },
    /// It cannot be shown.
    Unavailable {
        why: PictureGap,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total_bytes: Option<u32>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pixels: Option<PixelSize>,
    },
}

/// How large a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct PixelSize {
    pub width: u32,
    pub height: u32,
}

impl PixelSize {
    /// Returns how many pixels there are.
    pub fn count(self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }
}

/// What sort of picture a file is, told by its bytes: its media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
pub enum PictureMedia {
    #[serde(rename = "image/png")]
    Png,
    #[serde(rename = "image/jpeg")]
    Jpeg,
    #[serde(rename = "image/gif")]
    Gif,
    #[serde(rename = "image/webp")]
    Webp,
    #[serde(rename = "image/bmp")]
    Bmp,
    #[serde(rename = "image/svg+xml")]
    Svg,
}

/// Why a side cannot be shown. The words are the interface's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum PictureGap {
    /// The file is over [`crate::Limits::picture_bytes`].
    TooLarge,
    /// Drawn it would be over [`crate::Limits::picture_pixels`].
    TooManyPixels,
    /// The details of the turn were removed (TR-29).
    Removed,
    /// Its bytes were not kept, or are damaged.
    NotKept,
    /// It begins as a picture does, and does not say how large it is.
    Broken,
}

/// One side of a picture where only JSON goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureBody {
    /// Every byte, as two lower-case hex digits each.
    pub hex: String,
}

impl PictureBody {
    /// Takes the bytes of a picture.
    pub fn new(bytes: &[u8]) -> Self {
        Self { hex: crate::hex::digits(bytes) }
    }

    /// Returns the bytes; `None` if the digits are none.
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        crate::hex::bytes(&self.hex)
    }
}
