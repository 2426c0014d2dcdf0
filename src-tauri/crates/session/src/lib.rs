//! Keeps what happened in a session, and the bytes it names, and reads them back: one SQLite file
//! and one lock file per session.

mod blobs;
mod check;
mod conversation;
mod copy;
mod db;
mod error;
mod files;
mod holes;
mod index;
mod labels;
mod lease;
mod list;
mod log;
mod reader;
mod record;
mod replay;
mod retention;
mod schema;
mod scratch;
mod trash;

pub use crate::{
    blobs::fingerprint,
    check::Checked,
    conversation::MessageText,
    copy::{Copied, copy},
    error::SessionError,
    files::{file_of, size_of},
    holes::{Holes, rest_is_lost},
    index::{Index, IndexError},
    labels::{Label, label, label_open},
    list::{list, unreadable_after},
    log::SessionLog,
    reader::{Opened, SessionReader},
    record::{CapturedState, Commit, LocalRecord, ReadPauseCode, Record, StoredPatch},
    scratch::ScratchText,
    trash::discard,
};
