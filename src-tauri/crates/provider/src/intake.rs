//! The bytes of an answer, made into events: all of it but the connection they come over.

use std::collections::VecDeque;

use protocol::Limits;

use crate::{
    ApiKey, CatalogEntry, ModelEvent, ProviderError, StopReason,
    failure::Words,
    openai::{Decoder, Fault},
    sse::{Sse, SseEvent, TooLong},
};

/// How much of an answer is taken.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    line_bytes: u32,
    answer_bytes: u32,
}

/// One answer as far as its bytes have come.
pub(crate) struct Intake {
    body: Body,
    decoder: Decoder,
    ready: VecDeque<ModelEvent>,
    key: Option<ApiKey>,
    bounds: Bounds,
}

/// The bytes of a response, taken apart.
enum Body {
    /// Nothing came yet.
    Unknown,
    Events(Sse),
    /// One JSON value: an error, or the answer of a vendor that does not stream.
    Value(Vec<u8>),
}

impl Bounds {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { line_bytes: limits.stream_line_bytes, answer_bytes: limits.answer_bytes }
    }
}

impl Intake {
    pub(crate) fn new(entry: &CatalogEntry, key: Option<ApiKey>, bounds: Bounds) -> Self {
        Self {
            body: Body::Unknown,
            decoder: Decoder::new(entry.cache_fields, bounds.answer_bytes),
            ready: VecDeque::new(),
            key,
            bounds,
        }
    }

    /// The next event that is complete.
    pub(crate) fn pop(&mut self) -> Option<ModelEvent> {
        self.ready.pop_front()
    }

    /// Takes bytes in. Returns why the answer ended, if they say that nothing follows.
    ///
    /// # Errors
    ///
    /// What ends the answer here; what came before it is still popped.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<Option<StopReason>, ProviderError> {
        match self.read(bytes) {
            Ok(()) if self.decoder.is_done() => Ok(Some(self.decoder.finish(&mut self.ready))),
            Ok(()) => Ok(None),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// The response is over, in good order or by `error`. Returns why the answer ended.
    ///
    /// # Errors
    ///
    /// `error`, or what is worse in the last bytes, if the answer is not whole.
    pub(crate) fn end(&mut self, error: ProviderError) -> Result<StopReason, ProviderError> {
        let last = match std::mem::replace(&mut self.body, Body::Unknown) {
            Body::Unknown => None,
            Body::Events(mut sse) => sse.finish(),
            Body::Value(data) => Some(SseEvent { data, is_error: false }),
        };
        let read = last.map_or(Ok(()), |it| self.decode(&it));
        match read {
            Err(error @ (ProviderError::Reported { .. } | ProviderError::TooLarge { .. })) => {
                Err(self.fail(error))
            }
            Ok(()) | Err(_) if self.decoder.is_whole() => Ok(self.decoder.finish(&mut self.ready)),
            // What the end cut in two is not garbled, it is missing.
            Err(ProviderError::Garbled { source: Some(source) }) if !source.is_eof() => {
                Err(self.fail(ProviderError::Garbled { source: Some(source) }))
            }
            Ok(()) | Err(_) => Err(self.fail(error)),
        }
    }

    fn read(&mut self, mut bytes: &[u8]) -> Result<(), ProviderError> {
        if let Body::Unknown = self.body {
            bytes = bytes.trim_ascii_start();
            match bytes {
                [] => return Ok(()),
                [b'{' | b'[', ..] => self.body = Body::Value(Vec::new()),
                [..] => self.body = Body::Events(Sse::new(self.bounds.line_bytes)),
            }
        }
        let mut events = Vec::new();
        let fed = match &mut self.body {
            Body::Unknown => Ok(()),
            Body::Value(value) if (self.bounds.line_bytes as usize) < value.len() + bytes.len() => {
                Err(TooLong)
            }
            Body::Value(value) => {
                value.extend_from_slice(bytes);
                Ok(())
            }
            Body::Events(sse) => sse.feed(bytes, &mut events),
        };
        events.iter().try_for_each(|it| self.decode(it))?;
        fed.map_err(|TooLong| ProviderError::Garbled { source: None })
    }

    fn decode(&mut self, event: &SseEvent) -> Result<(), ProviderError> {
        self.decoder.feed(event, &mut self.ready).map_err(|fault| match fault {
            Fault::Garbled(source) => ProviderError::Garbled { source: Some(source) },
            Fault::TooDense => ProviderError::Garbled { source: None },
            Fault::Reported(words) => {
                ProviderError::Reported { said: Words::new(&words, self.key.as_ref()) }
            }
            Fault::TooLarge => ProviderError::TooLarge { limit_bytes: self.bounds.answer_bytes },
        })
    }

    /// What the answer cost is owed even where it broke.
    fn fail(&mut self, error: ProviderError) -> ProviderError {
        self.ready.extend(self.decoder.take_usage());
        error
    }
}

#[cfg(test)]
mod tests;
