//! What a stream has to come out as, read from the file beside it, and how an answer differs.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use super::heard::{Call, Heard};
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
    answer: Value,
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

impl Expected {
    /// Returns in what the answer is another one.
    pub(super) fn differences(&self, heard: &Heard) -> Vec<String> {
        let mut found = Vec::new();
        for (name, got) in [("text", &heard.text), ("reasoning", &heard.reasoning)] {
            let expected = self.answer[name].as_str().unwrap_or_default();
            let (start, bytes) = got;
            if !expected.starts_with(start.as_str()) || expected.len() as u64 != *bytes {
                found.push(format!("{name} is {start:?} of {bytes} bytes, not {expected:?}"));
            }
        }
        self.compare_calls(&heard.calls, &mut found);
        self.compare_usage(&heard.usage, &mut found);
        self.compare_end(heard, &mut found);
        found
    }

    fn compare_calls(&self, heard: &[Call], found: &mut Vec<String>) {
        let none = Vec::new();
        // An answer that broke calls for nothing, whatever stood in it.
        let expected = if self.breaks() { None } else { self.answer["tool_calls"].as_array() };
        let expected = expected.unwrap_or(&none);
        if expected.len() != heard.len() {
            found.push(format!("it calls {} tools, not {}", heard.len(), expected.len()));
        }
        for (at, (expected, heard)) in expected.iter().zip(heard).enumerate() {
            let runs = expected["must_execute"] != false && expected["arguments_error"].is_null();
            let raw = expected["arguments_raw"].as_str().unwrap_or_default();
            let arguments = if runs && !raw.trim().is_empty() { raw } else { "{}" };
            let id = expected["id"].as_str().filter(|it| !it.is_empty() && runs);
            if expected["name"] != *heard.name || arguments != heard.arguments {
                let (name, got) = (&heard.name, &heard.arguments);
                found.push(format!("call {at} is {name}({got}), not {expected}"));
            }
            if id.is_some_and(|it| it != heard.id) {
                found.push(format!("call {at} has the id {:?}, not {id:?}", heard.id));
            }
            let signature = expected["signature"].as_str();
            if signature != heard.signature.as_deref() {
                let got = &heard.signature;
                found.push(format!("call {at} is signed with {got:?}, not {signature:?}"));
            }
            let [answer] = &heard.answers[..] else {
                found.push(format!("call {at} is answered {} times", heard.answers.len()));
                continue;
            };
            if answer.contains("nothing was run") == runs {
                found.push(format!("call {at} is answered with {answer:?}"));
            }
        }
    }

    fn compare_usage(&self, heard: &Value, found: &mut Vec<String>) {
        let usage = &self.answer["usage"];
        let [input, output, reasoning, hit, miss] = [
            "input_tokens",
            "output_tokens",
            "reasoning_tokens",
            "cached_input_tokens",
            "cache_miss_input_tokens",
        ]
        .map(|name| usage[name].as_u64());
        let miss = miss.or_else(|| input?.checked_sub(hit?));
        let expected = [
            ("inputTokens", input),
            ("outputTokens", output),
            ("reasoningTokens", reasoning),
            ("cacheHitTokens", hit),
            ("cacheMissTokens", miss),
        ];
        for (name, expected) in expected {
            let got = heard[name].as_u64();
            if got != expected {
                found.push(format!("{name} is {got:?}, not {expected:?}"));
            }
        }
    }

    fn compare_end(&self, heard: &Heard, found: &mut Vec<String>) {
        let error = &self.answer["errors"][0];
        let finish = self.answer["finish_reason"].as_str();
        let code = heard.failure["code"].as_str();
        let expected = match finish {
            _ if !error.is_null() => Some("stream_error"),
            None => Some("stream_broken"),
            Some(_) => None,
        };
        if code != expected {
            found.push(format!("it fails with {code:?}, not {expected:?}"));
        }
        let message = heard.failure["message"].as_str().unwrap_or_default();
        let words = error["message"].as_str().unwrap_or_default();
        if !message.contains(words) {
            found.push(format!("the failure says {message:?}, not {words:?}"));
        }
        for (notice, reason) in [("answer_cut", "length"), ("answer_filtered", "content_filter")] {
            let is_told = heard.notices.iter().any(|it| it == notice);
            if is_told != (finish == Some(reason) && !self.breaks()) {
                found.push(format!("the notice {notice} is {is_told} at {finish:?}"));
            }
        }
    }

    fn breaks(&self) -> bool {
        !self.answer["errors"][0].is_null() || self.answer["finish_reason"].is_null()
    }
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
