//! `evident run`: one turn, watched to its end.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use host::{Follow, Host, HostError, Opened, Ready, SessionOptions};
use protocol::{
    Decision, EventKind, Feed, JobState, PermissionId, SessionId, SessionSummary, TurnId,
};

use crate::{
    Exit,
    arguments::RunArguments,
    ending::Ending,
    print::{self, Out},
    screen,
    stop::Stops,
    text::{self, Printer, Question, plain},
};

/// Said when a turn's end could not be stored.
const NOT_SAVED: &str = "this turn's result is in no file; make room in the data folder, or allow writing there, before the next turn";

/// Most sessions that are named because they were passed over.
const TOLD: usize = 3;

/// Runs one turn and prints it, as JSON or for a person. Asked twice to stop, it leaves at once,
/// whatever it waits for: the session's file is whole at any moment, and the turn is closed when it
/// is opened again (HL-4).
///
/// # Errors
///
/// [`HostError`] if the turn did not begin.
pub(crate) async fn run(host: &Host, arguments: RunArguments) -> Result<Exit, HostError> {
    let stops = Stops::listen();
    unless_left(run_turn(host, arguments, &stops), &stops).await
}

/// Plays the first turn of the demo, and says how to go on.
///
/// # Errors
///
/// [`HostError`] if the turn did not begin.
pub(crate) async fn demo(host: &Host, json: bool) -> Result<Exit, HostError> {
    let stops = Stops::listen();
    unless_left(run_demo(host, json, &stops), &stops).await
}

/// Asked twice to stop, the program leaves at once, whatever it waits for.
async fn unless_left(
    turn: impl Future<Output = Result<Exit, HostError>>,
    stops: &Stops,
) -> Result<Exit, HostError> {
    tokio::select! {
        exit = turn => exit,
        () = stops.reached(2) => Ok(Exit::Interrupted),
    }
}

async fn run_demo(host: &Host, json: bool, stops: &Stops) -> Result<Exit, HostError> {
    let demo = host.start_demo().await?;
    let [first, second, ..] = demo.prompts.as_slice() else { return Ok(Exit::TurnFailed) };
    if !json {
        print::out(&format!("A copy of a small project is in {}.\n> {first}\n\n", demo.workspace));
    }
    let follow = host.follow(&demo.session, demo.last).await?;
    let opened = Opened { session: demo.session.clone(), last: demo.last, follow };
    let exit = play(host, opened, first.clone(), Ready::default(), json, stops).await?;
    if !json {
        // As it was called, so that the line can be taken as it is.
        let program = std::env::args().next().unwrap_or_else(|| "evident".to_owned());
        print::out(&format!(
            "\nThe second answer claims more than was done; see what the record says:\n\
             {program} run --session {} \"{second}\"\n",
            demo.session
        ));
    }
    Ok(exit)
}

async fn run_turn(host: &Host, arguments: RunArguments, stops: &Stops) -> Result<Exit, HostError> {
    // What is wrong with these would leave an empty session behind.
    let ready = host.ready(&arguments.prompt, arguments.session.as_ref()).await?;
    print::settings_fault(host).await;
    let options =
        SessionOptions { add_dirs: arguments.add_dirs.clone(), preset: arguments.preset.into() };
    let Some(opened) = open(host, &arguments, options).await? else {
        print::diagnostic("no session of this folder to continue; leave out --continue");
        return Ok(Exit::BadUsage);
    };
    play(host, opened, arguments.prompt, ready, arguments.watch.json, stops).await
}

/// Runs one turn of an open session to its end, and closes it.
async fn play(
    host: &Host,
    opened: Opened,
    prompt: String,
    ready: Ready,
    json: bool,
    stops: &Stops,
) -> Result<Exit, HostError> {
    let Opened { session, last, follow } = opened;
    let watching = host.follow(&session, last).await?;
    let (out, writing) = Out::start();
    let exit = match host.prompt_ready(&session, prompt, ready).await {
        Ok(turn) => {
            let printing = tokio::spawn(print_turn(follow, turn, out, json));
            let exit = watch(host, (&session, turn), watching, json, stops).await;
            // What was not printed yet is printed before the end.
            drop(printing.await);
            exit
        }
        Err(error) => Err(error),
    };
    host.shutdown().await;
    writing.wait().await;
    let Ending { exit, is_saved } = exit?;
    if !is_saved {
        print::diagnostic(NOT_SAVED);
    }
    Ok(exit)
}

/// Opens the session that is asked for; `None` if there is none to continue.
async fn open(
    host: &Host,
    arguments: &RunArguments,
    options: SessionOptions,
) -> Result<Option<Opened>, HostError> {
    if let Some(id) = &arguments.session {
        let id = if arguments.copy { copy_of(host, id).await? } else { id.clone() };
        return host.open_session(id, options, None).await.map(Some);
    }
    let folder = arguments.workspace.clone().unwrap_or_else(|| PathBuf::from("."));
    if !arguments.go_on {
        return host.new_session(&folder, options).await.map(Some);
    }
    let newest = newest_of(host, &folder).await?;
    tell_passed_over(host, newest.clone()).await?;
    match newest {
        Some(id) => host.open_session(id, options, None).await.map(Some),
        None => Ok(None),
    }
}

/// Copies a session, and says under which id it goes on and what is missing there.
async fn copy_of(host: &Host, id: &SessionId) -> Result<SessionId, HostError> {
    let copied = host.copy_session(id.clone()).await?;
    print::diagnostic(&format!("going on in {}, a copy of {id}", copied.session));
    if let Some(damage) = copied.damage {
        let lost = match copied.lost_records {
            0 => "how much is lost is not known".to_owned(),
            1 => "1 record is lost".to_owned(),
            lost => format!("{lost} records are lost"),
        };
        print::diagnostic(&format!(
            "{id} is damaged and kept as it is: {}; {lost}, and the rest is in the copy",
            plain(&damage)
        ));
    }
    Ok(copied.session)
}

/// Returns the session of this folder that changed last, of those in which something was said.
async fn newest_of(host: &Host, folder: &Path) -> Result<Option<SessionId>, HostError> {
    let here = host::same_folder(folder);
    let sessions = host.list_sessions().await?;
    let of_here = |it: &SessionSummary| {
        it.unreadable.is_none() && 0 < it.turns && here.as_deref() == Some(it.workspace.as_str())
    };
    Ok(sessions.into_iter().find(of_here).map(|it| it.session))
}

/// Names the sessions that changed later and cannot be listed. Whether they are of this folder is not
/// known, so one of them may be what was meant (SM-4).
async fn tell_passed_over(host: &Host, newest: Option<SessionId>) -> Result<(), HostError> {
    let passed_over = host.unreadable_after(newest).await?;
    for (id, error) in passed_over.iter().take(TOLD) {
        print::diagnostic(&format!("passed over {id}: {}", print::whole(error)));
    }
    let more = passed_over.len().saturating_sub(TOLD);
    if 0 < more {
        print::diagnostic(&format!("passed over {more} more; `evident sessions` names them"));
    }
    Ok(())
}

/// Prints what happens until the turn has ended. A reader that does not read holds up this alone.
async fn print_turn(mut follow: Follow, turn: TurnId, out: Out, json: bool) {
    let has_rows = !json && screen::columns().is_some();
    let mut printer = if has_rows { Printer::with_rows(turn) } else { Printer::of_run(turn) };
    while let Ok(Some(frame)) = follow.next().await {
        if json {
            out.json(&frame).await;
        } else {
            let text = printer.frame(&frame);
            match screen::columns().filter(|_| has_rows) {
                Some(columns) => out.rows(text, printer.rows(columns)).await,
                None => out.text(text).await,
            }
        }
        if let Feed::Event(event) = &frame
            && event.turn == turn
            && matches!(event.kind, EventKind::TurnDone { .. })
        {
            return;
        }
    }
    if !json {
        out.text(printer.end_not_seen()).await;
    }
}

/// Watches a turn to its end, asks what it asks for, and passes a stop on.
async fn watch(
    host: &Host,
    (session, turn): (&SessionId, TurnId),
    mut follow: Follow,
    json: bool,
    stops: &Stops,
) -> Result<Ending, HostError> {
    let mut stopping = false;
    let mut jobs = BTreeSet::new();
    loop {
        tokio::select! {
            frame = follow.next() => {
                let Some(frame) = frame? else {
                    return Ok(Ending { exit: Exit::TurnFailed, is_saved: true });
                };
                let Feed::Event(event) = frame else { continue };
                if event.turn != turn {
                    continue;
                }
                if let EventKind::JobChanged { job, state, .. } = &event.kind {
                    match state {
                        JobState::Running => jobs.insert(job.clone()),
                        JobState::Ended | JobState::Stopped | JobState::Unknown => jobs.remove(job),
                    };
                }
                if let EventKind::TurnDone { outcome, receipt } = &event.kind {
                    for job in jobs {
                        print::diagnostic(&format!("{job} still runs in the background, and is ended now"));
                    }
                    return Ok(Ending::of(outcome, receipt));
                }
                if let (Some(question), false) = (Question::of(&event), json) {
                    answer(host, session, question, stops).await?;
                }
            }
            () = stops.reached(1), if !stopping => {
                stopping = true;
                print::diagnostic("stopping; press Ctrl-C again to leave at once");
                host.interrupt(session).await?;
            }
        }
    }
}

/// Asks the person at the terminal, and passes the answer on. Anything but a yes is a no, and so is
/// a question that cannot be shown whole.
async fn answer(
    host: &Host,
    session: &SessionId,
    question: Question,
    stops: &Stops,
) -> Result<(), HostError> {
    let permission = question.permission.clone();
    if question.is_cut {
        print::diagnostic("denied: what it asks for is too long to be shown whole");
        return pass_on(host, session, permission, Decision::Deny).await;
    }
    let line = tokio::task::spawn_blocking(move || {
        // What was typed before the question was there is no answer to it.
        print::forget_input();
        print::ask(&question.text);
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).map(|_| line)
    });
    let decision = tokio::select! {
        line = line => match line {
            Ok(Ok(line)) => text::decision(&line),
            Ok(Err(_)) | Err(_) => Decision::Deny,
        },
        // The turn's own watch passes the stop on.
        () = stops.reached(1) => return Ok(()),
    };
    pass_on(host, session, permission, decision).await
}

async fn pass_on(
    host: &Host,
    session: &SessionId,
    permission: PermissionId,
    decision: Decision,
) -> Result<(), HostError> {
    match host.answer(session, permission, decision).await {
        // The turn was stopped meanwhile.
        Err(HostError::NotPending) => Ok(()),
        answered => answered,
    }
}
