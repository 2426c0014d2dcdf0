//! Follows JSON text as it grows: whether it is one whole object, and how many values it holds.
//!
//! It looks at each byte once, however often it is asked; a parser would begin anew each time.

/// How many values a text may hold. A parsed value takes many times the bytes of a written one, so
/// a text of nothing but small values would outgrow every bound that counts bytes.
const MOST_VALUES: usize = 100_000;

/// What is known of a text so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scan {
    depth: usize,
    values: usize,
    in_string: bool,
    is_escaped: bool,
    place: Place,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Before,
    Inside,
    /// Behind the bracket that closed the object.
    Behind,
    /// It is no object, or something follows it.
    Astray,
}

impl Scan {
    /// Looks at a whole text.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut scan = Self::default();
        scan.add(text);
        scan
    }

    /// Goes on with more of the text.
    pub(crate) fn add(&mut self, more: &[u8]) {
        more.iter().for_each(|it| self.step(*it));
    }

    /// Whether it is one object from its first bracket to its last. What stands between them may
    /// still be wrong.
    pub(crate) fn is_whole(&self) -> bool {
        self.place == Place::Behind
    }

    /// Whether it holds more values than are parsed.
    pub(crate) fn is_too_dense(&self) -> bool {
        MOST_VALUES < self.values
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        if byte.is_ascii_whitespace() {
            return;
        }
        self.place = match (self.place, byte) {
            (Place::Before, b'{') => Place::Inside,
            (Place::Inside, b'}') if self.depth == 1 => Place::Behind,
            (Place::Inside, _) => Place::Inside,
            (Place::Before | Place::Behind | Place::Astray, _) => Place::Astray,
        };
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                self.depth += 1;
                self.values += 1;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b',' | b':' => self.values += 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use serde_json::{Map, Value};

    use super::*;

    #[test]
    fn an_object_is_whole_at_its_last_bracket() {
        for whole in ["{}", " {\"a\": [1, {\"b\": \"}\\\"\"}]}\n", "{\"{\":\"\\\\\"}"] {
            assert!(Scan::of(whole.as_bytes()).is_whole(), "{whole}");
            let last = whole.rfind('}').expect("it has a bracket");
            for end in 0..last {
                let cut = &whole.as_bytes()[..end];
                assert!(!Scan::of(cut).is_whole(), "{whole} cut at {end}");
            }
        }
        for other in ["", "[{}]", "\"{}\"", "{}{}", "{} x", "x {}"] {
            assert!(!Scan::of(other.as_bytes()).is_whole(), "{other}");
        }
    }

    #[test]
    fn values_are_counted_outside_texts_alone() {
        let text = format!("{{\"a\":\"{}\"}}", "[,".repeat(MOST_VALUES));
        assert!(!Scan::of(text.as_bytes()).is_too_dense());
        let list = format!("{{\"a\":[{}0]}}", "0,".repeat(MOST_VALUES));
        assert!(Scan::of(list.as_bytes()).is_too_dense());
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_a_parser_takes_for_an_object_is_whole(
            tokens in vec(r#"[{}\[\],:]|"[a}\\"]{0,3}"?|1|true|\\| "#, 0..12),
        ) {
            let text = tokens.concat();
            let scan = Scan::of(text.as_bytes());
            if serde_json::from_str::<Map<String, Value>>(&text).is_ok() {
                prop_assert!(scan.is_whole(), "{}", text);
            }
            let mut grown = Scan::default();
            tokens.iter().for_each(|it| grown.add(it.as_bytes()));
            prop_assert_eq!(grown.is_whole(), scan.is_whole());
        }
    }
}
