//! How a turn ended: its exit code, and the last line that a person reads of it.

use protocol::{CompletionReceipt, GapReason, TurnChanges, TurnFailureCode, TurnOutcome};

use crate::{Exit, text::plain};

/// How a turn ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    pub(crate) exit: Exit,
    /// Whether its result is in the session's file.
    pub(crate) is_saved: bool,
}

impl Ending {
    /// Reads it from a turn's end. Only a turn that ran to its end, and is stored, is done (HL-4).
    pub(crate) fn of(outcome: &TurnOutcome, receipt: &CompletionReceipt) -> Self {
        let is_saved = is_saved(receipt);
        let exit = if is_saved { exit_of(outcome) } else { Exit::NotWritable };
        Self { exit, is_saved }
    }
}

/// Says how a turn ended.
pub(crate) fn line(outcome: &TurnOutcome) -> String {
    match outcome {
        TurnOutcome::Completed => "turn completed".to_owned(),
        TurnOutcome::IncompleteRead => {
            "turn incomplete: a file was not read to its end; send a message to go on".to_owned()
        }
        TurnOutcome::Interrupted => "turn interrupted".to_owned(),
        TurnOutcome::Unknown => "how the turn ended is unknown".to_owned(),
        TurnOutcome::Failed { failure } => format!("turn failed: {}", plain(&failure.message)),
    }
}

/// Says how the turn of this run ended, and what the exit code is about: the turn, not the task.
pub(crate) fn line_of_run(outcome: &TurnOutcome, receipt: &CompletionReceipt) -> String {
    let line = line(outcome);
    let Ending { exit, is_saved } = Ending::of(outcome, receipt);
    let code = exit as u8;
    match (exit, is_saved) {
        (_, false) => format!("{line} (exit code {code}: its result could not be stored)"),
        (Exit::Done, true) => format!(
            "{line} (exit code {code} says that it ran to its end, not that the task is done)"
        ),
        (
            Exit::TurnFailed
            | Exit::BadUsage
            | Exit::IncompleteRead
            | Exit::NotWritable
            | Exit::Interrupted,
            true,
        ) => format!("{line} (exit code {code})"),
    }
}

fn exit_of(outcome: &TurnOutcome) -> Exit {
    match outcome {
        TurnOutcome::Completed => Exit::Done,
        TurnOutcome::IncompleteRead => Exit::IncompleteRead,
        TurnOutcome::Interrupted => Exit::Interrupted,
        TurnOutcome::Unknown => Exit::TurnFailed,
        TurnOutcome::Failed { failure } => match failure.code {
            TurnFailureCode::SessionNotWritable => Exit::NotWritable,
            TurnFailureCode::WrongKey
            | TurnFailureCode::PaymentRequired
            | TurnFailureCode::RateLimited
            | TurnFailureCode::ModelNotFound
            | TurnFailureCode::RequestRefused
            | TurnFailureCode::ProviderDown
            | TurnFailureCode::Unreachable
            | TurnFailureCode::StreamBroken
            | TurnFailureCode::StreamSilent
            | TurnFailureCode::StreamError
            | TurnFailureCode::AnswerTooLarge
            | TurnFailureCode::RoundLimit
            | TurnFailureCode::HostError => Exit::TurnFailed,
        },
    }
}

/// A result that is in no file says so itself (TR-25).
fn is_saved(receipt: &CompletionReceipt) -> bool {
    let lost =
        |diff: &TurnChanges| diff.reasons.iter().any(|gap| gap.reason == GapReason::ResultNotSaved);
    !receipt.diff.as_ref().is_some_and(lost)
}
