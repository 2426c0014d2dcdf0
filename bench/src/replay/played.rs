//! The turns of one commit, played to one `evident serve`.

use std::{fs, path::Path, process::Stdio, time::Duration};

use protocol::PatchBody;
use serde_json::{Value, json};
use testkit::{
    Home, Project,
    script::{Reply, Script, ScriptServer},
};
use tokio::{process::Command, time::timeout};

use super::plan::{By, Planned};
use crate::{
    Result,
    app::{App, How},
};

/// How long all of a commit may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// Most calls of one answer.
const MOST_CALLS: usize = 32;
/// Lines of one page of a read.
const PAGE_LINES: usize = 2_000;

/// What came of one turn.
pub(super) struct PlayedTurn {
    pub(super) outcome: Value,
    /// The result, with all of its files.
    pub(super) changes: Value,
    /// One for each file; `None` where there is none to have.
    pub(super) patches: Vec<Option<Vec<u8>>>,
    /// What was said of calls that did not do what they were to do.
    pub(super) refused: Vec<String>,
    /// The files that the turn was to make, as they are after it, in their order.
    pub(super) contents: Vec<Option<Vec<u8>>>,
}

/// Plays the turns of a commit, one after the other, in one session.
pub(super) async fn play(evident: &Path, turns: &[Vec<Planned>]) -> Result<Vec<PlayedTurn>> {
    let played = timeout(PATIENCE, play_all(evident, turns)).await;
    played.map_err(|_| format!("no end after {} s", PATIENCE.as_secs()))?
}

async fn play_all(evident: &Path, turns: &[Vec<Planned>]) -> Result<Vec<PlayedTurn>> {
    let (home, project) = (Home::new(), Project::new([]));
    for file in turns.iter().flatten() {
        lay_out(&project, file)?;
    }
    let script = Script::new(turns.iter().flat_map(|turn| replies(turn)));
    let server = ScriptServer::start(script).await?;
    let mut app = App::start(evident, &home, &server.base_url())?;
    let new = json!({
        "type": "new_session", "workspace": project.path(), "preset": "danger-full-access",
    });
    let session = app.ask(new).await?["session"].take();
    let mut played = Vec::new();
    for files in turns {
        played.push(turn(&mut app, &session, &project, files).await?);
    }
    app.end(How::Quit).await?;
    for (at, turn) in played.iter_mut().enumerate() {
        turn.patches = patches(evident, &home, &session, at, &turn.patches).await?;
    }
    Ok(played)
}

fn lay_out(project: &Project, file: &Planned) -> Result<()> {
    let Some(before) = &file.before else { return Ok(()) };
    project.write(&file.path, before);
    if file.is_executable {
        make_executable(&project.path().join(&file.path))?;
    }
    Ok(())
}

/// Plays one turn. The patches are as the pipe tells them, which is in text.
async fn turn(
    app: &mut App,
    session: &Value,
    project: &Project,
    files: &[Planned],
) -> Result<PlayedTurn> {
    let prompt = json!({ "type": "prompt", "session": session, "text": "Go on." });
    let turn = app.ask(prompt).await?["turn"].take();
    let mut refused = Vec::new();
    let mut done = loop {
        let mut kind = app.frame().await?["event"]["kind"].take();
        match kind["type"].as_str() {
            Some("turn_done") => break kind,
            Some("tool_finished") if kind["status"] != "completed" => {
                refused.push(kind["output"]["text"].as_str().unwrap_or_default().to_owned());
            }
            Some("permission_asked") => {
                let permission = kind["permission"].take();
                let answer = json!({
                    "type": "answer", "session": session, "permission": permission,
                    "decision": "allow_once",
                });
                app.ask(answer).await?;
            }
            Some(_) | None => {}
        }
    };
    let mut changes = done["receipt"]["diff"].take();
    let mut listed = Vec::new();
    while changes["totalFiles"] != listed.len() {
        let after = listed.len();
        let page = json!({
            "type": "turn_changes", "session": session, "turn": turn, "after": after,
        });
        let mut page = app.ask(page).await?;
        let more = page["files"].as_array_mut().map(std::mem::take).unwrap_or_default();
        if more.is_empty() {
            return Err(
                format!("the list of {} files ends at {after}", changes["totalFiles"]).into()
            );
        }
        listed.extend(more);
    }
    let mut patches = Vec::new();
    for file in &listed {
        let patch = json!({
            "type": "patch", "session": session, "turn": turn, "path": file["path"],
        });
        let patch = app.ask(patch).await.ok();
        let patch = patch.map(serde_json::from_value::<PatchBody>).transpose()?;
        patches.push(patch.and_then(PatchBody::into_bytes));
    }
    changes["files"] = listed.into();
    let content = |it: &Planned| fs::read(project.path().join(&it.path)).ok();
    let contents = files.iter().map(content).collect();
    Ok(PlayedTurn { outcome: done["outcome"].take(), changes, patches, refused, contents })
}

/// Returns the patches of a turn in their bytes, as the terminal is given them; `told` are those of
/// the pipe, which have to be the same.
async fn patches(
    evident: &Path,
    home: &Home,
    session: &Value,
    turn: usize,
    told: &[Option<Vec<u8>>],
) -> Result<Vec<Option<Vec<u8>>>> {
    let mut show = Command::from(home.command(evident));
    show.args(["show", session.as_str().unwrap_or_default(), &(turn + 1).to_string(), "--patch"]);
    let out = show.current_dir(home.user()).stdin(Stdio::null()).output().await?;
    let mut patches = split(&out.stdout).into_iter();
    let mut shown = Vec::new();
    for told in told {
        let patch = if told.is_some() { patches.next() } else { None };
        if patch != told.as_deref() {
            return Err(format!("turn {}: a patch is another one in the terminal", turn + 1).into());
        }
        shown.push(patch.map(<[u8]>::to_vec));
    }
    match patches.next() {
        None => Ok(shown),
        Some(_) => Err(format!("turn {}: the terminal has a patch more", turn + 1).into()),
    }
}

/// Takes patches apart. Each line of a file has a sign before it, so no such line begins a patch.
fn split(patches: &[u8]) -> Vec<&[u8]> {
    let head = b"diff --git ";
    let is_start =
        |at: usize| patches[at..].starts_with(head) && (at == 0 || patches[at - 1] == b'\n');
    let mut starts: Vec<_> = (0..patches.len()).filter(|at| is_start(*at)).collect();
    starts.push(patches.len());
    starts.windows(2).map(|it| &patches[it[0]..it[1]]).collect()
}

/// Returns what the model says in a turn: it reads what is there, and then writes.
fn replies(files: &[Planned]) -> Vec<Reply> {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for file in files {
        let path = &file.path;
        if let Some(before) = &file.before {
            let lines = before.iter().filter(|it| **it == b'\n').count();
            let page = |at: usize| ("read_file", json!({ "path": path, "offset": at }));
            reads.extend((0..=lines).step_by(PAGE_LINES).map(page));
        }
        let whole = || {
            let text = String::from_utf8_lossy(&file.after);
            ("write_file", json!({ "path": path, "content": text }))
        };
        match &file.by {
            By::Create | By::Overwrite => writes.push(whole()),
            By::Edits(edits) => writes.extend(edits.iter().map(|it| {
                let edit = json!({ "path": path, "old_string": it.old, "new_string": it.new });
                ("edit_file", edit)
            })),
        }
    }
    let batches = reads.chunks(MOST_CALLS).chain(writes.chunks(MOST_CALLS));
    let batch = |calls: &[(&str, Value)]| {
        let mut calls = calls.iter();
        let first = calls.next().map_or_else(
            || Reply::text(""),
            |(name, arguments)| Reply::call(name, arguments.clone()),
        );
        calls.fold(first, |reply, (name, arguments)| reply.and_call(name, arguments.clone()))
    };
    batches.map(batch).chain([Reply::text("Done.")]).collect()
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(0o755))?)
}

/// There are no such bits here, so git's are left out of what is compared.
#[cfg(windows)]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

#[test]
fn patches_are_taken_apart_at_their_heads_alone() {
    let one: &[u8] =
        b"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+diff --git a/y b/y\n";
    let other: &[u8] = b"diff --git a/z b/z\nnew file mode 100644\n";
    assert_eq!(split(&[one, other].concat()), [one, other]);
    assert_eq!(split(b""), [b""; 0]);
}
