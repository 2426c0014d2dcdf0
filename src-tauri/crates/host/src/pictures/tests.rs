//! Pictures by their bytes. The heads are written out, as the formats say them.

use protocol::{Limits, PictureGap, PictureMedia, PictureSide, PixelSize};

use super::{StoredSide, said};

const SEVEN_BY_FIVE: Option<PixelSize> = Some(PixelSize { width: 7, height: 5 });

fn seen(path: &str, bytes: &[u8]) -> PictureSide {
    said(&StoredSide::Bytes(bytes.to_vec()), path, false, &Limits::default())
}

fn picture(media: PictureMedia, bytes: &[u8], pixels: Option<PixelSize>) -> PictureSide {
    let total_bytes = u32::try_from(bytes.len()).expect("a few");
    PictureSide::Picture { media, total_bytes, pixels }
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR";
    [head, &width.to_be_bytes()[..], &height.to_be_bytes()].concat()
}

fn bmp(header_bytes: u32, sizes: &[u8]) -> Vec<u8> {
    [b"BM", &[0; 12][..], &header_bytes.to_le_bytes(), sizes].concat()
}

fn webp(chunk: &[u8]) -> Vec<u8> {
    [b"RIFF\x00\x00\x00\x00WEBP", chunk].concat()
}

#[test]
fn a_picture_is_told_by_its_bytes_whatever_it_is_called() {
    let jpeg =
        b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc4\x00\x02\xff\xc2\x00\x0b\x08\x00\x05\x00\x07";
    let top_down = [7_i32.to_le_bytes(), (-5_i32).to_le_bytes()].concat();
    let of_16_bits = [7_u16.to_le_bytes(), 5_u16.to_le_bytes()].concat();
    let lossless = 6_u32 | 4 << 14;
    let cases = [
        (PictureMedia::Png, png(7, 5)),
        (PictureMedia::Jpeg, jpeg.to_vec()),
        (PictureMedia::Gif, b"GIF87a\x07\x00\x05\x00".to_vec()),
        (PictureMedia::Gif, b"GIF89a\x07\x00\x05\x00".to_vec()),
        (PictureMedia::Bmp, bmp(40, &top_down)),
        (PictureMedia::Bmp, bmp(12, &of_16_bits)),
        (PictureMedia::Webp, webp(b"VP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x07\x00\x05\x40")),
        (
            PictureMedia::Webp,
            webp(&[b"VP8L\x00\x00\x00\x00\x2f", &lossless.to_le_bytes()[..]].concat()),
        ),
        (PictureMedia::Webp, webp(b"VP8X\x00\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x04\x00\x00")),
    ];
    for (media, bytes) in cases {
        for path in ["a.txt", "a.svg", "a"] {
            assert_eq!(seen(path, &bytes), picture(media, &bytes, SEVEN_BY_FIVE), "{path}");
        }
    }
}

#[test]
fn an_svg_is_one_by_its_name_and_its_first_element() {
    let declared =
        "\u{feff}<?xml version=\"1.0\"?>\n<!-- <b> -->\n<!DOCTYPE svg [<!ENTITY a \">\">]>\n";
    let cases = [
        ("<svg width='7' height=\"5px\"/>", SEVEN_BY_FIVE),
        ("<svg:svg xmlns:svg='x'\n height = '5.2' width='7.0'>", SEVEN_BY_FIVE),
        ("<svg viewBox='0 0 7 5'>", None),
        ("<svg width='100%' height='5'>", None),
        ("<svg width='7' height='0'>", None),
        ("<svg><g width='7' height='5'/></svg>", None),
    ];
    for (text, pixels) in cases {
        for text in [text.to_owned(), format!("{declared}{text}")] {
            let (bytes, media) = (text.as_bytes(), PictureMedia::Svg);
            assert_eq!(seen("a/Logo.SVG", bytes), picture(media, bytes, pixels), "{text}");
            let total_bytes = u32::try_from(bytes.len()).expect("a few");
            assert_eq!(seen("a.txt", bytes), PictureSide::Other { total_bytes }, "{text}");
        }
    }
    let wide: Vec<u8> = "\u{feff}<svg/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(seen("a.svg", &wide), picture(PictureMedia::Svg, &wide, None));
}

#[test]
fn what_is_no_picture_is_called_none() {
    let others = [
        "",
        "<",
        "<svg",
        "<!--",
        "<!DOCTYPE",
        "<?xml ?>",
        "text",
        "<html><svg/></html>",
        "<svgs/>",
        "BM and more text that is long enough",
        "RIFF    WAVEfmt ",
        "\u{89}PNG",
    ];
    for text in others {
        let total_bytes = u32::try_from(text.len()).expect("a few");
        assert_eq!(seen("a.svg", text.as_bytes()), PictureSide::Other { total_bytes }, "{text:?}");
    }
}

/// CL-6, CL-7: what cannot be drawn, or would take too much, says why and is not handed out.
#[test]
fn what_cannot_be_shown_says_why() {
    let limits = Limits { picture_bytes: 40, picture_pixels: 35, ..Limits::default() };
    let gap = |path: &str, bytes: &[u8]| match said(
        &StoredSide::Bytes(bytes.to_vec()),
        path,
        false,
        &limits,
    ) {
        PictureSide::Unavailable { why, .. } => Some(why),
        PictureSide::Absent | PictureSide::Picture { .. } | PictureSide::Other { .. } => None,
    };
    assert_eq!(gap("a", &png(7, 5)), None);
    assert_eq!(gap("a", &png(7, 6)), Some(PictureGap::TooManyPixels));
    assert_eq!(gap("a", &png(u32::MAX, u32::MAX)), Some(PictureGap::TooManyPixels));
    assert_eq!(gap("a", &[png(1, 1), vec![0; 40]].concat()), Some(PictureGap::TooLarge));
    assert_eq!(gap("a", &png(0, 5)), Some(PictureGap::Broken));
    assert_eq!(gap("a.svg", b"<svg width='900' height='900'/>"), None);
    let heads = [png(7, 5), webp(b"VP8 "), webp(b"ALPH"), b"\xff\xd8\xff\xe0\x00\x00".to_vec()];
    for whole in heads {
        for cut in 12..whole.len() {
            let bytes = &whole[..cut];
            assert_eq!(gap("a", bytes), Some(PictureGap::Broken), "{bytes:?}");
        }
    }
    assert_eq!(gap("a", b"\xff\xd8\xff\xd8\xff\xda"), Some(PictureGap::Broken));
}
