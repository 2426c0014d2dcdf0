//! Puts tool calls together from the pieces they come in.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::scan::Scan;
use crate::{BrokenArguments, RawCall};

/// What one more call counts for, whatever is in it. Looking through the calls of an answer must
/// stay cheap, so there can only be so many.
const CALL_BYTES: usize = 4 << 10;

/// A piece of a call as it stands in a chunk.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CallPiece {
    index: Option<i64>,
    id: Option<String>,
    function: Option<FunctionPiece>,
    extra_content: Option<Value>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    arguments: Option<Value>,
}

/// The calls of one answer, in the order in which they began.
#[derive(Default)]
pub(crate) struct Calls(Vec<Call>);

#[derive(Default)]
struct Call {
    index: Option<i64>,
    id: String,
    name: String,
    arguments: String,
    /// How far `arguments` are a whole object.
    scan: Scan,
    signature: Option<String>,
}

impl CallPiece {
    /// The signature, where Gemini puts it.
    fn signature(&self) -> Option<&str> {
        self.extra_content.as_ref()?.pointer("/google/thought_signature")?.as_str()
    }
}

impl Calls {
    /// Adds a piece to the call it belongs to; returns how many bytes it counts for.
    pub(crate) fn add(&mut self, piece: CallPiece) -> usize {
        let signature = piece.signature().map(str::to_owned);
        let CallPiece { index, id, function, extra_content: _ } = piece;
        let id = id.unwrap_or_default();
        let FunctionPiece { name, arguments } = function.unwrap_or_default();
        let name = name.unwrap_or_default();
        let arguments = match arguments {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        let signed = signature.as_ref().map_or(0, String::len);
        let mut bytes = id.len() + name.len() + arguments.len() + signed;
        let at = self.continued_by(index, &id, &name, &arguments).unwrap_or_else(|| {
            bytes += CALL_BYTES;
            self.0.push(Call { index, ..Call::default() });
            self.0.len() - 1
        });
        self.0[at].add(id, name, &arguments, signature);
        bytes
    }

    /// The finished calls. `cut` if the answer ended at the output limit.
    pub(crate) fn finish(self, cut: bool) -> Vec<RawCall> {
        let again = self.again();
        let calls = self.0.into_iter().zip(again);
        calls
            .map(|(it, again)| RawCall {
                wire_id: it.id,
                name: it.name,
                arguments: if again {
                    Err(sent_again(it.arguments))
                } else {
                    object(it.arguments, it.scan, cut)
                },
                signature: it.signature,
            })
            .collect()
    }

    /// For each call whether one before it has its id, its name and its arguments: it was sent
    /// twice, not meant twice.
    fn again(&self) -> Vec<bool> {
        let mut seen = BTreeSet::new();
        let calls = self.0.iter();
        calls
            .map(|it| {
                let arguments = if is_nothing(&it.arguments) { "{}" } else { &*it.arguments };
                !it.id.is_empty() && !seen.insert((&it.id, &it.name, arguments))
            })
            .collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The call that a piece is more of. A known id decides, unless the index contradicts it; then
    /// the index; and without either it is the last call.
    fn continued_by(
        &self,
        index: Option<i64>,
        id: &str,
        name: &str,
        arguments: &str,
    ) -> Option<usize> {
        let is_same =
            |it: &Call| it.id == id && (it.index == index || it.index.is_none() || index.is_none());
        let by_id = self.0.iter().rposition(|it| !id.is_empty() && is_same(it));
        by_id.or_else(|| {
            let at = match index {
                Some(_) => self.0.iter().rposition(|it| it.index == index)?,
                None => self.0.len().checked_sub(1)?,
            };
            let call = &self.0[at];
            let is_other = !id.is_empty() && (!call.id.is_empty() || index.is_none());
            (!is_other && !call.is_ended_by(index, name, arguments)).then_some(at)
        })
    }
}

impl Call {
    /// Whether a piece that names a function names another one, where no id tells.
    fn is_ended_by(&self, index: Option<i64>, name: &str, arguments: &str) -> bool {
        let is_named = !name.is_empty();
        match index {
            Some(_) => is_named && name != self.name && self.scan.is_whole(),
            None => {
                let is_more =
                    name == self.name && (arguments == self.arguments || !self.scan.is_whole());
                is_named && !is_more
            }
        }
    }

    fn add(&mut self, id: String, name: String, arguments: &str, signature: Option<String>) {
        if self.id.is_empty() {
            self.id = id;
        }
        // Some vendors repeat the name, some let it grow, some send it in pieces.
        if name.starts_with(&self.name) {
            self.name = name;
        } else if self.arguments.is_empty() {
            self.name.push_str(&name);
        }
        let is_repeated = self.arguments == arguments && self.scan.is_whole();
        if !is_repeated {
            self.arguments.push_str(arguments);
            self.scan.add(arguments.as_bytes());
        }
        if self.signature.is_none() {
            self.signature = signature;
        }
    }
}

/// What helps against arguments that are no object.
const SEND_WHOLE: &str = "send the whole call again, with its arguments as one JSON object";
/// What helps against a call that came twice.
const SEND_NEW: &str =
    "the first of them was taken; if you meant another one, send it with an id of its own";

/// Arguments as the JSON object they must be. None at all are an empty one, unless they may be
/// missing because the answer was cut.
fn object(text: String, scan: Scan, cut: bool) -> Result<String, BrokenArguments> {
    if is_nothing(&text) && !cut {
        return Ok("{}".to_owned());
    }
    if scan.is_too_dense() {
        let reason = "its arguments hold too many values".to_owned();
        return Err(BrokenArguments { text, reason, next: SEND_WHOLE });
    }
    match serde_json::from_str::<Map<String, Value>>(&text) {
        Ok(_) => Ok(text),
        Err(_) if cut => {
            let reason =
                "the answer reached the output limit before its arguments were whole".to_owned();
            Err(BrokenArguments { text, reason, next: SEND_WHOLE })
        }
        Err(error) => {
            let reason = format!("its arguments are no JSON object: {error}");
            Err(BrokenArguments { text, reason, next: SEND_WHOLE })
        }
    }
}

/// Whether the text is how vendors write that there are no arguments.
fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null")
}

fn sent_again(text: String) -> BrokenArguments {
    let reason = "it is the same call as one before it, id and all".to_owned();
    BrokenArguments { text, reason, next: SEND_NEW }
}

#[cfg(test)]
mod tests;
