//! In what an answer differs from what the file beside its stream says.

use serde_json::Value;

use super::{
    expected::Expected,
    heard::{Call, Heard},
};

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
        self.compare_size(&mut found);
        self.compare_reasoning(heard, &mut found);
        self.compare_calls(&heard.calls, &mut found);
        self.compare_usage(&heard.usage, &mut found);
        self.compare_end(heard, &mut found);
        found
    }

    /// A stream that was cut when it was copied would be another one.
    fn compare_size(&self, found: &mut Vec<String>) {
        let size = self.body.len();
        if let Some(expected) = self.answer["sse"]["bytes"].as_u64().filter(|it| *it != size as u64)
        {
            found.push(format!("the stream has {size} bytes, not {expected}"));
        }
    }

    /// PV-5: what goes back is what came, in the field it came in.
    fn compare_reasoning(&self, heard: &Heard, found: &mut Vec<String>) {
        let expected = &self.answer["reasoning"];
        let field = &self.answer["reasoning_field"];
        for (name, text) in &heard.sent_back {
            if text != expected || !(field.is_null() || field == name) {
                found.push(format!("{name} goes back as {text:?}, not {field} as {expected}"));
            }
        }
    }

    fn compare_calls(&self, heard: &[Call], found: &mut Vec<String>) {
        let expected = self.calls();
        if expected.len() != heard.len() {
            found.push(format!("it calls {} tools, not {}", heard.len(), expected.len()));
        }
        for (at, (expected, heard)) in expected.iter().zip(heard).enumerate() {
            let runs = expected["must_execute"] != false && expected["arguments_error"].is_null();
            let raw = expected["arguments_raw"].as_str().unwrap_or_default();
            let arguments = if runs && !raw.trim().is_empty() { raw } else { "{}" };
            let parsed = &expected["arguments"];
            let is_same =
                || serde_json::from_str(&heard.arguments).is_ok_and(|it: Value| it == *parsed);
            let id = expected["id"].as_str().filter(|it| !it.is_empty() && runs);
            if expected["name"] != *heard.name
                || arguments != heard.arguments
                || runs && !parsed.is_null() && !is_same()
            {
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
        // The sum is not kept, and what it sums is.
        let count = |name: &str| heard[name].as_u64();
        let sum =
            count("inputTokens").zip(count("outputTokens")).map(|(input, output)| input + output);
        let total = usage["total_tokens"].as_u64();
        if total.is_some() && sum != total {
            found.push(format!("inputTokens and outputTokens are {sum:?}, not {total:?}"));
        }
    }

    fn compare_end(&self, heard: &Heard, found: &mut Vec<String>) {
        let error = &self.answer["errors"][0];
        let finish = self.answer["finish_reason"].as_str();
        let code = heard.failure["code"].as_str();
        let expected = match self.breaks() {
            true if !error.is_null() => Some("stream_error"),
            true => Some("stream_broken"),
            false => None,
        };
        if code != expected {
            found.push(format!("it fails with {code:?}, not {expected:?}"));
        }
        let message = heard.failure["message"].as_str().unwrap_or_default();
        let words = error["message"].as_str().unwrap_or_default();
        if !message.contains(words) {
            found.push(format!("the failure says {message:?}, not {words:?}"));
        }
        // Vendors say `stop` beside calls, too: these decide.
        let goes_on = !self.calls().is_empty();
        if heard.goes_on != goes_on {
            let told = if heard.goes_on { "goes on" } else { "ends" };
            found.push(format!("the turn {told} at {finish:?}"));
        }
        for (notice, reason) in [("answer_cut", "length"), ("answer_filtered", "content_filter")] {
            let is_told = heard.notices.iter().any(|it| it == notice);
            if is_told != (finish == Some(reason) && !self.breaks()) {
                found.push(format!("the notice {notice} is {is_told} at {finish:?}"));
            }
        }
    }

    /// An answer that broke calls for nothing, whatever stood in it.
    pub(super) fn calls(&self) -> &[Value] {
        let calls = self.answer["tool_calls"].as_array().filter(|_| !self.breaks());
        calls.map_or(&[], Vec::as_slice)
    }

    /// The closing mark ends an answer that gives no reason, too.
    fn breaks(&self) -> bool {
        let is_whole =
            !self.answer["finish_reason"].is_null() || self.answer["done_marker"] == true;
        !self.answer["errors"][0].is_null() || !is_whole
    }
}
