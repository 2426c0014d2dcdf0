use expect_test::expect;
use proptest::{collection::vec, option, prelude::*};
use protocol::ToolCallId;
use serde_json::{Value, json};

use super::*;
use crate::catalog;

/// Stands in every host-only field. It must be in no request.
const HOST_ONLY: &str = "host-only";

fn entry(id: &str) -> &'static CatalogEntry {
    catalog::entry(id).expect("it is in the catalog")
}

fn tools() -> [ToolSpec; 2] {
    let tool = |name: &str, parameters| ToolSpec {
        name: name.to_owned(),
        description: format!("Does {name}."),
        parameters,
    };
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}, "at": {}}});
    [tool("write", path), tool("bash", json!({"type": "object"}))]
}

fn user(text: &str) -> ModelMessage {
    ModelMessage::User { text: text.to_owned() }
}

fn assistant(text: &str, reasoning: Option<(&str, &str)>, calls: &[(&str, &str)]) -> ModelMessage {
    let reasoning =
        reasoning.map(|(field, text)| Reasoning { field: field.to_owned(), text: text.to_owned() });
    let call = |(wire_id, name): &(&str, &str)| ModelCall {
        id: ToolCallId::minted(HOST_ONLY),
        wire_id: (*wire_id).to_owned(),
        name: (*name).to_owned(),
        arguments: "{\"path\": 1}".to_owned(),
        signature: None,
    };
    let calls = calls.iter().map(call).collect();
    ModelMessage::Assistant { text: text.to_owned(), reasoning, calls }
}

fn tool(wire_id: &str, text: &str) -> ModelMessage {
    let call = ToolCallId::minted(HOST_ONLY);
    ModelMessage::Tool { call, wire_id: wire_id.to_owned(), text: text.to_owned() }
}

fn written(entry: &CatalogEntry, model: &str, messages: &[ModelMessage]) -> String {
    let tools = tools();
    let prompt = Prompt { system: "Be exact.", tools: &tools, messages };
    String::from_utf8(body(entry, model, &prompt)).expect("JSON is UTF-8")
}

/// The messages of the model as they are sent.
fn sent(entry: &CatalogEntry, messages: &[ModelMessage]) -> Vec<Value> {
    let body: Value = serde_json::from_str(&written(entry, "m", messages)).expect("it is JSON");
    let messages = body["messages"].as_array().expect("messages are a list");
    messages.iter().filter(|it| it["role"] == "assistant").cloned().collect()
}

fn conversation() -> Vec<ModelMessage> {
    vec![
        ModelMessage::Context { text: "Linux, bash".to_owned() },
        user("Write \"it\"\n"),
        assistant("", Some(("reasoning_content", "Let me")), &[("c1", "write"), ("c2", "bash")]),
        tool("c1", "done"),
        tool("c2", "exit 0"),
        assistant("All is done.", None, &[]),
    ]
}

/// CA-2, CA-4, CA-6: a change of these bytes loses every cache there is.
#[test]
fn a_request_is_these_bytes() {
    expect![[r#"{"model":"deepseek-v4-pro","stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"write","description":"Does write.","parameters":{"type":"object","properties":{"path":{"type":"string"},"at":{}}}}},{"type":"function","function":{"name":"bash","description":"Does bash.","parameters":{"type":"object"}}}],"messages":[{"role":"system","content":"Be exact."},{"role":"user","content":"Linux, bash"},{"role":"user","content":"Write \"it\"\n"},{"role":"assistant","content":null,"reasoning_content":"Let me","tool_calls":[{"id":"c1","type":"function","function":{"name":"write","arguments":"{\"path\": 1}"}},{"id":"c2","type":"function","function":{"name":"bash","arguments":"{\"path\": 1}"}}]},{"role":"tool","tool_call_id":"c1","content":"done"},{"role":"tool","tool_call_id":"c2","content":"exit 0"},{"role":"assistant","content":"All is done.","reasoning_content":" "}]}"#]].assert_eq(&written(entry("deepseek"), "deepseek-v4-pro", &conversation()));
}

/// CA-3, PV-4.
#[test]
fn nothing_of_the_hosts_own_is_in_a_request() {
    for entry in catalog::entries() {
        assert!(!written(entry, "m", &conversation()).contains(HOST_ONLY), "{}", entry.id);
    }
}

#[test]
fn a_request_without_tools_and_system_text_has_no_empty_lists() {
    let prompt = Prompt { system: "", tools: &[], messages: &[user("hi")] };
    let body = String::from_utf8(body(entry("custom"), "m", &prompt)).expect("JSON is UTF-8");
    expect![[r#"{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}"#]].assert_eq(&body);
}

/// AN-40, PV-5: each rule on and off.
#[test]
fn reasoning_goes_back_as_each_vendor_wants_it() {
    let messages = [
        assistant("a", Some(("reasoning_content", "x")), &[("c", "ls")]),
        assistant("b", Some(("reasoning", "y")), &[]),
        assistant("c", Some(("reasoning_details", "z")), &[]),
        assistant("d", None, &[("c", "ls")]),
    ];
    let none = || (Value::Null, Value::Null);
    let content = |text| (json!(text), Value::Null);
    for entry in catalog::entries() {
        let field = |it: &Value, name| it.get(name).cloned().unwrap_or_default();
        let sent = sent(entry, &messages);
        let each = sent.iter().map(|it| (field(it, "reasoning_content"), field(it, "reasoning")));
        let expected = match entry.reasoning_echo {
            ReasoningEcho::Always => [content("x"), content("y"), content("z"), content(" ")],
            ReasoningEcho::IfItCame => [content("x"), (Value::Null, json!("y")), none(), none()],
            ReasoningEcho::Never => [none(), none(), none(), none()],
        };
        assert_eq!(each.collect::<Vec<_>>(), expected, "{}", entry.id);
    }
    let of = |rule| {
        let all = catalog::entries().iter().filter(|it| it.reasoning_echo == rule);
        all.map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(of(ReasoningEcho::Always), ["deepseek", "moonshot"]);
    assert_eq!(of(ReasoningEcho::Never), ["openai", "groq", "mistral", "gemini"]);
}

/// PV-5: a signature goes back unchanged where it is wanted, a missing one is stood in for, and
/// nobody else is told of either.
#[test]
fn signatures_go_back_to_whoever_wants_them() {
    let calls = |signatures: &[Option<&str>]| {
        let mut message = assistant("", None, &vec![("c", "ls"); signatures.len()]);
        if let ModelMessage::Assistant { calls, .. } = &mut message {
            for (call, signature) in calls.iter_mut().zip(signatures) {
                call.signature = signature.map(str::to_owned);
            }
        }
        message
    };
    let messages = [calls(&[Some("s1"), None, Some("s3")]), calls(&[None, None])];
    for entry in catalog::entries() {
        let sent = sent(entry, &messages);
        let calls = sent.iter().flat_map(|it| it["tool_calls"].as_array().expect("it has calls"));
        let signatures = calls.map(|it| it.pointer("/extra_content/google/thought_signature"));
        let signatures = signatures.map(|it| it.and_then(Value::as_str)).collect::<Vec<_>>();
        let expected = match entry.id {
            "gemini" => [Some("s1"), None, Some("s3"), Some(NO_SIGNATURE), None],
            _ => [None; 5],
        };
        assert_eq!(signatures, expected, "{}", entry.id);
        let silent = !written(entry, "m", &messages).contains("extra_content");
        assert_eq!(silent, entry.id != "gemini");
    }
}

/// AN-40: who refuses fields that it does not know gets none.
#[test]
fn usage_is_asked_for_where_that_is_allowed() {
    for entry in catalog::entries() {
        let asks = written(entry, "m", &[]).contains("\"stream_options\":{\"include_usage\":true}");
        assert_eq!(asks, entry.id != "mistral", "{}", entry.id);
    }
}

#[test]
fn a_message_has_text_or_null_beside_calls() {
    let messages = [
        assistant("", None, &[("c", "ls")]),
        assistant("so", None, &[("c", "ls")]),
        assistant("", None, &[]),
    ];
    let sent = sent(entry("openai"), &messages);
    let contents = sent.iter().map(|it| it["content"].clone()).collect::<Vec<_>>();
    assert_eq!(contents, [Value::Null, json!("so"), json!("")]);
}

#[test]
fn a_name_that_vendors_would_refuse_is_fitted() {
    let long = "x".repeat(80);
    let names = [("1", "read_file"), ("2", ""), ("3", "fs.read ü"), ("4", long.as_str())];
    let sent = sent(entry("openai"), &[assistant("", None, &names)]);
    let calls = sent[0]["tool_calls"].as_array().expect("it has calls");
    let names = calls.iter().map(|it| it["function"]["name"].clone()).collect::<Vec<_>>();
    assert_eq!(
        names,
        [json!("read_file"), json!("unnamed"), json!("fs_read__"), json!("x".repeat(64))]
    );
}

#[test]
fn a_model_that_takes_tools_only_without_effort_is_told_so() {
    assert!(written(entry("openai"), "gpt-5.6-sol", &[]).contains("\"reasoning_effort\":\"none\""));
    assert!(!written(entry("openai"), "gpt-4.1", &[]).contains("reasoning_effort"));
    let prompt = Prompt { system: "", tools: &[], messages: &[] };
    let body = body(entry("openai"), "gpt-5.6-sol", &prompt);
    assert!(!String::from_utf8_lossy(&body).contains("reasoning_effort"));
}

fn any_message() -> impl Strategy<Value = ModelMessage> {
    let text = || "[a-z\"\\\\\n\u{0}ü\u{2028}{}\\[\\]]{0,6}";
    let fields = prop_oneof![Just("reasoning_content"), Just("reasoning"), Just("other")];
    let reasoning = (fields, text()).prop_map(|(field, text)| (field.to_owned(), text));
    let calls = vec((text(), text()), 0..3);
    prop_oneof![
        text().prop_map(|text| ModelMessage::Context { text }),
        text().prop_map(|text| user(&text)),
        (text(), text()).prop_map(|(id, text)| tool(&id, &text)),
        (text(), option::of(reasoning), calls).prop_map(|(text, reasoning, calls)| {
            let reasoning = reasoning.as_ref().map(|(field, text)| (&**field, &**text));
            let calls = calls.iter().map(|(id, name)| (&**id, &**name)).collect::<Vec<_>>();
            assistant(&text, reasoning, &calls)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// CA-1, CX-3: whatever is said, the next request begins with the bytes of this one.
    #[test]
    fn a_longer_conversation_only_adds_bytes(messages in vec(any_message(), 0..8)) {
        for entry in catalog::entries() {
            let bodies = (0..=messages.len()).map(|it| written(entry, "m", &messages[..it]));
            let bodies = bodies.collect::<Vec<_>>();
            for pair in bodies.windows(2) {
                let prefix = pair[0].strip_suffix("]}").expect("the messages come last");
                prop_assert!(pair[1].starts_with(prefix));
                prop_assert!(pair[0].len() < pair[1].len());
            }
        }
    }
}
