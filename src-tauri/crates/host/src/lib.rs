//! Keeps the open sessions and serves whoever drives it: the window, the command line, a pipe.
//! They call this crate and nothing below it.

mod check_log;
mod clock;
mod demo;
mod error;
mod follow;
mod history;
mod home;
mod host;
mod join;
mod keeping;
mod keys;
mod overview;
mod pictures;
mod sample;
mod session_task;
mod settings;
mod setup;
mod target;
mod toml_file;

pub use agent::Approvals;

pub use crate::{
    clock::{random_ids, system_clock},
    error::HostError,
    follow::Follow,
    history::Unfinished,
    home::{Home, HomeError, same_folder, typed_folder},
    host::{Host, HostOptions, Opened, SessionOptions},
    overview::{Checkup, DamagedSession},
    sample::demo_prompts,
    settings::{ProviderChoice, SettingsError},
    setup::Ready,
};
