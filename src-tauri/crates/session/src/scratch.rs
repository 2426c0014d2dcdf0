//! Streamed text, put aside so that a kill does not lose it (JR-2).

use protocol::{MessageId, TurnId};
use rusqlite::{Connection, params};

use crate::{SessionError, SessionReader};

/// A message that was being streamed and was never committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScratchText {
    pub turn: TurnId,
    pub message: MessageId,
    pub text: String,
    pub reasoning: String,
}

/// Writes the text of the message that is streamed now, what is new of it each time.
pub(crate) struct Scratch {
    pub(crate) connection: Connection,
    /// How much stands in the file.
    kept: Option<Kept>,
}

struct Kept {
    message: MessageId,
    parts: u32,
    text: String,
    reasoning: String,
}

impl Scratch {
    pub(crate) fn over(connection: Connection) -> Self {
        Self { connection, kept: None }
    }

    pub(crate) fn put(
        &mut self,
        turn: TurnId,
        message: &MessageId,
        text: &str,
        reasoning: &str,
    ) -> rusqlite::Result<()> {
        let grown = self.kept.as_ref().filter(|it| it.message == *message).and_then(|kept| {
            let text = text.strip_prefix(kept.text.as_str())?;
            Some((kept.parts, text, reasoning.strip_prefix(kept.reasoning.as_str())?))
        });
        let (part, new_text, new_reasoning) = grown.unwrap_or((0, text, reasoning));
        let transaction = self.connection.unchecked_transaction()?;
        if part == 0 {
            clear(&transaction, message)?;
        }
        transaction
            .prepare_cached(
                "INSERT INTO scratch (message, part, turn, text, reasoning)
                 VALUES (?, ?, ?, ?, ?)",
            )?
            .execute(params![message.as_str(), part, turn.0, new_text, new_reasoning])?;
        transaction.commit()?;
        let kept = self.kept.take().filter(|_| part != 0);
        let mut kept = kept.unwrap_or_else(|| Kept {
            message: message.clone(),
            parts: 0,
            text: String::new(),
            reasoning: String::new(),
        });
        kept.parts = part + 1;
        kept.text.push_str(new_text);
        kept.reasoning.push_str(new_reasoning);
        self.kept = Some(kept);
        Ok(())
    }

    /// Forgets what stands in the file: it was cleared, or may have been.
    pub(crate) fn forget(&mut self) {
        self.kept = None;
    }
}

/// Removes the streamed text of one message.
pub(crate) fn clear(connection: &Connection, message: &MessageId) -> rusqlite::Result<()> {
    let mut delete = connection.prepare_cached("DELETE FROM scratch WHERE message = ?")?;
    delete.execute([message.as_str()]).map(|_| ())
}

impl SessionReader {
    /// Returns the streamed text that no commit has cleared, by message.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn scratch_text(&self) -> Result<Vec<ScratchText>, SessionError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT turn, message, text, reasoning FROM scratch ORDER BY message, part",
            )?;
            let mut rows = select.query([])?;
            let mut found: Vec<ScratchText> = Vec::new();
            while let Some(row) = rows.next()? {
                let message = MessageId::minted(row.get::<_, String>(1)?);
                let (text, reasoning) = (row.get::<_, String>(2)?, row.get::<_, String>(3)?);
                match found.last_mut().filter(|it| it.message == message) {
                    Some(it) => {
                        it.text.push_str(&text);
                        it.reasoning.push_str(&reasoning);
                    }
                    None => {
                        let turn = TurnId(row.get(0)?);
                        found.push(ScratchText { turn, message, text, reasoning });
                    }
                }
            }
            Ok(found)
        })
    }
}
