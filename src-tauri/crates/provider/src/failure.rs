//! What can go wrong with a request, and what the user is told (08, table 8.2: one attempt, a
//! visible error).

use std::{error::Error, fmt, io, time::Duration};

use protocol::{NextAction, TurnFailure, TurnFailureCode};
use reqwest::{StatusCode, Url, header::HeaderMap};

use crate::{ApiKey, address, openai};

/// Most bytes of a vendor's own words.
const WORDS_BYTES: usize = 2 << 10;
/// Kinds of error by which OpenAI, Moonshot and Zhipu say so, most with the status of a rate limit.
const OUT_OF_CREDIT: &[&str] = &["insufficient_quota", "exceeded_current_quota_error", "1113"];
/// Kinds of error by which OpenAI and Zhipu say so.
const UNKNOWN_MODEL: &[&str] = &["model_not_found", "1211"];

/// Why there is no answer, or no whole one. Each reads as one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The base URL cannot be used.
    #[error("Correct the base URL, {reason}")]
    InvalidUrl { reason: &'static str },
    /// The key cannot stand in a header.
    #[error("Check the API key, it holds characters that cannot be sent")]
    UnsendableKey,
    /// Encryption cannot be set up on this machine.
    #[error(
        "Encrypted connections cannot be set up on this machine, which is worth a report: {why}"
    )]
    NoEncryption { why: String, source: reqwest::Error },
    /// No connection came about.
    #[error("Check the base URL and the network, {host} cannot be reached: {why}")]
    Unreachable { host: String, why: String, source: reqwest::Error },
    /// No connection to a server on this machine came about.
    #[error("Start the model server or correct the base URL, nothing answers at {host}: {why}")]
    NotRunning { host: String, why: String, source: reqwest::Error },
    /// Something answers there that is no chat completions API.
    #[error(
        "Correct the base URL, there is no chat completions API at {address} (status {status})"
    )]
    NoSuchApi { address: String, status: u16 },
    /// The key was not accepted.
    #[error("Check the API key, the provider did not accept it{said}")]
    WrongKey { said: Words },
    /// A key is wanted, and none was sent.
    #[error("Set an API key, the provider wants one{said}")]
    NoKey { said: Words },
    /// The account is out of credit.
    #[error("Add credit to your account at the provider, it is used up{said}")]
    PaymentRequired { said: Words },
    /// There is no such model.
    #[error("Choose another model, the provider does not have {model}{said}")]
    ModelNotFound { model: String, said: Words },
    /// The request was refused for what it holds.
    #[error(
        "Try another model or a shorter session, the provider refused the request (status {status}){said}"
    )]
    Refused { status: u16, said: Words },
    /// Too many requests.
    #[error("Wait{} and try again, the provider limits how much may be asked{said}", for_seconds(*.retry_after_ms))]
    RateLimited { retry_after_ms: Option<u32>, said: Words },
    /// The vendor has a fault of its own.
    #[error("Wait{} and try again, the provider has trouble of its own (status {status}){said}", for_seconds(*.retry_after_ms))]
    Down { status: u16, retry_after_ms: Option<u32>, said: Words },
    /// The connection ended before the answer was whole.
    #[error("Try again, the connection ended before the answer was whole")]
    Broken { source: Option<reqwest::Error> },
    /// The answer holds what is no answer.
    #[error("Try again, the provider sent something that cannot be read as an answer")]
    Garbled { source: Option<serde_json::Error> },
    /// Nothing came for too long.
    #[error("Try again, the provider was silent for {} seconds", .after.as_secs())]
    Silent { after: Duration },
    /// The vendor reported an error in the midst of the answer.
    #[error("Try again, the provider broke off with an error{said}")]
    Reported { said: Words },
    /// The answer is over the limit.
    #[error("Ask for less at once, the answer is over {limit_bytes} bytes")]
    TooLarge { limit_bytes: u32 },
}

/// A vendor's own words: on one line, without the key, cut at 2 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(String);

impl ProviderError {
    /// The same, for the user.
    pub fn failure(&self) -> TurnFailure {
        use {NextAction as Do, TurnFailureCode as Code};
        let (code, action) = match self {
            Self::InvalidUrl { .. }
            | Self::Unreachable { .. }
            | Self::NotRunning { .. }
            | Self::NoSuchApi { .. } => (Code::Unreachable, Do::CheckUrl),
            Self::UnsendableKey | Self::WrongKey { .. } | Self::NoKey { .. } => {
                (Code::WrongKey, Do::CheckKey)
            }
            Self::NoEncryption { .. } => (Code::HostError, Do::Report),
            Self::PaymentRequired { .. } => (Code::PaymentRequired, Do::AddCredit),
            Self::ModelNotFound { .. } => (Code::ModelNotFound, Do::CheckModel),
            Self::Refused { .. } => (Code::RequestRefused, Do::CheckModel),
            Self::RateLimited { .. } => (Code::RateLimited, Do::WaitAndRetry),
            Self::Down { .. } => (Code::ProviderDown, Do::WaitAndRetry),
            Self::Broken { .. } | Self::Garbled { .. } => (Code::StreamBroken, Do::Retry),
            Self::Silent { .. } => (Code::StreamSilent, Do::Retry),
            Self::Reported { .. } => (Code::StreamError, Do::Retry),
            Self::TooLarge { .. } => (Code::AnswerTooLarge, Do::Retry),
        };
        let mut wait = None;
        if let Self::RateLimited { retry_after_ms, .. } | Self::Down { retry_after_ms, .. } = self {
            wait = *retry_after_ms;
        }
        let (message, detail) = (self.to_string(), self.detail());
        TurnFailure { code, message, detail, action, retry_after_ms: wait }
    }

    /// What of it is in nobody's language, or in that of the one who said it.
    fn detail(&self) -> Option<String> {
        let (fact, said) = match self {
            Self::InvalidUrl { .. }
            | Self::UnsendableKey
            | Self::Broken { .. }
            | Self::Garbled { .. }
            | Self::Silent { .. }
            | Self::TooLarge { .. } => return None,
            Self::NoEncryption { why, .. } => (None, why),
            Self::Unreachable { host, why, .. } | Self::NotRunning { host, why, .. } => {
                (Some(host.clone()), why)
            }
            Self::NoSuchApi { address, status } => {
                return Some(format!("{address} ({status})"));
            }
            Self::ModelNotFound { model, said } => (Some(model.clone()), &said.0),
            Self::Refused { status, said } | Self::Down { status, said, .. } => {
                (Some(status.to_string()), &said.0)
            }
            Self::WrongKey { said }
            | Self::NoKey { said }
            | Self::PaymentRequired { said }
            | Self::RateLimited { said, .. }
            | Self::Reported { said } => (None, &said.0),
        };
        match (fact, said.as_str()) {
            (fact, "") => fact,
            (None, said) => Some(said.to_owned()),
            (Some(fact), said) => Some(format!("{fact}: {said}")),
        }
    }

    /// A request that brought no response.
    pub(crate) fn unsent(error: reqwest::Error, url: &Url) -> Self {
        let source = error.without_url();
        if !source.is_connect() {
            return Self::Broken { source: Some(source) };
        }
        let (host, why) = (address::shown(url), root_cause(&source));
        if address::is_loopback(url) && !is_answered(&source) {
            Self::NotRunning { host, why, source }
        } else {
            Self::Unreachable { host, why, source }
        }
    }

    /// A response that is no answer.
    pub(crate) fn status(refusal: &Refusal<'_>) -> Self {
        let Refusal { status, headers, body, url, model, key } = *refusal;
        let said = Words::new(&openai::error_words(body), key);
        let kind = openai::error_kind(body).unwrap_or_default();
        let retry_after_ms = retry_after_ms(headers);
        match status.as_u16() {
            _ if OUT_OF_CREDIT.contains(&&*kind) => Self::PaymentRequired { said },
            401 | 403 if key.is_none() => Self::NoKey { said },
            401 | 403 => Self::WrongKey { said },
            402 => Self::PaymentRequired { said },
            404 if openai::is_error(body) => Self::ModelNotFound { model: model.to_owned(), said },
            _ if UNKNOWN_MODEL.contains(&&*kind) => {
                Self::ModelNotFound { model: model.to_owned(), said }
            }
            status @ (300..=399 | 404 | 405 | 407) => {
                Self::NoSuchApi { address: address::shown_whole(url), status }
            }
            429 => Self::RateLimited { retry_after_ms, said },
            status @ 500.. => Self::Down { status, retry_after_ms, said },
            status => Self::Refused { status, said },
        }
    }
}

/// A response that is no answer, with what its explanation needs.
#[derive(Clone, Copy)]
pub(crate) struct Refusal<'a> {
    pub(crate) status: StatusCode,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    pub(crate) url: &'a Url,
    pub(crate) model: &'a str,
    pub(crate) key: Option<&'a ApiKey>,
}

impl Words {
    pub(crate) fn new(text: &str, key: Option<&ApiKey>) -> Self {
        let text = match key {
            Some(key) => text.replace(key.secret(), "[key]"),
            None => text.to_owned(),
        };
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if WORDS_BYTES < text.len() {
            text.truncate(text.floor_char_boundary(WORDS_BYTES - '…'.len_utf8()));
            text.push('…');
        }
        Self(text)
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, ": {}", self.0) }
    }
}

/// Whether a server answered that could not be agreed with, as one whose certificate is not trusted.
fn is_answered(error: &(dyn Error + 'static)) -> bool {
    match error.downcast_ref::<io::Error>() {
        Some(it) if it.kind() == io::ErrorKind::InvalidData => true,
        // What it wraps is no source of it.
        Some(it) => it.get_ref().is_some_and(|it| is_answered(it)),
        None => error.source().is_some_and(is_answered),
    }
}

/// What lies at the bottom of an error, in the system's words.
pub(crate) fn root_cause(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(below) = cause.source() {
        cause = below;
    }
    cause.to_string()
}

fn for_seconds(ms: Option<u32>) -> String {
    ms.map(|it| format!(" {} seconds", it.div_ceil(1_000))).unwrap_or_default()
}

/// What the vendor asked to wait, in milliseconds or in seconds. A date is not read: nothing here
/// knows the time.
fn retry_after_ms(headers: &HeaderMap) -> Option<u32> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let ms = number("retry-after-ms").or_else(|| Some(number("retry-after")? * 1_000.0))?;
    (ms.is_finite() && 0.0 <= ms).then_some(ms as u32)
}

#[cfg(test)]
mod tests;
