//! The real binary, over real pipes, against a scripted model.
#![cfg(unix)]

mod bad_inputs;
mod demo;
mod jobs;
mod kill;
mod line;
mod rig;
mod serve;
mod sessions;
mod stop;
mod terminal;
