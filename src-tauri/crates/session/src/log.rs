//! The one writer of a session.

use std::{env, fmt, path::Path, process};

use protocol::{Limits, MessageId, ModelMessage, SessionEvent, SessionId, TurnId, UnixSeconds};
use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use crate::{
    Commit, LocalRecord, Record, SessionError, SessionReader, blobs, db,
    files::Files,
    lease::Lease,
    reader,
    record::{self, Kind},
    schema,
    scratch::{self, Scratch},
};

/// Writes one session, and alone: it holds the lease until it is dropped. Every method blocks.
pub struct SessionLog {
    // Closed first: the connection that closes last tidies up, and must be the careful one.
    scratch: Scratch,
    reader: SessionReader,
    inline_body_bytes: usize,
    /// What opening has read already; nothing was committed since.
    opening: Option<Vec<ModelMessage>>,
    _lease: Lease,
}

impl SessionLog {
    /// Makes a session and opens it. It is on the disk, whole, when this returns (SM-2).
    ///
    /// # Errors
    ///
    /// - [`SessionError::Exists`] if there is one of this id.
    /// - [`SessionError::Busy`] if another process is making it.
    /// - [`SessionError::NotWritable`] or [`SessionError::DiskFull`] if the folder takes no file.
    /// - [`SessionError::Io`] or [`SessionError::Store`] for what else the system says.
    pub fn create(
        folder: &Path,
        id: SessionId,
        workspace: &str,
        roots: &[String],
        now: UnixSeconds,
        limits: &Limits,
    ) -> Result<Self, SessionError> {
        let files = Files::new(folder, &id);
        files.make_folder()?;
        let lease = lease(&files)?;
        files.must_be_free()?;
        let opened = LocalRecord::Opened { workspace: workspace.to_owned(), roots: roots.to_vec() };
        if let Err(error) = make_store(&files, &opened, now) {
            drop(lease);
            files.discard();
            return Err(error);
        }
        Self::over(files, lease, limits)
    }

    /// Opens a session to write it.
    ///
    /// # Errors
    ///
    /// - [`SessionError::Missing`] if there is none.
    /// - [`SessionError::Busy`] if another process writes it.
    /// - [`SessionError::Damaged`] if the file is no session, or a record of it cannot be read; then
    ///   nothing is written (JR-3).
    /// - [`SessionError::NewerSchema`] if a newer program wrote it.
    /// - [`SessionError::NotWritable`] or [`SessionError::DiskFull`] if it cannot be written now.
    /// - [`SessionError::Io`] or [`SessionError::Store`] for what else the system says.
    pub fn open(folder: &Path, id: SessionId, limits: &Limits) -> Result<Self, SessionError> {
        let files = Files::new(folder, &id);
        files.must_exist()?;
        let lease = lease(&files)?;
        Self::over(files, lease, limits)
    }

    fn over(files: Files, lease: Lease, limits: &Limits) -> Result<Self, SessionError> {
        let connection = db::open_writer(&files)?;
        let scratch = Scratch::over(db::open_careless(&files)?);
        let reader = SessionReader::over(connection, files);
        let inline_body_bytes = limits.inline_body_bytes as usize;
        let mut log = Self { scratch, reader, inline_body_bytes, opening: None, _lease: lease };
        log.reader.opened()?;
        log.reader.last_turn()?;
        log.reader.last_seq()?;
        log.opening = Some(log.reader.model_messages()?);
        log.check_writable()?;
        Ok(log)
    }

    /// Checks that the session can be written now, before anything is spent on a turn (SM-5).
    ///
    /// # Errors
    ///
    /// - [`SessionError::Missing`] if its file was taken away.
    /// - [`SessionError::NotWritable`] or [`SessionError::DiskFull`] if not, and why.
    /// - [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn check_writable(&mut self) -> Result<(), SessionError> {
        self.reader.files.must_exist()?;
        self.reader.read(|connection| schema::claim(connection, &own_name()))
    }

    /// Stores what happened, all of it or nothing, and returns its events as they are stored:
    /// numbered, and within their caps. Durable when it returns.
    ///
    /// # Errors
    ///
    /// In each case the session is as it was, and takes the next commit once the cause is gone.
    ///
    /// - [`SessionError::DiskFull`], [`SessionError::NotWritable`] or [`SessionError::Missing`].
    /// - [`SessionError::OlderTurn`] if a later turn has begun.
    /// - [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn commit(&mut self, commit: Commit) -> Result<Vec<SessionEvent>, SessionError> {
        self.opening = None;
        self.reader.files.must_exist()?;
        if let Some(last) = self.reader.last_turn()?.filter(|last| commit.turn < *last) {
            let session = self.reader.session().clone();
            return Err(SessionError::OlderTurn { session, turn: commit.turn, last });
        }
        if commit.clear_scratch.is_some() {
            self.scratch.forget();
        }
        self.reader.read(|connection| {
            let transaction =
                Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
            let events = self.write(&transaction, commit)?;
            transaction.commit()?;
            Ok(events)
        })
    }

    /// Puts streamed text aside: all of it so far, each time. Not durable against a power cut, and
    /// not meant to be.
    ///
    /// # Errors
    ///
    /// [`SessionError::DiskFull`], [`SessionError::NotWritable`], [`SessionError::Damaged`] or
    /// [`SessionError::Store`]. The turn can go on without it.
    pub fn scratch(
        &mut self,
        turn: TurnId,
        message: &MessageId,
        text: &str,
        reasoning: &str,
    ) -> Result<(), SessionError> {
        let put = self.scratch.put(turn, message, text, reasoning);
        put.map_err(|source| self.reader.fault(source))
    }

    /// Returns what the model said and was told, as [`SessionReader::model_messages`] does. Right
    /// after opening it is what that has read, and is not read again.
    ///
    /// # Errors
    ///
    /// As [`SessionReader::model_messages`].
    pub fn take_messages(&mut self) -> Result<Vec<ModelMessage>, SessionError> {
        self.opening.take().map_or_else(|| self.reader.model_messages(), Ok)
    }

    /// Returns the reader over the same connection.
    pub fn reader(&self) -> &SessionReader {
        &self.reader
    }

    fn write(&self, store: &Connection, commit: Commit) -> rusqlite::Result<Vec<SessionEvent>> {
        for blob in &commit.blobs {
            blobs::put(store, blob)?;
        }
        if let Some(message) = &commit.clear_scratch {
            scratch::clear(store, message)?;
        }
        let mut seq = reader::last_seq(store)?;
        if !commit.records.is_empty() {
            store
                .prepare_cached("INSERT OR IGNORE INTO turns (turn, first_seq) VALUES (?, ?)")?
                .execute([commit.turn.0, seq.next().0])?;
        }
        let mut insert = insert(store)?;
        let mut events = Vec::new();
        let texts = record::texts_of(&commit.records);
        for (record, text_of) in commit.records.into_iter().zip(texts) {
            seq = seq.next();
            let (turn, at) = (commit.turn, commit.at);
            let (kind, body) = match record {
                Record::Event(kind) => {
                    let session = self.reader.session().clone();
                    let event = SessionEvent { session, turn, seq, at, kind }.capped();
                    let body = json(&event.kind)?;
                    events.push(event);
                    (Kind::Event, body)
                }
                Record::Model(message) => (Kind::Model, json(&message)?),
                Record::Local(local) => (Kind::Local, json(&local)?),
            };
            let is_long = kind != Kind::Event && self.inline_body_bytes < body.len();
            let blob = if is_long { Some(blobs::put(store, body.as_bytes())?.0) } else { None };
            let body = (!is_long).then_some(body);
            insert.execute(params![seq.0, turn.0, at.0, kind, text_of, body, blob])?;
        }
        Ok(events)
    }
}

/// Names the session, and no text of it.
impl fmt::Debug for SessionLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionLog({})", self.reader.session())
    }
}

fn insert(store: &Connection) -> rusqlite::Result<rusqlite::CachedStatement<'_>> {
    store.prepare_cached(
        "INSERT INTO records (seq, turn, at, kind, text_of, body, blob)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
}

/// Writes a body as it is stored.
pub(crate) fn json<T: serde::Serialize>(body: &T) -> rusqlite::Result<String> {
    serde_json::to_string(body)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// Takes the lease of a session, or says who has it.
pub(crate) fn lease(files: &Files) -> Result<Lease, SessionError> {
    let path = files.lock();
    match Lease::take(&path) {
        Ok(Some(lease)) => Ok(lease),
        Ok(None) => Err(SessionError::Busy {
            session: files.session.clone(),
            owner: SessionReader::open(&files.folder, &files.session)
                .map_or_else(|_| schema::NOT_KNOWN.to_owned(), |it| schema::owner(&it.connection)),
        }),
        Err(source) => Err(SessionError::of_writing(&files.session, "lock", path, source)),
    }
}

/// Names this process, for whoever finds the session busy.
fn own_name() -> String {
    let program = env::current_exe().ok();
    let program = program.as_ref().and_then(|it| it.file_stem()?.to_str()).unwrap_or("a program");
    format!("{program} (process {})", process::id())
}

/// Makes the file under another name first, so that a session is never half there.
fn make_store(files: &Files, opened: &LocalRecord, now: UnixSeconds) -> Result<(), SessionError> {
    let path = files.make_unfinished()?;
    let fault = |source| SessionError::of_opening(&files.session, source);
    let write = |connection: &Connection| {
        let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
        schema::create(&transaction)?;
        let body = json(opened)?;
        let none: Option<String> = None;
        insert(&transaction)?.execute(params![1, 0, now.0, Kind::Local, none, body, none])?;
        transaction.commit()
    };
    let connection = db::open_unfinished(&path).map_err(fault)?;
    write(&connection).map_err(fault)?;
    connection.close().map_err(|(_, source)| fault(source))?;
    files.finish()
}

#[cfg(test)]
mod tests;
