//! OpenAI-compatible chat completions, streamed: what is sent, and what comes back.

mod calls;
mod decode;
mod request;
mod scan;
mod usage;

pub(crate) use decode::{Decoder, Fault};
pub(crate) use request::body;

use serde_json::Value;

/// What an error body says, in the vendor's own words; empty if it says nothing readable.
pub(crate) fn error_words(body: &[u8]) -> String {
    let Some(body) = object(body) else {
        let text = String::from_utf8_lossy(body);
        let is_page = text.trim_start().starts_with('<');
        return if is_page { String::new() } else { text.into_owned() };
    };
    let error = body.get("error").filter(|it| !it.is_null()).unwrap_or(&body);
    let words = ["message", "detail", "msg"].into_iter().find_map(|name| error.get(name));
    let words = words.unwrap_or(error);
    let words = words.as_str().map_or_else(|| words.to_string(), str::to_owned);
    match error.pointer("/metadata/raw").and_then(Value::as_str) {
        Some(upstream) => format!("{words}: {upstream}"),
        None => words,
    }
}

/// Whether a body is an error as this API writes them, and not some other server's page.
pub(crate) fn is_error(body: &[u8]) -> bool {
    let body = object(body).unwrap_or_default();
    body.get("error").is_some_and(|it| !it.is_null()) || body["object"] == "error"
}

/// The machine-readable kind of an error body, such as `model_not_found`.
pub(crate) fn error_kind(body: &[u8]) -> Option<String> {
    let body = object(body)?;
    ["/error/code", "/error/type"]
        .into_iter()
        .find_map(|path| body.pointer(path)?.as_str())
        .map(str::to_owned)
}

/// A body as JSON; one vendor puts it into a list.
fn object(body: &[u8]) -> Option<Value> {
    let body = serde_json::from_slice::<Value>(body).ok()?;
    match body {
        Value::Array(list) => list.into_iter().next(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            Some(body)
        }
    }
}
