//! Runs one turn: from a prompt, through the model's answers and the tools they ask for, to a
//! frozen result.

mod agent;
mod answer;
mod batch;
mod carry_out;
mod checks;
mod command;
mod cure;
mod emit;
mod environment;
mod finish;
mod git_settings;
#[cfg(unix)]
mod group;
mod job_calls;
mod jobs;
mod lifecycle;
mod living;
mod output;
mod permission;
mod read_task;
mod refused;
mod shell;
mod turn;
mod write_path;

pub use crate::{
    agent::{Agent, AgentParts},
    emit::{Running, Watchers},
    output::output_text,
    permission::{Answer, Approvals, Grants},
    shell::Shell,
    turn::{Reins, Turn, TurnEnd, TurnError, check_prompt},
};
