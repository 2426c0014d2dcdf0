use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;
use crate::{catalog, sse::SseEvent};

/// Decodes one chunk a line and shows one event a line.
fn decode(rule: CacheFields, chunks: &str) -> String {
    let mut decoder = Decoder::new(rule, 100_000);
    let mut events = VecDeque::new();
    let mut shown = String::new();
    for chunk in chunks.trim().lines() {
        let event = SseEvent { data: chunk.trim().as_bytes().to_vec(), is_error: false };
        if let Err(fault) = decoder.feed(&event, &mut events) {
            let _infallible = writeln!(shown, "{fault:?}");
            break;
        }
    }
    let whole = decoder.is_whole();
    let stop = decoder.finish(&mut events);
    let show = |it: ModelEvent| match it {
        ModelEvent::ToolCall(call) => match call.arguments {
            Ok(arguments) => {
                let signed = call.signature.map(|it| format!(" signed {it}")).unwrap_or_default();
                format!("Call {:?} {} {arguments}{signed}\n", call.wire_id, call.name)
            }
            Err(broken) => format!("Call {:?} {} BROKEN {broken}\n", call.wire_id, call.name),
        },
        ModelEvent::Usage(usage) => {
            let of = |it: Option<u32>| it.map_or("?".to_owned(), |it| it.to_string());
            let (hit, miss) = (of(usage.cache_hit_tokens), of(usage.cache_miss_tokens));
            let (input, output) = (of(usage.input_tokens), of(usage.output_tokens));
            let reasoning = of(usage.reasoning_tokens);
            format!("Usage {input} (hit {hit}, miss {miss}) -> {output} (reasoning {reasoning})\n")
        }
        ModelEvent::Text(text) => format!("Text {text:?}\n"),
        ModelEvent::Reasoning { field, text } => format!("Reasoning {field} {text:?}\n"),
        ModelEvent::Done(_) => String::new(),
    };
    let mut events = events.into_iter().map(show).collect::<String>();
    events.push_str(&shown);
    let end = if whole { format!("{stop:?}") } else { "not whole".to_owned() };
    events + &end
}

fn check(chunks: &str, expect: Expect) {
    expect.assert_eq(&decode(CacheFields::Either, chunks));
}

/// Deltas of tool calls, one a line, in a stream that ends with them.
fn check_calls(deltas: &str, expect: Expect) {
    let chunk = |it: &str| format!("{{\"choices\":[{{\"delta\":{{\"tool_calls\":[{it}]}}}}]}}\n");
    let chunks = deltas.trim().lines().map(|it| chunk(it.trim())).collect::<String>();
    check(&(chunks + r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#), expect);
}

#[test]
fn an_empty_delta_says_nothing() {
    check(
        r#"
        {"choices":[],"prompt_filter_results":[]}
        {"choices":[{"delta":{"role":"assistant","content":null,"reasoning_content":""}}]}
        {"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":""}]}
        {"choices":[{"index":0}]}
        {"choices":null,"usage":null,"error":null}
        {}
        {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}
        "#,
        expect![[r#"
            Text "a"
            Stop"#]],
    );
}

#[test]
fn reasoning_is_taken_once_from_whichever_field_it_stands_in() {
    check(
        r#"
        {"choices":[{"delta":{"reasoning_content":"a","content":null}}]}
        {"choices":[{"delta":{"reasoning":"b","reasoning_details":[{"text":"b"}]}}]}
        {"choices":[{"delta":{"reasoning_details":[{"text":"c"},{"summary":"d"},{"data":"?"}]}}]}
        {"choices":[{"delta":{"content":[{"type":"text","text":"e"}]}}]}
        {"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"g"}]},{"type":"text","text":"h"}]}}]}
        {"choices":[{"delta":{"refusal":"f"}}]}
        [DONE]
        "#,
        expect![[r#"
            Reasoning reasoning_content "a"
            Reasoning reasoning "b"
            Reasoning reasoning_details "cd"
            Text "e"
            Reasoning thinking "g"
            Text "h"
            Text "f"
            Stop"#]],
    );
}

#[test]
fn parallel_calls_come_in_fragments() {
    check_calls(
        r#"
        {"index":0,"id":"a","type":"function","function":{"name":"read","arguments":""}}
        {"index":0,"function":{"arguments":"{\"p\":"}}
        {"index":1,"id":"b","function":{"name":"list","arguments":"{"}}
        {"index":0,"id":"","function":{"name":"","arguments":"1}"}}
        {"index":1,"id":null,"function":{"name":null,"arguments":"}"}}
        "#,
        expect![[r#"
            Call "a" read {"p":1}
            Call "b" list {}
            ToolCalls"#]],
    );
}

#[test]
fn whole_calls_come_without_an_index_or_all_with_the_same() {
    check_calls(
        r#"
        {"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}
        {"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}}
        "#,
        expect![[r#"
            Call "a" read {"p":1}
            Call "b" read {"p":2}
            ToolCalls"#]],
    );
    check_calls(
        r#"
        {"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}
        {"index":0,"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}}
        "#,
        expect![[r#"
            Call "a" read {"p":1}
            Call "b" read {"p":2}
            ToolCalls"#]],
    );
    check_calls(
        r#"
        {"function":{"name":"list","arguments":null}}
        {"function":{"name":"read","arguments":{"p":1}}}
        {"function":{"name":"read","arguments":{"p":2}}}
        {"function":{"name":"stat","arguments":{"p":3}}}
        "#,
        expect![[r#"
            Call "" list {}
            Call "" read {"p":1}
            Call "" read {"p":2}
            Call "" stat {"p":3}
            ToolCalls"#]],
    );
}

#[test]
fn fragments_without_an_index_go_to_the_last_call() {
    check_calls(
        r#"
        {"id":"a","function":{"name":"read"}}
        {"function":{"arguments":"{\"p\""}}
        {"function":{"name":"read","arguments":":1}"}}
        "#,
        expect![[r#"
            Call "a" read {"p":1}
            ToolCalls"#]],
    );
}

#[test]
fn a_name_may_come_late_in_pieces_or_again_and_again() {
    check_calls(
        r#"
        {"index":0,"id":"a","function":{"arguments":""}}
        {"index":0,"function":{"name":"read"}}
        {"index":0,"function":{"name":"_file"}}
        {"index":0,"function":{"name":"read_file","arguments":"{\"p\":"}}
        {"index":0,"function":{"name":"read_file","arguments":"1}"}}
        {"index":1,"id":"b","function":{"name":"li"}}
        {"index":1,"id":"b","function":{"name":"list"}}
        "#,
        expect![[r#"
            Call "a" read_file {"p":1}
            Call "b" list {}
            ToolCalls"#]],
    );
}

#[test]
fn a_whole_call_that_is_sent_again_is_one_call() {
    check_calls(
        r#"
        {"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}
        {"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}
        {"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}
        {"index":0,"function":{"arguments":"{\"p\":1}"}}
        "#,
        expect![[r#"
            Call "a" read {"p":1}
            ToolCalls"#]],
    );
}

/// Some number the first piece alone, some only a later one.
#[test]
fn a_known_id_needs_no_index() {
    check_calls(
        r#"
        {"id":"a","function":{"name":"read","arguments":"{"}}
        {"index":1,"id":"b","function":{"name":"list","arguments":"{"}}
        {"index":0,"id":"a","function":{"arguments":"}"}}
        {"id":"b","function":{"arguments":"}"}}
        "#,
        expect![[r#"
            Call "a" read {}
            Call "b" list {}
            ToolCalls"#]],
    );
}

/// Calls may share an id; the index tells them apart.
#[test]
fn two_calls_under_one_id_stay_two() {
    check_calls(
        r#"
        {"index":0,"id":"same","function":{"name":"read","arguments":"{\"p\":1}"}}
        {"index":1,"id":"same","function":{"name":"read","arguments":"{\"p\":2}"}}
        "#,
        expect![[r#"
            Call "same" read {"p":1}
            Call "same" read {"p":2}
            ToolCalls"#]],
    );
}

/// The index says that they are two; nothing else does. Only one may run.
#[test]
fn a_call_that_is_sent_twice_is_broken_the_second_time() {
    check_calls(
        r#"
        {"index":0,"id":"same","function":{"name":"rm","arguments":"{\"p\":1}"}}
        {"index":1,"id":"same","function":{"name":"rm","arguments":"{\"p\":1}"}}
        {"index":2,"function":{"name":"ls","arguments":"{}"}}
        {"index":3,"function":{"name":"ls","arguments":"{}"}}
        "#,
        expect![[r#"
            Call "same" rm {"p":1}
            Call "same" rm BROKEN the call cannot be run: it is the same call as one before it, id and all
            Call "" ls {}
            Call "" ls {}
            ToolCalls"#]],
    );
}

/// PV-5.
#[test]
fn a_signature_is_kept_with_its_call() {
    check_calls(
        r#"
        {"index":0,"id":"a","extra_content":{"google":{"thought_signature":"s1"}},"function":{"name":"ls","arguments":"{"}}
        {"index":0,"function":{"arguments":"}"}}
        {"index":1,"id":"b","extra_content":{"other":1},"function":{"name":"ls","arguments":"{}"}}
        "#,
        expect![[r#"
            Call "a" ls {} signed s1
            Call "b" ls {}
            ToolCalls"#]],
    );
}

#[test]
fn arguments_that_are_no_object_are_broken() {
    check_calls(
        r#"
        {"index":0,"id":"a","function":{"name":"x","arguments":"{\"p\":"}}
        {"index":1,"id":"b","function":{"name":"x","arguments":"[1]"}}
        {"index":2,"id":"c","function":{"name":"x","arguments":"{} {}"}}
        {"index":3,"id":"d","function":{"name":"x","arguments":" "}}
        {"index":4,"id":"e","function":{"name":"x","arguments":"null"}}
        {"index":5,"id":"f","function":{"arguments":" {\"b\":1, \"a\":2} "}}
        "#,
        expect![[r#"
            Call "a" x BROKEN the call cannot be run: its arguments are no JSON object: EOF while parsing a value at line 1 column 5
            Call "b" x BROKEN the call cannot be run: its arguments are no JSON object: invalid type: sequence, expected a map at line 1 column 0
            Call "c" x BROKEN the call cannot be run: its arguments are no JSON object: trailing characters at line 1 column 4
            Call "d" x {}
            Call "e" x {}
            Call "f"   {"b":1, "a":2} 
            ToolCalls"#]],
    );
}

/// PV-6.
#[test]
fn a_call_that_the_output_limit_cut_is_broken_even_if_nothing_of_it_came() {
    check(
        r#"
        {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"y","arguments":"{\"p"}}]}}]}
        {"choices":[{"delta":{"tool_calls":[{"index":2,"id":"c","function":{"name":"z"}}]}}]}
        {"choices":[{"delta":{},"finish_reason":"length"}]}
        "#,
        expect![[r#"
            Call "a" x {}
            Call "b" y BROKEN the call cannot be run: the answer reached the output limit before its arguments were whole
            Call "c" z BROKEN the call cannot be run: the answer reached the output limit before its arguments were whole
            Length"#]],
    );
}

#[test]
fn a_finish_reason_is_read_in_every_vendors_words() {
    let stop = |word| {
        let chunk = format!(r#"{{"choices":[{{"finish_reason":"{word}"}}]}}"#);
        decode(CacheFields::Either, &chunk)
    };
    for word in ["stop", "STOP", "end_turn", "eos", "tool_calls", "never-heard-of"] {
        assert_eq!(stop(word), "Stop", "{word}: no calls came");
    }
    for word in ["length", "max_tokens", "MAX_TOKENS"] {
        assert_eq!(stop(word), "Length", "{word}");
    }
    for word in ["content_filter", "SAFETY", "sensitive"] {
        assert_eq!(stop(word), "Filtered", "{word}");
    }
    for word in ["insufficient_system_resource", "error"] {
        assert_eq!(stop(word), format!("Reported({word:?})\nnot whole"));
    }
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"x"}}]},"finish_reason":"stop"}]}"#;
    assert_eq!(decode(CacheFields::Either, call), "Call \"\" x {}\nToolCalls");
}

#[test]
fn an_error_is_found_wherever_it_stands() {
    for error in [
        r#"{"error":{"message":"busy","code":503}}"#,
        r#"{"error":"busy"}"#,
        r#"{"object":"error","message":"busy","code":503}"#,
        r#"{"choices":[{"delta":{"content":""},"error":{"message":"busy"},"finish_reason":"error"}]}"#,
        r#"{"choices":[],"error":{"msg":"busy"}}"#,
    ] {
        assert_eq!(decode(CacheFields::Either, error), "Reported(\"busy\")\nnot whole", "{error}");
    }
}

#[test]
fn what_an_error_says_besides_is_kept() {
    check(
        r#"{"choices":[{"delta":{"content":"so far"},"finish_reason":"error"}],"error":"busy",
            "usage":{"prompt_tokens":3,"completion_tokens":2}}"#
            .replace('\n', "")
            .as_str(),
        expect![[r#"
            Text "so far"
            Usage 3 (hit ?, miss ?) -> 2 (reasoning ?)
            Reported("busy")
            not whole"#]],
    );
}

/// AN-40: one stream for each rule. US-1: what is not told is not known.
#[test]
fn each_vendors_cache_is_read_from_its_own_fields() {
    let stream = r#"
        {"choices":[{"delta":{"content":"a"},"finish_reason":"stop","usage":{"prompt_tokens":1}}]}
        {"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":9,
            "prompt_cache_hit_tokens":60,"prompt_cache_miss_tokens":30,
            "prompt_tokens_details":{"cached_tokens":70},
            "completion_tokens_details":{"reasoning_tokens":4}}}
        "#
    .replace(",\n            ", ",");
    let usage = |rule, stream: &str| {
        let shown = decode(rule, stream);
        shown.lines().find(|it| it.starts_with("Usage")).unwrap_or("none").to_owned()
    };
    let told = "Usage 100 (hit 60, miss 30) -> 9 (reasoning 4)";
    let derived = "Usage 100 (hit 70, miss 30) -> 9 (reasoning 4)";
    assert_eq!(usage(CacheFields::HitAndMiss, &stream), told);
    assert_eq!(usage(CacheFields::CachedTokens, &stream), derived);
    assert_eq!(usage(CacheFields::Either, &stream), told);
    assert_eq!(usage(CacheFields::Either, &stream.replace("prompt_cache", "other")), derived);
    let on_top =
        stream.replace("\"prompt_tokens_details\":{\"cached_tokens\":70}", "\"cached_tokens\":70");
    assert_eq!(usage(CacheFields::CachedTokens, &on_top), derived);

    let plain = r#"{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":9}}"#;
    let nothing = r#"{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0}}"#;
    let groq = r#"{"choices":[],"x_groq":{"usage":{"prompt_tokens":7,"completion_tokens":1}}}"#;
    for entry in catalog::entries() {
        let rule = entry.cache_fields;
        assert_eq!(usage(rule, plain), "Usage 100 (hit ?, miss ?) -> 9 (reasoning ?)");
        assert_eq!(usage(rule, nothing), "none");
        assert_eq!(usage(rule, groq), "Usage 7 (hit ?, miss ?) -> 1 (reasoning ?)");
    }
    let of = |rule| {
        let all = catalog::entries().iter().filter(|it| it.cache_fields == rule);
        all.map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(of(CacheFields::HitAndMiss), ["deepseek"]);
    assert_eq!(
        of(CacheFields::CachedTokens),
        ["openai", "openrouter", "moonshot", "zhipu", "qwen", "groq"]
    );
}

/// CL-7: text, reasoning and arguments count, and so does each call with nothing in it.
#[test]
fn an_answer_over_the_limit_is_refused() {
    for (delta, times) in [
        (r#"{"content":"123456789"}"#.to_owned(), 11_112),
        (r#"{"reasoning":"123456789"}"#.to_owned(), 11_112),
        (r#"{"tool_calls":[{"index":0,"function":{"arguments":"123456789"}}]}"#.to_owned(), 10_660),
        (r#"{"tool_calls":[{"id":"N"}]}"#.to_owned(), 25),
    ] {
        let chunk = |it: usize| {
            format!("{{\"choices\":[{{\"delta\":{delta}}}]}}\n").replace('N', &it.to_string())
        };
        let chunks = |times| (0..times).map(chunk).collect::<String>();
        assert!(decode(CacheFields::Either, &chunks(times)).contains("TooLarge"), "{delta}");
        let fewer = times - times.div_ceil(50);
        assert!(!decode(CacheFields::Either, &chunks(fewer)).contains("TooLarge"), "{delta}");
    }
}
