//! Reading as evidence: what was delivered, of which version, and what is still asked for.

pub(crate) mod budget;
pub(crate) mod coordinator;
pub(crate) mod cursor;
pub(crate) mod ranges;
pub(crate) mod shown;
pub(crate) mod source;
pub(crate) mod state;
pub(crate) mod task;
