//! All sessions together: the list, the search, and a look through them. Answered beside whatever
//! runs, and without anybody's lease (HL-7).

use std::path::Path;

use protocol::{SearchPage, SessionId, SessionSummary};
use session::{Checked, Index, SessionError, SessionReader};

use crate::{Host, HostError, history::blocking, sample};

/// What there is to know of the data folder. It holds no content and no key (HL-6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkup {
    pub sessions: u32,
    pub session_bytes: u64,
    pub trash_bytes: u64,
    pub index_bytes: u64,
    /// What is wrong with the index; it is made anew by the next question.
    pub index_damage: Option<String>,
    /// Records of all sessions that can be read, in number.
    pub records: u64,
    pub damaged: Vec<DamagedSession>,
}

/// A session of which something cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedSession {
    pub session: SessionId,
    /// Missing where nothing of it can be read. Records of a damaged end are not counted.
    pub damaged_records: Option<u32>,
    pub damage: String,
}

impl Host {
    /// Returns the sessions, the one that changed last first. Unreadable ones are listed too.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if the folder cannot be read.
    pub async fn list_sessions(&self) -> Result<Vec<SessionSummary>, HostError> {
        let (index, folder) = (self.index(), self.sessions_place());
        let samples = self.options.home.samples_place();
        blocking(move || {
            // Without the index it is slower, and that is all.
            let mut list = index.list().or_else(|_| session::list(&folder))?;
            mark_demos(list.iter_mut(), &samples);
            Ok(list)
        })
        .await
    }

    /// Returns the sessions that changed after one, or all where there is none, that cannot be listed:
    /// which folder they are of is not known. Each comes with what can be done with it.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if the folder cannot be read.
    pub async fn unreadable_after(
        &self,
        session: Option<SessionId>,
    ) -> Result<Vec<(SessionId, HostError)>, HostError> {
        let folder = self.sessions_place();
        blocking(move || {
            let newer = session::unreadable_after(&folder, session.as_ref())?;
            let what_works = |(id, error): (SessionId, SessionError)| {
                let error = HostError::from(error).of_damage(&folder, &id);
                (id, error)
            };
            Ok(newer.into_iter().map(what_works).collect())
        })
        .await
    }

    /// Returns the sessions in which one text holds every word of `text`, at most 50, and how many
    /// there are.
    ///
    /// # Errors
    ///
    /// [`HostError::Index`] if the folder cannot be read, or the index cannot be used.
    pub async fn search(&self, text: String) -> Result<SearchPage, HostError> {
        let (index, samples) = (self.index(), self.options.home.samples_place());
        blocking(move || {
            let mut page = index.search(&text)?;
            mark_demos(page.hits.iter_mut().map(|it| &mut it.session), &samples);
            Ok(page)
        })
        .await
    }

    /// Looks through everything that is stored, and changes nothing.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if a folder cannot be read.
    pub async fn check_up(&self) -> Result<Checkup, HostError> {
        let (index, home) = (self.index(), self.options.home.clone());
        blocking(move || {
            let folder = home.sessions_place();
            let mut checkup = Checkup {
                sessions: 0,
                session_bytes: session::size_of(&folder)?,
                trash_bytes: session::size_of(&home.trash_place())?,
                index_bytes: session::size_of(&home.index_file())?,
                index_damage: index.damage(),
                records: 0,
                damaged: Vec::new(),
            };
            for it in session::list(&folder)? {
                checkup.sessions += 1;
                let (records, damaged) = looked_through(&folder, it.session);
                checkup.records += u64::from(records);
                checkup.damaged.extend(damaged);
            }
            Ok(checkup)
        })
        .await
    }

    /// Deletes the index over the sessions and makes it again; returns how many are in it.
    ///
    /// # Errors
    ///
    /// [`HostError::Index`] if it cannot be deleted or made.
    pub async fn reindex(&self) -> Result<usize, HostError> {
        let index = self.index();
        Ok(blocking(move || index.rebuild()).await?)
    }

    pub(crate) fn index(&self) -> Index {
        let (home, limits) = (&self.options.home, self.options.limits.clone());
        Index::new(home.index_file(), home.sessions_place(), limits)
    }
}

fn mark_demos<'a>(listed: impl Iterator<Item = &'a mut SessionSummary>, samples: &Path) {
    let is_copy = sample::copies_in(samples);
    for it in listed {
        it.is_demo = is_copy(Path::new(&it.workspace));
    }
}

/// Returns how many records of a session can be read, and what cannot.
fn looked_through(folder: &Path, session: SessionId) -> (u32, Option<DamagedSession>) {
    let checked = SessionReader::open(folder, &session).and_then(|it| it.check());
    match checked {
        Ok(Checked { records, damage: None, .. }) => (records, None),
        Ok(Checked { records, damaged_records, damage: Some(damage) }) => {
            let damaged_records = Some(damaged_records);
            let found = DamagedSession { session, damaged_records, damage };
            (records - found.damaged_records.unwrap_or_default(), Some(found))
        }
        Err(error) => {
            let damage = error.to_string();
            (0, Some(DamagedSession { session, damaged_records: None, damage }))
        }
    }
}
