//! The sessions of a folder, and what each is about.

use std::{cmp::Reverse, collections::BTreeMap, fs, io, path::Path};

use protocol::{EventKind, SessionId, SessionSummary, UnixSeconds};
use rusqlite::Connection;

use crate::{
    SessionError, SessionReader, db,
    files::Files,
    labels::{self, title_of},
    reader, schema,
};

/// The files of one session, as they look from outside.
pub(crate) struct Entry {
    pub(crate) session: SessionId,
    /// As of [`Files::stamp`].
    pub(crate) stamp: String,
    /// How many other sessions were touched later.
    newer: usize,
}

/// Lists the sessions of a folder, newest change first. One that cannot be read is listed last,
/// with the reason. A folder that is not there holds none.
///
/// # Errors
///
/// [`SessionError::Io`] if the folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<SessionSummary>, SessionError> {
    let entries = entries(folder)?;
    let mut listed: Vec<_> =
        entries.iter().map(|it| entry_of(&Files::new(folder, &it.session))).collect();
    sort(&mut listed, &entries);
    Ok(listed)
}

/// Returns the sessions that cannot be read and whose files were touched after those of one, or of all
/// where there is none; the newest first, each with the reason.
///
/// # Errors
///
/// [`SessionError::Io`] if the folder cannot be read.
pub fn unreadable_after(
    folder: &Path,
    session: Option<&SessionId>,
) -> Result<Vec<(SessionId, SessionError)>, SessionError> {
    let newer = entries(folder)?.into_iter().take_while(|it| Some(&it.session) != session);
    let problem = |it: Entry| {
        let looked = look(&Files::new(folder, &it.session), SessionReader::summary);
        looked.err().map(|error| (it.session, error))
    };
    Ok(newer.filter_map(problem).collect())
}

/// Returns the sessions of a folder, unread, the one whose file was touched last first.
pub(crate) fn entries(folder: &Path) -> Result<Vec<Entry>, SessionError> {
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
        // Something else of that name would be waited for, or never end.
        if let Some(session) = id.and_then(|it| SessionId::parse(it).ok())
            && entry.file_type().is_ok_and(|it| it.is_file())
        {
            found.push((entry.metadata().and_then(|it| it.modified()).ok(), session));
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    let entry = |(newer, (_, session)): (usize, (_, SessionId))| {
        let stamp = Files::new(folder, &session).stamp();
        Entry { session, stamp, newer }
    };
    Ok(found.into_iter().enumerate().map(entry).collect())
}

/// Sorts sessions, newest change first. Two that changed in one second are told apart by their
/// files.
pub(crate) fn sort(listed: &mut [SessionSummary], entries: &[Entry]) {
    let newer: BTreeMap<_, _> = entries.iter().map(|it| (&it.session, it.newer)).collect();
    listed.sort_by_cached_key(|it| (Reverse(it.changed_at.0), newer.get(&it.session).copied()));
}

fn entry_of(files: &Files) -> SessionSummary {
    look(files, SessionReader::summary).unwrap_or_else(|error| unreadable(files, &error))
}

/// Reads a session for the list. One that stands still is read without leaving a trace beside it;
/// it may have begun to move meanwhile, so anything but a plain answer is asked for again.
pub(crate) fn look<T>(
    files: &Files,
    read: impl Fn(&SessionReader) -> Result<T, SessionError>,
) -> Result<T, SessionError> {
    if db::stands_still(files) {
        let still = still_reader(files).and_then(|it| read(&it));
        if still.is_ok() && db::stands_still(files) {
            return still;
        }
    }
    SessionReader::open(&files.folder, &files.session).and_then(|it| read(&it))
}

/// Returns what the list shows of a session that cannot be read.
pub(crate) fn unreadable(files: &Files, error: &SessionError) -> SessionSummary {
    SessionSummary {
        session: files.session.clone(),
        title: String::new(),
        workspace: String::new(),
        created_at: UnixSeconds(0),
        changed_at: UnixSeconds(0),
        turns: 0,
        unreadable: Some(reason(error)),
        is_demo: false,
        archived: false,
        copied_from: None,
    }
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

fn still_reader(files: &Files) -> Result<SessionReader, SessionError> {
    let connection =
        db::open_still(files).map_err(|source| SessionError::of_store(&files.session, source))?;
    schema::check(&connection, &files.session)?;
    Ok(SessionReader::over(connection, files.clone()))
}

impl SessionReader {
    /// Returns what the list of sessions shows of this one.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn summary(&self) -> Result<SessionSummary, SessionError> {
        Ok(self.summary_and_name()?.0)
    }

    /// Returns the same, and what a person named it, where one did.
    pub(crate) fn summary_and_name(
        &self,
    ) -> Result<(SessionSummary, Option<String>), SessionError> {
        let opened = self.opened()?;
        let (changed_at, turns, said) = self.read(|connection| {
            Ok((changed_at(connection)?, turns(connection)?, labels::read(connection)?))
        })?;
        let title = match &said.title {
            Some(title) => title.clone(),
            None => self.title()?,
        };
        let summary = SessionSummary {
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
        };
        Ok((summary, said.title))
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
            | EventKind::ReadStatusChanged { .. }
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
