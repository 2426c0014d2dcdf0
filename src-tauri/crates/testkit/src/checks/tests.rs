use serde_json::json;

use super::*;

/// A request as the provider writes it: messages last.
fn body(messages: &[Value]) -> Value {
    let tools = json!([{"type": "function", "function": {"name": "ls", "description": "Lists."}}]);
    json!({"model": "m", "tools": tools, "stream": true, "messages": messages})
}

fn call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "ls", "arguments": "{}"}})
}

fn result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": "a.txt, last changed 2026-01-01 12:30"})
}

/// What a session sends that keeps all rules: one turn with two calls, and the next turn.
fn session() -> Vec<Value> {
    let messages = [
        json!({"role": "system", "content": "You edit files."}),
        json!({"role": "user", "content": "Linux, bash, the folder project"}),
        json!({"role": "user", "content": "What is there at 12:30?"}),
        json!({"role": "assistant", "content": "", "tool_calls": [call("a"), call("b")]}),
        result("a"),
        result("b"),
        json!({"role": "assistant", "content": "One file."}),
        json!({"role": "user", "content": "Thanks."}),
    ];
    [3, 6, 6, 8].map(|count| body(&messages[..count])).into()
}

fn seen(bodies: &[Value]) -> Vec<SeenRequest> {
    let seen = bodies.iter().map(|body| SeenRequest {
        method: "POST".to_owned(),
        path: "/v1/chat/completions".to_owned(),
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
    });
    seen.collect()
}

fn check(bodies: &[Value], scope: &Scope) -> Result<(), Broken> {
    check_requests(&seen(bodies), scope)
}

/// Changes what stands at `pointer` in every request that has it, and returns what is found.
#[track_caller]
fn changed(pointer: &str, change: impl Fn(&mut Value)) -> (usize, String, Fault) {
    let mut bodies = session();
    for body in &mut bodies {
        if let Some(it) = body.pointer_mut(pointer) {
            change(it);
        }
    }
    let broken = check(&bodies, &Scope::of("/tmp/x/project")).expect_err("a broken rule");
    (broken.request, broken.pointer, broken.fault)
}

#[track_caller]
fn with_text(pointer: &str, text: &str) -> (usize, String, Fault) {
    changed(pointer, |it| *it = text.into())
}

fn found(request: usize, pointer: &str, fault: Fault) -> (usize, String, Fault) {
    (request, pointer.to_owned(), fault)
}

#[test]
fn a_session_that_keeps_the_rules_passes() {
    assert_eq!(check(&session(), &Scope::of("/tmp/x/project")), Ok(()));
    assert_eq!(check(&[], &Scope::default()), Ok(()));
}

#[test]
fn a_body_that_is_no_list_of_messages_is_found() {
    let mut requests = seen(&session());
    requests[1].body = b"{".to_vec();
    let broken = check_requests(&requests, &Scope::default()).expect_err("no JSON");
    assert_eq!((broken.request, broken.fault), (1, Fault::NoMessages));
    let broken = check(&[json!({"messages": {}})], &Scope::default()).expect_err("no list");
    assert_eq!(broken.fault, Fault::NoMessages);
    let last = json!({"messages": [], "tools": []});
    let broken = check(&[last], &Scope::default()).expect_err("nothing can be appended");
    assert_eq!(broken.fault, Fault::MessagesNotLast);
}

/// PX-8: every call has exactly one result, with the same id at the same index.
#[test]
fn calls_and_results_that_do_not_pair_are_found() {
    let stray = |pointer| found(1, pointer, Fault::StrayResult);
    let calls = "/messages/3/tool_calls";
    assert_eq!(with_text("/messages/4/tool_call_id", "b"), stray("/messages/4/tool_call_id"));
    assert_eq!(with_text("/messages/5/tool_call_id", "a"), stray("/messages/5/tool_call_id"));
    assert_eq!(
        with_text("/messages/5/role", "user"),
        found(1, "/messages/3/tool_calls/1", Fault::Unanswered)
    );
    let empty = changed(calls, |it| *it = json!([]));
    assert_eq!(empty, found(1, calls, Fault::NoCalls));
    let null = changed(calls, |it| *it = Value::Null);
    assert_eq!(null, found(1, calls, Fault::NoCalls));
    let same = with_text("/messages/3/tool_calls/1/id", "a");
    assert_eq!(same, found(1, "/messages/3/tool_calls/1/id", Fault::RepeatedCall));
    let fewer = changed(calls, |it| *it = json!([call("a")]));
    assert_eq!(fewer, stray("/messages/5/tool_call_id"));
    let more = changed(calls, |it| *it = json!([call("a"), call("b"), call("c")]));
    assert_eq!(more, found(1, "/messages/3/tool_calls/2", Fault::Unanswered));
    let again = changed("/messages/6", |it| {
        *it = json!({"role": "assistant", "content": "", "tool_calls": [call("a")]});
    });
    assert_eq!(again, found(3, "/messages/6/tool_calls/0/id", Fault::RepeatedCall));
    for (field, text) in [("/id", ""), ("/function/name", ""), ("/function/arguments", "{\"a")] {
        let broken = with_text(&format!("{calls}/0{field}"), text);
        assert_eq!(broken, found(1, "/messages/3/tool_calls/0", Fault::BrokenCall), "{field}");
    }
}

/// CA-5: nothing of the host's own records is sent.
#[test]
fn what_only_the_host_knows_is_found_anywhere() {
    let results = "/messages/4/content";
    for (text, word) in [
        ("read_id=3", "read_id"),
        ("{\"resultRef\":1}", "result_ref"),
        ("a window_digest", "window_digest"),
        ("the snapshot", "snapshot"),
        ("sourceCutReason", "source_cut_reason"),
        ("TRANSPORT_CUT_REASON", "transport_cut_reason"),
        ("next_cursor: 4", "next_cursor"),
        ("<envelope>", "envelope"),
    ] {
        assert_eq!(with_text(results, text), found(1, results, Fault::HostWord(word)));
    }
    let print = format!("sha256:{}.", "0a".repeat(32));
    assert_eq!(with_text(results, &print), found(1, results, Fault::Fingerprint));
    let id = "see sessions/s_00000000000000ab.db";
    assert_eq!(with_text(results, id), found(1, results, Fault::SessionId));
    let path = "in /tmp/x/project/a.txt";
    assert_eq!(with_text(results, path), found(1, results, Fault::WorkspacePath));
    let name = changed("/messages/4", |it| it["read_id"] = 3.into());
    assert_eq!(name, found(1, "/messages/4/read_id", Fault::HostWord("read_id")));
    let arguments = "/messages/3/tool_calls/0/function/arguments";
    let inside = with_text(arguments, r#"{"cwd":"/tmp/x/project"}"#);
    assert_eq!(inside, found(1, arguments, Fault::WorkspacePath));

    for harmless in ["reading", "snapshots", "s_0000", &"f".repeat(63), &"f".repeat(65), "/tmp/x"] {
        let mut bodies = session();
        bodies.truncate(1);
        bodies[0]["messages"][2]["content"] = harmless.into();
        assert_eq!(check(&bodies, &Scope::of("/tmp/x/project")), Ok(()), "{harmless}");
    }
}

/// CA-3: no timestamps in what the host wrote; what tools and people say may hold some.
#[test]
fn a_moment_in_what_the_host_wrote_is_found() {
    let system = "/messages/0/content";
    for text in ["on 2026-11-30", "at 12:30", "12:30:59Z", "since 1764664568", "1764664568123"] {
        assert_eq!(with_text(system, text), found(0, system, Fault::Moment), "{text}");
    }
    let context = "/messages/1/content";
    assert_eq!(with_text(context, "2026-11-30"), found(0, context, Fault::Moment));
    let tool = "/tools/0/function/description";
    assert_eq!(with_text(tool, "at 12:30"), found(0, tool, Fault::Moment));

    for harmless in
        ["67108864 bytes", "lines 1-20-30", "1:20", "a.rs:10:12", "v2.10.30", "100:20", "10:200"]
    {
        let mut bodies = session();
        bodies.truncate(1);
        bodies[0]["messages"][0]["content"] = harmless.into();
        assert_eq!(check(&bodies, &Scope::default()), Ok(()), "{harmless}");
    }
    let mut scope = Scope::default();
    scope.host_written.push("/messages/2".to_owned());
    let broken = check(&session(), &scope).expect_err("the user's message is named");
    assert_eq!((&*broken.pointer, broken.fault), ("/messages/2/content", Fault::Moment));
}

/// CA-1, CA-2: the prefix is the same bytes, and history is only appended to.
#[test]
fn a_request_that_does_not_append_to_the_one_before_is_found() {
    let second = |pointer: &str, value: Value| {
        let mut bodies = session();
        *bodies[1].pointer_mut(pointer).expect("it is there") = value;
        let broken = check(&bodies, &Scope::default()).expect_err("a changed prefix");
        assert_eq!(broken.fault, Fault::PrefixChanged);
        (broken.request, broken.pointer)
    };
    let at = |pointer: &str| (1, pointer.to_owned());
    assert_eq!(second("/messages/0/content", "You read files.".into()), at("/messages/0"));
    assert_eq!(second("/messages/2/content", "What is".into()), at("/messages/2"));
    assert_eq!(second("/tools/0/function/description", "Lists".into()), at("/tools"));
    assert_eq!(second("/model", "n".into()), at("/model"));

    let mut shorter = session();
    shorter.swap(1, 3);
    let broken = check(&shorter, &Scope::default()).expect_err("messages went away");
    assert_eq!((broken.request, &*broken.pointer), (2, "/messages/6"));

    let mut spaced = seen(&session());
    spaced[1].body.insert(1, b' ');
    let broken = check_requests(&spaced, &Scope::default()).expect_err("other bytes");
    assert_eq!((broken.request, broken.fault), (1, Fault::PrefixChanged));
}

#[test]
fn as_many_sessions_as_were_named_may_mix() {
    let other = json!({"role": "user", "content": "Another session."});
    let system = json!({"role": "system", "content": "You edit files."});
    let first = body(&[system.clone(), other.clone()]);
    let second = body(&[system, other.clone(), other]);
    let mut bodies = session();
    bodies.insert(1, first);
    bodies.insert(4, second);
    let scope = |sessions| Scope { sessions, ..Scope::default() };
    assert_eq!(check(&bodies, &scope(2)), Ok(()));
    let broken = check(&bodies, &scope(1)).expect_err("two sessions");
    assert_eq!((broken.request, broken.fault), (1, Fault::PrefixChanged));
}
