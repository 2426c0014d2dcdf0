//! Checks of the requests of a session: the rules that every one of them keeps.

mod text;

use std::{
    collections::{BTreeSet, VecDeque},
    error::Error,
    fmt,
    path::PathBuf,
};

use script::SeenRequest;
use serde_json::Value;

/// What the checks have to be told.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The folder whose absolute path is never sent.
    pub workspace: Option<PathBuf>,
    /// JSON pointers of what the host wrote; no date and no time of day stands below them.
    pub host_written: Vec<String>,
    /// How many sessions the requests may belong to.
    pub sessions: usize,
}

impl Default for Scope {
    /// One session; the host wrote the system text, the tools and the session context (AN-32).
    fn default() -> Self {
        let host_written = ["/tools", "/messages/0", "/messages/1"];
        Self { workspace: None, host_written: host_written.map(str::to_owned).into(), sessions: 1 }
    }
}

impl Scope {
    /// Returns the default for a session in that folder.
    pub fn of(workspace: impl Into<PathBuf>) -> Self {
        Self { workspace: Some(workspace.into()), ..Self::default() }
    }
}

/// A rule that a request breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which request, from 0.
    pub request: usize,
    /// Where in it, as a JSON pointer.
    pub pointer: String,
    pub fault: Fault,
}

/// What is wrong with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No JSON object with a list of messages.
    NoMessages,
    /// Something stands behind the messages, so that they cannot be appended to.
    MessagesNotLast,
    /// An empty list of calls.
    NoCalls,
    /// A call without an id, a name, or arguments that are JSON.
    BrokenCall,
    /// A call's id was used before in this request.
    RepeatedCall,
    /// A call has no result before the next message.
    Unanswered,
    /// A result that is not the next open call's: of no call, of one that has its result, or in
    /// another order (PX-8).
    StrayResult,
    /// A word that only the host knows.
    HostWord(&'static str),
    /// A fingerprint: 64 hex digits.
    Fingerprint,
    /// A session's id.
    SessionId,
    /// The absolute path of the workspace.
    WorkspacePath,
    /// A date, a time of day or a count of seconds in what the host wrote (CA-3).
    Moment,
    /// Not what an earlier request began with (CA-1, CA-2).
    PrefixChanged,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "request {} breaks a rule at {:?}: {:?}", self.request, self.pointer, self.fault)
    }
}

impl Error for Broken {}

/// Checks all requests of a run, in the order they came.
///
/// # Errors
///
/// The first [`Broken`] rule.
pub fn check_requests(requests: &[SeenRequest], scope: &Scope) -> Result<(), Broken> {
    let mut sessions: Vec<Sent<'_>> = Vec::new();
    for (request, seen) in requests.iter().enumerate() {
        let broken = |(pointer, fault)| Broken { request, pointer, fault };
        let sent = Sent::read(seen).map_err(broken)?;
        check_calls(sent.messages()).map_err(broken)?;
        text::check(&sent.json, scope).map_err(broken)?;
        match sessions.iter().position(|before| sent.continues(before)) {
            Some(at) => sessions[at] = sent,
            None if sessions.len() < scope.sessions => sessions.push(sent),
            None => {
                let before = sessions.last().map_or(&Value::Null, |it| &it.json);
                let pointer = first_difference(before, &sent.json);
                return Err(broken((pointer, Fault::PrefixChanged)));
            }
        }
    }
    Ok(())
}

type Found = (String, Fault);

/// A request with what it says.
struct Sent<'a> {
    body: &'a [u8],
    /// The body without the end of its messages.
    open: &'a [u8],
    json: Value,
}

impl<'a> Sent<'a> {
    fn read(seen: &'a SeenRequest) -> Result<Self, Found> {
        let no_messages = || (String::new(), Fault::NoMessages);
        let json = seen.json().map_err(|_| no_messages())?;
        json["messages"].as_array().ok_or_else(no_messages)?;
        let last = json.as_object().and_then(|it| it.keys().next_back());
        let open =
            seen.body.strip_suffix(b"]}").filter(|_| last.is_some_and(|it| it == "messages"));
        let open = open.ok_or_else(|| ("/messages".to_owned(), Fault::MessagesNotLast))?;
        Ok(Self { body: &seen.body, open, json })
    }

    fn messages(&self) -> &[Value] {
        self.json["messages"].as_array().map_or(&[], Vec::as_slice)
    }

    fn continues(&self, before: &Self) -> bool {
        self.body
            .strip_prefix(before.open)
            .is_some_and(|rest| rest.starts_with(b",") || rest == b"]}")
    }
}

/// Returns where a request stops saying what an earlier one said.
fn first_difference(before: &Value, now: &Value) -> String {
    let (Some(old), Some(new)) = (before.as_object(), now.as_object()) else {
        return String::new();
    };
    let changed =
        old.keys().chain(new.keys()).find(|it| *it != "messages" && old.get(*it) != new.get(*it));
    if let Some(key) = changed {
        return format!("/{key}");
    }
    let messages = |it: &Value| it["messages"].as_array().cloned().unwrap_or_default();
    let (old, new) = (messages(before), messages(now));
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    format!("/messages/{same}")
}

/// Every call has exactly one result, in order, before any other message.
fn check_calls(messages: &[Value]) -> Result<(), Found> {
    let mut used = BTreeSet::new();
    let mut open: VecDeque<(String, String)> = VecDeque::new();
    for (at, message) in messages.iter().enumerate() {
        let here = format!("/messages/{at}");
        if message["role"] == "tool" {
            let answers = message["tool_call_id"].as_str().unwrap_or_default();
            match open.pop_front() {
                Some((id, _)) if id == answers => continue,
                Some(_) | None => return Err((here + "/tool_call_id", Fault::StrayResult)),
            }
        }
        if let Some((_, call)) = open.pop_front() {
            return Err((call, Fault::Unanswered));
        }
        let Some(calls) = message.get("tool_calls") else { continue };
        let calls = calls.as_array().map_or(&[][..], Vec::as_slice);
        if calls.is_empty() {
            return Err((here + "/tool_calls", Fault::NoCalls));
        }
        for (number, call) in calls.iter().enumerate() {
            let here = format!("{here}/tool_calls/{number}");
            let id = call["id"].as_str().unwrap_or_default();
            if !is_whole(call) {
                return Err((here, Fault::BrokenCall));
            }
            if !used.insert(id) {
                return Err((here + "/id", Fault::RepeatedCall));
            }
            open.push_back((id.to_owned(), here));
        }
    }
    open.pop_front().map_or(Ok(()), |(_, call)| Err((call, Fault::Unanswered)))
}

fn is_whole(call: &Value) -> bool {
    let says = |it: &Value| it.as_str().is_some_and(|text| !text.is_empty());
    let function = &call["function"];
    let arguments = function["arguments"].as_str().unwrap_or_default();
    says(&call["id"]) && says(&function["name"]) && serde_json::from_str::<Value>(arguments).is_ok()
}

#[cfg(test)]
mod tests;
