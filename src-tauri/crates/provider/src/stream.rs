//! An answer as it comes in.

use std::{collections::VecDeque, fmt, pin::Pin, time::Duration};

use protocol::{Limits, Usage};
use reqwest::Response;
use tokio::time::{Sleep, sleep};

use crate::{
    ApiKey, CatalogEntry, ProviderError,
    failure::Words,
    openai::{Decoder, Fault},
    sse::{Sse, SseEvent, TooLong},
};

/// How long the end of a response may take once all of the answer is there. It is waited for so
/// that the connection can be used again.
const SETTLE_TIME: Duration = Duration::from_millis(250);

/// One thing a model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEvent {
    /// A piece of the visible answer.
    Text(String),
    /// A piece of its reasoning, and the field it came in.
    Reasoning { field: String, text: String },
    /// A whole tool call. Calls come in order, at the end.
    ToolCall(RawCall),
    /// What the request cost. Missing if the provider did not say.
    Usage(Usage),
    /// The answer is whole. Nothing follows.
    Done(StopReason),
}

/// A tool call as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawCall {
    /// The provider's id for it; empty if it gave none.
    pub wire_id: String,
    /// The tool's name; may be no tool's, and may be empty.
    pub name: String,
    /// A JSON object as text, as it came; or why it is none.
    pub arguments: Result<String, BrokenArguments>,
}

/// Arguments that are no JSON object. Their call must not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the arguments cannot be read: {reason}")]
pub struct BrokenArguments {
    /// What the model wrote.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The model was done.
    Stop,
    /// It waits for its tool calls.
    ToolCalls,
    /// The output limit was reached.
    Length,
    /// The provider withheld the rest.
    Filtered,
}

/// The bounds of one answer.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) idle: Duration,
    line_bytes: u32,
    answer_bytes: u32,
}

/// An answer as it comes in. Dropping it closes the connection, unless the answer is whole.
pub struct ModelStream {
    /// Missing once the stream has ended.
    response: Option<Response>,
    /// Runs since the last bytes.
    silence: Pin<Box<Sleep>>,
    body: Body,
    decoder: Decoder,
    ready: VecDeque<ModelEvent>,
    /// The answer is there; only the end of the response is not.
    stop: Option<StopReason>,
    failed: Option<ProviderError>,
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
        Self {
            idle: limits.stream_idle,
            line_bytes: limits.stream_line_bytes,
            answer_bytes: limits.answer_bytes,
        }
    }
}

impl ModelStream {
    pub(crate) fn new(
        response: Response,
        entry: &CatalogEntry,
        key: Option<ApiKey>,
        bounds: Bounds,
    ) -> Self {
        Self {
            response: Some(response),
            silence: Box::pin(sleep(bounds.idle)),
            body: Body::Unknown,
            decoder: Decoder::new(entry.cache_fields, bounds.answer_bytes),
            ready: VecDeque::new(),
            stop: None,
            failed: None,
            key,
            bounds,
        }
    }

    /// Waits for the next event; `None` after [`ModelEvent::Done`] and after an error.
    ///
    /// The future may be dropped at any time: the next call goes on from there, and what was
    /// silent so far still counts. An error comes after all that came before it (PV-6), and calls
    /// come only from a whole answer.
    ///
    /// # Errors
    ///
    /// Any [`ProviderError`] that can end an answer: broken, garbled, silent, reported, too large.
    pub async fn next(&mut self) -> Option<Result<ModelEvent, ProviderError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            let Some(response) = &mut self.response else {
                return self.failed.take().map(Err);
            };
            let came = tokio::select! {
                biased;
                came = response.chunk() => came.map_err(|source| {
                    ProviderError::Broken { source: Some(source.without_url()) }
                }),
                () = &mut self.silence => Err(ProviderError::Silent { after: self.bounds.idle }),
            };
            match (self.stop, came) {
                (None, Ok(Some(bytes))) => self.take(&bytes),
                (None, Ok(None)) => self.end(ProviderError::Broken { source: None }),
                (None, Err(error)) => self.end(error),
                // The rest of the last line, or what is no part of the answer.
                (Some(_), Ok(Some(bytes))) if bytes.trim_ascii().is_empty() => {}
                (Some(stop), Ok(_) | Err(_)) => self.close(stop),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.silence = Box::pin(sleep(self.bounds.idle));
        match self.read(bytes) {
            Ok(()) if self.decoder.is_done() => {
                self.stop = Some(self.decoder.finish(&mut self.ready));
                self.silence = Box::pin(sleep(SETTLE_TIME));
            }
            Ok(()) => {}
            Err(error) => self.fail(error),
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
        match &mut self.body {
            Body::Unknown => {}
            Body::Value(value) => {
                if (self.bounds.line_bytes as usize) < value.len() + bytes.len() {
                    return Err(ProviderError::Garbled { source: None });
                }
                value.extend_from_slice(bytes);
            }
            Body::Events(sse) => sse
                .feed(bytes, &mut events)
                .map_err(|TooLong| ProviderError::Garbled { source: None })?,
        }
        events.iter().try_for_each(|it| self.decode(it))
    }

    /// The response is over, in good order or by `error`.
    fn end(&mut self, error: ProviderError) {
        let last = match std::mem::replace(&mut self.body, Body::Unknown) {
            Body::Unknown => None,
            Body::Events(mut sse) => sse.finish(),
            Body::Value(data) => Some(SseEvent { data, is_error: false }),
        };
        let read = last.map_or(Ok(()), |it| self.decode(&it));
        match read {
            Err(error @ (ProviderError::Reported { .. } | ProviderError::TooLarge { .. })) => {
                self.fail(error);
            }
            Ok(()) | Err(_) if self.decoder.is_whole() => {
                let stop = self.decoder.finish(&mut self.ready);
                self.close(stop);
            }
            // What the end cut in two is not garbled, it is missing.
            Err(ProviderError::Garbled { source: Some(source) }) if !source.is_eof() => {
                self.fail(ProviderError::Garbled { source: Some(source) });
            }
            Ok(()) | Err(_) => self.fail(error),
        }
    }

    fn decode(&mut self, event: &SseEvent) -> Result<(), ProviderError> {
        self.decoder.feed(event, &mut self.ready).map_err(|fault| match fault {
            Fault::Garbled(source) => ProviderError::Garbled { source: Some(source) },
            Fault::Reported(words) => {
                ProviderError::Reported { said: Words::new(&words, self.key.as_ref()) }
            }
            Fault::TooLarge => ProviderError::TooLarge { limit_bytes: self.bounds.answer_bytes },
        })
    }

    fn close(&mut self, stop: StopReason) {
        self.response = None;
        self.ready.push_back(ModelEvent::Done(stop));
    }

    fn fail(&mut self, error: ProviderError) {
        self.response = None;
        self.ready.extend(self.decoder.take_usage());
        self.failed = Some(error);
    }
}

impl fmt::Debug for ModelStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelStream").field("stop", &self.stop).finish_non_exhaustive()
    }
}
