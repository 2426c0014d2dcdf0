//! Puts tool calls together from the pieces they come in.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::{BrokenArguments, RawCall};

/// What one more call counts for, whatever is in it.
const CALL_BYTES: usize = 256;

/// A piece of a call as it stands in a chunk.
#[derive(Deserialize)]
pub(crate) struct CallPiece {
    index: Option<i64>,
    id: Option<String>,
    function: Option<FunctionPiece>,
}

#[derive(Default, Deserialize)]
struct FunctionPiece {
    name: Option<String>,
    arguments: Option<Value>,
}

/// The calls of one answer, in the order in which they began.
#[derive(Default)]
pub(crate) struct Calls(Vec<Call>);

struct Call {
    index: Option<i64>,
    id: String,
    name: String,
    arguments: String,
}

impl Calls {
    /// Adds a piece to the call it belongs to; returns how many bytes it counts for.
    pub(crate) fn add(&mut self, piece: CallPiece) -> usize {
        let CallPiece { index, id, function } = piece;
        let id = id.unwrap_or_default();
        let FunctionPiece { name, arguments } = function.unwrap_or_default();
        let name = name.unwrap_or_default();
        let arguments = match arguments {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text,
            Some(other) => other.to_string(),
        };
        let bytes = id.len() + name.len() + arguments.len();
        match self.continued_by(index, &id, &name, &arguments) {
            Some(at) => {
                self.0[at].add(id, name, &arguments);
                bytes
            }
            None => {
                self.0.push(Call { index, id, name, arguments });
                bytes + CALL_BYTES
            }
        }
    }

    /// The finished calls. `cut` if the answer ended at the output limit.
    pub(crate) fn finish(self, cut: bool) -> Vec<RawCall> {
        let calls = self.0.into_iter();
        calls
            .map(|it| RawCall {
                wire_id: it.id,
                name: it.name,
                arguments: object(it.arguments, cut),
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
            Some(_) => is_named && name != self.name && self.is_whole(),
            None => {
                let is_more =
                    name == self.name && (arguments == self.arguments || !self.is_whole());
                is_named && !is_more
            }
        }
    }

    fn add(&mut self, id: String, name: String, arguments: &str) {
        if self.id.is_empty() {
            self.id = id;
        }
        // Some vendors repeat the name, some let it grow, some send it in pieces.
        if name.starts_with(&self.name) {
            self.name = name;
        } else if self.arguments.is_empty() {
            self.name.push_str(&name);
        }
        let is_repeated = self.arguments == arguments && self.is_whole();
        if !is_repeated {
            self.arguments.push_str(arguments);
        }
    }

    fn is_whole(&self) -> bool {
        let text = self.arguments.trim();
        text.starts_with('{')
            && text.ends_with('}')
            && serde_json::from_str::<IgnoredAny>(text).is_ok()
    }
}

/// Arguments as the JSON object they must be. None at all are an empty one, unless they may be
/// missing because the answer was cut.
fn object(text: String, cut: bool) -> Result<String, BrokenArguments> {
    let is_nothing = matches!(text.trim(), "" | "null");
    if is_nothing && !cut {
        return Ok("{}".to_owned());
    }
    match serde_json::from_str::<Map<String, Value>>(&text) {
        Ok(_) => Ok(text),
        Err(_) if cut => {
            let reason = "the answer reached the output limit before they were whole".to_owned();
            Err(BrokenArguments { text, reason })
        }
        Err(error) => Err(BrokenArguments { text, reason: format!("no JSON object: {error}") }),
    }
}
