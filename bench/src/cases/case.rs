//! A case as its file says it: what a scripted model asks for, what the world does meanwhile, and
//! what must be true afterwards. A word that is not known here is an error, never passed over.

use std::{collections::BTreeMap, fs, path::Path};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde::{Deserialize, Deserializer, de::DeserializeOwned, de::Error as _, de::IgnoredAny};
use serde_json::Value;

use super::expect::Expect;
use crate::{Result, app::How};

/// The format that is read here.
const SCHEMA: u32 = 1;

/// One case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    schema: u32,
    pub(super) id: String,
    pub(super) title: String,
    #[serde(default)]
    pub(super) requires: Vec<String>,
    pub(super) workspace: Layout,
    #[serde(default)]
    pub(super) settings: Settings,
    pub(super) steps: Vec<Step>,
    pub(super) expect: Expect,
    #[serde(default, rename = "log")]
    _log: IgnoredAny,
    #[serde(default, rename = "kind")]
    _kind: IgnoredAny,
    #[serde(default, rename = "tag")]
    _tag: IgnoredAny,
    /// A help for other runners; this one is told nothing of encodings.
    #[serde(default, rename = "encoding")]
    _encoding: IgnoredAny,
}

/// What stands in the workspace, and next to it, before the first turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Layout {
    pub(super) files: BTreeMap<String, Entry>,
    pub(super) symlinks: BTreeMap<String, String>,
    pub(super) dirs: Vec<String>,
    pub(super) outside: BTreeMap<String, Entry>,
    pub(super) git: Git,
    pub(super) dirty: BTreeMap<String, Entry>,
}

/// Whether the workspace is a Git repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Git {
    #[default]
    None,
    Init,
    Commit,
}

/// A file: what is put there, or what must be there.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Entry {
    text: Option<String>,
    b64: Option<String>,
    lines: Option<Lines>,
    /// Permission bits in octal.
    pub(super) mode: Option<String>,
    /// Nothing may be there.
    pub(super) absent: bool,
    /// It must be as it was at the start.
    pub(super) same: bool,
    /// It must be a link that says this.
    pub(super) symlink: Option<String>,
}

/// Many lines of one form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    n: u32,
    template: String,
}

impl Entry {
    /// Returns the contents, where the entry says any.
    pub(super) fn bytes(&self) -> Result<Option<Vec<u8>>> {
        contents(self.text.as_deref(), self.b64.as_deref(), self.lines.as_ref())
    }
}

/// Returns contents that are given in one of three ways.
fn contents(
    text: Option<&str>,
    b64: Option<&str>,
    lines: Option<&Lines>,
) -> Result<Option<Vec<u8>>> {
    Ok(match (text, b64, lines) {
        (Some(text), None, None) => Some(text.as_bytes().to_vec()),
        (None, Some(b64), None) => Some(BASE64_STANDARD.decode(b64)?),
        (None, None, Some(lines)) => {
            let line = |it: u32| lines.template.replace("{i}", &it.to_string()) + "\n";
            Some((1..=lines.n).map(line).collect::<String>().into_bytes())
        }
        (None, None, None) => None,
        _ => return Err("contents are one of text, b64 and lines".into()),
    })
}

/// How the session is set up.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    pub(super) approval: Approval,
    pub(super) allow: Vec<String>,
    /// Answers to questions, by step; no where there is none.
    pub(super) answers: BTreeMap<String, Answer>,
    pub(super) mcp: BTreeMap<String, Value>,
}

/// Whether writes and commands are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Approval {
    #[default]
    Auto,
    Ask,
}

/// A person's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Allow,
    AllowSession,
    Deny,
}

/// One step, of the model or of the world.
#[derive(Debug, Deserialize)]
#[serde(try_from = "WrittenStep")]
pub(super) struct Step {
    pub(super) id: String,
    /// The turn and the round of a model's step.
    pub(super) place: Option<(u32, u32)>,
    pub(super) act: Act,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStep {
    id: String,
    turn: Option<u32>,
    round: Option<u32>,
    tool: String,
    args: Value,
}

impl TryFrom<WrittenStep> for Step {
    type Error = String;

    fn try_from(step: WrittenStep) -> std::result::Result<Self, String> {
        let WrittenStep { id, turn, round, tool, args } = step;
        let act: Act = serde_json::from_value(Value::Object([(tool, args)].into_iter().collect()))
            .map_err(|error| format!("step {id}: {error}"))?;
        let place = turn.zip(round);
        if act.is_the_models() != place.is_some() || turn.is_some() != round.is_some() {
            return Err(format!("step {id}: a model's step, and no other, has a turn and a round"));
        }
        Ok(Self { id, place, act })
    }
}

/// What a step does.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Act {
    Read { path: String, offset: Option<u32>, limit: Option<u32> },
    Edit { path: String, old: String, new: String, all: Option<bool> },
    Write { path: String, text: Option<String>, b64: Option<String> },
    Shell { command: String, timeout_s: Option<u32> },
    Mcp(IgnoredAny),
    Final { text: String },
    ProviderRaw(Raw),
    ExternalChange(Change),
    User { text: String },
    Interrupt { during: String },
    Restart { how: How },
    CorruptSession { how: Harm },
    Undo(IgnoredAny),
    Redo(IgnoredAny),
    Compact(IgnoredAny),
    ReloadWindow(IgnoredAny),
}

impl Act {
    fn is_the_models(&self) -> bool {
        match self {
            Self::Read { .. }
            | Self::Edit { .. }
            | Self::Write { .. }
            | Self::Shell { .. }
            | Self::Mcp(_)
            | Self::Final { .. }
            | Self::ProviderRaw(_) => true,
            Self::ExternalChange(_)
            | Self::User { .. }
            | Self::Interrupt { .. }
            | Self::Restart { .. }
            | Self::CorruptSession { .. }
            | Self::Undo(_)
            | Self::Redo(_)
            | Self::Compact(_)
            | Self::ReloadWindow(_) => false,
        }
    }

    /// Returns the text of a write that is given in one of two ways.
    pub(super) fn written(text: Option<&str>, b64: Option<&str>) -> Result<String> {
        let bytes = contents(text, b64, None)?.ok_or("a write has text or b64")?;
        Ok(String::from_utf8(bytes)?)
    }
}

/// What befalls the file of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Harm {
    CutLast,
    NulMiddle,
    NulTail,
}

/// A reply as the bytes that come over the wire.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Raw {
    pub(super) status: Option<u16>,
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    pub(super) sse: Option<String>,
    /// The name of a recorded stream.
    pub(super) stream: Option<String>,
    #[serde(default)]
    pub(super) chunks: Pieces,
    /// For so many requests in all.
    pub(super) times: Option<u32>,
}

/// How the bytes of a reply are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Pieces {
    #[default]
    Whole,
    Byte,
    Random,
    Slow,
}

/// What somebody else does to the workspace.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Change {
    pub(super) path: Option<String>,
    text: Option<String>,
    b64: Option<String>,
    pub(super) delete: bool,
    pub(super) chmod: Option<String>,
    pub(super) touch: bool,
    pub(super) rename_to: Option<String>,
    pub(super) append: Option<String>,
    pub(super) swap: Option<[String; 2]>,
    pub(super) run: Option<String>,
}

impl Change {
    /// Returns the new contents, where the change is one of them.
    pub(super) fn bytes(&self) -> Result<Option<Vec<u8>>> {
        contents(self.text.as_deref(), self.b64.as_deref(), None)
    }
}

/// Reads the case of a folder.
pub(super) fn read(folder: &Path) -> Result<Case> {
    let path = folder.join("case.json");
    let case = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let case: Case =
        serde_json::from_slice(&case).map_err(|error| format!("case.json: {error}"))?;
    if case.schema != SCHEMA {
        return Err(format!("case.json: its schema is {}, not {SCHEMA}", case.schema).into());
    }
    case.expect.names_only(&case.steps)?;
    Ok(case)
}

/// Reads a list, or the one item that stands for it.
pub(super) fn one_or_more<'de, D, T>(from: D) -> std::result::Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let mut written = Value::deserialize(from)?;
    let items = match written.as_array_mut() {
        Some(items) => std::mem::take(items),
        None => vec![written],
    };
    items.into_iter().map(|it| serde_json::from_value(it).map_err(D::Error::custom)).collect()
}
