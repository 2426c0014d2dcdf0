//! The real binary, over real pipes, against a scripted model.

mod bad_inputs;
mod demo;
mod integrity;
mod jobs;
mod kill;
mod line;
mod retention;
mod rig;
mod serve;
mod sessions;
// There is no signal to send on Windows, and no terminal that a test could give.
#[cfg(unix)]
mod stop;
#[cfg(unix)]
mod terminal;
