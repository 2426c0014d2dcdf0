//! What only a Unix has to stumble over: links, pipes, rights, and disks that this program alone sees.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use serde_json::json;
use testkit::{
    Evident, Home, Project, Scope, check_requests,
    script::{Reply, Script},
};

use super::{Told, told};
use crate::rig::{BINARY, arguments, kind, scripted};

pub(super) fn told_cases() -> Vec<Told> {
    let mut cases = vec![
        told(
            "absolute path outside",
            ("write_file", json!({"path": "/nowhere/outside.txt", "content": "x"})),
            "outside_workspace",
            "inside the workspace",
        ),
        told(
            "link outside",
            ("read_file", json!({"path": "link/secret.txt"})),
            "outside_workspace",
            "inside the workspace",
        ),
        told(
            "write through a link outside",
            ("write_file", json!({"path": "link/new.txt", "content": "x"})),
            "outside_workspace",
            "inside the workspace",
        ),
        told(
            "a circle of links",
            ("read_file", json!({"path": "circle/a.txt"})),
            "not_a_file",
            "use a path without that link",
        ),
        told("a pipe", ("read_file", json!({"path": "fifo"})), "not_a_file", "regular file"),
    ];
    let surrounded = [
        Told {
            name: "no permission",
            evident: plain_user,
            read_before: None,
            call: ("read_file", json!({"path": "locked.txt"})),
            code: "no_permission",
            next: "ask the user",
        },
        Told {
            name: "disk full",
            evident: tiny_disk,
            read_before: None,
            call: ("write_file", json!({"path": "big.txt", "content": "x".repeat(300_000)})),
            code: "disk_full",
            next: "the disk is full",
        },
    ];
    if name_spaces() {
        cases.extend(surrounded);
    } else {
        for Told { name, .. } in surrounded {
            eprintln!("NOT PROVED: {name}: this machine gives nobody a name space of their own");
        }
    }
    cases
}

/// Adds what the cases stumble over; nothing of it is kept open.
pub(super) fn add_to(project: &Project, outside: &Project) -> Option<fs::File> {
    let link = project.path().join("link");
    std::os::unix::fs::symlink(outside.path(), link).expect("a link");
    std::os::unix::fs::symlink("circle", project.path().join("circle")).expect("a link");
    project.write("locked.txt", "secret\n");
    let locked = project.path().join("locked.txt");
    fs::set_permissions(locked, fs::Permissions::from_mode(0o000)).expect("a locked file");
    let fifo = Command::new("mkfifo").arg(project.path().join("fifo")).status();
    assert!(fifo.expect("mkfifo starts").success());
    None
}

/// Whether this machine lets us have a name space.
fn name_spaces() -> bool {
    let mut unshare = Command::new("unshare");
    unshare.args(["--user", "--map-root-user", "true"]).status().is_ok_and(|it| it.success())
}

/// Without a superuser's powers over files, which the user who runs the tests may have.
fn plain_user<'a>(home: &'a Home, project: &Project) -> Evident<'a> {
    wrapped("plain-user.sh", home, project)
}

/// The workspace is a disk of 64 KiB.
fn tiny_disk<'a>(home: &'a Home, project: &Project) -> Evident<'a> {
    wrapped("tiny-disk.sh", home, project)
}

/// The sessions are on a disk of 2 MiB.
fn small_home<'a>(home: &'a Home, project: &Project) -> Evident<'a> {
    wrapped("small-home.sh", home, project)
}

/// Returns the binary in its surroundings. A name space of its own takes a superuser's powers over
/// files away, and lets anybody mount a disk that only this program sees. The scripts are not
/// written here: what was just written may still be open in a child that another test starts.
fn wrapped<'a>(script: &str, home: &'a Home, project: &Project) -> Evident<'a> {
    let wrapper = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/headless/around");
    Evident::new(Path::new(wrapper).join(script), home).env("BINARY", BINARY).within(project.path())
}

/// PX-8, JR-6: a result that does not fit on the disk ends the turn, and nothing else: no call stays
/// without its one result, and the next turn works.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_fills_up_in_a_turn_ends_that_turn_only() {
    if !name_spaces() {
        eprintln!("NOT PROVED: this machine gives nobody a name space of their own");
        return;
    }
    let (home, project) = (Home::new(), Project::new([]));
    let server = scripted(Script::new([
        Reply::call("bash", json!({"command": "head -c 8000000 /dev/urandom"}))
            .and_call("write_file", json!({"path": "a.txt", "content": "x\n"})),
        Reply::text("Fine."),
    ]))
    .await;
    let url = server.base_url();
    let words = ["serve", "--stdio", "--base-url", &url, "--model", "scripted"];
    let mut running = small_home(&home, &project).start(&words);
    running.send(
        &json!({"id": 1, "type": "new_session", "workspace": ".", "preset": "danger-full-access"}),
    );
    let session = running.reply(1)["ok"]["session"].clone();
    running.send(&json!({"id": 2, "type": "prompt", "session": session, "text": "go"}));
    let done = running.until(|line| kind(line) == "turn_done");
    let failure = &done["event"]["kind"]["outcome"]["failure"];
    assert_eq!(
        (&failure["code"], &failure["action"]),
        (&json!("session_not_writable"), &json!("free_disk_space")),
        "{done}"
    );
    running.send(&json!({"id": 3, "type": "prompt", "session": session, "text": "again"}));
    let done = running.until(|line| kind(line) == "turn_done" && line["event"]["turn"] == 1);
    assert_eq!(done["event"]["kind"]["outcome"]["is"], "completed", "{done}");
    check_requests(&server.requests(), &Scope::of(project.path())).expect("whole requests");
    running.finish();
}

/// HL-4, TR-25: a turn whose end is in no file says so, with the code for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_could_not_be_stored_says_so() {
    if !name_spaces() {
        eprintln!("NOT PROVED: this machine gives nobody a name space of their own");
        return;
    }
    let (home, project) = (Home::new(), Project::new([]));
    let fill = format!("cat /dev/zero > {}/sessions/filled", home.path().display());
    let script =
        Script::new([Reply::call("bash", json!({"command": fill})), Reply::text("All done.")]);
    let server = scripted(script).await;
    let url = server.base_url();
    let words = arguments(&url, &["--preset", "danger-full-access"], "go");
    let ran = small_home(&home, &project).run(&words);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    assert!(ran.stderr.contains("this turn's result is in no file"), "{ran:?}");
    let last = ran.lines.last().expect("a last line");
    assert!(last.contains("(exit code 5: its result could not be stored)"), "{last}");
}
