//! `bash` and what goes with it: what would be run, where, and for how long.

use std::time::Duration;

use protocol::FailureCode;
use serde_json::json;
use tools::{Intent, JobRequest, RunMode};

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
    let root = workspace::real_path(&it.path("")).expect("it is there");
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

#[test]
fn a_command_goes_to_the_background_only_if_it_is_asked_to() {
    let it = Bench::new(&[]);
    let mode = |arguments| {
        let planned = it.plan("bash", &arguments).expect("a plan");
        let Intent::Run(running) = planned.intent else { panic!("a command") };
        running.mode
    };
    assert_eq!(mode(json!({ "command": "ls" })), RunMode::Awaited);
    assert_eq!(mode(json!({ "command": "ls", "run_in_background": false })), RunMode::Awaited);
    assert_eq!(mode(json!({ "command": "ls", "run_in_background": true })), RunMode::Background);
}

/// CL-7, table 8.2: the model can end a command sooner, and never later.
#[test]
fn a_command_is_given_the_time_that_is_asked_for_up_to_the_limit() {
    let mut it = Bench::new(&[]);
    let time = |seconds: u32| {
        let call = json!({ "command": "ls", "seconds": seconds });
        let Intent::Run(running) = it.plan("bash", &call).expect("a plan").intent else {
            panic!("a command")
        };
        running.time.as_secs()
    };
    assert_eq!([1, 119, 120, 121, u32::MAX].map(time), [1, 119, 120, 120, 120]);
    let nothing = failed(it.call("bash", &json!({ "command": "ls", "seconds": 0 })));
    assert_eq!(nothing.code, FailureCode::BadArguments);
    assert_eq!(nothing.next, "leave seconds out, or send 1 to 120");
    let call = json!({ "command": "ls", "seconds": 5, "run_in_background": true });
    let in_vain = failed(it.call("bash", &call));
    assert_eq!(in_vain.code, FailureCode::BadArguments);
    assert_eq!(in_vain.next, "leave seconds out; kill_shell ends a job");
}

/// CL-7: a wait has an end, whatever the model asks for.
#[test]
fn a_wait_is_bounded() {
    let it = Bench::new(&[]);
    let asked = |arguments| {
        let planned = it.plan("wait", &arguments).expect("a plan");
        let Intent::Job(JobRequest::Wait { job, time }) = planned.intent else { panic!("a wait") };
        (job, time.as_secs())
    };
    assert_eq!(asked(json!({})), (None, 120));
    assert_eq!(asked(json!({ "job": "job3", "seconds": 5 })), (Some("job3".to_owned()), 5));
    assert_eq!(asked(json!({ "seconds": 86_400 })), (None, 120));
    assert_eq!(asked(json!({ "seconds": 0 })), (None, 0));
}
