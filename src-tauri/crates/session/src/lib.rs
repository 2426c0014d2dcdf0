//! Keeps what happened in a session, and the bytes it names, and reads them back: one SQLite file
//! and one lock file per session.

mod blobs;
mod conversation;
mod db;
mod error;
mod files;
mod lease;
mod list;
mod log;
mod reader;
mod record;
mod replay;
mod schema;
mod scratch;

pub use crate::{
    blobs::fingerprint,
    conversation::MessageText,
    error::SessionError,
    list::list,
    log::SessionLog,
    reader::{Opened, SessionReader},
    record::{CapturedState, Commit, LocalRecord, Record, StoredPatch},
    scratch::ScratchText,
};
