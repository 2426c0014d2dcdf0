use expect_test::{Expect, expect};

use super::*;
use crate::builtin;

/// Tells what a tool says to some arguments.
fn check(tool: &str, arguments: &str, expected: &Expect) {
    let (boot, capabilities) = builtin::all();
    let found = boot.iter().chain(&capabilities).find(|it| it.name == tool).expect("a built-in");
    let told = parsed(tool, arguments).and_then(|it| checked(tool, &found.parameters, it));
    expected.assert_eq(&match told {
        Ok(right) => Value::Object(right).to_string(),
        Err(ToolFailure { message, next, .. }) => format!("{message}\n{next}"),
    });
}

#[test]
fn arguments_that_are_wrong_are_named_with_the_form_that_is_right() {
    check(
        "edit_file",
        r#"{"path":"a","old_string":"x"}"#,
        &expect![[r#"
        edit_file needs new_string, which is missing
        send edit_file {"path": string, "old_string": string, "new_string": string, "replace_all"?: boolean, "source_token"?: string}"#]],
    );
    check(
        "read_file",
        r#"{"path":"a","file_path":"b"}"#,
        &expect![[r#"
            read_file has no argument file_path
            send read_file {"path": string, "cursor"?: string, "intent"?: "inspect"|"range"|"full", "limit"?: integer, "offset"?: integer}"#]],
    );
    check(
        "read_file",
        r#"{"path":7}"#,
        &expect![[r#"
            path of read_file is 7, not string
            send read_file {"path": string, "cursor"?: string, "intent"?: "inspect"|"range"|"full", "limit"?: integer, "offset"?: integer}"#]],
    );
    check(
        "read_file",
        r#"{"path":null}"#,
        &expect![[r#"
            path of read_file is null, not string
            send read_file {"path": string, "cursor"?: string, "intent"?: "inspect"|"range"|"full", "limit"?: integer, "offset"?: integer}"#]],
    );
    check(
        "read_file",
        r#"{"path":"a","limit":"ten"}"#,
        &expect![[r#"
            limit of read_file is the string "ten", not integer
            send read_file {"path": string, "cursor"?: string, "intent"?: "inspect"|"range"|"full", "limit"?: integer, "offset"?: integer}"#]],
    );
    check(
        "read_file",
        r#"{"path":"a","limit":1.5}"#,
        &expect![[r#"
            limit of read_file is 1.5, not integer
            send read_file {"path": string, "cursor"?: string, "intent"?: "inspect"|"range"|"full", "limit"?: integer, "offset"?: integer}"#]],
    );
    check(
        "use_capability",
        r#"{"action":"search"}"#,
        &expect![[r#"
        action of use_capability is the string "search", not "call"|"inspect"|"list"
        send use_capability {"action": "call"|"inspect"|"list", "arguments"?: object, "name"?: string}"#]],
    );
    check(
        "bash",
        "",
        &expect![[r#"
            bash needs command, which is missing
            send bash {"command": string, "cwd"?: string, "run_in_background"?: boolean, "seconds"?: integer}"#]],
    );
    check(
        "bash",
        r#"["ls"]"#,
        &expect![[r#"
        the arguments of bash are a list, not an object
        send them as one JSON object"#]],
    );
    check(
        "bash",
        r#"{"command":"ls""#,
        &expect![[r#"
        the arguments of bash are no JSON: EOF while parsing an object at line 1 column 15
        send them as one JSON object"#]],
    );
    check("ls", "", &expect!["{}"]);
}

#[test]
fn an_optional_argument_may_be_null_or_empty() {
    check(
        "read_file",
        r#"{"path":"a","offset":null,"limit":3}"#,
        &expect![[r#"{"path":"a","limit":3}"#]],
    );
    check("bash", r#"{"command":"","cwd":""}"#, &expect![[r#"{"command":""}"#]]);
}
