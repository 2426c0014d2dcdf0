//! What a call would do, as data. The agent carries it out.

use std::time::Duration;

use evidence::{WriteRequest, Written};
use protocol::{Diagnostic, LineRange, ToolFailure};
use workspace::{FileImage, Place};

use crate::{listing::Listing, reading::Reading, searching::Searching};

/// One call, understood.
#[derive(Debug)]
pub struct Planned {
    /// The tool that it comes to: `grep`, not the `use_capability` that carried it.
    pub tool: &'static str,
    /// What a person sees of it: a path, or the start of a command.
    pub title: String,
    /// What it would do.
    pub intent: Intent,
}

/// What a call would do.
#[derive(Debug)]
pub enum Intent {
    /// Read a page of a file.
    Read(Reading),
    /// List files or a folder.
    List(Listing),
    /// Search in files.
    Search(Box<Searching>),
    /// Write a file where there is none (WB-11).
    Create(Writing),
    /// Replace passages of a file (WB-12).
    Replace(Writing),
    /// Replace the whole of a file (WB-14).
    Overwrite(Writing),
    /// Nothing: the file has these bytes already. A success.
    Unchanged {
        /// The file, as a person sees it.
        shown: String,
    },
    /// Run a command.
    Run(Running),
    /// Look at background jobs, wait for them, or end one.
    Job(JobRequest),
    /// Nothing but an answer.
    Note {
        /// What the model is told.
        text: String,
    },
}

/// A write, complete but for the gate's permit.
#[derive(Debug)]
pub struct Writing {
    /// The file that would be written, links followed.
    pub place: Place,
    /// What the gate is asked.
    pub request: WriteRequest,
    /// What the plan found there; `None` where there is no file.
    pub before: Option<FileImage>,
    /// Every byte of the file after the write.
    pub contents: Vec<u8>,
    /// What of it the model will know.
    pub lines: Written,
    /// What the model is told when it is done.
    pub summary: String,
}

/// A command, with the folder and the time it gets.
#[derive(Debug)]
pub struct Running {
    /// The command line, for a shell.
    pub command: String,
    /// Where it runs.
    pub cwd: Place,
    /// How long it may take, if its end is awaited.
    pub time: Duration,
    /// Whether its end is awaited.
    pub mode: RunMode,
}

/// Whether a command's end is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunMode {
    /// The call ends with the command.
    Awaited,
    /// The call ends at once, and the command goes on as a job.
    Background,
}

/// What is asked of background jobs. Their names are the model's words: the agent knows the jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobRequest {
    /// Show what a job printed since the last look.
    Output {
        /// The job, as the model names it.
        job: String,
    },
    /// End a job, with all that it started.
    Kill {
        /// The job, as the model names it.
        job: String,
    },
    /// Wait until a job has ended.
    Wait {
        /// The job, as the model names it; `None` for whichever ends first.
        job: Option<String>,
        /// How long, at most.
        time: Duration,
    },
}

/// Why there is no plan.
#[derive(Debug, PartialEq, Eq)]
pub enum PlanError {
    /// The call cannot be done as it stands.
    Failed(ToolFailure),
    /// The call is a write that may not happen.
    Refused(Diagnostic),
    /// The passage is not where the model took it to be. If the gate refuses the request, since
    /// the model knows no version of the file or another one, that says more than `why` does; `near`
    /// are the lines that it may have meant.
    Unplaced { request: Box<WriteRequest>, near: Option<LineRange>, why: Box<PlanError> },
}

impl PlanError {
    /// Leaves the first word to the gate.
    pub(crate) fn unless_the_gate_refuses(
        self,
        request: WriteRequest,
        near: Option<LineRange>,
    ) -> Self {
        Self::Unplaced { request: Box::new(request), near, why: Box::new(self) }
    }
}

impl From<ToolFailure> for PlanError {
    fn from(failure: ToolFailure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Diagnostic> for PlanError {
    fn from(refusal: Diagnostic) -> Self {
        Self::Refused(refusal)
    }
}
