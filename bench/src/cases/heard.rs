//! What the program said of a session: its events, put to the turns, the replies and the steps that
//! they belong to.

use std::{collections::BTreeMap, time::Instant};

use serde_json::Value;

/// All that was heard.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// By their numbers in the session.
    pub(super) events: BTreeMap<u64, Value>,
    /// In their order.
    pub(super) turns: Vec<HeardTurn>,
    /// In their order.
    pub(super) calls: Vec<HeardCall>,
    /// Places at which the program said two different things.
    pub(super) contradictions: Vec<String>,
}

/// One turn.
#[derive(Debug, Default)]
pub(super) struct HeardTurn {
    /// The steps of the replies that it was given.
    replies: Vec<Vec<String>>,
    /// The texts of the messages that were made of them.
    pub(super) messages: Vec<Value>,
    /// How many calls the last of them has made.
    calls: usize,
    pub(super) started: Value,
    /// How it ended; null while it runs.
    pub(super) done: Value,
}

/// One call.
#[derive(Debug)]
pub(super) struct HeardCall {
    pub(super) id: String,
    pub(super) turn: usize,
    /// The step that it is; none for a call that nobody scripted.
    pub(super) step: Option<String>,
    /// The question that was asked before; null without one.
    pub(super) asked: Value,
    pub(super) answered: Value,
    started: Option<Instant>,
    pub(super) seconds: f64,
    /// How it ended; null while it runs.
    pub(super) finished: Value,
}

/// What has to be reacted to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Noticed {
    Asked { step: Option<String>, permission: Value },
    Started { step: String },
    TurnDone,
    Nothing,
}

impl HeardTurn {
    /// Whether one of its replies was made of this step.
    fn was_given(&self, step: &str) -> bool {
        self.replies.iter().flatten().any(|it| it == step)
    }

    /// Returns the message that was made of the reply with this step, if one was.
    pub(super) fn message(&self, step: &str) -> Option<&Value> {
        let at = self.replies.iter().position(|it| it.iter().any(|it| it == step))?;
        self.messages.get(at)
    }
}

impl HeardCall {
    /// Whether it began to do anything.
    pub(super) fn has_started(&self) -> bool {
        self.started.is_some()
    }
}

impl Heard {
    /// Returns nothing that was heard, for a session that shows these turns again: what each was
    /// given is known.
    pub(super) fn afresh(&self, turns: usize) -> Self {
        let given =
            |it: &HeardTurn| HeardTurn { replies: it.replies.clone(), ..HeardTurn::default() };
        Self { turns: self.turns.iter().take(turns).map(given).collect(), ..Self::default() }
    }

    /// Returns the turn in which a reply with this step was given.
    pub(super) fn turn_of(&self, step: &str) -> Option<&HeardTurn> {
        self.turns.iter().find(|it| it.was_given(step))
    }

    /// Takes note that the turn was given a reply made of these steps.
    pub(super) fn replied(&mut self, turn: usize, steps: Vec<String>) {
        self.turn(turn).replies.push(steps);
    }

    /// Takes note of a line of the feed.
    pub(super) fn frame(&mut self, mut frame: Value) -> Noticed {
        match frame.get_mut("event") {
            Some(event) => self.event(event.take()),
            None => Noticed::Nothing,
        }
    }

    /// Takes note of an event; one that was heard before must be the same.
    pub(super) fn event(&mut self, event: Value) -> Noticed {
        let (Some(turn), Some(seq)) = (event["turn"].as_u64(), event["seq"].as_u64()) else {
            self.contradictions.push(format!("an event without a turn or a number: {event}"));
            return Noticed::Nothing;
        };
        if let Some(before) = self.events.get(&seq) {
            if *before != event {
                self.contradictions.push(format!("event {seq} was {before}, and is {event}"));
            }
            return Noticed::Nothing;
        }
        let Some(turn) = usize::try_from(turn).ok().filter(|it| *it <= self.turns.len()) else {
            self.contradictions.push(format!("an event of a turn that there is not: {event}"));
            return Noticed::Nothing;
        };
        let noticed = self.fold(turn, &event["kind"]);
        self.events.insert(seq, event);
        noticed
    }

    fn fold(&mut self, turn: usize, kind: &Value) -> Noticed {
        match kind["type"].as_str().unwrap_or_default() {
            "turn_started" => self.turn(turn).started = kind.clone(),
            "message_committed" => {
                let turn = self.turn(turn);
                turn.messages.push(kind.clone());
                turn.calls = 0;
            }
            "permission_asked" => {
                let call = self.call(turn, &kind["call"]);
                call.asked = kind.clone();
                let (step, permission) = (call.step.clone(), kind["permission"].clone());
                return Noticed::Asked { step, permission };
            }
            "permission_answered" => {
                self.call(turn, &kind["call"]).answered = kind["decision"].clone();
            }
            "tool_started" => {
                let call = self.call(turn, &kind["call"]);
                call.started = Some(Instant::now());
                if let Some(step) = call.step.clone() {
                    return Noticed::Started { step };
                }
            }
            "tool_finished" => {
                let call = self.call(turn, &kind["call"]);
                call.seconds = call.started.map_or(0.0, |it| it.elapsed().as_secs_f64());
                call.finished = kind.clone();
            }
            "turn_done" => {
                self.turn(turn).done = kind.clone();
                return Noticed::TurnDone;
            }
            _ => {}
        }
        Noticed::Nothing
    }

    fn turn(&mut self, number: usize) -> &mut HeardTurn {
        if self.turns.len() <= number {
            self.turns.resize_with(number + 1, HeardTurn::default);
        }
        &mut self.turns[number]
    }

    /// Returns a call. A new one is the next step of the reply that the last message was made of:
    /// calls are told of in the order in which they stand there.
    fn call(&mut self, turn: usize, id: &Value) -> &mut HeardCall {
        let id = id.as_str().unwrap_or_default().to_owned();
        if let Some(at) = self.calls.iter().position(|it| it.id == id) {
            return &mut self.calls[at];
        }
        let number = turn;
        let turn = self.turn(number);
        let reply = turn.messages.len().checked_sub(1).and_then(|it| turn.replies.get(it));
        let step = reply.and_then(|steps| match &steps[..] {
            // A written stream may call more than once.
            [only] => Some(only.clone()),
            all => all.get(turn.calls).cloned(),
        });
        turn.calls += 1;
        let (asked, answered, finished) = (Value::Null, Value::Null, Value::Null);
        let seconds = 0.0;
        let turn = number;
        let call = HeardCall { id, turn, step, asked, answered, started: None, seconds, finished };
        self.calls.push(call);
        let last = self.calls.len() - 1;
        &mut self.calls[last]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn event(seq: u64, kind: &Value) -> Value {
        json!({ "event": { "session": "s", "turn": 0, "seq": seq, "at": 0, "kind": kind } })
    }

    #[test]
    fn a_call_is_the_step_at_its_place_in_the_reply_that_the_last_message_was_made_of() {
        let mut heard = Heard::default();
        let steps = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect();
        heard.replied(0, steps(&["s1", "s2"]));
        heard.replied(0, steps(&["s3"]));
        let message = || json!({ "type": "message_committed" });
        let finished = |call: &str| json!({ "type": "tool_finished", "call": call });
        let kinds =
            [message(), finished("c0"), finished("c1"), finished("c2"), message(), finished("c3")];
        for (seq, kind) in (1..).zip(&kinds) {
            assert_eq!(heard.frame(event(seq, kind)), Noticed::Nothing);
        }
        let found: Vec<_> = heard.calls.iter().map(|it| it.step.as_deref()).collect();
        assert_eq!(found, [Some("s1"), Some("s2"), None, Some("s3")]);
        assert!(heard.calls.iter().all(|it| !it.has_started()));
    }

    #[test]
    fn an_event_that_is_another_one_the_second_time_is_a_contradiction() {
        let mut heard = Heard::default();
        let kind = json!({ "type": "notice", "notice": "answer_cut" });
        heard.frame(event(1, &kind));
        heard.frame(event(1, &kind));
        assert_eq!(heard.contradictions, [""; 0]);
        heard.frame(event(1, &json!({ "type": "notice", "notice": "answer_filtered" })));
        heard.frame(json!({ "event": { "turn": 5, "seq": 2, "kind": kind } }));
        assert_eq!(heard.contradictions.len(), 2, "{:?}", heard.contradictions);
    }
}
