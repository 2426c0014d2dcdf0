//! Knows what a turn changed: keeps before-images, records what each write left, freezes the net
//! change.

mod apply;
mod capture;
mod coverage;
mod diff;
mod freeze;
mod frozen;
mod patch;
mod sides;
mod utf16;

pub use crate::{
    apply::{PatchError, apply},
    capture::{Capture, Checkpoint},
    coverage::CaptureCoverage,
    frozen::{Frozen, not_saved},
    sides::{StoredSide, stored_sides},
};
