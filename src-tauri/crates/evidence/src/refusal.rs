//! The refusals, each with the door that it opens (CL-1, DG-9).

use protocol::{Diagnostic, DiagnosticCode, RecoveryAction};

/// No version of the file was read before this answer.
pub fn not_observed(path: String) -> Diagnostic {
    let recovery = format!("read_file {path} first, then send this write again in a later answer");
    reread(DiagnosticCode::FsNotObserved, path, recovery)
}

/// The token was not printed by a read of this file before this answer.
pub fn token_unknown(path: String) -> Diagnostic {
    let recovery = format!(
        "that source_token was not printed by a read of {path}; send the write again without it, \
         or with the one that read_file {path} prints"
    );
    reread(DiagnosticCode::FsNotObserved, path, recovery)
}

/// The file is not the version that was read.
pub fn stale(path: String) -> Diagnostic {
    let recovery = format!(
        "{path} has changed since it was read, by none of your edits, and was left as it is; \
         read_file it again, then send the edit against what is there now"
    );
    reread(DiagnosticCode::FsStaleVersion, path, recovery)
}

/// A file is where one was to be created.
pub fn already_exists(path: String) -> Diagnostic {
    let recovery = format!("{path} appeared meanwhile and was left as it is; read_file it first");
    reread(DiagnosticCode::FsAlreadyExists, path, recovery)
}

/// The passage stands in the file more than once.
pub fn ambiguous(path: String, count: usize) -> Diagnostic {
    let recovery = format!(
        "old_string stands in {path} {count} times; add lines around it until it is unique, or \
         set replace_all"
    );
    reread(DiagnosticCode::WriteTargetAmbiguous, path, recovery)
}

/// There is no file to edit.
pub fn absent(path: String) -> Diagnostic {
    let recovery = format!("there is no {path}; write_file creates it");
    abandon(DiagnosticCode::WriteTargetAbsent, path, recovery)
}

/// The file vanished between the check and the write.
pub fn not_found(path: String) -> Diagnostic {
    let recovery = format!("{path} was deleted meanwhile; write_file creates it anew");
    abandon(DiagnosticCode::FsNotFound, path, recovery)
}

fn reread(code: DiagnosticCode, path: String, recovery: String) -> Diagnostic {
    let allowed_recovery = vec![RecoveryAction::RereadTarget, RecoveryAction::AbandonEdit];
    Diagnostic { code, path, recovery, allowed_recovery, retryable: true }
}

fn abandon(code: DiagnosticCode, path: String, recovery: String) -> Diagnostic {
    let allowed_recovery = vec![RecoveryAction::AbandonEdit];
    Diagnostic { code, path, recovery, allowed_recovery, retryable: false }
}
