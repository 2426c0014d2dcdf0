//! By bash.

use super::*;

/// Runs a command in the temporary folder with these limits; `stop` is for the user's stop.
async fn run_here(command: &str, limits: &Limits, stop: &CancellationToken) -> Ran {
    let shell = Shell::of_this_system();
    let hidden = ["EVIDENT_API_KEY".to_owned()];
    let cwd = env::temp_dir();
    let time = limits.command_time;
    let roots = [cwd.clone()];
    let reads_in = Some(&roots[..]);
    let line = CommandLine { shell: &shell, command, cwd: &cwd, time, hidden: &hidden, reads_in };
    run(line, limits, stop).await.expect("it starts")
}

async fn ran(command: &str) -> Ran {
    run_here(command, &Limits::default(), &CancellationToken::new()).await
}

fn text(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.output.bytes()).into_owned()
}

/// R064: an empty output and an exit code are an answer.
#[tokio::test]
async fn the_exit_code_is_the_commands_own() {
    let it = ran("exit 7").await;
    assert_eq!((it.ending, it.output.total_bytes()), (Ending::Exited(7), 0));
    assert_eq!(ran("kill -9 $$").await.ending, Ending::Signalled(9));
}

/// AN-12: one pipe, in order; no input; the variables of a quiet terminal.
#[tokio::test]
async fn both_outputs_come_in_their_order() {
    let it = ran("echo one; echo two >&2; echo three; cat; echo $PAGER $TERM").await;
    assert_eq!(text(&it), "one\ntwo\nthree\ncat dumb\n");
}

/// PM-10, AN-13.
#[tokio::test]
async fn hidden_variables_do_not_reach_it() {
    let it = ran("env | grep -c '^EVIDENT_API_KEY=' || true; echo ${HOME:+home}").await;
    assert!(text(&it).starts_with('0'), "{}", text(&it));
}

/// SH-1: a reader is what it is called: the folder brings no programs, and Git runs none.
#[tokio::test]
async fn nothing_of_the_folder_stands_in_for_a_command() {
    let it =
        ran("echo $PATH | tr : '\\n' | grep -vc '^/'; git config core.fsmonitor; echo $GIT_PAGER")
            .await;
    assert_eq!(text(&it), "0\nfalse\ncat\n");
}

/// TI-7: the time limit ends the whole tree, deaf ones too.
#[tokio::test]
async fn a_command_that_ignores_the_signal_is_killed_with_its_children() {
    let limits = Limits {
        command_time: Duration::from_millis(300),
        command_grace: Duration::from_millis(300),
        ..Limits::default()
    };
    let deaf = "trap '' TERM; (trap '' TERM; sleep 300) & echo $!; sleep 300";
    let it = run_here(deaf, &limits, &CancellationToken::new()).await;
    assert_eq!(it.ending, Ending::TimedOut);
    let child = text(&it).trim().to_owned();
    let wait = format!(
        "for i in $(seq 50); do kill -0 {child} 2>/dev/null || exit 0; sleep 0.1; done; exit 1"
    );
    let gone = ran(&wait).await;
    assert_eq!(gone.ending, Ending::Exited(0), "the child {child} lives");
}

/// AN-31: a stop ends it although nothing else would.
#[tokio::test]
async fn the_users_stop_ends_it() {
    let stop = CancellationToken::new();
    let limits = Limits::default();
    let (it, ()) = tokio::join!(run_here("echo here; sleep 300", &limits, &stop), async {
        tokio::task::yield_now().await;
        stop.cancel();
    });
    assert_eq!(it.ending, Ending::Stopped);
}

/// Ends what a command left, and says what of it is left then.
async fn end_the_rest(left: Left) -> Left {
    let Left::Group(mut living) = left else { panic!("nothing of it runs: {left:?}") };
    assert!(living.lives());
    living.kill();
    let gone = living.gone(Duration::from_millis(20), |_| {});
    timeout(Duration::from_secs(30), gone).await.expect("a killed group goes");
    if living.last_look(|_| {}).await { Left::Nothing } else { Left::OutOfReach }
}

fn quick() -> Limits {
    Limits { pipe_quiet: Duration::from_millis(200), ..Limits::default() }
}

/// DEC-15, R061: the shell's end is the command's end, though a child holds the pipe; the child is
/// handed on alive.
#[tokio::test]
async fn a_child_that_holds_the_pipe_holds_up_nothing() {
    let it = run_here("sleep 300 & echo done", &quick(), &CancellationToken::new()).await;
    assert_eq!((it.ending, text(&it).as_str()), (Ending::Exited(0), "done\n"));
    assert!(matches!(end_the_rest(it.left).await, Left::Nothing));
}

/// DEC-15: what a command leaves running is seen, though it holds no pipe; what has left the group
/// is told to go on.
#[tokio::test]
async fn what_a_command_leaves_running_is_handed_on_or_told() {
    let stop = CancellationToken::new();
    let it = run_here("sleep 301 >/dev/null 2>&1 & echo $!", &quick(), &stop).await;
    let child = text(&it).trim().to_owned();
    assert_eq!(ran(&format!("kill -0 {child}")).await.ending, Ending::Exited(0));
    assert!(matches!(end_the_rest(it.left).await, Left::Nothing));
    let gone = format!("kill -0 {child} 2>/dev/null && grep -qv Z /proc/{child}/stat");
    assert_ne!(ran(&gone).await.ending, Ending::Exited(0));

    let leaves = "f=$(mktemp -u) && mkfifo $f; \
                  setsid sh -c 'echo $$; echo left >$0; exec sleep 302' $f & read _ <$f; rm $f";
    let it = run_here(leaves, &quick(), &stop).await;
    let away = text(&it).trim().to_owned();
    ran(&format!("kill -9 {away}")).await;
    assert!(matches!(it.left, Left::OutOfReach), "{:?}", it.left);

    let it = run_here("echo all", &quick(), &stop).await;
    assert!(matches!(it.left, Left::Nothing), "{:?}", it.left);
}

/// DEC-15, AN-31: a child that goes on printing holds up neither the call nor a stop.
#[tokio::test]
async fn a_child_that_goes_on_printing_holds_up_nothing() {
    let limits = Limits { command_grace: Duration::from_millis(400), ..quick() };
    let chatty = "(while :; do echo tick; sleep 0.05; done) & echo started";
    let it = run_here(chatty, &limits, &CancellationToken::new()).await;
    assert_eq!(it.ending, Ending::Exited(0));
    assert!(matches!(end_the_rest(it.left).await, Left::Nothing));
}

/// TI-7: what a command has left running when the user stops it is ended with it.
#[tokio::test]
async fn a_stop_ends_what_was_left_running_too() {
    let minute = Duration::from_secs(60);
    let limits = Limits { pipe_quiet: minute, command_grace: minute, ..Limits::default() };
    let stop = CancellationToken::new();
    let folder = tempfile::tempdir().expect("a folder");
    let leader = folder.path().join("leader");
    let waits = format!("trap '' TERM; sleep 303 & echo $!; echo $$ >{}", leader.display());
    let (it, ()) = tokio::join!(run_here(&waits, &limits, &stop), async {
        let is_there = |pid: &str| Path::new("/proc").join(pid).exists();
        // The shell's end was seen when it is not even among the dead.
        while !std::fs::read_to_string(&leader)
            .is_ok_and(|it| it.ends_with('\n') && !is_there(it.trim()))
        {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    });
    assert!(matches!(it.left, Left::Ended), "{:?}", it.left);
    let child = text(&it).trim().to_owned();
    let until_gone = format!("while grep -qv ' Z ' /proc/{child}/stat; do sleep 0.05; done");
    assert_eq!(ran(&until_gone).await.ending, Ending::Exited(0));
}

/// AN-15: of what is printed both ends are kept, up to the bound, and all of it is counted.
#[tokio::test]
async fn output_is_kept_up_to_the_bound_and_counted_to_the_end() {
    let limits = Limits { kept_output_bytes: 1_000, ..Limits::default() };
    let long = "echo first; head -c 1000000000 /dev/zero; echo last";
    let it = run_here(long, &limits, &CancellationToken::new()).await;
    let kept = it.output.bytes();
    assert_eq!((kept.len(), it.output.total_bytes()), (1_000, 1_000_000_011));
    assert!(kept.starts_with(b"first\n") && kept.ends_with(b"last\n"));
    assert_eq!((it.ending, it.output.cut_at()), (Ending::Exited(0), Some(500)));
}
