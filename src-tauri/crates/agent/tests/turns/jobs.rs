//! Background jobs over turns: what the model is told of them, and what each turn's result says.

use std::time::Duration;

use protocol::{Coverage, EventKind, GapReason, Limits, ToolCallStatus, TurnOutcome};
use serde_json::json;
use session::LocalRecord;
use testkit::script::{Reply, Script};

use crate::rig::{Choices, Rig, changes, files};

/// Goes on until there is a file `go`.
const UNTIL_GO: &str = "until [ -e go ]; do sleep 0.05; done";

fn quick(background_jobs: u32) -> Choices {
    let limits = Limits {
        command_grace: Duration::from_millis(300),
        pipe_quiet: Duration::from_millis(300),
        job_look: Duration::from_millis(20),
        background_jobs,
        ..Limits::default()
    };
    Choices { limits, ..Choices::default() }
}

fn bash(command: &str) -> Reply {
    Reply::call("bash", json!({ "command": command }))
}

fn background(command: &str) -> Reply {
    Reply::call("bash", json!({ "command": command, "run_in_background": true }))
}

fn wait(job: &str) -> Reply {
    Reply::call("wait", json!({ "job": job }))
}

fn reasons(end: &agent::TurnEnd) -> Vec<(GapReason, Option<&str>)> {
    let gaps = changes(&end.receipt).reasons.iter();
    gaps.map(|gap| (gap.reason, gap.call.as_ref().map(|it| it.as_str()))).collect()
}

/// What each turn says of each job, in order: `1 job0 Ended 3`.
fn told(rig: &Rig) -> Vec<String> {
    let line = |event: protocol::SessionEvent| match event.kind {
        EventKind::JobChanged { job, state, exit_code, .. } => {
            let code = exit_code.map(|it| format!(" {it}")).unwrap_or_default();
            Some(format!("{} {job} {state:?}{code}", event.turn))
        }
        _ => None,
    };
    rig.events().into_iter().filter_map(line).collect()
}

/// A command in the background ends its call at once; its output and its end are had later, and
/// are kept.
#[tokio::test]
async fn a_background_command_is_begun_waited_for_and_kept() {
    let mut rig = Rig::with(&[], quick(20)).await;
    let script = Script::new([
        background(&format!("echo one; {UNTIL_GO}; echo two >&2; exit 3")),
        bash("touch go"),
        wait("job0"),
        Reply::call("bash_output", json!({"job": "job0"})),
        Reply::text("done"),
    ]);
    let end = rig.turn("go", script).await;
    assert_eq!(end.outcome, TurnOutcome::Completed);
    let ended = rig.ended();
    assert!(ended.iter().all(|it| it.1 == ToolCallStatus::Completed), "{ended:?}");
    assert!(ended[0].2.starts_with("[it goes on in the background as job0"), "{}", ended[0].2);
    assert_eq!(ended[2].2, "one\ntwo\n[job0 has ended: exit code 3]");
    assert_eq!(ended[3].2, "[nothing new was printed]\n[job0 has ended: exit code 3]");
    assert_eq!(told(&rig), ["0 job0 Running", "0 job0 Ended 3"]);
    assert_eq!(reasons(&end), [(GapReason::BashSideEffect, Some("call00000"))]);
    let outputs = rig.reader().local_records(end.turn).expect("records").into_iter();
    let outputs = outputs.filter_map(|record| match record {
        LocalRecord::Output { call, blob, total_bytes: 8, cut: false, .. } => {
            Some((call.to_string(), rig.reader().blob(blob).expect("readable")))
        }
        _ => None,
    });
    let kept = ("call00000".to_owned(), Some(b"one\ntwo\n".to_vec()));
    assert_eq!(outputs.collect::<Vec<_>>(), [kept]);
    rig.check_requests();
}

/// DEC-14, CO-5: a job that is alive at the freeze makes the turn partial, and what is proven is
/// counted; one that ran on into a later turn and ended there is a gap of that turn.
#[tokio::test]
async fn each_turn_says_that_a_job_wrote_on_in_it() {
    let mut rig = Rig::with(&[("a.txt", "one\n")], quick(20)).await;
    let first = Script::new([
        background(UNTIL_GO),
        Reply::call("write_file", json!({"path": "b.txt", "content": "b\n"})),
        Reply::text("it runs"),
    ]);
    let end = rig.turn("start it", first).await;
    assert_eq!(files(&end.receipt), ["Create b.txt +1 -0"]);
    assert_eq!(
        reasons(&end),
        [
            (GapReason::ActiveWriter, Some("call00000")),
            (GapReason::BashSideEffect, Some("call00000")),
        ],
    );

    let end = rig.turn("and now", Script::new([Reply::text("it still runs")])).await;
    assert_eq!(changes(&end.receipt).coverage, Coverage::Partial);
    assert_eq!(reasons(&end), [(GapReason::ActiveWriter, Some("call00000"))]);

    let write = Reply::call("write_file", json!({"path": "go", "content": ""}));
    let end = rig.turn("end it", Script::new([write, wait("job0"), Reply::text("ended")])).await;
    assert_eq!(reasons(&end), [(GapReason::BackgroundWriterCrossTurn, Some("call00000"))]);

    let end = rig.turn("and then", Script::new([Reply::text("nothing")])).await;
    assert_eq!(changes(&end.receipt).coverage, Coverage::Complete);
    assert_eq!(
        told(&rig),
        ["0 job0 Running", "1 job0 Running", "2 job0 Running", "2 job0 Ended 0"],
    );
    rig.check_requests();
}

/// DEC-10: a job that is known to read only is nobody's writer.
#[tokio::test]
async fn a_reader_in_the_background_is_no_gap() {
    let mut rig = Rig::with(&[("a.txt", "one\n")], quick(20)).await;
    let end = rig.turn("go", Script::new([background("tail -f a.txt"), Reply::text("ok")])).await;
    assert_eq!(told(&rig), ["0 job0 Running"]);
    assert_eq!(changes(&end.receipt).coverage, Coverage::Complete);
}

/// DEC-15, R061: a command ends with its shell; what lives on in its group is the job of its call.
#[tokio::test]
async fn what_a_command_leaves_running_becomes_a_job() {
    let mut rig = Rig::with(&[], quick(1)).await;
    let script = Script::new([
        bash("sleep 300 & echo done"),
        bash("sleep 300 & echo too many"),
        Reply::call("kill_shell", json!({"job": "job0"})),
        Reply::text("ok"),
    ]);
    let end = rig.turn("go", script).await;
    let ended = rig.ended();
    assert!(ended.iter().all(|it| it.1 == ToolCallStatus::Completed), "{ended:?}");
    let begun = "done\n[exit code 0]\n[it goes on in the background as job0:";
    assert!(ended[0].2.starts_with(begun), "{}", ended[0].2);
    let left = "too many\n[exit code 0]\n[what it had left running was ended: 1 jobs run already]";
    assert_eq!(ended[1].2, left);
    assert!(ended[2].2.contains("[job0 was ended by the host"), "{}", ended[2].2);
    assert_eq!(told(&rig), ["0 job0 Running", "0 job0 Stopped"]);
    assert_eq!(reasons(&end), [(GapReason::BashSideEffect, Some("call00000"))]);
    rig.check_requests();
}

/// AN-15, CL-1: no more jobs run than may; what is refused names what works.
#[tokio::test]
async fn one_job_too_many_is_not_run() {
    let mut rig = Rig::with(&[], quick(1)).await;
    let kill = Reply::call("kill_shell", json!({"job": "job0"}));
    let script = Script::new([
        background("sleep 300"),
        background("touch made"),
        kill,
        background("touch made"),
        wait("job3"),
        Reply::text("ok"),
    ]);
    rig.turn("go", script).await;
    let ended = rig.ended();
    let statuses: Vec<_> = ended.iter().map(|it| it.1).collect();
    use ToolCallStatus::{Completed, Failed};
    assert_eq!(statuses, [Completed, Failed, Completed, Completed, Completed]);
    assert!(ended[1].2.contains("kill_shell: job0"), "{}", ended[1].2);
    assert!(rig.project.has("made"));
    rig.check_requests();
}

/// CL-7, CL-1: a wait ends when its time is up, and without a job there is nothing to wait for.
#[tokio::test]
async fn a_wait_is_no_longer_than_it_says() {
    let mut rig = Rig::with(&[], quick(20)).await;
    let script = Script::new([
        Reply::call("wait", json!({})),
        background("sleep 300"),
        Reply::call("wait", json!({"job": "job1", "seconds": 0})),
        Reply::call("wait", json!({"job": "job7"})),
        background("echo short"),
        Reply::call("wait", json!({})),
        Reply::text("ok"),
    ]);
    rig.turn("go", script).await;
    let ended = rig.ended();
    assert_eq!(ended[0].2, "no job runs");
    assert_eq!(ended[2].2, "[nothing new was printed]\n[job1 runs]");
    assert_eq!(ended[3].1, ToolCallStatus::Failed);
    assert!(ended[3].2.ends_with("next: name one of job1"), "{}", ended[3].2);
    assert_eq!(ended[5].2, "short\n[job4 has ended: exit code 0]");
    rig.check_requests();
}

/// AN-31: a stop ends a wait at once, and what was waited for goes on and is told.
#[tokio::test]
async fn a_stop_ends_the_wait_and_not_the_job() {
    let mut rig = Rig::with(&[], quick(20)).await;
    let script = Script::new([background(UNTIL_GO), wait("job0")]);
    let end = rig.turn_stopped_in_a_wait("go", script).await;
    assert_eq!(end.outcome, TurnOutcome::Interrupted);
    assert_eq!(rig.ended()[1].1, ToolCallStatus::Interrupted);
    assert!(reasons(&end).contains(&(GapReason::ActiveWriter, Some("call00000"))));
    let script = Script::new([bash("touch go"), wait("job0"), Reply::text("ok")]);
    rig.turn("go on", script).await;
    assert_eq!(rig.ended()[3].2, "[nothing new was printed]\n[job0 has ended: exit code 0]");
    rig.check_requests();
}

/// TI-1, CL-6: after the end of its program a job is unknown: to the user by an event, to the model
/// when it asks; and its name is never given again.
#[tokio::test]
async fn a_job_of_a_program_that_ended_is_unknown() {
    let mut rig = Rig::with(&[], quick(20)).await;
    rig.turn("go", Script::new([background("sleep 300"), Reply::text("it runs")])).await;
    rig.restart().await;
    assert_eq!(told(&rig), ["0 job0 Running", "0 job0 Unknown"]);
    let script = Script::new([
        Reply::call("bash_output", json!({"job": "job0"})),
        background("echo new"),
        wait("job2"),
        Reply::text("ok"),
    ]);
    let end = rig.turn("go on", script).await;
    let ended = rig.ended();
    assert_eq!(ended[1].1, ToolCallStatus::Failed);
    assert!(ended[1].2.contains("out of the host's reach"), "{}", ended[1].2);
    assert_eq!(ended[3].2, "new\n[job2 has ended: exit code 0]");
    assert_eq!(reasons(&end), []);
    rig.restart().await;
    assert_eq!(told(&rig)[2..], ["1 job2 Running", "1 job2 Ended 0"], "nothing is told twice");
    rig.check_requests();
}

/// TI-1: the same in the middle of a turn: that turn's result says that something may still write.
#[tokio::test]
async fn a_turn_that_was_cut_off_under_a_job_is_partial() {
    let mut rig = Rig::with(&[], quick(20)).await;
    rig.turn("go", Script::new([background("sleep 300"), Reply::text("it runs")])).await;
    let script = Script::new([Reply::text("so").and_hold("never")]);
    rig.cut_off("go on", script, async |server| {
        server.reached("never").await.expect("it streams");
    })
    .await;
    assert_eq!(told(&rig), ["0 job0 Running", "1 job0 Running", "1 job0 Unknown"]);
    let receipt = rig.events().into_iter().rev().find_map(|event| match event.kind {
        EventKind::TurnDone { receipt, .. } => Some(receipt),
        _ => None,
    });
    let receipt = receipt.expect("the turn is closed");
    let reasons: Vec<GapReason> = changes(&receipt).reasons.iter().map(|it| it.reason).collect();
    assert_eq!(reasons, [GapReason::ActiveWriter]);
}

/// TI-7: nothing runs on when the session is closed, and that is stored.
#[tokio::test]
async fn a_session_that_is_closed_leaves_nothing_running() {
    let mut rig = Rig::with(&[], quick(20)).await;
    let deaf = "trap '' TERM; (trap '' TERM; sleep 300) & echo $! > child; sleep 300";
    let script = Script::new([
        background(deaf),
        bash("until [ -s child ]; do sleep 0.05; done"),
        Reply::text("it runs"),
    ]);
    rig.turn("go", script).await;
    rig.end_jobs().await;
    assert_eq!(told(&rig), ["0 job0 Running", "0 job0 Stopped"]);
    let lives = "grep -qv ' Z ' /proc/$(cat child)/stat && echo lives";
    rig.turn("look", Script::new([bash(lives), Reply::text("ok")])).await;
    assert!(!rig.ended()[2].2.contains("lives"), "{}", rig.ended()[2].2);
}
