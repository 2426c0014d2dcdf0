//! `evident show`: what happened, from the store alone.

use host::{Host, HostError, Unfinished};
use protocol::{EventKind, Feed, SessionId, TurnHistory, TurnId};

use crate::{
    Exit,
    arguments::ShowArguments,
    print,
    text::{Printer, plain},
};

/// Turns that are read from the store at once.
const PAGE: u32 = 50;

/// Shows a session, or one turn of it.
///
/// # Errors
///
/// [`HostError`] if the session cannot be read, or has no such turn.
pub(crate) async fn show(host: &Host, arguments: ShowArguments) -> Result<Exit, HostError> {
    let Some(session) = find(host, &arguments.session).await? else { return Ok(Exit::BadUsage) };
    let mut damage = None;
    let turns = match arguments.turn {
        Some(turn) => vec![one(host, &session, turn, &mut damage).await?],
        None => all(host, &session, &mut damage).await?,
    };
    // A damaged session is never written, and what is shown is not all of it (HL-4).
    let exit = if damage.is_some() { Exit::NotWritable } else { Exit::Done };
    if let Some(damage) = damage {
        print::diagnostic(&format!(
            "{session} is damaged, and this is what can be read: {}; `evident run --session {session} --copy` \
             goes on with that in a copy",
            plain(&damage)
        ));
    }
    let unfinished = match arguments {
        ShowArguments { patch: false, json: false, .. } => unfinished(host, &session).await?,
        ShowArguments { .. } => None,
    };
    for turn in turns {
        if arguments.patch {
            patches(host, &session, turn.turn).await?;
        } else if arguments.json {
            turn.events.iter().for_each(print::json_line);
        } else {
            let rest = unfinished.as_ref().filter(|it| it.turn == turn.turn);
            let turn = whole(host, &session, turn).await?;
            print::out(&as_text(turn, rest));
        }
    }
    Ok(exit)
}

/// Finds the one session whose id begins so; says what is wrong if there is not exactly one.
pub(crate) async fn find(host: &Host, start: &str) -> Result<Option<SessionId>, HostError> {
    if let Ok(id) = SessionId::parse(start) {
        return Ok(Some(id));
    }
    let sessions = host.list_sessions().await?;
    let mut found =
        sessions.into_iter().map(|it| it.session).filter(|it| it.as_str().starts_with(start));
    match (found.next(), found.next()) {
        (Some(id), None) => Ok(Some(id)),
        (Some(_), Some(_)) => {
            print::diagnostic(&format!(
                "several sessions begin with {start:?}; give more of the id"
            ));
            Ok(None)
        }
        (None, _) => {
            print::diagnostic(&format!(
                "no session begins with {start:?}; `evident sessions` lists them"
            ));
            Ok(None)
        }
    }
}

async fn one(
    host: &Host,
    session: &SessionId,
    turn: TurnId,
    damage: &mut Option<String>,
) -> Result<TurnHistory, HostError> {
    let page = host.history(session.clone(), Some(turn.next()), 1).await?;
    *damage = page.damage;
    let found = page.turns.into_iter().find(|it| it.turn == turn);
    found.ok_or_else(|| HostError::NoTurn { session: session.clone(), turn })
}

/// Returns every turn, oldest first.
async fn all(
    host: &Host,
    session: &SessionId,
    damage: &mut Option<String>,
) -> Result<Vec<TurnHistory>, HostError> {
    let mut turns: Vec<TurnHistory> = Vec::new();
    let mut before = None;
    loop {
        let page = host.history(session.clone(), before, PAGE).await?;
        before = page.turns.last().map(|it| it.turn);
        *damage = damage.take().or(page.damage);
        turns.extend(page.turns);
        if !page.more || before.is_none() {
            break;
        }
    }
    turns.reverse();
    Ok(turns)
}

async fn patches(host: &Host, session: &SessionId, turn: TurnId) -> Result<(), HostError> {
    let result = host.turn_result(session.clone(), turn).await?;
    for file in result.receipt.diff.into_iter().flat_map(|it| it.files) {
        match host.patch(session.clone(), turn, file.path).await {
            Ok(patch) => print::raw(&patch),
            Err(error @ HostError::NoPatch { .. }) => print::diagnostic(&error.to_string()),
            Err(error @ HostError::DetailsRemoved { .. }) => {
                print::diagnostic(&error.to_string());
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Puts the whole text of each message where an event only begins it.
async fn whole(
    host: &Host,
    session: &SessionId,
    mut turn: TurnHistory,
) -> Result<TurnHistory, HostError> {
    for event in &mut turn.events {
        if let EventKind::MessageCommitted { message, text, .. } = &mut event.kind
            && text.is_cut()
        {
            match host.message(session.clone(), message.clone()).await {
                Ok(all) => text.text = all.text,
                Err(error @ HostError::NoRecord { .. }) => print::error(&error),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(turn)
}

/// Returns what is known of a last turn that has no end; nothing where that cannot be read.
async fn unfinished(host: &Host, session: &SessionId) -> Result<Option<Unfinished>, HostError> {
    match host.unfinished(session.clone()).await {
        Err(HostError::Damaged(_)) => Ok(None),
        unfinished => unfinished,
    }
}

fn as_text(turn: TurnHistory, rest: Option<&Unfinished>) -> String {
    let mut printer = Printer::default();
    let mut text = String::new();
    let is_over = turn.events.iter().any(|it| matches!(it.kind, EventKind::TurnDone { .. }));
    text.push_str(&format!("\n== turn {} ==\n", turn.turn.0.saturating_add(1)));
    for event in turn.events {
        if let EventKind::TurnStarted { prompt, .. } = &event.kind {
            let prompt = prompt.text.split('\n').map(plain).collect::<Vec<_>>().join("\n> ");
            text.push_str(&format!("> {prompt}\n\n"));
        }
        text.push_str(&printer.frame(&Feed::Event(Box::new(event))));
    }
    match rest {
        Some(rest) => text.push_str(&printer.unfinished(rest)),
        // Only the last turn can be without an end; of any other it is lost.
        None if !is_over => text.push_str(&printer.incomplete()),
        None => {}
    }
    text
}
