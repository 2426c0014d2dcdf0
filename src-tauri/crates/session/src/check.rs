//! Looking through a whole session for what can no longer be read.

use protocol::Seq;

use crate::{SessionError, SessionReader, error::damage, reader, replay};

const ROW: &str = "SELECT seq, body, blob, kind FROM records WHERE seq = ?";

/// What a look through a session found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub records: u32,
    /// Those that cannot be read. The records of a damaged end are not even counted.
    pub damaged_records: u32,
    /// What is damaged; `None` if nothing is.
    pub damage: Option<String>,
}

impl SessionReader {
    /// Reads every record, and says which cannot be. Changes nothing.
    ///
    /// # Errors
    ///
    /// [`SessionError::Store`] if the system does not let it be read.
    pub fn check(&self) -> Result<Checked, SessionError> {
        let (mut records, mut damaged_records) = (0, 0);
        if let Err(error) = reader::last_seq(&self.connection) {
            self.note(&error);
        }
        let end = self.read(reader::last_readable)?;
        for seq in (1..=end.0).map(Seq) {
            records += 1;
            let read = self.connection.prepare_cached(ROW).and_then(|mut select| {
                select.query_row([seq.0], |row| {
                    let kind = row.get(3)?;
                    replay::check(&self.connection, seq, kind, row)
                })
            });
            match read {
                Err(error) if damage(&error).is_some() => {
                    self.note(&error);
                    damaged_records += 1;
                }
                read => read.map_err(|source| self.fault(source))?,
            }
        }
        Ok(Checked { records, damaged_records, damage: self.damage() })
    }
}
