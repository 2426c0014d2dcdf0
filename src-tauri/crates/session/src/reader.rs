//! Reading a session, beside whoever writes it.

use std::{cell::RefCell, fmt, path::Path};

use protocol::{Fingerprint, Seq, SessionId, TurnId, UnixSeconds};
use rusqlite::{Connection, OptionalExtension as _};

use crate::{
    LocalRecord, SessionError, blobs, db, error::damage, files::Files, lease::Lease, record::Kind,
    replay, schema,
};

/// Reads one session. Takes no lease and changes nothing; sees what another process commits.
///
/// One connection, for one thread at a time: it is `Send` and not `Sync`. Every method blocks.
pub struct SessionReader {
    pub(crate) connection: Connection,
    pub(crate) files: Files,
    damage: RefCell<Option<String>>,
}

/// What the first record of a session says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    pub workspace: String,
    pub roots: Vec<String>,
    pub created_at: UnixSeconds,
}

impl SessionReader {
    /// Opens a session to read it.
    ///
    /// # Errors
    ///
    /// - [`SessionError::Missing`] if there is none.
    /// - [`SessionError::Damaged`] if the file is no session.
    /// - [`SessionError::NewerSchema`] if a newer program wrote it.
    /// - [`SessionError::Store`] if the system does not let it be read.
    pub fn open(folder: &Path, id: &SessionId) -> Result<Self, SessionError> {
        let files = Files::new(folder, id);
        let (connection, damage) = db::open_reader(&files)?;
        let reader = Self::over(connection, files);
        *reader.damage.borrow_mut() = damage;
        Ok(reader)
    }

    pub(crate) fn over(connection: Connection, files: Files) -> Self {
        Self { connection, files, damage: RefCell::new(None) }
    }

    /// Returns the session's id.
    pub fn session(&self) -> &SessionId {
        &self.files.session
    }

    /// Returns the number of the last record; 0 where there is none.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn last_seq(&self) -> Result<Seq, SessionError> {
        self.read(last_seq)
    }

    /// Returns the last turn that has a record.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn last_turn(&self) -> Result<Option<TurnId>, SessionError> {
        self.read(last_turn)
    }

    /// Returns what the session works on.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn opened(&self) -> Result<Opened, SessionError> {
        self.read(|connection| {
            let mut select = connection
                .prepare_cached("SELECT at, body FROM records WHERE seq = 1 AND kind = ?")?;
            select.query_row([Kind::Local], |row| {
                match replay::parse(Seq(1), row.get_ref(1)?.as_str()?)? {
                    LocalRecord::Opened { workspace, roots } => {
                        Ok(Opened { workspace, roots, created_at: UnixSeconds(row.get(0)?) })
                    }
                    LocalRecord::Before { .. }
                    | LocalRecord::After { .. }
                    | LocalRecord::Check { .. }
                    | LocalRecord::Gap { .. }
                    | LocalRecord::Output { .. }
                    | LocalRecord::Read { .. }
                    | LocalRecord::ReadPause { .. }
                    | LocalRecord::ReadCompletion { .. }
                    | LocalRecord::Frozen { .. } => Err(rusqlite::Error::QueryReturnedNoRows),
                }
            })
        })
    }

    /// Returns bytes by their fingerprint; `None` if they are not there, or are damaged.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn blob(&self, id: Fingerprint) -> Result<Option<Vec<u8>>, SessionError> {
        self.read(|connection| blobs::get(connection, id))
    }

    /// Returns who writes the session now, for display; `None` if nobody does.
    pub fn owner(&self) -> Option<String> {
        Lease::is_held(&self.files.lock()).then(|| schema::owner(&self.connection))
    }

    /// Returns what could not be read so far, where [`Self::history`] or [`Self::events_after`]
    /// left something out (JR-3).
    pub fn damage(&self) -> Option<String> {
        self.damage.borrow().clone()
    }

    /// Keeps what an error says of damage, for [`Self::damage`].
    pub(crate) fn note(&self, error: &rusqlite::Error) {
        self.damage.borrow_mut().get_or_insert_with(|| damage(error).unwrap_or_default());
    }

    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, SessionError> {
        read(&self.connection).map_err(|source| self.fault(source))
    }

    pub(crate) fn fault(&self, source: rusqlite::Error) -> SessionError {
        SessionError::of_store(self.session(), source)
    }
}

/// Names the session, and no text of it.
impl fmt::Debug for SessionReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SessionReader({})", self.session())
    }
}

pub(crate) fn last_seq(connection: &Connection) -> rusqlite::Result<Seq> {
    let mut select = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM records")?;
    select.query_row([], |row| Ok(Seq(row.get(0)?)))
}

pub(crate) fn last_turn(connection: &Connection) -> rusqlite::Result<Option<TurnId>> {
    let mut select =
        connection.prepare_cached("SELECT turn FROM turns ORDER BY turn DESC LIMIT 1")?;
    select.query_row([], |row| Ok(TurnId(row.get(0)?))).optional()
}

/// Returns the number of the last record that can be read, as far as doubling and halving finds it
/// where the end is damaged.
pub(crate) fn last_readable(connection: &Connection) -> rusqlite::Result<Seq> {
    match last_seq(connection) {
        Err(error) if damage(&error).is_some() => {}
        last => return last,
    }
    let mut select =
        connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM records WHERE seq <= ?")?;
    let mut up_to = |seq: u32| match select.query_row([seq], |row| Ok(Seq(row.get(0)?))) {
        Err(error) if damage(&error).is_some() => Ok(None),
        found => found.map(Some),
    };
    let mut last = Seq(0);
    for step in (0..u32::BITS).map(|it| 1 << it) {
        last = last.max(up_to(step)?.unwrap_or(last));
    }
    for step in (0..u32::BITS).rev().map(|it| 1 << it) {
        last = last.max(up_to(last.0.saturating_add(step))?.unwrap_or(last));
    }
    Ok(last)
}
