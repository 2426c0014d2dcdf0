use std::{env, time::Duration};

use super::*;
use crate::{
    command::{self, CommandLine},
    output::Otherwise,
    shell::Shell,
};

fn quick() -> Arc<Limits> {
    Arc::new(Limits {
        command_grace: Duration::from_millis(300),
        pipe_quiet: Duration::from_millis(300),
        job_look: Duration::from_millis(20),
        background_jobs: 3,
        ..Limits::default()
    })
}

/// Begins a command as the job of call `number`.
fn begin(jobs: &mut Jobs, number: u32, command: &str) {
    let shell = Shell::of_this_system();
    let cwd = env::temp_dir();
    let living = command::start(CommandLine {
        shell: &shell,
        command,
        cwd: &cwd,
        time: Duration::from_secs(1),
        hidden: &[],
        reads_in: None,
    });
    jobs.begin(JobParts {
        call: ToolCallId::minted(format!("call{number:05}")),
        turn: TurnId(0),
        title: command.to_owned(),
        may_write: true,
        check: None,
        clock: Clock::new(|| unreachable!("it is no check")),
        living: living.expect("it starts"),
        output: Kept::up_to(1 << 20),
    });
}

async fn ended(jobs: &Jobs, id: &str) -> JobEnd {
    let wait = jobs.until(|it| it.id.as_str() == id && it.ended().is_some());
    timeout(Duration::from_secs(60), wait).await.expect("it ends");
    let job = jobs.iter().find(|it| it.id.as_str() == id).expect("it is known");
    job.ended().expect("it has ended")
}

/// Looks at a job until what it showed in all ends with `text`; returns it look by look.
async fn looks_until(jobs: &mut Jobs, id: &str, text: &str) -> Vec<String> {
    let mut looks: Vec<String> = Vec::new();
    let look = async {
        while !looks.concat().ends_with(text) {
            let job = jobs.named(id).expect("it is known");
            let (fresh, _) = job.look();
            let (text, _) = fresh.text(1 << 20, Otherwise::Utf8, &Limits::default());
            if !text.is_empty() {
                looks.push(text);
            }
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(60), look).await.expect("it is printed");
    looks
}

fn exited(code: i32) -> JobEnd {
    JobEnd { shell: Some(Ending::Exited(code)), stopped: false, rest: Rest::Nothing, at: None }
}

/// A job is named after its call, so no other of the session ever has its name.
#[test]
fn a_job_is_named_after_its_call() {
    for (call, job) in [("call00000", "job0"), ("call00012", "job12"), ("call123456", "job123456")]
    {
        assert_eq!(job_id(&ToolCallId::minted(call)).as_str(), job);
    }
}

/// What was shown once is not shown again, and no character is shown in halves.
#[tokio::test]
async fn each_look_shows_what_is_new() {
    let mut jobs = Jobs::new(&quick());
    begin(&mut jobs, 1, "printf 'one \\345\\255'; sleep 0.3; printf '\\227 two\\n'; exit 3");
    let looks = looks_until(&mut jobs, "job1", "字 two\n").await;
    assert_eq!(looks.concat(), "one 字 two\n", "{looks:?}");
    assert_eq!(ended(&jobs, "job1").await, exited(3));
    assert_eq!(jobs.named("job1").expect("it is known").look().0.total_bytes(), 0);
}

/// TI-7: ending a job ends all of its group, what is deaf to the polite signal too.
#[tokio::test]
async fn ending_a_job_ends_all_that_it_started() {
    let mut jobs = Jobs::new(&quick());
    let deaf = "trap '' TERM; (trap '' TERM; sleep 300) & echo $!; sleep 300";
    begin(&mut jobs, 1, deaf);
    let printed = looks_until(&mut jobs, "job1", "\n").await.concat();
    let job = jobs.named("job1").expect("it is known");
    timeout(Duration::from_secs(60), job.end()).await.expect("it is bounded");
    let end = job.ended().expect("it has ended");
    assert_eq!((end.stopped, end.rest), (true, Rest::Nothing));
    begin(&mut jobs, 2, &format!("grep -qv ' Z ' /proc/{}/stat", printed.trim()));
    assert_ne!(ended(&jobs, "job2").await, exited(0), "the child lives");
}

/// TI-7: what still runs when nobody keeps the jobs any more is killed, with its children.
#[tokio::test]
async fn jobs_that_are_dropped_are_killed() {
    let mut jobs = Jobs::new(&quick());
    begin(&mut jobs, 1, "sleep 300 & echo $!; wait");
    let child = looks_until(&mut jobs, "job1", "\n").await.concat();
    drop(jobs);
    let mut jobs = Jobs::new(&quick());
    let lives = format!("grep -qv ' Z ' /proc/{}/stat", child.trim());
    begin(&mut jobs, 2, &format!("while {lives}; do sleep 0.05; done"));
    assert_eq!(ended(&jobs, "job2").await, exited(0));
}

/// DEC-15: a job goes on after its shell, for as long as anybody of its group lives, though nobody
/// holds the pipe; its exit code is that of the shell.
#[tokio::test]
async fn a_job_goes_on_after_its_shell() {
    let mut jobs = Jobs::new(&quick());
    let lock = env::temp_dir().join(format!("evident-job-{}", std::process::id()));
    let waits = format!(
        "touch {0}; (while [ -e {0} ]; do sleep 0.05; done) >/dev/null 2>&1 & exit 4",
        lock.display()
    );
    begin(&mut jobs, 1, &waits);
    // Another one ends meanwhile, and this one does not.
    begin(&mut jobs, 2, "sleep 0.5");
    assert_eq!(ended(&jobs, "job2").await, exited(0));
    assert_eq!(jobs.running().count(), 1);
    std::fs::remove_file(&lock).expect("it was made");
    assert_eq!(ended(&jobs, "job1").await, exited(4));
}

/// AN-15: no more run than may, and of those that ended no more are kept.
#[tokio::test]
async fn jobs_are_bounded() {
    let mut jobs = Jobs::new(&quick());
    for number in 0..3 {
        assert!(jobs.has_room());
        begin(&mut jobs, number, "sleep 300");
    }
    assert!(!jobs.has_room());
    timeout(Duration::from_secs(60), jobs.end_all()).await.expect("it is bounded");
    assert!(jobs.has_room());
    jobs.iter_mut().for_each(|it| it.end_recorded = Recorded::Yes);
    for number in 3..8 {
        begin(&mut jobs, number, "true");
        ended(&jobs, &format!("job{number}")).await;
        jobs.iter_mut().for_each(|it| it.end_recorded = Recorded::Yes);
        assert!(jobs.iter().count() <= 4);
    }
    assert!(jobs.named("job0").is_none() && jobs.named("job7").is_some());
}

/// EN-9, AN-15: a job that prints without end stays within its bound, and both ends are kept.
#[tokio::test]
async fn a_job_that_prints_a_lot_is_kept_within_the_bound() {
    let mut jobs = Jobs::new(&quick());
    begin(&mut jobs, 1, "echo first; head -c 200000000 /dev/zero; echo last");
    ended(&jobs, "job1").await;
    let job = jobs.named("job1").expect("it is known");
    let output = job.output().expect("it is whole");
    assert_eq!((output.bytes().len(), output.total_bytes()), (1 << 20, 200_000_011));
    assert!(output.bytes().starts_with(b"first\n") && output.bytes().ends_with(b"last\n"));
    job.shorten(1_000);
    let (fresh, _) = job.look();
    assert_eq!(fresh.total_bytes(), 200_000_011, "what is told stays true");
    let told = fresh.text(1_000, Otherwise::Utf8, &Limits::default()).0;
    assert!(told.starts_with("first\n") && told.ends_with("last\n") && told.len() < 1_200);
}
