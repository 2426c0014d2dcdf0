//! What a check printed, read from the session's record and from nowhere else (LG-1 to LG-5).

use protocol::{CheckLog, Fingerprint, SessionId, ToolCallId, TurnId};
use session::{LocalRecord, SessionReader};

use crate::{Host, HostError};

impl Host {
    /// Returns what a check of a turn printed, at most its last 2 MiB.
    ///
    /// # Errors
    ///
    /// [`HostError::NoLog`] if that turn has no check with both ids, or its output is damaged;
    /// [`HostError::DetailsRemoved`] if it is kept no more (LG-2); [`HostError::Session`] if the session is missing or cannot be read.
    pub async fn check_log(
        &self,
        session: SessionId,
        turn: TurnId,
        call: ToolCallId,
        result: Fingerprint,
    ) -> Result<CheckLog, HostError> {
        let limits = self.options.limits.clone();
        self.read(session, move |reader, _| {
            let total_bytes = stored_bytes(reader, turn, &call, result)?;
            let Some(total_bytes) = total_bytes else { return Err(HostError::NoLog { turn }) };
            let Some(bytes) = reader.detail(turn, result)? else {
                return Err(if reader.has_no_details(turn)? {
                    HostError::DetailsRemoved { turn }
                } else {
                    HostError::NoLog { turn }
                });
            };
            let all = agent::output_text(&bytes, &limits);
            let text = protocol::tail(&all, limits.log_bytes as usize).to_owned();
            let is_cut = text.len() < all.len() || (bytes.len() as u64) < total_bytes;
            Ok(CheckLog { text, total_bytes, is_cut })
        })
        .await
    }
}

/// Returns how much a check printed, if the turn has one with both ids, and its output.
fn stored_bytes(
    reader: &SessionReader,
    turn: TurnId,
    call: &ToolCallId,
    result: Fingerprint,
) -> Result<Option<u64>, HostError> {
    let (mut is_check, mut stored) = (false, None);
    for record in reader.local_records(turn)? {
        match record {
            LocalRecord::Check { check } => {
                is_check |= check.tool_call_id == *call && check.tool_result_id == Some(result);
            }
            LocalRecord::Output { call: of, blob, total_bytes, .. } => {
                if of == *call && blob == result {
                    stored = Some(total_bytes);
                }
            }
            LocalRecord::Opened { .. }
            | LocalRecord::Before { .. }
            | LocalRecord::After { .. }
            | LocalRecord::Gap { .. }
            | LocalRecord::Read { .. }
            | LocalRecord::ReadPause { .. }
            | LocalRecord::ReadCompletion { .. }
            | LocalRecord::Frozen { .. } => {}
        }
    }
    Ok(stored.filter(|_| is_check))
}
