//! What is promised of a session, proven on real files and with real kills.

#![expect(clippy::unwrap_used, reason = "a test fails where it stands")]

mod commits;
mod conversation;
mod copies;
mod damage;
mod fixture;
mod history;
mod index;
mod kills;
mod labels;
mod lease;
mod list;
mod retention;
mod scratch;
#[cfg(unix)]
mod unwritable;
