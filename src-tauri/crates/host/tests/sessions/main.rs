//! The host: sessions, restart, history, following, and two sessions at once.
#![expect(clippy::wildcard_enum_match_arm, reason = "a test picks the variant it is about")]

mod follow;
mod history;
mod open;
mod rig;
