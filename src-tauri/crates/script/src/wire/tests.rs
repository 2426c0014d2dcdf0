use super::*;

/// The whole body, as it goes out if nothing holds it up.
fn played(reply: Reply, request: usize) -> String {
    let steps = take(reply, request).steps.into_iter();
    let bytes = steps.flat_map(|step| match step {
        Step::Send(bytes) => bytes.to_vec(),
        Step::Hold(name) => format!("[{name}]\n").into_bytes(),
    });
    String::from_utf8(bytes.collect()).expect("events are text")
}

/// The events without what is the same in each.
fn events(reply: Reply, request: usize) -> String {
    let same = format!(
        r#"{{"id":"script-{request}","object":"chat.completion.chunk","created":0,"model":"scripted","choices":["#
    );
    let all = played(reply, request);
    all.replace("\n\n", "\n").replace(&same, "").replace(r#"{"index":0,"delta":"#, "")
}

#[test]
fn an_answer_streams_its_parts_in_order_and_then_why_it_ended() {
    let usage = Usage {
        input_tokens: Some(100),
        cache_hit_tokens: Some(64),
        cache_miss_tokens: Some(36),
        output_tokens: Some(7),
        reasoning_tokens: Some(2),
    };
    let reply = Reply::text("two words")
        .reasoning("so so")
        .and_hold("mid")
        .and_call("read_file", json!({"path": "a/long/name.txt"}))
        .and_call("ls", json!("{brok"))
        .usage(usage);
    let expected = r#"data: {"role":"assistant","content":""},"finish_reason":null}]}
data: {"reasoning_content":"so "},"finish_reason":null}]}
data: {"reasoning_content":"so"},"finish_reason":null}]}
data: {"content":"two "},"finish_reason":null}]}
data: {"content":"words"},"finish_reason":null}]}
[mid]
data: {"tool_calls":[{"index":0,"id":"call_3_0","type":"function","function":{"name":"read_file","arguments":""}}]},"finish_reason":null}]}
data: {"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":\"a/long/name.txt"}}]},"finish_reason":null}]}
data: {"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]},"finish_reason":null}]}
data: {"tool_calls":[{"index":1,"id":"call_3_1","type":"function","function":{"name":"ls","arguments":""}}]},"finish_reason":null}]}
data: {"tool_calls":[{"index":1,"function":{"arguments":"{brok"}}]},"finish_reason":null}]}
data: {},"finish_reason":"tool_calls"}]}
data: ],"usage":{"prompt_tokens":100,"completion_tokens":7,"total_tokens":107,"prompt_tokens_details":{"cached_tokens":64},"completion_tokens_details":{"reasoning_tokens":2},"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}}
data: [DONE]
"#;
    assert_eq!(events(reply.clone(), 3), expected);
    assert_eq!(played(reply.clone(), 3), played(reply, 3), "the same bytes every time");
}

/// PV-3: what is not known is not sent as zero.
#[test]
fn usage_that_is_not_known_is_left_out() {
    let unknown = events(Reply::text("").usage(Usage::default()), 0);
    assert!(unknown.contains(r#"data: ],"usage":{}}"#), "{unknown}");
    let none = events(Reply::text("").finish("length"), 0);
    assert!(!none.contains("usage") && none.contains(r#""finish_reason":"length""#), "{none}");
}

#[test]
fn chunks_of_every_kind_join_to_the_same_bytes() {
    let body = Bytes::from(Vec::from_iter((0..3_000).map(|it| b'a' + (it % 23) as u8)));
    let sizes = |how| Vec::from_iter(chunks(body.clone(), how).map(|it| it.len()));
    for how in [Chunks::Whole, Chunks::Byte, Chunks::Random { seed: 7 }, Chunks::Slow] {
        assert_eq!(Vec::from_iter(chunks(body.clone(), how).flatten()), body, "{how:?}");
    }
    assert_eq!(sizes(Chunks::Whole), [3_000]);
    assert_eq!(sizes(Chunks::Byte), [1; 3_000]);
    assert_eq!(sizes(Chunks::Slow), [200; 15]);
    let random = sizes(Chunks::Random { seed: 7 });
    assert_eq!(random, sizes(Chunks::Random { seed: 7 }));
    assert_ne!(random, sizes(Chunks::Random { seed: 8 }));
    assert!(random.iter().all(|size| (1..=400).contains(size)), "{random:?}");
    assert_eq!(chunks(Bytes::new(), Chunks::Whole).count(), 0);
}

#[test]
fn a_raw_reply_says_its_content_type_unless_it_names_one() {
    let kind = |reply| take(reply, 0).headers["content-type"].clone();
    assert_eq!(kind(Reply::raw("", Chunks::Whole)), "text/event-stream");
    assert_eq!(kind(Reply::status(401, "{}")), "application/json");
    assert_eq!(kind(Reply::status(502, "<p>").header("content-type", "text/html")), "text/html");
}
