//! What the host can vouch for, and what may be written because of it. Pure: no I/O, no clock,
//! no async.

mod gate;
mod index;
mod observation;
mod read;
mod rebuild;
mod refusal;

pub use crate::{
    gate::{
        Evidence, EvidenceMode, Extent, Verdict, WriteKind, WritePermit, WriteRequest, check_write,
    },
    index::{EvidenceIndex, PageSeen, Recorded},
    observation::{
        Batch, EvidenceTarget, Known, ObservationLedger, OwnWrite, SeenRead, SeenWindow, Splice,
        Stamp, TargetPart, Version, Written,
    },
    read::{
        budget::{Room, lines_that_fit, tokens},
        coordinator::{Fetch, Hint, Progress, ReadAsk, ReadCoordinator, ReadRefusal},
        cursor::{Binding, Cursor, Token},
        ranges::Ranges,
        shown::{PageEnd, Shown, lines_shown},
        source::{LineHash, Snapshot, SourceKind, WindowDigest},
        task::{Bounds, Delivery, Pivot},
    },
    rebuild::rebuilds,
    refusal::{absent, already_exists, ambiguous, named, not_found, now_shown, stale},
};
