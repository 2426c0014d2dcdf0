//! The workspace over real folders.

mod bench;
#[cfg(target_os = "linux")]
mod disks;
#[cfg(unix)]
mod links;
mod read;
mod resolve;
#[cfg(target_os = "linux")]
mod rights;
mod walk;
mod write;
