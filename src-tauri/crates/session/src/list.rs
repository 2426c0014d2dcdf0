//! The sessions of a folder, and what each is about.

use std::{fs, io, path::Path};

use protocol::{EventKind, SessionId, SessionSummary, UnixSeconds};
use rusqlite::Connection;

use crate::{
    SessionError, SessionReader, db,
    files::Files,
    labels::{self, title_of},
    reader, schema,
};

/// Lists the sessions of a folder, newest change first. One that cannot be read is listed last,
/// with the reason. A folder that is not there holds none.
///
/// # Errors
///
/// [`SessionError::Io`] if the folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<SessionSummary>, SessionError> {
    let fault = |source| SessionError::Io { verb: "list", path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fault(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(fault)?;
        let name = entry.file_name();
        let id = name.to_str().and_then(|it| it.strip_suffix(".sqlite"));
        if let Some(id) = id.and_then(|it| SessionId::parse(it).ok()) {
            // Something else of that name would be waited for, or never end.
            if !entry.file_type().is_ok_and(|it| it.is_file()) {
                continue;
            }
            // Two that changed in one second are told apart by their files.
            let touched = entry.metadata().and_then(|it| it.modified()).ok();
            found.push((touched, entry_of(&Files::new(folder, &id))));
        }
    }
    found.sort_by(|(a_touched, a), (b_touched, b)| {
        let newest = b.changed_at.cmp(&a.changed_at).then_with(|| b_touched.cmp(a_touched));
        newest.then_with(|| a.session.cmp(&b.session))
    });
    Ok(found.into_iter().map(|(_, summary)| summary).collect())
}

/// A session that stands still is read without leaving a trace beside it. It may have begun to
/// move meanwhile, so anything but a plain answer is asked for again.
fn entry_of(files: &Files) -> SessionSummary {
    let still = db::stands_still(files).then(|| still_summary(files).ok()).flatten();
    if let Some(summary) = still.filter(|_| db::stands_still(files)) {
        return summary;
    }
    let read = SessionReader::open(&files.folder, &files.session).and_then(|it| it.summary());
    read.unwrap_or_else(|error| SessionSummary {
        session: files.session.clone(),
        title: String::new(),
        workspace: String::new(),
        created_at: UnixSeconds(0),
        changed_at: UnixSeconds(0),
        turns: 0,
        unreadable: Some(reason(&error)),
        is_demo: false,
        archived: false,
        copied_from: None,
    })
}

/// Returns an error in one line, with what is behind it.
fn reason(error: &SessionError) -> String {
    let mut line = error.to_string();
    let mut behind = std::error::Error::source(error);
    while let Some(cause) = behind {
        line = format!("{line}: {cause}");
        behind = cause.source();
    }
    line
}

fn still_summary(files: &Files) -> Result<SessionSummary, SessionError> {
    let connection =
        db::open_still(files).map_err(|source| SessionError::of_store(&files.session, source))?;
    schema::check(&connection, &files.session)?;
    SessionReader::over(connection, files.clone()).summary()
}

impl SessionReader {
    /// Returns what the list of sessions shows of this one.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn summary(&self) -> Result<SessionSummary, SessionError> {
        let opened = self.opened()?;
        let (changed_at, turns, said) = self.read(|connection| {
            Ok((changed_at(connection)?, turns(connection)?, labels::read(connection)?))
        })?;
        let title = match said.title {
            Some(title) => title,
            None => self.title()?,
        };
        Ok(SessionSummary {
            session: self.session().clone(),
            title,
            workspace: opened.workspace,
            created_at: opened.created_at,
            changed_at,
            turns,
            unreadable: None,
            is_demo: false,
            archived: said.archived,
            copied_from: said.copied_from,
        })
    }

    fn title(&self) -> Result<String, SessionError> {
        let first = self.events_after(protocol::Seq(0), 1)?;
        Ok(first.into_iter().next().map_or_else(String::new, |event| match event.kind {
            EventKind::TurnStarted { prompt, .. } => title_of(&prompt.text),
            EventKind::MessageCommitted { .. }
            | EventKind::ToolStarted { .. }
            | EventKind::PermissionAsked { .. }
            | EventKind::PermissionAnswered { .. }
            | EventKind::ToolFinished { .. }
            | EventKind::JobChanged { .. }
            | EventKind::UsageReported { .. }
            | EventKind::Notice { .. }
            | EventKind::TurnDone { .. } => String::new(),
        }))
    }
}

fn changed_at(connection: &Connection) -> rusqlite::Result<UnixSeconds> {
    let last = reader::last_readable(connection)?;
    let mut select = connection.prepare_cached("SELECT at FROM records WHERE seq = ?")?;
    select.query_row([last.0], |row| Ok(UnixSeconds(row.get(0)?)))
}

fn turns(connection: &Connection) -> rusqlite::Result<u32> {
    connection.prepare_cached("SELECT count(*) FROM turns")?.query_row([], |row| row.get(0))
}
