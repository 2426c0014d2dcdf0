//! What the model is sent, and the whole of what an event only begins to tell.

use protocol::{EventKind, MessageId, ModelMessage, Seq, ToolCallId, ToolDetail};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::de::DeserializeOwned;

use crate::{LocalRecord, SessionError, SessionReader, record::Kind, replay::body};

/// A message as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText {
    pub text: String,
    pub reasoning: Option<String>,
}

impl SessionReader {
    /// Returns the messages that providers are sent, in order: all of them, or an error.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] if one cannot be read; [`SessionError::Store`] if the system does
    /// not let them be read.
    pub fn model_messages(&self) -> Result<Vec<ModelMessage>, SessionError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT seq, body, blob FROM records WHERE kind = ? ORDER BY seq",
            )?;
            let rows = select.query_map([Kind::Model], |row| body(connection, row))?;
            rows.collect()
        })
    }

    /// Returns the whole text of a committed message; `None` if there is none of this id, or if
    /// its event is all there is and is cut.
    ///
    /// The model's message that was committed with the event has it. Looks at the newest first.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn message_text(&self, message: &MessageId) -> Result<Option<MessageText>, SessionError> {
        self.read(|connection| {
            if let Some((_, sent)) = newest(connection, Kind::Model, message.as_str())? {
                return Ok(sent_text(sent));
            }
            let event = newest(connection, Kind::Event, message.as_str())?;
            Ok(event.and_then(|(_, event)| event_text(event)))
        })
    }

    /// Returns a call with its whole arguments and, once it has ended, what the model was told;
    /// `None` if there is none of this id. Looks at the newest first.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] or [`SessionError::Store`].
    pub fn tool_detail(&self, call: &ToolCallId) -> Result<Option<ToolDetail>, SessionError> {
        self.read(|connection| {
            let made = newest(connection, Kind::Local, call.as_str())?;
            let Some((seq, LocalRecord::Call { call, tool, arguments })) = made else {
                return Ok(None);
            };
            let told = first_after(connection, seq, call.as_str())?;
            let output = told.and_then(|it| match it {
                ModelMessage::Tool { text, .. } => Some(text),
                ModelMessage::Context { .. }
                | ModelMessage::User { .. }
                | ModelMessage::Assistant { .. } => None,
            });
            Ok(Some(ToolDetail { call, tool, arguments, output }))
        })
    }
}

fn sent_text(sent: ModelMessage) -> Option<MessageText> {
    match sent {
        ModelMessage::Assistant { text, reasoning, .. } => {
            Some(MessageText { text, reasoning: reasoning.map(|it| it.text) })
        }
        ModelMessage::Context { .. } | ModelMessage::User { .. } | ModelMessage::Tool { .. } => {
            None
        }
    }
}

fn event_text(event: EventKind) -> Option<MessageText> {
    match event {
        EventKind::MessageCommitted { text, reasoning, .. } => {
            let is_cut = text.is_cut() || reasoning.as_ref().is_some_and(|it| it.is_cut());
            let reasoning = reasoning.map(|it| it.text);
            (!is_cut).then_some(MessageText { text: text.text, reasoning })
        }
        EventKind::TurnStarted { .. }
        | EventKind::ToolStarted { .. }
        | EventKind::PermissionAsked { .. }
        | EventKind::PermissionAnswered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::UsageReported { .. }
        | EventKind::Notice { .. }
        | EventKind::TurnDone { .. } => None,
    }
}

/// Finds the newest record that holds the text of a message or a call.
fn newest<T: DeserializeOwned>(
    connection: &Connection,
    kind: Kind,
    text_of: &str,
) -> rusqlite::Result<Option<(Seq, T)>> {
    let mut select = connection.prepare_cached(
        "SELECT seq, body, blob FROM records
         WHERE kind = ? AND text_of = ? ORDER BY seq DESC LIMIT 1",
    )?;
    let row = |row: &rusqlite::Row<'_>| Ok((Seq(row.get(0)?), body(connection, row)?));
    select.query_row(params![kind, text_of], row).optional()
}

/// Finds the first of the model's messages that holds the text of a call, in the call's turn.
fn first_after(
    connection: &Connection,
    seq: Seq,
    text_of: &str,
) -> rusqlite::Result<Option<ModelMessage>> {
    let mut select = connection.prepare_cached(
        "SELECT seq, body, blob FROM records
         WHERE seq > ?1 AND seq < coalesce(
             (SELECT first_seq FROM turns WHERE turn > (SELECT turn FROM records WHERE seq = ?1)
              ORDER BY turn LIMIT 1), ?2)
         AND kind = ?3 AND text_of = ?4 ORDER BY seq LIMIT 1",
    )?;
    let found = params![seq.0, u32::MAX, Kind::Model, text_of];
    select.query_row(found, |row| body(connection, row)).optional()
}
