//! The refusals, each with the door that it opens (CL-1, DG-9).

use protocol::{Diagnostic, DiagnosticCode, LineRange, RecoveryAction};

use crate::gate::EvidenceMode;

/// Most ranges of lines that one refusal names.
const NAMED_RANGES: usize = 8;

/// No version of the file was read before this answer.
pub(crate) fn not_observed(path: String) -> Diagnostic {
    let recovery = format!("read_file {path} first, then send this write again in a later answer");
    reread(DiagnosticCode::FsNotObserved, path, recovery)
}

/// Nothing of what would be replaced was shown before this answer.
pub(crate) fn evidence_missing(path: String, missing: Vec<LineRange>) -> Diagnostic {
    let recovery = format!(
        "{path} was not read before this answer; read {}, then send this write again in a later answer",
        named(&missing)
    );
    lacking(DiagnosticCode::WriteEvidenceMissing, path, recovery, missing)
}

/// What would be replaced was shown in part only, or is not what was shown any more.
pub(crate) fn evidence_stale(path: String, missing: Vec<LineRange>) -> Diagnostic {
    let recovery = format!(
        "{path} was left as it is: what this write replaces was not shown to you as it is now; read \
         {}, then send the write against what is there",
        named(&missing)
    );
    lacking(DiagnosticCode::WriteEvidenceStale, path, recovery, missing)
}

/// A file with too many lines for it to be told whether all of it was shown (WB-31).
pub(crate) fn unverifiable(path: String) -> Diagnostic {
    let recovery = format!(
        "{path} is too long to be replaced as a whole; edit_file changes parts of it, and the user \
         can ask for it to be written anew by its path"
    );
    abandon(DiagnosticCode::WriteEvidenceMissing, path, recovery)
}

/// The token was not printed by a read of this file before this answer, in this turn.
pub(crate) fn token_unknown(path: String, mode: EvidenceMode) -> Diagnostic {
    let recovery = format!(
        "that source_token was not printed by a read of {path}; send the write again without it, \
         or with the one that read_file {path} prints"
    );
    let code = match mode {
        EvidenceMode::Coverage => DiagnosticCode::WriteEvidenceMissing,
        EvidenceMode::Version => DiagnosticCode::FsNotObserved,
    };
    reread(code, path, recovery)
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

/// Says of a refusal that the lines it lacked come with it.
pub fn now_shown(refusal: &mut Diagnostic) {
    let Diagnostic { path, required_ranges, .. } = &*refusal;
    refusal.recovery = format!(
        "nothing was written: {} of {path} had not been shown to you in this form, and follow; if \
         the write is still right, send it again in your next answer",
        named(required_ranges)
    );
}

fn reread(code: DiagnosticCode, path: String, recovery: String) -> Diagnostic {
    lacking(code, path, recovery, Vec::new())
}

fn lacking(
    code: DiagnosticCode,
    path: String,
    recovery: String,
    required_ranges: Vec<LineRange>,
) -> Diagnostic {
    let allowed_recovery = vec![RecoveryAction::RereadTarget, RecoveryAction::AbandonEdit];
    Diagnostic { code, path, recovery, required_ranges, allowed_recovery, retryable: true }
}

fn abandon(code: DiagnosticCode, path: String, recovery: String) -> Diagnostic {
    let allowed_recovery = vec![RecoveryAction::AbandonEdit];
    let required_ranges = Vec::new();
    Diagnostic { code, path, recovery, required_ranges, allowed_recovery, retryable: false }
}

/// Names lines as a person counts them; `it` where there are none.
pub fn named(missing: &[LineRange]) -> String {
    if missing.is_empty() {
        return "it".to_owned();
    }
    let one = |it: &LineRange| match it.len() {
        1 => it.end.to_string(),
        _ => format!("{}-{}", it.start + 1, it.end),
    };
    let named: Vec<String> = missing.iter().take(NAMED_RANGES).map(one).collect();
    let more = if NAMED_RANGES < missing.len() { " and more" } else { "" };
    let word = if matches!(missing, [it] if it.len() == 1) { "line" } else { "lines" };
    format!("{word} {}{more}", named.join(", "))
}
