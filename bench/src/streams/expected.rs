//! What a stream has to come out as, read from the file beside it.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use crate::Result;

/// First words of names, and the catalogue entries whose rules they are decoded by.
const PROVIDERS: &[(&str, &str)] = &[
    ("deepseek", "deepseek"),
    ("gemini", "gemini"),
    ("glm", "zhipu"),
    ("groq", "groq"),
    ("kimi", "moonshot"),
    ("lmstudio", "lmstudio"),
    ("longcat", "longcat"),
    ("mistral", "mistral"),
    ("ollama", "ollama"),
    ("openai", "openai"),
    ("openrouter", "openrouter"),
    ("qwen", "qwen"),
    ("together", "together"),
];

/// A stream in the folder.
pub(super) struct Case {
    pub(super) name: String,
    /// Or why it is not played.
    pub(super) expected: std::result::Result<Expected, String>,
}

/// A stream and what is in it.
pub(super) struct Expected {
    pub(super) body: Vec<u8>,
    pub(super) provider: &'static str,
    /// What the file says.
    pub(super) answer: Value,
}

/// Reads all streams of a folder, in the order of their names.
pub(super) fn read_all(folder: &Path) -> Result<Vec<Case>> {
    let mut bodies = BTreeMap::new();
    let unreadable = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry?.path();
        let is_stream = path.extension().is_some_and(|it| it == "sse" || it == "ndjson");
        if let Some(name) = path.file_stem().filter(|_| is_stream) {
            bodies.insert(name.to_string_lossy().into_owned(), path);
        }
    }
    if bodies.is_empty() {
        return Err(format!("{} holds no streams", folder.display()).into());
    }
    bodies
        .into_iter()
        .map(|(name, body)| {
            let expected = read(&name, folder, &body)?;
            Ok(Case { name, expected })
        })
        .collect()
}

fn read(name: &str, folder: &Path, body: &Path) -> Result<std::result::Result<Expected, String>> {
    let beside = folder.join(format!("{name}.expect.json"));
    if !beside.is_file() {
        return Ok(Err("no .expect.json stands beside it".to_owned()));
    }
    let answer: Value = serde_json::from_slice(&fs::read(&beside)?)
        .map_err(|error| format!("{}: {error}", beside.display()))?;
    let protocol = answer["protocol"].as_str().unwrap_or_default();
    if protocol != "openai-chat" {
        return Ok(Err(format!("{protocol} is another protocol than openai-chat")));
    }
    Ok(Ok(Expected { body: fs::read(body)?, provider: provider(name), answer }))
}

/// Returns the entry that a stream is decoded by. A name may begin with `v-`, for a variant.
fn provider(name: &str) -> &'static str {
    let first = name.trim_start_matches("v-").split('-').next().unwrap_or_default();
    let via = name.split_once("-via-").map_or(first, |(_, it)| it);
    let known = PROVIDERS.iter().find(|(word, _)| via.starts_with(word));
    known.map_or("custom", |(_, entry)| entry)
}

#[test]
fn a_stream_is_decoded_by_the_rules_of_the_vendor_that_its_name_begins_with() {
    for (name, expected) in [
        ("deepseek-text", "deepseek"),
        ("v-glm-4.7-midstream-error", "zhipu"),
        ("glm-via-mistral-tool", "mistral"),
        ("openrouter-cache", "openrouter"),
        ("azure-router", "custom"),
        ("own", "custom"),
    ] {
        assert_eq!(provider(name), expected, "{name}");
    }
}
