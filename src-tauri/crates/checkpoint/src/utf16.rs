//! Texts in UTF-16, which have lines although their bytes have none (AN-21).

use protocol::Limits;

/// Which byte of a pair comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Utf16 {
    Le,
    Be,
}

impl Utf16 {
    /// Returns the name that a patch has.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Le => "utf-16le",
            Self::Be => "utf-16be",
        }
    }

    pub(crate) fn labelled(label: &str) -> Option<Self> {
        [Self::Le, Self::Be].into_iter().find(|it| it.label() == label)
    }

    /// Returns the two texts, marks included, if both sides are UTF-16 of one kind. A side may be
    /// empty, or too short to be told alone.
    pub(crate) fn texts(old: &[u8], new: &[u8], limits: &Limits) -> Option<(Self, [String; 2])> {
        let known = |bytes| {
            let file = workspace::decode(bytes, limits).ok()?;
            Some(Self::labelled(file.encoding()))
        };
        let sides = [known(old), known(new)];
        let order = sides.into_iter().flatten().flatten().next()?;
        let is_other = |(bytes, side): (&[u8], Option<Option<Self>>)| {
            !bytes.is_empty() && side.is_some_and(|it| it != Some(order))
        };
        if [old, new].into_iter().zip(sides).any(is_other) {
            return None;
        }
        Some((order, [order.decoded(old)?, order.decoded(new)?]))
    }

    /// Returns the text, its mark included, if all of the bytes are good and none is a NUL.
    pub(crate) fn decoded(self, bytes: &[u8]) -> Option<String> {
        let (pairs, rest) = bytes.as_chunks();
        let units = pairs.iter().map(|pair| match self {
            Self::Le => u16::from_le_bytes(*pair),
            Self::Be => u16::from_be_bytes(*pair),
        });
        let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
        (rest.is_empty() && !text.contains('\0')).then_some(text)
    }

    /// Returns the bytes of a text.
    pub(crate) fn encoded(self, text: &str) -> Vec<u8> {
        let bytes = |unit: u16| match self {
            Self::Le => unit.to_le_bytes(),
            Self::Be => unit.to_be_bytes(),
        };
        text.encode_utf16().flat_map(bytes).collect()
    }
}
