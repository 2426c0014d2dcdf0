//! What a script says: replies, their parts, and how each ends.

use std::collections::BTreeMap;

use protocol::Usage;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::ScriptError;

/// The replies to the requests of a run, in order.
///
/// As JSON:
///
/// ```json
#[doc = include_str!("example.json")]
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub replies: Vec<Reply>,
    #[serde(default)]
    pub then: Then,
}

/// What a request gets when the replies are used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// Status 500.
    #[default]
    Fail,
    /// The last reply again.
    Repeat,
    /// Nothing, until [`answer`](crate::ScriptServer::answer) gives it a reply.
    Wait,
}

/// One reply.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// A model's answer, as a stream of events.
    Answer(Answer),
    /// A status and bytes as they are.
    Raw(Raw),
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Answer {
    pub parts: Vec<Part>,
    /// What it cost; without it there is no usage event.
    pub usage: Option<Usage>,
    /// The finish reason; missing: `tool_calls` if it calls, else `stop`.
    pub finish: Option<String>,
    pub end: End,
    /// Wait before each event.
    pub pace_ms: u32,
}

/// One part of an answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Text, sent word by word.
    Text(String),
    /// Reasoning, sent word by word.
    Reasoning {
        /// The field it comes in.
        #[serde(default = "reasoning_field")]
        field: String,
        text: String,
    },
    /// A tool call, sent in fragments.
    Call(Call),
    /// Nothing more is sent until [`release`](crate::ScriptServer::release) names this.
    Hold(String),
}

/// A tool call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Missing: `call_` with the numbers of the request and of the call, from 0.
    #[serde(default)]
    pub id: Option<String>,
    pub name: String,
    /// A text is sent as it stands, so that it can be broken JSON; anything else as compact JSON.
    pub arguments: Value,
}

/// A reply that is no answer: an error, or a stream written out.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Raw {
    pub status: u16,
    /// `content-type` is `text/event-stream` for status 200, else `application/json`, unless
    /// named here.
    pub headers: BTreeMap<String, String>,
    /// In JSON a text.
    #[serde(deserialize_with = "bytes_of_text")]
    pub body: Vec<u8>,
    pub chunks: Chunks,
    pub end: End,
    /// Wait before each chunk.
    pub pace_ms: u32,
}

/// How a raw body is cut into chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chunks {
    #[default]
    Whole,
    /// Single bytes.
    Byte,
    /// 1 to 400 bytes each, the same for the same seed.
    Random { seed: u64 },
    /// 200 bytes each, 50 ms apart.
    Slow,
}

/// How a reply ends. Events of an answer are counted, chunks of a raw reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// As it should.
    #[default]
    Whole,
    /// After so many the socket is closed in the middle of the body.
    CutAfter(usize),
    /// After so many nothing more comes, and the socket stays open. After none, no status either.
    SilentAfter(usize),
}

impl Default for Raw {
    fn default() -> Self {
        Self {
            status: 200,
            headers: BTreeMap::new(),
            body: Vec::new(),
            chunks: Chunks::default(),
            end: End::default(),
            pace_ms: 0,
        }
    }
}

impl Script {
    /// Returns a script that fails when its replies are used up.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { replies: replies.into_iter().collect(), then: Then::Fail }
    }

    /// Returns a script of `count` replies, each made from its number, from 0.
    pub fn repeat(count: usize, reply: impl FnMut(usize) -> Reply) -> Self {
        Self::new((0..count).map(reply))
    }

    /// Adds a reply at the end.
    #[must_use]
    pub fn and(mut self, reply: Reply) -> Self {
        self.replies.push(reply);
        self
    }

    /// Gives the last reply again when all are used up.
    #[must_use]
    pub fn then_repeat(mut self) -> Self {
        self.then = Then::Repeat;
        self
    }

    /// Returns a script without replies: each request waits for the one that
    /// [`answer`](crate::ScriptServer::answer) gives it.
    pub fn waiting() -> Self {
        Self { replies: Vec::new(), then: Then::Wait }
    }

    /// Reads a script from JSON.
    ///
    /// # Errors
    ///
    /// [`ScriptError::Unreadable`], with the line, if it is no JSON or no script.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        serde_json::from_str(text).map_err(|source| ScriptError::Unreadable {
            line: source.line(),
            column: source.column(),
            source,
        })
    }

    /// Returns the reply to a request, by its number from 0; none where it has to wait for one.
    pub(crate) fn reply(&self, request: usize) -> Option<Reply> {
        let last = match self.then {
            Then::Wait => return self.replies.get(request).cloned(),
            Then::Fail => None,
            Then::Repeat => self.replies.last(),
        };
        Some(self.replies.get(request).or(last).cloned().unwrap_or_else(|| {
            let error = r#"{"error":{"message":"the script has no more replies"}}"#;
            Reply::status(500, error)
        }))
    }
}

impl Reply {
    /// Returns an answer that is some text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Answer(Answer { parts: vec![Part::Text(text.into())], ..Answer::default() })
    }

    /// Returns an answer that calls a tool. Arguments that are a text are sent as they stand.
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::Answer(Answer::default()).and_call(name, arguments)
    }

    /// Returns a reply that never begins: the request is taken, and not even a status comes.
    pub fn silent() -> Self {
        Self::Answer(Answer::default()).silent_after(0)
    }

    /// Returns a status with a body, as a provider's error comes.
    pub fn status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::Raw(Raw { status, body: body.into(), ..Raw::default() })
    }

    /// Returns a stream written out.
    pub fn raw(body: impl Into<Vec<u8>>, chunks: Chunks) -> Self {
        Self::Raw(Raw { body: body.into(), chunks, ..Raw::default() })
    }

    /// Adds text to an answer.
    #[must_use]
    pub fn and_text(self, text: impl Into<String>) -> Self {
        self.and(Part::Text(text.into()))
    }

    /// Adds a call to an answer, in the same batch.
    #[must_use]
    pub fn and_call(self, name: &str, arguments: Value) -> Self {
        self.and(Part::Call(Call { id: None, name: name.to_owned(), arguments }))
    }

    /// Adds a pause to an answer.
    #[must_use]
    pub fn and_hold(self, name: &str) -> Self {
        self.and(Part::Hold(name.to_owned()))
    }

    /// Adds a part to an answer.
    #[must_use]
    pub fn and(mut self, part: Part) -> Self {
        self.answer_mut().parts.push(part);
        self
    }

    /// Puts reasoning before an answer, in the field `reasoning_content`.
    #[must_use]
    pub fn reasoning(self, text: impl Into<String>) -> Self {
        self.reasoning_in(&reasoning_field(), text)
    }

    /// Puts reasoning before an answer, in a field of that name.
    #[must_use]
    pub fn reasoning_in(mut self, field: &str, text: impl Into<String>) -> Self {
        let part = Part::Reasoning { field: field.to_owned(), text: text.into() };
        self.answer_mut().parts.insert(0, part);
        self
    }

    /// Says what an answer cost.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        self.answer_mut().usage = Some(usage);
        self
    }

    /// Gives an answer another finish reason, such as `length`.
    #[must_use]
    pub fn finish(mut self, reason: &str) -> Self {
        self.answer_mut().finish = Some(reason.to_owned());
        self
    }

    /// Adds a header to a raw reply.
    ///
    /// # Panics
    ///
    /// On an answer: its headers are fixed.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let Self::Raw(raw) = &mut self else { panic!("only a raw reply has headers of its own") };
        raw.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Closes the socket after so many events or chunks.
    #[must_use]
    pub fn cut_after(self, count: usize) -> Self {
        self.ends(End::CutAfter(count))
    }

    /// Sends nothing more after so many events or chunks, and keeps the socket open.
    #[must_use]
    pub fn silent_after(self, count: usize) -> Self {
        self.ends(End::SilentAfter(count))
    }

    fn ends(mut self, new: End) -> Self {
        match &mut self {
            Self::Answer(Answer { end, .. }) | Self::Raw(Raw { end, .. }) => *end = new,
        }
        self
    }

    fn answer_mut(&mut self) -> &mut Answer {
        match self {
            Self::Answer(answer) => answer,
            Self::Raw(_) => panic!("a raw reply has no parts, usage or finish reason"),
        }
    }
}

fn reasoning_field() -> String {
    "reasoning_content".to_owned()
}

fn bytes_of_text<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    String::deserialize(from).map(String::into_bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_example_reads_as_the_constructors_write_it() {
        let usage = Usage {
            input_tokens: Some(1200),
            cache_hit_tokens: Some(1024),
            cache_miss_tokens: Some(176),
            output_tokens: Some(30),
            reasoning_tokens: None,
        };
        let mut first = Reply::text("I look at the file.")
            .reasoning("The file has to be read first.")
            .and_call("read_file", json!({"path": "notes.txt"}))
            .usage(usage);
        first.answer_mut().pace_ms = 20;
        let error = r#"{"error":{"message":"slow down"}}"#;
        let script = Script::new([
            first,
            Reply::text("It is ").and_hold("half-way").and_text("a list."),
            Reply::text("This one breaks off.").cut_after(3),
            Reply::status(429, error).header("retry-after", "2"),
            Reply::raw("data: [DONE]\r\n\r\n", Chunks::Byte),
        ]);
        let read = Script::parse(include_str!("example.json")).expect("it is a script");
        assert_eq!(read, script.then_repeat());
    }

    #[test]
    fn what_is_wrong_with_a_script_is_told_with_its_line() {
        let line = |text: &str| match Script::parse(text) {
            Err(ScriptError::Unreadable { line, .. }) => line,
            other => panic!("{other:?}"),
        };
        assert_eq!(line("{\"replies\": [\n  {\"answer\": {\n    \"prats\": []}}]}"), 3);
        assert_eq!(line("{\"replies\": [\n  {\"answer\": {\"parts\": [{\"say\": \"\"}]}}]}"), 2);
        assert_eq!(line("{\"replies\": [\n\n  {\"anwser\": {}}]}"), 3);
        assert_eq!(line("{\"replies\": [],\n}"), 2);
    }

    #[test]
    fn used_up_a_script_fails_or_repeats() {
        let script = Script::repeat(2, |it| Reply::text(it.to_string())).and(Reply::text("end"));
        assert_eq!(script.reply(1), Some(Reply::text("1")));
        assert_eq!(script.reply(2), Some(Reply::text("end")));
        assert!(matches!(script.reply(3), Some(Reply::Raw(Raw { status: 500, .. }))));
        assert_eq!(script.then_repeat().reply(3), Some(Reply::text("end")));
        assert!(matches!(Script::default().then_repeat().reply(0), Some(Reply::Raw(_))));
        assert_eq!(Script::waiting().reply(0), None);
    }
}
