//! What of a session can be searched: what was asked and answered, which files changed, which
//! checks ran, how each turn ended, and what it was named.

use protocol::{
    CheckStatus, CompletionReceipt, EventKind, SearchPlace, Seq, SessionEvent, SessionSummary,
    TurnId, TurnOutcome,
};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{LocalRecord, SessionError, SessionReader, reader};

/// Events that are read at once.
const PAGE: u32 = 1024;

/// Something to be found.
pub(super) struct Passage {
    turn: TurnId,
    place: SearchPlace,
    text: String,
}

/// What is new of a session.
pub(super) struct News {
    pub(super) summary: SessionSummary,
    /// What a person named it, where one did.
    title: Option<String>,
    passages: Vec<Passage>,
    /// The last record that was read.
    pub(super) last: Seq,
    pub(super) more: bool,
}

/// Returns what is new of a session after a record. Of what is damaged, what can be read.
pub(super) fn after(reader: &SessionReader, after: Seq) -> Result<News, SessionError> {
    let (summary, title) = reader.summary_and_name()?;
    let end = reader.read(reader::last_readable)?;
    let mut passages = Vec::new();
    let mut last = end;
    let events = if after < end { reader.events_after(after, PAGE)? } else { Vec::new() };
    let more = events.len() == PAGE as usize;
    if more {
        last = events.last().map_or(end, |it| it.seq);
    }
    for event in events {
        add(reader, event, &mut passages)?;
    }
    Ok(News { summary, title, passages, last, more })
}

fn add(
    reader: &SessionReader,
    event: SessionEvent,
    passages: &mut Vec<Passage>,
) -> Result<(), SessionError> {
    let turn = event.turn;
    let mut put = |place, text| passages.push(Passage { turn, place, text });
    match event.kind {
        EventKind::TurnStarted { prompt, .. } => put(SearchPlace::Prompt, prompt.text),
        EventKind::MessageCommitted { text, .. } => put(SearchPlace::Answer, text.text),
        EventKind::TurnDone { outcome, receipt } => {
            put(SearchPlace::Status, status(&outcome, &receipt));
            for check in &receipt.verifications {
                put(SearchPlace::Check, check.command.text.clone());
            }
            put(SearchPlace::Path, paths(reader, turn, &receipt)?.join("\n"));
        }
        EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. } => {}
    }
    Ok(())
}

/// Says how a turn and its checks ended, in the protocol's own words.
fn status(outcome: &TurnOutcome, receipt: &CompletionReceipt) -> String {
    let mut words = match outcome {
        TurnOutcome::Completed => vec!["completed".to_owned()],
        TurnOutcome::IncompleteRead => vec!["incomplete read".to_owned()],
        TurnOutcome::Interrupted => vec!["interrupted".to_owned()],
        TurnOutcome::Unknown => vec!["unknown".to_owned()],
        TurnOutcome::Failed { failure } => {
            let code = serde_json::to_value(failure.code).unwrap_or_default();
            vec!["failed".to_owned(), code.as_str().unwrap_or_default().to_owned()]
        }
    };
    let of_check = |status| match status {
        CheckStatus::Failed => "check failed",
        CheckStatus::Interrupted => "check interrupted",
        CheckStatus::Stale => "check stale",
        CheckStatus::Unknown => "check unknown",
        CheckStatus::Passed => "check passed",
    };
    words.extend(receipt.verifications.iter().map(|it| of_check(it.status()).to_owned()));
    words.join(", ")
}

/// Returns the files that a turn changed. The event may list the first alone; the stored result has
/// all of them.
fn paths(
    reader: &SessionReader,
    turn: TurnId,
    receipt: &CompletionReceipt,
) -> Result<Vec<String>, SessionError> {
    let Some(diff) = &receipt.diff else { return Ok(Vec::new()) };
    let mut files = diff.files.clone();
    if (files.len() as u64) < u64::from(diff.total_files) {
        // Where that is damaged, what the event lists has to do.
        let records = reader.local_records(turn).unwrap_or_default();
        let whole = records.into_iter().rev().find_map(|it| match it {
            LocalRecord::Frozen { changes, .. } => Some(changes.files),
            LocalRecord::Opened { .. }
            | LocalRecord::Before { .. }
            | LocalRecord::After { .. }
            | LocalRecord::Check { .. }
            | LocalRecord::Gap { .. }
            | LocalRecord::Output { .. }
            | LocalRecord::Read { .. }
            | LocalRecord::ReadPause { .. }
            | LocalRecord::ReadCompletion { .. } => None,
        });
        files = whole.unwrap_or(files);
    }
    Ok(files.into_iter().map(|it| it.path).collect())
}

/// Puts what is new of a session into the index.
pub(super) fn put(index: &Connection, session: &str, news: &News) -> rusqlite::Result<()> {
    for it in news.passages.iter().filter(|it| !it.text.trim().is_empty()) {
        put_one(index, session, Some(it.turn), it.place, &it.text)?;
    }
    put_title(index, session, news.title.as_deref())
}

/// Writes nothing where it is what it was: a session that is written is looked into often.
fn put_title(index: &Connection, session: &str, title: Option<&str>) -> rusqlite::Result<()> {
    let titles = "SELECT id FROM places WHERE session = ? AND place = ?";
    let of_title = params![session, word(SearchPlace::Title)];
    let known: Option<String> = index
        .query_row(&format!("SELECT text FROM texts WHERE rowid IN ({titles})"), of_title, |row| {
            row.get(0)
        })
        .optional()?;
    if known.as_deref() == title {
        return Ok(());
    }
    index.execute(&format!("DELETE FROM texts WHERE rowid IN ({titles})"), of_title)?;
    index.execute(&format!("DELETE FROM places WHERE id IN ({titles})"), of_title)?;
    if let Some(title) = title {
        put_one(index, session, None, SearchPlace::Title, title)?;
    }
    Ok(())
}

fn put_one(
    index: &Connection,
    session: &str,
    turn: Option<TurnId>,
    place: SearchPlace,
    text: &str,
) -> rusqlite::Result<()> {
    index
        .prepare_cached("INSERT INTO places (session, turn, place) VALUES (?, ?, ?)")?
        .execute(params![session, turn.map(|it| it.0), word(place)])?;
    index
        .prepare_cached("INSERT INTO texts (rowid, text) VALUES (?, ?)")?
        .execute(params![index.last_insert_rowid(), text])
        .map(|_| ())
}

fn word(place: SearchPlace) -> &'static str {
    match place {
        SearchPlace::Title => "title",
        SearchPlace::Prompt => "prompt",
        SearchPlace::Answer => "answer",
        SearchPlace::Path => "path",
        SearchPlace::Check => "check",
        SearchPlace::Status => "status",
    }
}

/// Reads a place as it was put.
pub(super) fn place_of(text: &str) -> Option<SearchPlace> {
    let all = [
        SearchPlace::Title,
        SearchPlace::Prompt,
        SearchPlace::Answer,
        SearchPlace::Path,
        SearchPlace::Check,
        SearchPlace::Status,
    ];
    all.into_iter().find(|it| word(*it) == text)
}
