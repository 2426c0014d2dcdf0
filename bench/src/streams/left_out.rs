//! What a file beside a stream says and nothing is compared with, and why.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{expected::Expected, heard::Heard};

const COMPARED: &[&str] = &[
    "done_marker",
    "errors.message",
    "finish_reason",
    "protocol",
    "reasoning",
    "reasoning_field",
    "sse.bytes",
    "text",
    "tool_calls.arguments",
    "tool_calls.arguments_error",
    "tool_calls.arguments_raw",
    "tool_calls.id",
    "tool_calls.must_execute",
    "tool_calls.name",
    "tool_calls.signature",
    "usage.cache_miss_input_tokens",
    "usage.cached_input_tokens",
    "usage.input_tokens",
    "usage.output_tokens",
    "usage.reasoning_tokens",
    "usage.total_tokens",
];

const OF_THE_RECORDING: &str = "it is about the recording, whose size is compared";
const OWN_CODE: &str = "a failure has a code of ours, and the vendor's words, which are compared";
const MARKED_TWICE: &str = "beside a finish reason it changes nothing";
const CALLS_DECIDE: &str = "a turn goes on if there are calls, whatever the vendor's word is";
const NO_REASONING_BACK: &str = "this provider gets no reasoning back";
const NOTHING_BACK: &str = "an answer without text and calls does not go back, nor its reasoning";
const FIRST_ERROR: &str = "the first one ends the answer";
const UNKNOWN: &str = "no such word is known here";

const LEFT_OUT: &[(&str, &str)] = &[
    ("base_text_len", OF_THE_RECORDING),
    ("chunks", "into how many pieces an answer was cut is not kept"),
    ("derived_from", OF_THE_RECORDING),
    ("errors.code", OWN_CODE),
    ("errors.type", OWN_CODE),
    ("finish_reasons_seen", "the last one counts, and is compared"),
    ("model", "a session knows the model that it asks for, not the name that answers"),
    ("sse.comments", OF_THE_RECORDING),
    ("sse.sha256", OF_THE_RECORDING),
    ("sse.unterminated_tail", OF_THE_RECORDING),
    ("tag", OF_THE_RECORDING),
    ("tool_calls.index", "calls are kept in the order in which they began, which is compared"),
    ("usage.cache_write_tokens", "usage tells what a cache held and what it did not, no more"),
    ("usage.cached_from", "the catalogue says which field counts; the count is compared"),
    ("usage.raw", "its counts are compared one by one"),
    ("variant", OF_THE_RECORDING),
    ("why", OF_THE_RECORDING),
];

impl Expected {
    /// Returns the words of the file that were compared with nothing, each with the reason.
    pub(super) fn left_out(&self, heard: &Heard) -> BTreeMap<String, &'static str> {
        let mut found = BTreeMap::new();
        collect("", &self.answer, &mut found);
        let mut leave_out = |word: &str, is_left: bool, why| {
            if is_left && !self.answer[word].is_null() {
                found.insert(word.to_owned(), why);
            }
        };
        let finish = &self.answer["finish_reason"];
        let is_at_odds = if self.calls().is_empty() { "tool_calls" } else { "stop" };
        leave_out("finish_reason", finish == is_at_odds, CALLS_DECIDE);
        leave_out("done_marker", !finish.is_null(), MARKED_TWICE);
        let text = self.answer["text"].as_str().unwrap_or_default();
        let is_empty = text.is_empty() && self.calls().is_empty();
        let why = if is_empty { NOTHING_BACK } else { NO_REASONING_BACK };
        leave_out("reasoning_field", heard.sent_back.is_empty(), why);
        leave_out("errors", !self.answer["errors"][1].is_null(), FIRST_ERROR);
        found
    }
}

/// Finds the words below a value that are not compared. What is null says nothing.
fn collect(word: &str, value: &Value, found: &mut BTreeMap<String, &'static str>) {
    if COMPARED.contains(&word) {
        return;
    }
    if let Some((_, why)) = LEFT_OUT.iter().find(|(it, _)| *it == word) {
        if !value.is_null() {
            found.insert(word.to_owned(), why);
        }
        return;
    }
    match value {
        Value::Null => {}
        Value::Object(members) => {
            for (name, value) in members {
                let name = if word.is_empty() { name.clone() } else { format!("{word}.{name}") };
                collect(&name, value, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|it| collect(word, it, found)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.insert(word.to_owned(), UNKNOWN);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{super::heard::Call, *};

    /// An answer that is whole, one that has no finish reason, and one that fails.
    fn cases() -> [(Value, Heard); 3] {
        let call = json!({
            "id": "c1", "name": "grep", "arguments_raw": "{\"a\":1}", "arguments": {"a": 1},
            "arguments_error": null, "must_execute": true, "signature": "signed",
        });
        let usage = json!({
            "input_tokens": 9, "output_tokens": 4, "total_tokens": 13, "reasoning_tokens": 2,
            "cached_input_tokens": 6, "cache_miss_input_tokens": 3,
        });
        let whole = json!({
            "text": "ok", "reasoning": "hm", "reasoning_field": "reasoning", "tool_calls": [call],
            "finish_reason": "tool_calls", "usage": usage, "sse": {"bytes": 4},
        });
        let heard = Heard {
            text: ("ok".to_owned(), 2),
            reasoning: ("hm".to_owned(), 2),
            sent_back: vec![("reasoning", "hm".to_owned())],
            calls: vec![Call {
                id: "c1".to_owned(),
                name: "grep".to_owned(),
                arguments: "{\"a\":1}".to_owned(),
                signature: Some("signed".to_owned()),
                answers: vec!["no such tool".to_owned()],
            }],
            goes_on: true,
            usage: json!({
                "inputTokens": 9, "outputTokens": 4, "reasoningTokens": 2,
                "cacheHitTokens": 6, "cacheMissTokens": 3,
            }),
            ..Heard::default()
        };
        let failure = json!({ "code": "stream_error", "message": "the upstream is gone" });
        let failed = Heard { failure, ..Heard::default() };
        [
            (whole, heard),
            (json!({ "done_marker": true }), Heard::default()),
            (json!({ "errors": [{ "message": "gone" }] }), failed),
        ]
    }

    #[test]
    fn each_word_that_is_said_to_be_compared_is() {
        let differ = |answer: &Value, heard| {
            let expected =
                Expected { body: b"data".to_vec(), provider: "custom", answer: answer.clone() };
            !expected.differences(heard).is_empty()
        };
        // Another protocol is not played at all.
        let mut left: Vec<&str> = COMPARED.iter().copied().filter(|it| *it != "protocol").collect();
        for (answer, heard) in &cases() {
            assert!(!differ(answer, heard), "{answer}");
            left.retain(|word| {
                let at =
                    word.replace("tool_calls.", "tool_calls.0.").replace("errors.", "errors.0.");
                let mut wrong = answer.clone();
                let Some(value) = wrong.pointer_mut(&format!("/{}", at.replace('.', "/"))) else {
                    return true;
                };
                *value = match (value.as_bool(), *word) {
                    (Some(it), _) => json!(!it),
                    (None, "finish_reason") => json!("length"),
                    (None, _) if value.is_number() => json!(77),
                    (None, _) => json!("other"),
                };
                assert!(differ(&wrong, heard), "{word}");
                false
            });
        }
        assert_eq!(left, [""; 0]);
    }
}
