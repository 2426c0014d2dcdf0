//! What sort of picture some bytes are, and how large they say it is.

use protocol::{Limits, PictureMedia, PixelSize};

use super::svg::svg;

/// The start of an SVG in which its first element stands.
const SVG_HEAD_BYTES: usize = 64 << 10;

/// Returns the sort of a picture and its size, where it says one; `None` if it is none of those
/// that are shown. An SVG is a text, so its name has to say it too.
pub(super) fn kind(
    path: &str,
    bytes: &[u8],
    limits: &Limits,
) -> Option<(PictureMedia, Option<PixelSize>)> {
    let at = At(bytes);
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return Some((PictureMedia::Png, at.png()));
    }
    if bytes.starts_with(b"\xff\xd8\xff") {
        return Some((PictureMedia::Jpeg, at.jpeg()));
    }
    if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        return Some((PictureMedia::Gif, at.gif()));
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return Some((PictureMedia::Webp, at.webp()));
    }
    // Two letters are too few to tell a picture by, so the length of its header is looked at too.
    if bytes.starts_with(b"BM") && matches!(at.le32(14), Some(12 | 40 | 52 | 56 | 64 | 108 | 124)) {
        return Some((PictureMedia::Bmp, at.bmp()));
    }
    let head = &bytes[..bytes.len().min(SVG_HEAD_BYTES)];
    let is_named_so = path.len() > 4 && path.to_ascii_lowercase().ends_with(".svg");
    let text = if is_named_so { workspace::decode(head, limits).ok() } else { None };
    svg(text?.text()).map(|pixels| (PictureMedia::Svg, pixels))
}

/// Reads fields by their places; `None` past the end.
struct At<'a>(&'a [u8]);

impl At<'_> {
    fn png(&self) -> Option<PixelSize> {
        size(self.be32(16)?, self.be32(20)?)
    }

    fn gif(&self) -> Option<PixelSize> {
        size(self.le16(6)?, self.le16(8)?)
    }

    fn bmp(&self) -> Option<PixelSize> {
        if self.le32(14)? == 12 {
            return size(self.le16(18)?, self.le16(20)?);
        }
        // A height below zero says that the first row is at the top.
        let length = |at| self.le32(at).map(|it| it.cast_signed().unsigned_abs());
        size(length(18)?, length(22)?)
    }

    fn webp(&self) -> Option<PixelSize> {
        match self.0.get(12..16)? {
            b"VP8 " => size(self.le16(26)? & 0x3fff, self.le16(28)? & 0x3fff),
            b"VP8L" => {
                let both = self.le32(21)?;
                size((both & 0x3fff) + 1, ((both >> 14) & 0x3fff) + 1)
            }
            b"VP8X" => {
                // Three bytes each, after one that is masked out.
                let length = |at| self.le32(at).map(|it| (it >> 8) + 1);
                size(length(23)?, length(26)?)
            }
            _ => None,
        }
    }

    /// Goes from marker to marker to the one that holds the size.
    fn jpeg(&self) -> Option<PixelSize> {
        let mut at = 2;
        loop {
            if self.byte(at)? != 0xff {
                return None;
            }
            match self.byte(at + 1)? {
                // Any number of these may stand before a marker.
                0xff => at += 1,
                0xc4 | 0xc8 | 0xcc => at += 2 + self.be16(at + 2)? as usize,
                0xc0..=0xcf => return size(self.be16(at + 7)?, self.be16(at + 5)?),
                // Markers that hold nothing.
                0x01 | 0xd0..=0xd8 => at += 2,
                // The pixels begin, or it ends, and no size was said.
                0xd9 | 0xda => return None,
                _ => at += 2 + self.be16(at + 2)? as usize,
            }
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    fn be16(&self, at: usize) -> Option<u32> {
        Some(u32::from(u16::from_be_bytes(*self.0.get(at..)?.first_chunk()?)))
    }

    fn le16(&self, at: usize) -> Option<u32> {
        Some(u32::from(u16::from_le_bytes(*self.0.get(at..)?.first_chunk()?)))
    }

    fn be32(&self, at: usize) -> Option<u32> {
        Some(u32::from_be_bytes(*self.0.get(at..)?.first_chunk()?))
    }

    fn le32(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.0.get(at..)?.first_chunk()?))
    }
}

/// A picture without a pixel is none.
fn size(width: u32, height: u32) -> Option<PixelSize> {
    (0 < width && 0 < height).then_some(PixelSize { width, height })
}
