//! `bash`: what would be run, where, and for how long.

use std::time::Duration;

use protocol::FailureCode;
use serde_json::json;
use tools::Intent;

use crate::bench::{Bench, failed};

/// AN-12.
#[test]
fn a_command_runs_in_the_workspace_or_in_the_folder_it_names() {
    let it = Bench::new(&[("src/a", b"")]);
    let planned = it.plan("bash", &json!({ "command": "\nmake all &&\nmake x" })).expect("a plan");
    assert_eq!((planned.tool, planned.title.as_str()), ("bash", "make all &&"));
    let Intent::Run(running) = planned.intent else { panic!("a command") };
    assert_eq!(running.command, "\nmake all &&\nmake x");
    assert_eq!(running.time, Duration::from_secs(120));
    let root = it.path("").canonicalize().expect("it is there");
    assert_eq!(running.cwd.absolute(), root);
    let planned = it.plan("bash", &json!({ "command": "ls", "cwd": "src" })).expect("a plan");
    let Intent::Run(running) = planned.intent else { panic!("a command") };
    assert_eq!(running.cwd.absolute(), root.join("src"));
}

#[test]
fn a_command_without_words_or_in_no_folder_fails() {
    let mut it = Bench::new(&[("a", b"")]);
    let mut code = |arguments| failed(it.call("bash", &arguments)).code;
    assert_eq!(code(json!({ "command": " " })), FailureCode::BadArguments);
    assert_eq!(code(json!({ "command": "a\0b" })), FailureCode::BadArguments);
    assert_eq!(code(json!({ "command": "ls", "cwd": "nowhere" })), FailureCode::NotFound);
    assert_eq!(code(json!({ "command": "ls", "cwd": "a" })), FailureCode::BadArguments);
    assert_eq!(code(json!({ "command": "ls", "cwd": ".." })), FailureCode::OutsideWorkspace);
}
