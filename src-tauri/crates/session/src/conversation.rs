//! What the model is sent, and the whole of what an event only begins to tell.

use protocol::{EventKind, MessageId, ModelCall, ModelMessage, Seq, ToolCallId, ToolDetail};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::{
    SessionError, SessionReader,
    record::Kind,
    replay::{body, comes_next, parse},
};

/// A message as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText {
    pub text: String,
    pub reasoning: Option<String>,
}

impl SessionReader {
    /// Returns the messages that providers are sent, in order: all of them, or an error. So that none
    /// is missing unseen, every record is looked at.
    ///
    /// # Errors
    ///
    /// [`SessionError::Damaged`] if one cannot be read, or any other record is not there;
    /// [`SessionError::Store`] if the system does not let them be read.
    pub fn model_messages(&self) -> Result<Vec<ModelMessage>, SessionError> {
        self.read(|connection| {
            let mut select = connection
                .prepare_cached("SELECT seq, body, blob, kind FROM records ORDER BY seq")?;
            let mut rows = select.query([])?;
            let (mut messages, mut next) = (Vec::new(), Seq(1));
            while let Some(row) = rows.next()? {
                let seq = Seq(row.get(0)?);
                comes_next(&mut next, seq)?;
                if row.get::<_, u32>(3)? == Kind::Model as u32 {
                    messages.push(body(connection, row)?);
                } else if let Some(text) = row.get_ref(1)?.as_str_or_null()? {
                    parse::<IgnoredAny>(seq, text)?;
                }
            }
            Ok(messages)
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
            let told = newest(connection, Kind::Model, call.as_str())?;
            let end = told.as_ref().map_or(Seq(u32::MAX), |(seq, _)| *seq);
            let output = told.and_then(|(_, told)| match told {
                ModelMessage::Tool { text, .. } => Some(text),
                ModelMessage::Context { .. }
                | ModelMessage::User { .. }
                | ModelMessage::Assistant { .. } => None,
            });
            let made = made_before(connection, end, call)?;
            Ok(made.map(|ModelCall { id: call, name: tool, arguments, .. }| ToolDetail {
                call,
                tool,
                arguments,
                output,
            }))
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
        | EventKind::JobChanged { .. }
        | EventKind::ReadStatusChanged { .. }
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

/// Finds a call in the answer that made it: the newest before `end`, and of the turn that `end` is
/// in, since calls of earlier turns have ended.
fn made_before(
    connection: &Connection,
    end: Seq,
    call: &ToolCallId,
) -> rusqlite::Result<Option<ModelCall>> {
    let mut select = connection.prepare_cached(
        "SELECT seq, body, blob FROM records WHERE kind = ? AND seq < ? ORDER BY seq DESC",
    )?;
    let mut rows = select.query(params![Kind::Model, end.0])?;
    while let Some(row) = rows.next()? {
        match body(connection, row)? {
            ModelMessage::Assistant { calls, .. } => {
                if let Some(made) = calls.into_iter().find(|it| it.id == *call) {
                    return Ok(Some(made));
                }
            }
            ModelMessage::Tool { .. } => {}
            ModelMessage::Context { .. } | ModelMessage::User { .. } => return Ok(None),
        }
    }
    Ok(None)
}
