//! `evident run`: one turn, watched to its end.

use std::path::{Path, PathBuf};

use host::{Follow, Host, HostError, Opened, SessionOptions};
use protocol::{
    Decision, EventKind, Feed, PermissionId, SessionEvent, SessionId, TurnId, TurnOutcome,
};

use crate::{
    Exit,
    arguments::RunArguments,
    print::{self, Out},
    stop,
    text::{self, Printer},
};

/// How watching a turn came to its end.
enum Watched {
    /// The turn ended.
    Ended(Exit),
    /// The user did not wait for that.
    Left,
}

/// Runs one turn and prints it, as JSON or for a person.
///
/// # Errors
///
/// [`HostError`] if the turn did not begin.
pub(crate) async fn run(host: &Host, arguments: RunArguments) -> Result<Exit, HostError> {
    let options =
        SessionOptions { add_dirs: arguments.add_dirs.clone(), preset: arguments.preset.into() };
    let Some(opened) = open(host, &arguments, options).await? else {
        print::diagnostic("no session of this folder to continue; leave out --continue");
        return Ok(Exit::BadUsage);
    };
    let Opened { session, mut follow, .. } = opened;
    let turn = host.prompt(&session, arguments.prompt.clone()).await;
    let (out, writing) = Out::start();
    let watched = match turn {
        Ok(turn) => watch(host, (&session, turn), &mut follow, &out, arguments.json).await,
        Err(error) => Err(error),
    };
    if let Ok(Watched::Left) = watched {
        return Ok(Exit::Interrupted);
    }
    host.shutdown().await;
    drop(out);
    writing.wait().await;
    watched.map(|it| match it {
        Watched::Ended(exit) => exit,
        Watched::Left => Exit::Interrupted,
    })
}

/// Opens the session that is asked for; `None` if there is none to continue.
async fn open(
    host: &Host,
    arguments: &RunArguments,
    options: SessionOptions,
) -> Result<Option<Opened>, HostError> {
    if let Some(id) = &arguments.session {
        return host.open_session(id.clone(), options, None).await.map(Some);
    }
    let folder = arguments.workspace.clone().unwrap_or_else(|| PathBuf::from("."));
    if !arguments.go_on {
        return host.new_session(&folder, options).await.map(Some);
    }
    match newest_of(host, &folder).await? {
        Some(id) => host.open_session(id, options, None).await.map(Some),
        None => Ok(None),
    }
}

/// Returns the session of this folder that changed last.
async fn newest_of(host: &Host, folder: &Path) -> Result<Option<SessionId>, HostError> {
    let here = host::same_folder(folder);
    let sessions = host.list_sessions().await?;
    let of_here = |it: &protocol::SessionSummary| {
        it.unreadable.is_none() && here.as_deref() == Some(it.workspace.as_str())
    };
    Ok(sessions.into_iter().find(of_here).map(|it| it.session))
}

/// Prints what happens until the turn has ended. The first Ctrl-C stops the turn and waits for its
/// result; the second ends the program at once (HL-4).
async fn watch(
    host: &Host,
    (session, turn): (&SessionId, TurnId),
    follow: &mut Follow,
    out: &Out,
    json: bool,
) -> Result<Watched, HostError> {
    let mut printer = Printer::default();
    let mut stopping = false;
    loop {
        tokio::select! {
            frame = follow.next() => {
                let Some(frame) = frame? else { return Ok(Watched::Ended(Exit::TurnFailed)) };
                if json {
                    out.json(&frame).await;
                } else {
                    out.text(printer.frame(&frame)).await;
                }
                if let Feed::Event(event) = &frame
                    && event.turn == turn
                {
                    if let Some(exit) = exit_of(event) {
                        return Ok(Watched::Ended(exit));
                    }
                    if let EventKind::PermissionAsked { permission, subject, reason, .. } = &event.kind
                        && !json
                    {
                        print::ask(&text::question(&subject.text, *reason));
                        answer(host, session, permission.clone()).await?;
                    }
                }
            }
            asked = stop::asked() => {
                if asked.is_err() || stopping {
                    // The session's file is whole at any moment: the turn is closed when it is
                    // opened again.
                    return Ok(Watched::Left);
                }
                stopping = true;
                print::diagnostic("stopping; press Ctrl-C again to leave at once");
                host.interrupt(session).await?;
            }
        }
    }
}

/// Asks the person at the terminal, and passes the answer on. Anything but a yes is a no.
async fn answer(
    host: &Host,
    session: &SessionId,
    permission: PermissionId,
) -> Result<(), HostError> {
    let line = tokio::task::spawn_blocking(|| {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let decision = tokio::select! {
        line = line => match line {
            Ok(Ok(line)) => text::decision(&line),
            Ok(Err(_)) | Err(_) => Decision::Deny,
        },
        _ = stop::asked() => {
            print::diagnostic("stopping");
            return host.interrupt(session).await;
        }
    };
    match host.answer(session, permission, decision).await {
        // The turn was stopped meanwhile.
        Err(HostError::NotPending) => Ok(()),
        answered => answered,
    }
}

/// Returns the program's exit code, if this event ended the turn.
fn exit_of(event: &SessionEvent) -> Option<Exit> {
    let EventKind::TurnDone { outcome, .. } = &event.kind else { return None };
    Some(match outcome {
        TurnOutcome::Completed => Exit::Done,
        TurnOutcome::Interrupted => Exit::Interrupted,
        TurnOutcome::Failed { failure }
            if failure.code == protocol::TurnFailureCode::SessionNotWritable =>
        {
            Exit::NotWritable
        }
        TurnOutcome::Failed { .. } => Exit::TurnFailed,
    })
}
