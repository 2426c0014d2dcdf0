//! The real binary, over real pipes, against a scripted model.

#[cfg(unix)]
mod bad_inputs;
#[cfg(unix)]
mod demo;
#[cfg(unix)]
mod jobs;
#[cfg(unix)]
mod kill;
mod line;
mod rig;
mod serve;
mod sessions;
#[cfg(unix)]
mod stop;
#[cfg(unix)]
mod terminal;
