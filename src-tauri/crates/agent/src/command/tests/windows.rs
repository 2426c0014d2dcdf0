//! By `cmd`, which every Windows has (CL-10).

use std::{fs, os::windows::fs::OpenOptionsExt as _};

use super::*;

/// Goes on for minutes, and prints now and then.
const LONG: &str = "ping -n 300 127.0.0.1";

struct Rig {
    folder: tempfile::TempDir,
    stop: CancellationToken,
}

impl Rig {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("a folder & more ").tempdir();
        Self { folder: folder.expect("a folder"), stop: CancellationToken::new() }
    }

    fn start(&self, command: &str) -> Living {
        self.start_hiding(command, &[])
    }

    fn start_hiding(&self, command: &str, hidden: &[String]) -> Living {
        let shell = Shell::cmd(crate::shell::system_folder().join("cmd.exe"));
        let (cwd, time) = (self.folder.path(), Duration::from_secs(1));
        let line = CommandLine { shell: &shell, command, cwd, time, hidden, reads_in: None };
        start(line).expect("it starts")
    }

    async fn run(&self, command: &str, limits: &Limits) -> Ran {
        watch(self.start(command), limits.command_time, limits, &self.stop).await
    }

    async fn printed(&self, command: &str) -> String {
        text(&self.run(command, &Limits::default()).await)
    }

    /// Waits until somebody has a file of the folder open, or nobody has it any more.
    async fn until_open(&self, name: &str, open: bool) {
        let file = self.folder.path().join(name);
        let is_open = || {
            let alone = fs::OpenOptions::new().read(true).share_mode(0).open(&file);
            alone.is_err_and(|it| it.kind() != io::ErrorKind::NotFound)
        };
        let wait = async {
            while !file.exists() || is_open() != open {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(60), wait).await.expect("it comes to that");
    }
}

fn text(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.output.bytes()).into_owned()
}

/// A command with a child, which holds the file `held` open, and a child of that.
fn family() -> String {
    format!("start /b cmd /c \"echo child& cmd /c {LONG} >held\" & {LONG}")
}

/// R064: an empty output and an exit code are an answer.
#[tokio::test]
async fn the_exit_code_is_the_commands_own() {
    let it = Rig::new().run("exit 7", &Limits::default()).await;
    assert_eq!((it.ending, text(&it).as_str()), (Ending::Exited(7), ""));
    let it = Rig::new().run("exit -1073741510", &Limits::default()).await;
    assert_eq!(it.ending, Ending::Exited(-1_073_741_510));
}

/// AN-12: one pipe, in order; no input; the variables of a quiet terminal; quotes as they are.
#[tokio::test]
async fn both_outputs_come_in_their_order() {
    let line = "echo \"one\"& echo two>&2& echo three& set /p x=& echo %PAGER% %TERM%";
    let printed = Rig::new().printed(line).await;
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    assert_eq!(lines, ["\"one\"", "two", "three", "cat dumb"]);
}

/// AN-12: it runs in its folder, whatever that is called.
#[tokio::test]
async fn a_command_runs_in_its_folder() {
    let rig = Rig::new();
    assert_eq!(rig.run("echo x>made", &Limits::default()).await.ending, Ending::Exited(0));
    assert!(rig.folder.path().join("made").is_file());
}

/// PM-10, AN-13: a name is hidden in whatever case it is set.
#[tokio::test]
async fn hidden_variables_do_not_reach_it() {
    let rig = Rig::new();
    let shows = async |hidden: &[String]| {
        let limits = Limits::default();
        let living = rig.start_hiding("set", hidden);
        text(&watch(living, limits.command_time, &limits, &rig.stop).await)
            .contains("NUMBER_OF_PROCESSORS=")
    };
    assert!(shows(&[]).await);
    assert!(!shows(&["Number_of_Processors".to_owned()]).await);
}

/// TI-7, CL-10: the time limit ends the whole tree.
#[tokio::test]
async fn a_command_whose_time_is_up_is_killed_with_its_children() {
    let rig = Rig::new();
    let limits = Limits::default();
    let living = rig.start(&family());
    rig.until_open("held", true).await;
    assert!(living.shell_ended().is_none() && living.lives());
    let it = watch(living, Duration::from_millis(1), &limits, &rig.stop).await;
    assert_eq!(it.ending, Ending::TimedOut);
    assert!(text(&it).contains("child"), "{}", text(&it));
    assert!(!matches!(it.left, Left::OutOfReach | Left::Group(_)), "{:?}", it.left);
    rig.until_open("held", false).await;
}

/// TI-7, AN-31, CL-10: so does the user's stop.
#[tokio::test]
async fn the_users_stop_ends_it_with_its_children() {
    let rig = Rig::new();
    let (family, limits) = (family(), Limits::default());
    let (it, ()) = tokio::join!(rig.run(&family, &limits), async {
        rig.until_open("held", true).await;
        rig.stop.cancel();
    });
    assert_eq!(it.ending, Ending::Stopped);
    assert!(!matches!(it.left, Left::OutOfReach | Left::Group(_)), "{:?}", it.left);
    rig.until_open("held", false).await;
}

/// TI-7, CL-10: what nobody keeps any more is killed, with its children: the system does it, and so
/// it holds when this program is killed.
#[tokio::test]
async fn what_is_dropped_is_killed() {
    let rig = Rig::new();
    let living = rig.start(&family());
    rig.until_open("held", true).await;
    drop(living);
    rig.until_open("held", false).await;
}

/// DEC-15, R061, CL-10: the shell's end is the command's end, though a child holds the pipe; the
/// child is handed on alive.
#[tokio::test]
async fn a_child_that_holds_the_pipe_holds_up_nothing() {
    let rig = Rig::new();
    let limits = Limits { pipe_quiet: Duration::from_millis(200), ..Limits::default() };
    let leaves = format!("start /b cmd /c \"{LONG} >held\" & echo done");
    let it = rig.run(&leaves, &limits).await;
    assert_eq!((it.ending, text(&it).trim()), (Ending::Exited(0), "done"));
    rig.until_open("held", true).await;
    let Left::Group(mut living) = it.left else { panic!("nothing of it runs: {:?}", it.left) };
    living.kill();
    assert!(living.last_look(|_| {}).await, "somebody else holds the pipe");
    rig.until_open("held", false).await;
}

/// AN-15: of what is printed both ends are kept, up to the bound, and all of it is counted.
#[tokio::test]
async fn output_is_kept_up_to_the_bound_and_counted_to_the_end() {
    let limits = Limits { kept_output_bytes: 1_000, ..Limits::default() };
    let long = "echo first& (for /L %i in (1,1,2000) do @echo 12345678)& echo last";
    let it = Rig::new().run(long, &limits).await;
    let kept = it.output.bytes();
    assert_eq!((kept.len(), it.output.cut_at()), (1_000, Some(500)));
    assert!(kept.starts_with(b"first\r\n") && kept.ends_with(b"last\r\n"));
    assert_eq!((it.ending, it.output.total_bytes()), (Ending::Exited(0), 20_013));
}

/// EN-9: where a program asks which code page holds, it is told UTF-8.
#[tokio::test]
async fn output_is_utf8_where_a_program_asks() {
    if testkit::is_wine("the code page of a console that has no window") {
        return;
    }
    assert_eq!(Rig::new().printed("echo 字é").await.trim(), "字é");
}
