//! Which calls are writes that were turned away. One account of it, whether a turn ends or is closed.

use protocol::{Diagnostic, FailureCode, RefusedWrite, ToolCallId, ToolFailure};

/// Returns the write that a call was, if it was turned away before it began: by the gate, by the
/// user or a setting, or because the file that it names is outside the workspace (AN-24).
///
/// Only what may write is ever asked for, so whatever was denied counts, a command too.
pub(crate) fn refused_write(
    call: &ToolCallId,
    writes_files: bool,
    refusal: Option<&Diagnostic>,
    failure: Option<&ToolFailure>,
) -> Option<RefusedWrite> {
    let turned_away = |code: FailureCode| {
        code == FailureCode::Denied || (code == FailureCode::OutsideWorkspace && writes_files)
    };
    let failure = failure.map(|it| it.code).filter(|code| turned_away(*code));
    (refusal.is_some() || failure.is_some()).then(|| RefusedWrite {
        call: call.clone(),
        diagnostic: refusal.cloned(),
        failure,
    })
}
