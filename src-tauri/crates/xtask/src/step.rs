//! One step: a command that must end well.

use std::{
    fmt, io,
    process::{Command, ExitCode, ExitStatus},
};

/// The step that ended the task, and how.
#[derive(Debug)]
pub(crate) struct Failed {
    step: &'static str,
    how: How,
}

#[derive(Debug)]
enum How {
    Ended(ExitStatus),
    NotStarted(io::Error),
    /// Something a person has to do first.
    Wanting(String),
}

impl Failed {
    /// Says that `step` cannot go on until a person has done what `wanting` says.
    pub(crate) fn wanting(step: &'static str, wanting: String) -> Self {
        Self { step, how: How::Wanting(wanting) }
    }

    /// Returns the code of the command that failed; 1 where it has none.
    pub(crate) fn exit_code(&self) -> ExitCode {
        let code = match &self.how {
            How::Ended(status) => status.code(),
            How::NotStarted(_) | How::Wanting(_) => None,
        };
        code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.how {
            How::Ended(status) => write!(f, "stopped at {:?}: {status}", self.step),
            How::NotStarted(error) => write!(f, "stopped at {:?}: {error}", self.step),
            How::Wanting(what) => write!(f, "stopped at {:?}: {what}", self.step),
        }
    }
}

/// Runs one command; its output goes where ours goes.
///
/// # Errors
///
/// [`Failed`] if it cannot be started or ends with another code than 0.
pub(crate) fn run(step: &'static str, command: &mut Command) -> Result<(), Failed> {
    eprintln!("xtask: {step}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failed { step, how: How::Ended(status) }),
        Err(error) => Err(Failed { step, how: How::NotStarted(error) }),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_gives_its_name_and_its_code() {
        let failed =
            run("a step", Command::new("sh").args(["-c", "exit 7"])).expect_err("it fails");
        assert_eq!(failed.exit_code(), ExitCode::from(7));
        assert_eq!(failed.to_string(), "stopped at \"a step\": exit status: 7");
    }

    #[test]
    fn a_step_that_cannot_start_ends_with_1() {
        let failed = run("a step", &mut Command::new("./no/such/program")).expect_err("it fails");
        assert_eq!(failed.exit_code(), ExitCode::FAILURE);
    }

    #[test]
    fn a_step_that_was_killed_ends_with_1() {
        let kill = run("a step", Command::new("sh").args(["-c", "kill -9 $$"]));
        assert_eq!(kill.expect_err("it fails").exit_code(), ExitCode::FAILURE);
    }
}
