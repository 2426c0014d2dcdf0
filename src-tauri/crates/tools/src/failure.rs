//! What a model is told when a call fails: what is wrong, and what works instead (CL-1).

use protocol::{FailureCode, ToolFailure};
use serde_json::json;
use workspace::{FileError, NotEncoded, NotText, WindowError};

use crate::text;

/// Most bytes of a message; what a model made up has no end.
const MESSAGE_BYTES: usize = 500;

/// Builds a failure. What works instead is never cut: a model sends it as it stands.
pub(crate) fn failure(
    code: FailureCode,
    message: impl AsRef<str>,
    next: impl Into<String>,
) -> ToolFailure {
    ToolFailure { code, message: text::cut(message.as_ref(), MESSAGE_BYTES), next: next.into() }
}

/// Tells a model what went wrong with a file.
///
/// What a write found changed, gone or there already is the gate's to refuse, not told here; if
/// one comes all the same, the call can be sent again.
pub fn file_failure(error: &FileError) -> ToolFailure {
    let mut message = error.to_string();
    if let FileError::Io { source, .. } | FileError::HalfWritten { source, .. } = error {
        message = format!("{message}: {source}");
    }
    let (code, next) = match error {
        FileError::Missing { shown } => {
            let name = shown.rsplit('/').next().unwrap_or(shown);
            let pattern = format!("**/{}", globset::escape(name));
            let find = capability("glob", &json!({ "pattern": pattern }));
            (FailureCode::NotFound, format!("{find} looks for it; write_file creates a file"))
        }
        FileError::NotAFolder { .. } => (FailureCode::BadArguments, "name a folder".to_owned()),
        FileError::IsFolder { shown } => {
            let list = capability("ls", &json!({ "path": shown }));
            (FailureCode::NotAFile, format!("{list} lists it"))
        }
        FileError::Outside { .. } | FileError::LinkOutside { .. } => {
            let next = "name a path inside the workspace, relative to it; only the user can add \
                        another folder";
            (FailureCode::OutsideWorkspace, next.to_owned())
        }
        FileError::LinkCircle { .. } => {
            let next = "use a path without that link; bash shows where it leads: ls -l";
            (FailureCode::NotAFile, next.to_owned())
        }
        FileError::TooLarge { .. } => (
            FailureCode::TooLarge,
            "use a part of it with bash: head, tail, sed or grep".to_owned(),
        ),
        FileError::Changed { .. } | FileError::Vanished { .. } | FileError::Appeared { .. } => {
            (FailureCode::System, "send the call again".to_owned())
        }
        FileError::Special { .. } => {
            (FailureCode::NotAFile, "name a regular file; bash can look at this one".to_owned())
        }
        FileError::NoPermission { .. } => {
            (FailureCode::NoPermission, "do without it, or ask the user for permission".to_owned())
        }
        FileError::DiskFull { .. } => {
            (FailureCode::DiskFull, "tell the user that the disk is full".to_owned())
        }
        FileError::ReadOnlyDisk { .. } => {
            (FailureCode::NoPermission, "write somewhere else in the workspace".to_owned())
        }
        FileError::InvalidPath { .. } => {
            let next = "send a path relative to the workspace, such as src/main.rs";
            (FailureCode::BadArguments, next.to_owned())
        }
        FileError::HalfWritten { shown, .. } => (
            FailureCode::System,
            format!("tell the user that {shown} is damaged; read_file shows what is there now"),
        ),
        FileError::Io { .. } => {
            (FailureCode::System, "send the call again, or look at it with bash".to_owned())
        }
    };
    failure(code, message, next)
}

/// Tells that bytes are no text.
pub(crate) fn not_text(why: NotText, shown: &str) -> ToolFailure {
    let next = "look at it with bash: file, xxd or strings";
    failure(FailureCode::BinaryFile, format!("{shown}: {why}"), next)
}

/// Tells why a text cannot be written into a file. Nothing has been written.
pub(crate) fn not_encoded(why: NotEncoded, shown: &str) -> ToolFailure {
    let (code, next) = match why {
        NotEncoded::Foreign { encoding } | NotEncoded::Damaged { encoding } => (
            FailureCode::UnknownEncoding,
            format!("change it with bash, or {}", converted(encoding)),
        ),
        // It would be no other encoding afterwards.
        NotEncoded::NoSuchCharacter { encoding: "utf-8", .. } => {
            (FailureCode::BadArguments, "write it without that character".to_owned())
        }
        NotEncoded::ReadOtherwise { encoding, .. } => {
            (FailureCode::BadArguments, format!("nothing was written; {}", converted(encoding)))
        }
        NotEncoded::NoSuchCharacter { encoding, .. } => (
            FailureCode::BadArguments,
            format!("write it without that character, or {}", converted(encoding)),
        ),
    };
    failure(code, format!("{shown}: {why}"), next)
}

/// Tells how a file becomes UTF-8. Its encoding may be a wrong guess, and then so is its text.
fn converted(encoding: &str) -> String {
    format!(
        "convert it first, with bash, where read_file shows it as it should read: \
         iconv -f {encoding} -t UTF-8"
    )
}

/// Tells that a file would become too large.
pub(crate) fn too_large(shown: &str, limit_bytes: u64) -> ToolFailure {
    let next = "replace fewer or shorter passages";
    failure(FailureCode::TooLarge, format!("{shown} would be over {limit_bytes} bytes"), next)
}

/// Tells why a page cannot be shown.
pub(crate) fn no_page(error: &WindowError, shown: &str) -> ToolFailure {
    let WindowError::LineTooLong { number, .. } = error;
    let next = format!(
        "read_file with offset {number} goes on after it; bash shows its start: \
         sed -n {number}p FILE | cut -c 1-2000"
    );
    failure(FailureCode::TooLarge, format!("{shown}: {error}"), next)
}

/// Writes a call of a capability as the model has to send it.
pub(crate) fn capability(name: &str, arguments: &serde_json::Value) -> String {
    let call = json!({ "action": "call", "name": name, "arguments": arguments });
    format!("use_capability {call}")
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// CL-1: every code is one to branch on, and every failure says what works instead.
    #[test]
    fn every_file_error_has_its_code_and_a_way_on() {
        use FailureCode as C;
        use FileError as E;
        let shown = || "src/a.rs".to_owned();
        let source = io::Error::other("the cable is cut");
        let errors = [
            (E::Missing { shown: shown() }, C::NotFound),
            (E::NotAFolder { shown: shown() }, C::BadArguments),
            (E::IsFolder { shown: shown() }, C::NotAFile),
            (E::Outside { shown: shown() }, C::OutsideWorkspace),
            (E::LinkOutside { shown: shown() }, C::OutsideWorkspace),
            (E::LinkCircle { shown: shown() }, C::NotAFile),
            (E::TooLarge { shown: shown(), limit_bytes: 7 }, C::TooLarge),
            (E::Changed { shown: shown() }, C::System),
            (E::Vanished { shown: shown() }, C::System),
            (E::Appeared { shown: shown() }, C::System),
            (E::Special { shown: shown() }, C::NotAFile),
            (E::NoPermission { shown: shown() }, C::NoPermission),
            (E::DiskFull { shown: shown() }, C::DiskFull),
            (E::ReadOnlyDisk { shown: shown() }, C::NoPermission),
            (E::InvalidPath { shown: shown() }, C::BadArguments),
            (E::Io { verb: "read", shown: shown(), source }, C::System),
        ];
        for (error, code) in errors {
            let ToolFailure { code: told, message, next } = file_failure(&error);
            assert_eq!(told, code, "{error:?}");
            assert!(message.contains("src/a.rs") && !next.is_empty(), "{error:?}");
            assert_eq!(message.contains("the cable is cut"), matches!(error, E::Io { .. }));
        }
    }
    #[test]
    fn a_message_is_bounded_and_the_way_on_is_whole() {
        let shown = "x".repeat(2_000);
        let ToolFailure { message, next, .. } = file_failure(&FileError::IsFolder { shown });
        assert!(message.len() <= MESSAGE_BYTES && 2_000 < next.len());
    }
}
