//! Says what a tool call would do. Nothing in here writes, and nothing runs a process.

mod arguments;
mod builtin;
mod check;
mod class;
mod contract;
mod editing;
mod failure;
mod intent;
mod lines;
mod listing;
mod near_miss;
mod passage;
mod pattern;
mod reading;
mod registry;
mod schema;
mod searching;
mod text;
mod tool;
mod untouched;

pub use crate::{
    check::{Check, ReadFile, Reading as CheckReading, check_of},
    class::{
        Certainty, CommandEffect, Family, GitUse, Reason, Shell, Writes, classify, git_use,
        literal_targets,
    },
    failure::file_failure,
    intent::{Intent, JobRequest, PlanError, Planned, RunMode, Running, Writing},
    lines::lines_before,
    listing::Listing,
    reading::{ReadOutcome, ReadPage, Reading, read_refused, source_changed},
    registry::{Label, Registry, ToolDescription},
    searching::Searching,
};
