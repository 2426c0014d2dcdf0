//! Plays a scripted model over loopback HTTP: for the demo, and for every test.
//!
//! A [`Script`] is a list of replies, written in Rust or read from JSON; a [`ScriptServer`] gives
//! one of them to each request, in order, as an OpenAI-style stream.

mod error;
mod play;
mod reply;
mod server;
mod wire;

pub use crate::{
    error::ScriptError,
    reply::{Answer, Call, Chunks, End, Part, Raw, Reply, Script, Then},
    server::{ScriptServer, SeenRequest},
};
