//! What the host can vouch for, and what may be written because of it. Pure: no I/O, no clock,
//! no async.

mod gate;
mod observation;
mod refusal;

pub use crate::{
    gate::{Extent, LineRange, Verdict, WriteKind, WritePermit, WriteRequest, check_write},
    observation::{Batch, ObservationLedger, Version},
    refusal::{absent, already_exists, ambiguous, not_found, not_observed, stale, token_unknown},
};
