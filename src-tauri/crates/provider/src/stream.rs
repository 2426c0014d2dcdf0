//! An answer as it comes in over its connection.

use std::{fmt, pin::Pin, time::Duration};

use reqwest::Response;
use tokio::time::{Sleep, sleep};

use crate::{ModelEvent, ProviderError, StopReason, intake::Intake};

/// How long the end of a response may take once all of the answer is there. It is waited for so
/// that the connection can be used again.
const SETTLE_TIME: Duration = Duration::from_millis(250);

/// An answer as it comes in. Dropping it closes the connection, unless the answer is whole.
pub struct ModelStream {
    /// Missing once the stream has ended.
    response: Option<Response>,
    intake: Intake,
    /// Runs since the last bytes.
    silence: Pin<Box<Sleep>>,
    idle: Duration,
    /// The answer is there; only the end of the response is not.
    stop: Option<StopReason>,
    /// What the stream ended with, after all that the intake still holds.
    last: Option<Result<ModelEvent, ProviderError>>,
}

impl ModelStream {
    pub(crate) fn new(response: Response, intake: Intake, idle: Duration) -> Self {
        Self {
            response: Some(response),
            intake,
            silence: Box::pin(sleep(idle)),
            idle,
            stop: None,
            last: None,
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
            if let Some(event) = self.intake.pop() {
                return Some(Ok(event));
            }
            let Some(response) = &mut self.response else {
                return self.last.take();
            };
            let came = tokio::select! {
                biased;
                came = response.chunk() => came.map_err(|source| {
                    ProviderError::Broken { source: Some(source.without_url()) }
                }),
                () = &mut self.silence => Err(ProviderError::Silent { after: self.idle }),
            };
            match (self.stop, came) {
                (None, Ok(Some(bytes))) => self.take(&bytes),
                (None, Ok(None)) => self.end(ProviderError::Broken { source: None }),
                (None, Err(error)) => self.end(error),
                // The rest of the last line, or what is no part of the answer.
                (Some(_), Ok(Some(bytes))) if bytes.trim_ascii().is_empty() => {}
                (Some(stop), Ok(_) | Err(_)) => self.close(Ok(stop)),
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        self.silence = Box::pin(sleep(self.idle));
        match self.intake.take(bytes) {
            Ok(None) => {}
            Ok(Some(stop)) => {
                self.stop = Some(stop);
                self.silence = Box::pin(sleep(SETTLE_TIME));
            }
            Err(error) => self.close(Err(error)),
        }
    }

    fn end(&mut self, error: ProviderError) {
        let ended = self.intake.end(error);
        self.close(ended);
    }

    fn close(&mut self, ended: Result<StopReason, ProviderError>) {
        self.response = None;
        self.last = Some(ended.map(ModelEvent::Done));
    }
}

impl fmt::Debug for ModelStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelStream").field("stop", &self.stop).finish_non_exhaustive()
    }
}
