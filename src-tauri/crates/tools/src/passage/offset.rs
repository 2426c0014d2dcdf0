//! Finds the bytes of a text that its shown form stands for.

/// Walks a text beside its shown form, forward only.
pub(super) struct Offsets<'a> {
    text: &'a str,
    /// The two are the same.
    is_plain: bool,
    /// Where the current line starts, in both.
    text_start: usize,
    plain_start: usize,
    /// How long it is in both, with its end.
    text_len: usize,
    plain_len: usize,
    is_last: bool,
}

impl<'a> Offsets<'a> {
    pub(super) fn new(text: &'a str, plain: &str) -> Self {
        let mut it = Self {
            text,
            is_plain: text.len() == plain.len(),
            text_start: 0,
            plain_start: 0,
            text_len: 0,
            plain_len: 0,
            is_last: false,
        };
        if !it.is_plain {
            it.next_line();
        }
        it
    }

    /// Returns where the shown form's byte `offset` is in the text; at a line end, before its `\r`.
    /// No offset may be smaller than the one before it.
    pub(super) fn in_text(&mut self, offset: usize) -> usize {
        if self.is_plain {
            return offset;
        }
        while !self.is_last && self.plain_start + self.plain_len <= offset {
            self.next_line();
        }
        self.text_start + (offset - self.plain_start)
    }

    fn next_line(&mut self) {
        self.text_start += self.text_len;
        self.plain_start += self.plain_len;
        let rest = &self.text[self.text_start..];
        let end = rest.find('\n');
        self.is_last = end.is_none();
        self.text_len = end.map_or(rest.len(), |it| it + 1);
        self.plain_len = end.map_or(rest.len(), |it| rest[..it].trim_end_matches('\r').len() + 1);
    }
}
