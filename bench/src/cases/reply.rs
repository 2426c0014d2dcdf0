//! What the scripted provider says: a round of a case in the tools of the program.

use std::{env, fs, path::PathBuf};

use serde_json::{Value, json};
use testkit::script::{Answer, Call, Chunks, Part, Raw, Reply};

use super::{
    case::{self, Act, Pieces, Step},
    plan::Round,
};
use crate::Result;

/// The variable that names the folder of recorded streams.
pub(super) const STREAMS: &str = "EVIDENT_STREAMS";

/// Words of a written stream, and the tools that they stand for.
const TOOLS: &[(&str, &str)] = &[
    ("READ_TOOL", "read_file"),
    ("WRITE_TOOL", "write_file"),
    ("EDIT_TOOL", "edit_file"),
    ("SHELL_TOOL", "bash"),
];

/// Any seed will do; with one and the same a stream breaks in the same places each time.
const SEED: u64 = 7;

/// What is said where a turn has no last answer.
const CLOSING: &str = "Done.";

/// Returns the reply of a round.
pub(super) fn reply(round: &Round<'_>) -> Result<Reply> {
    if let [Step { act: Act::ProviderRaw(raw), .. }] = round.steps[..] {
        return Ok(Reply::Raw(written(raw)?));
    }
    let mut parts = Vec::new();
    for step in &round.steps {
        parts.push(part(step).map_err(|why| format!("step {}: {why}", step.id))?);
    }
    if parts.is_empty() {
        parts.push(Part::Text(CLOSING.to_owned()));
    }
    Ok(Reply::Answer(Answer { parts, ..Answer::default() }))
}

fn part(step: &Step) -> Result<Part> {
    let (name, arguments) = match &step.act {
        Act::Final { text } => return Ok(Part::Text(text.clone())),
        Act::Read { path, offset, limit } => {
            // A case counts lines from 1; the tool is told how many to skip.
            let skip = offset.map(|it| it.saturating_sub(1));
            ("read_file", json!({ "path": path, "offset": skip, "limit": limit }))
        }
        Act::Edit { path, old, new, all } => (
            "edit_file",
            json!({ "path": path, "old_string": old, "new_string": new, "replace_all": all }),
        ),
        Act::Write { path, text, b64 } => {
            let content = Act::written(text.as_deref(), b64.as_deref())?;
            ("write_file", json!({ "path": path, "content": content }))
        }
        Act::Shell { command, timeout_s } => {
            ("bash", json!({ "command": command, "seconds": timeout_s }))
        }
        Act::Mcp(_)
        | Act::ProviderRaw(_)
        | Act::ExternalChange(_)
        | Act::User { .. }
        | Act::Interrupt { .. }
        | Act::Restart { .. }
        | Act::CorruptSession { .. }
        | Act::Undo(_)
        | Act::Redo(_)
        | Act::Compact(_)
        | Act::ReloadWindow(_) => return Err("no reply of a model says this".into()),
    };
    let Value::Object(mut arguments) = arguments else { unreachable!("they are named") };
    arguments.retain(|_, it| !it.is_null());
    Ok(Part::Call(Call {
        id: Some(step.id.clone()),
        name: name.to_owned(),
        arguments: arguments.into(),
    }))
}

fn written(raw: &case::Raw) -> Result<Raw> {
    let body = match (&raw.sse, &raw.stream) {
        (Some(text), None) => {
            let name = |text: String, (word, tool): &(&str, &str)| text.replace(word, tool);
            TOOLS.iter().fold(text.clone(), name).into_bytes()
        }
        (None, Some(name)) => recorded(name)?,
        (None, None) => Vec::new(),
        (Some(_), Some(_)) => return Err("a reply has sse or stream".into()),
    };
    let chunks = match raw.chunks {
        Pieces::Whole => Chunks::Whole,
        Pieces::Byte => Chunks::Byte,
        Pieces::Random => Chunks::Random { seed: SEED },
        Pieces::Slow => Chunks::Slow,
    };
    let (status, headers) = (raw.status.unwrap_or(200), raw.headers.clone());
    Ok(Raw { status, headers, body, chunks, ..Raw::default() })
}

fn recorded(name: &str) -> Result<Vec<u8>> {
    let folder = env::var_os(STREAMS).ok_or_else(|| format!("{STREAMS} names no folder"))?;
    let folder = PathBuf::from(folder);
    let named = [folder.join(name), folder.join(format!("{name}.sse"))];
    let path = named.iter().find(|it| it.is_file());
    let path = path.ok_or_else(|| format!("there is no stream {name} in {}", folder.display()))?;
    Ok(fs::read(path)?)
}
