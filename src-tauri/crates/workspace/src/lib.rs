//! Reads and writes the user's files, exactly and only as a permit allows.

mod barrier;
mod encoding;
mod error;
mod follow;
mod image;
mod lock;
mod page;
mod pager;
mod place;
mod root;
#[cfg(unix)]
mod unix;
mod walk;
mod window;
#[cfg(windows)]
mod windows;
mod write;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use crate::{
    barrier::{Barrier, FreezeGuard, WriteGuard},
    encoding::{DecodedText, NotEncoded, NotText, decode},
    error::{FileError, OpenError},
    image::{FileImage, FileState},
    page::{Depth, Page, PageError},
    place::{Place, PlaceKind, real_path},
    root::Workspace,
    walk::{Walk, WalkEntry},
    window::{Cut, Window, WindowError, plain},
    write::AppliedWrite,
};
