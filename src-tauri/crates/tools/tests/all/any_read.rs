//! RE-2, RE-3: whatever a model writes as the arguments of `read_file`, it is either the call that
//! the rules make of it or turned away with the calls that there are.

use evidence::{Binding, Bounds, Fetch, ReadAsk, ReadCoordinator, ReadRefusal};
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::{Index, select},
    test_runner::TestRunner,
};
use protocol::{FailureCode, Limits, ReadIntent, SessionId, TurnId};
use serde_json::{Map, Value};
use tools::{Intent, PlanError};

use crate::bench::Bench;

/// Runs a property on one workspace.
fn hold<S: Strategy>(strategy: S, property: impl Fn(&Bench, S::Value)) {
    let it = Bench::new(&[("a", b"1\n2\n3\n"), ("src/b.txt", b"")]);
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let ran = TestRunner::new(config).run(&strategy, |value| {
        property(&it, value);
        Ok(())
    });
    ran.unwrap_or_else(|error| panic!("{error}"));
}

/// Numbers about each bound there is.
fn any_number() -> impl Strategy<Value = i64> {
    let bounds = [0, 1, 2000, 2001, 1 << 31, u32::MAX as i64, 1 << 32, i64::MAX, i64::MIN];
    prop_oneof![4 => (select(bounds.to_vec()), -2..3_i64).prop_map(|(it, by)| it.saturating_add(by)), 1 => any::<i64>()]
}

/// An intent, a first line, a number of lines and a cursor.
type Settled<'a> = (Option<ReadIntent>, Option<u32>, Option<u32>, Option<&'a str>);

/// What a call says.
#[derive(Clone, Debug)]
struct Said {
    path: &'static str,
    intent: Option<&'static str>,
    offset: Option<i64>,
    limit: Option<i64>,
    cursor: Option<String>,
}

fn any_said() -> impl Strategy<Value = Said> {
    let path = select(&["a", "src/b.txt", "missing", "", "  "][..]);
    let intent = option::weighted(0.6, select(&["inspect", "range", "full", "all", ""][..]));
    let cursor =
        option::weighted(0.3, "|c2\\.read0-0\\.[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9a-f]{16}|\\PC{1,9}");
    let number = || option::weighted(0.4, any_number());
    (path, intent, number(), number(), cursor).prop_map(|(path, intent, offset, limit, cursor)| {
        Said { path, intent, offset, limit, cursor }
    })
}

impl Said {
    fn arguments(&self) -> Map<String, Value> {
        let Self { path, intent, offset, limit, cursor } = self;
        let mut arguments = Map::from_iter([("path".to_owned(), Value::from(*path))]);
        let mut put = |name: &str, value: Option<Value>| {
            arguments.extend(value.map(|it| (name.to_owned(), it)));
        };
        put("intent", intent.map(Value::from));
        put("offset", offset.map(Value::from));
        put("limit", limit.map(Value::from));
        put("cursor", cursor.clone().map(Value::from));
        arguments
    }

    /// Says what the rules make of it; nothing where it has to be turned away.
    fn expected(&self) -> Option<Settled<'_>> {
        let lines = |it: i64| it.clamp(0, i64::from(u32::MAX)) as u32;
        let has_window = self.offset.is_some() || self.limit.is_some();
        // Models write an empty text for "none".
        let cursor = self.cursor.as_deref().filter(|it| !it.is_empty());
        let intent = match self.intent {
            None | Some("") => None,
            Some("inspect") => Some(ReadIntent::Inspect),
            Some("range") => Some(ReadIntent::Range),
            Some("full") => Some(ReadIntent::Full),
            Some(_) => return None,
        };
        let is_whole_part = intent == Some(ReadIntent::Full) && has_window;
        let is_no_range = intent == Some(ReadIntent::Range) && !has_window;
        let goes_on_twice = cursor.is_some() && (has_window || intent.is_some());
        if self.path.trim().is_empty() || is_whole_part || is_no_range || goes_on_twice {
            return None;
        }
        let limit = self.limit.map(lines).filter(|it| 0 < *it);
        Some((intent, self.offset.map(lines), limit, cursor))
    }
}

/// Plans a call, and lets it read as far as that needs no file.
fn admitted(
    it: &Bench,
    arguments: &str,
) -> Result<(ReadAsk, Result<Fetch, ReadRefusal>), PlanError> {
    let Intent::Read(reading) = it.plan_text("read_file", arguments)?.intent else {
        panic!("it is a read")
    };
    let bounds = Bounds::of(&Limits::default());
    let binding = Binding::of([1; 4]);
    let mut reads = ReadCoordinator::new(SessionId::from_bits(1), TurnId(0), binding, bounds);
    let ask = reading.ask();
    Ok((ask.clone(), reads.admit(ask)))
}

/// A failure names what is wrong and a call that works.
fn assert_told(error: PlanError) -> FailureCode {
    let failure = crate::bench::failed(Err(error));
    assert!(!failure.message.is_empty() && !failure.next.is_empty(), "{failure:?}");
    failure.code
}

#[test]
fn any_arguments_come_to_what_the_rules_make_of_them() {
    hold(any_said(), |it, said| {
        let planned = admitted(it, &Value::Object(said.arguments()).to_string());
        let Some((intent, offset, limit, cursor)) = said.expected() else {
            let error = planned.expect_err("it is turned away");
            assert_eq!(assert_told(error), FailureCode::BadArguments, "{said:?}");
            return;
        };
        let (ask, fetch) = planned.unwrap_or_else(|error| panic!("{said:?}: {error:?}"));
        assert_eq!(
            (ask.intent, ask.offset, ask.limit, ask.cursor.as_deref()),
            (intent, offset, limit, cursor),
            "{said:?}"
        );
        if cursor.is_some() {
            assert_eq!(fetch, Err(ReadRefusal::CursorInvalid), "none was issued");
            return;
        }
        let fetch = fetch.expect("it may be read");
        let has_window = offset.is_some() || limit.is_some();
        let usual = if has_window { ReadIntent::Range } else { ReadIntent::Inspect };
        assert_eq!(fetch.intent, intent.unwrap_or(usual), "{said:?}");
        assert_eq!((fetch.offset, fetch.limit), (offset.unwrap_or(0), limit), "{said:?}");
        assert_eq!(fetch.is_budgeted, fetch.intent == ReadIntent::Full, "RE-15");
        assert_ne!(fetch.limit, Some(0), "RE-3");
    });
}

#[test]
fn any_text_as_arguments_is_understood_or_turned_away() {
    let piece = select(
        &[
            "\"",
            "{",
            "}",
            ":",
            ",",
            "null",
            "1e9",
            "-",
            "0.5",
            "[",
            "\\u0000",
            "\"path\"",
            "\"limit\":",
            "é",
            "..",
        ][..],
    );
    let changes = vec((any::<Index>(), 0..6_usize, piece), 0..4);
    hold((any_said(), changes, vec(any::<u8>(), 0..60)), |it, (said, changes, bytes)| {
        let mut text: Vec<char> = Value::Object(said.arguments()).to_string().chars().collect();
        for (at, gone, put) in changes {
            let at = at.index(text.len() + 1);
            let end = (at + gone).min(text.len());
            text.splice(at..end, put.chars());
        }
        let text: String = text.into_iter().collect();
        for text in [&text, &*String::from_utf8_lossy(&bytes)] {
            match admitted(it, text) {
                Ok((ask, _)) => {
                    assert_ne!(ask.limit, Some(0));
                    let is_alone =
                        ask.intent.is_none() && ask.offset.is_none() && ask.limit.is_none();
                    assert!(ask.cursor.is_none() || is_alone, "{text:?}");
                }
                Err(error) => drop(assert_told(error)),
            }
        }
    });
}
