//! Server-sent events out of bytes, however they are cut.
//!
//! Takes more than the standard allows where vendors send it: an object on a line of its own, an
//! `error:` line, and a last event without its blank line.

/// One event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SseEvent {
    pub(crate) data: Vec<u8>,
    /// It was sent as an error, whatever it holds.
    pub(crate) is_error: bool,
}

/// A line or an event is over the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Splits bytes into events.
pub(crate) struct Sse {
    limit_bytes: usize,
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    /// The last byte was a carriage return; a line feed right after it ends no other line.
    after_return: bool,
    is_first_line: bool,
}

impl Sse {
    pub(crate) fn new(line_bytes: u32) -> Self {
        Self {
            limit_bytes: line_bytes as usize,
            line: Vec::new(),
            event: SseEvent::default(),
            has_data: false,
            after_return: false,
            is_first_line: true,
        }
    }

    /// Takes bytes in, and adds the events that they complete to `out`.
    ///
    /// # Errors
    ///
    /// [`TooLong`] if a line, or the lines of one event together, are over the limit.
    pub(crate) fn feed(
        &mut self,
        mut bytes: &[u8],
        out: &mut Vec<SseEvent>,
    ) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_return) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|it| matches!(it, b'\n' | b'\r'));
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            if self.limit_bytes < self.line.len() + self.event.data.len() + piece.len() {
                return Err(TooLong);
            }
            self.line.extend_from_slice(piece);
            let Some(end) = end else { return Ok(()) };
            self.after_return = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            out.extend(self.end_line());
        }
        Ok(())
    }

    /// The event that the stream ended in, if there is one.
    pub(crate) fn finish(&mut self) -> Option<SseEvent> {
        self.end_line().or_else(|| self.take())
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_first_line) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            return self.take();
        }
        if line[0] == b'{' {
            return Some(SseEvent { data: line, is_error: false });
        }
        let colon = line.iter().position(|it| *it == b':').unwrap_or(line.len());
        let (field, value) = (&line[..colon], line.get(colon + 1..).unwrap_or_default());
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.add(value),
            b"event" => self.event.is_error = value == b"error",
            b"error" => {
                self.event.is_error = true;
                self.add(value);
            }
            _ => {}
        }
        None
    }

    fn add(&mut self, value: &[u8]) {
        if std::mem::replace(&mut self.has_data, true) {
            self.event.data.push(b'\n');
        }
        self.event.data.extend_from_slice(value);
    }

    fn take(&mut self) -> Option<SseEvent> {
        self.has_data = false;
        let event = std::mem::take(&mut self.event);
        (!event.data.trim_ascii().is_empty()).then_some(event)
    }
}

#[cfg(test)]
mod tests;
