//! The workspace over real folders.

#[cfg(target_os = "linux")]
mod attributes;
mod bench;
#[cfg(target_os = "linux")]
mod disks;
#[cfg(target_os = "linux")]
mod leftovers;
#[cfg(unix)]
mod links;
mod page;
mod read;
mod resolve;
#[cfg(target_os = "linux")]
mod rights;
mod walk;
#[cfg(windows)]
mod windows;
mod write;
