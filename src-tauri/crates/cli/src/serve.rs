//! `evident serve --stdio`: a line of JSON in for each command or question, a line out for each
//! reply and each frame of the feed (HL-5, AN-5).

use std::path::Path;

use host::{Follow, Host, HostError, Opened, SessionOptions};
use protocol::{CommandError, ErrorKind, PatchBody, PictureBody, Query, SessionCommand};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader, stdin};

use crate::{
    Exit,
    print::{self, Out},
    stop::Stops,
};

/// Longest line that is read: a prompt of the largest size, escaped, has room.
const LINE_BYTES: u64 = 8 << 20;

/// What one line asks for.
enum Request {
    Command(SessionCommand),
    Query(Query),
}

/// Serves until standard input ends, a `shutdown` comes, or a signal asks for the end; what runs is then stopped and frozen.
///
/// # Errors
///
/// None of its own: what goes wrong with a line is that line's reply.
pub(crate) async fn serve(host: &Host) -> Result<Exit, HostError> {
    let stops = Stops::listen();
    tokio::select! {
        exit = serve_lines(host, &stops) => exit,
        // Asked twice: a reader that does not read holds up the end no longer.
        () = stops.reached(2) => Ok(Exit::Interrupted),
    }
}

async fn serve_lines(host: &Host, stops: &Stops) -> Result<Exit, HostError> {
    print::settings_fault(host).await;
    let (out, writing) = Out::start();
    let mut input = BufReader::new(stdin());
    loop {
        let mut line = Vec::new();
        let mut bounded = (&mut input).take(LINE_BYTES);
        tokio::select! {
            read = bounded.read_until(b'\n', &mut line) => match read {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            },
            () = stops.reached(1) => break,
        }
        if !line.ends_with(b"\n") && LINE_BYTES <= line.len() as u64 {
            let message =
                format!("a line is longer than {LINE_BYTES} bytes; the rest is passed over");
            reply(&out, Value::Null, Err(bad(message))).await;
            skip_line(&mut input).await;
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (id, request) = parse(&line);
        let ends = matches!(request, Ok(Request::Command(SessionCommand::Shutdown)));
        let answer = match request {
            Ok(Request::Command(command)) => run(host, &out, command).await,
            Ok(Request::Query(query)) => look_up(host, query).await.map_err(CommandError::from),
            Err(error) => Err(error),
        };
        reply(&out, id, answer).await;
        if ends {
            break;
        }
    }
    host.shutdown().await;
    drop(out);
    writing.wait().await;
    Ok(Exit::Done)
}

/// Passes over the rest of a line that was too long.
async fn skip_line(input: &mut BufReader<tokio::io::Stdin>) {
    loop {
        let Ok(buffer) = input.fill_buf().await else { return };
        if buffer.is_empty() {
            return;
        }
        let end = buffer.iter().position(|it| *it == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return;
        }
    }
}

/// Reads a line. The id is repeated in the reply even where the rest is wrong.
fn parse(line: &[u8]) -> (Value, Result<Request, CommandError>) {
    let mut object = match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return (Value::Null, Err(bad("a request is a JSON object".to_owned()))),
        Err(error) => return (Value::Null, Err(bad(format!("the line is not JSON: {error}")))),
    };
    let id = object.remove("id").unwrap_or(Value::Null);
    let word = object.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let request = Value::Object(object);
    let wrong = |error: serde_json::Error| bad(format!("{word}: {error}"));
    let request = if SessionCommand::WORDS.contains(&&*word) {
        serde_json::from_value(request).map(Request::Command).map_err(wrong)
    } else if Query::WORDS.contains(&&*word) {
        serde_json::from_value(request).map(Request::Query).map_err(wrong)
    } else {
        let known = [&SessionCommand::WORDS[..], &Query::WORDS[..]].concat().join(", ");
        let message = format!("there is no command {word:?}; \"type\" is one of {known}");
        Err(CommandError { kind: ErrorKind::UnknownCommand, message })
    };
    (id, request)
}

fn bad(message: String) -> CommandError {
    CommandError { kind: ErrorKind::BadRequest, message }
}

async fn reply(out: &Out, id: Value, answer: Result<Value, CommandError>) {
    out.json(&match answer {
        Ok(ok) => json!({ "id": id, "ok": ok }),
        Err(error) => json!({ "id": id, "error": error }),
    })
    .await;
}

async fn run(host: &Host, out: &Out, command: SessionCommand) -> Result<Value, CommandError> {
    match command {
        SessionCommand::NewSession { workspace, add_dirs, preset } => {
            let opened = host
                .new_session(Path::new(&workspace), SessionOptions::new(add_dirs, preset))
                .await?;
            Ok(follow(out, opened))
        }
        SessionCommand::OpenSession { session, add_dirs, preset, after } => {
            let opened =
                host.open_session(session, SessionOptions::new(add_dirs, preset), after).await?;
            Ok(follow(out, opened))
        }
        SessionCommand::Prompt { session, text } => {
            Ok(json!({ "turn": host.prompt(&session, text).await? }))
        }
        SessionCommand::Interrupt { session } => {
            host.interrupt(&session).await?;
            Ok(json!({}))
        }
        SessionCommand::StopReading { session, read_id } => {
            host.stop_reading(&session, read_id).await?;
            Ok(json!({}))
        }
        SessionCommand::Answer { session, permission, decision } => {
            host.answer(&session, permission, decision).await?;
            Ok(json!({}))
        }
        SessionCommand::SetPreset { session, preset } => {
            host.set_preset(&session, preset).await?;
            Ok(json!({}))
        }
        SessionCommand::RenameSession { session, title } => {
            Ok(as_json(&host.rename_session(session, title).await?))
        }
        SessionCommand::ArchiveSession { session, archived } => {
            Ok(as_json(&host.archive_session(session, archived).await?))
        }
        SessionCommand::DeleteSession { session } => {
            host.delete_session(session).await?;
            Ok(json!({}))
        }
        SessionCommand::CopySession { session } => Ok(as_json(&host.copy_session(session).await?)),
        SessionCommand::Shutdown => Ok(json!({})),
    }
}

/// Passes a session's frames on, for as long as it is open.
fn follow(out: &Out, opened: Opened) -> Value {
    let Opened { session, last, follow } = opened;
    tokio::spawn(forward(out.clone(), follow));
    json!({ "session": session, "last": last })
}

async fn forward(out: Out, mut follow: Follow) {
    loop {
        match follow.next().await {
            Ok(Some(frame)) => out.json(&frame).await,
            Ok(None) => return,
            Err(error) => {
                let error = CommandError::from(HostError::from(error));
                return out.json(&json!({ "id": null, "error": error })).await;
            }
        }
    }
}

async fn look_up(host: &Host, query: Query) -> Result<Value, HostError> {
    Ok(match query {
        Query::ListSessions => as_json(&host.list_sessions().await?),
        Query::Search { text } => as_json(&host.search(text).await?),
        Query::History { session, before_turn, count } => {
            as_json(&host.history(session, before_turn, count).await?)
        }
        Query::TurnResult { session, turn } => as_json(&host.turn_result(session, turn).await?),
        Query::TurnChanges { session, turn, after } => {
            as_json(&host.turn_changes(session, turn, after).await?)
        }
        Query::Patch { session, turn, path } => {
            as_json(&PatchBody::new(host.patch(session, turn, path).await?))
        }
        Query::Pictures { session, turn, path } => {
            as_json(&host.pictures(session, turn, path).await?)
        }
        Query::Picture { session, turn, path, side } => {
            as_json(&PictureBody::new(&host.picture(session, turn, path, side).await?))
        }
        Query::CheckLog { session, turn, call, result } => {
            as_json(&host.check_log(session, turn, call, result).await?)
        }
        Query::Message { session, message } => {
            let whole = host.message(session, message).await?;
            json!({ "text": whole.text, "reasoning": whole.reasoning })
        }
        Query::ToolDetail { session, call } => as_json(&host.tool_detail(session, call).await?),
    })
}

fn as_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("the words of the protocol are JSON")
}
