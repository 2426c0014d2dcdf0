//! The host: sessions, restart, history, following, and two sessions at once.
#![expect(clippy::wildcard_enum_match_arm, reason = "a test picks the variant it is about")]

#[cfg(unix)]
mod checks;
mod demo;
mod follow;
mod history;
#[cfg(unix)]
mod jobs;
mod keeping;
mod open;
mod overview;
mod pictures;
mod retention;
mod rig;
mod setup;
