//! `use_capability`, and calls that name the wrong tool.

use protocol::FailureCode;
use serde_json::json;
use tools::PlanError;

use crate::bench::{Bench, failed};

/// TC-4, TC-7.
#[test]
fn list_is_sorted_and_inspect_tells_the_schema() {
    let mut it = Bench::new(&[]);
    let told = it.call("use_capability", &json!({ "action": "list" })).expect("a list");
    let names: Vec<&str> = told.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    assert_eq!(names, ["glob", "grep", "ls", "multi_edit"]);
    let call = json!({ "action": "inspect", "name": "glob" });
    let told = it.call("use_capability", &call).expect("a schema");
    assert!(told.contains(r#""required":["pattern"]"#), "{told}");
}

#[test]
fn a_call_is_planned_as_the_capability_itself() {
    let it = Bench::new(&[]);
    let call = json!({ "action": "call", "name": "glob", "arguments": { "pattern": "*.rs" } });
    let planned = it.plan("use_capability", &call).expect("a plan");
    assert_eq!((planned.tool, planned.title.as_str()), ("glob", "*.rs"));
}

/// CL-1: the error of a capability called by its name holds the call to send.
#[test]
fn a_capability_that_is_called_by_its_name_is_told_the_call_that_works() {
    let mut it = Bench::new(&[("a", b"needle\n")]);
    let failure = failed(it.call("grep", &json!({ "pattern": "needle" })));
    assert_eq!(failure.code, FailureCode::UnknownTool);
    assert_eq!(it.follow(&failure.next).expect("it works"), "a:1:needle");
    let failure = failed(it.call("grep", &json!({ "query": "needle" })));
    assert!(failure.next.contains(r#""pattern": string"#), "{}", failure.next);
}

#[test]
fn an_unknown_tool_is_told_all_names() {
    let mut it = Bench::new(&[]);
    for name in ["str_replace", "Bash", ""] {
        let failure = failed(it.call(name, &json!({})));
        assert_eq!(failure.code, FailureCode::UnknownTool);
        for known in ["bash", "edit_file", "read_file", "use_capability", "write_file", "grep"] {
            assert!(failure.next.contains(known), "{known} is not in {}", failure.next);
        }
    }
}

#[test]
fn a_wrong_call_of_a_capability_names_what_is_right() {
    let mut it = Bench::new(&[]);
    let mut code = |call| match it.call("use_capability", &call) {
        Err(PlanError::Failed(failure)) => (failure.code, failure.next),
        other => panic!("{other:?}"),
    };
    let (missing, next) = code(json!({ "action": "call" }));
    assert_eq!(
        (missing, next.as_str()),
        (FailureCode::BadArguments, "name one of glob, grep, ls, multi_edit")
    );
    let (unknown, _) = code(json!({ "action": "call", "name": "web" }));
    assert_eq!(unknown, FailureCode::UnknownTool);
    let (wrong, next) = code(json!({ "action": "call", "name": "glob", "arguments": { "x": 1 } }));
    assert_eq!(wrong, FailureCode::BadArguments);
    assert!(next.contains(r#""pattern": string"#), "{next}");
}
