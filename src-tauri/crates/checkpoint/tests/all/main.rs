//! Whole turns on real files: through the gate, the workspace and a session, up to the freeze.

#![expect(clippy::unwrap_used, reason = "a test whose setting fails has failed")]

mod capture;
mod freeze;
mod kinds;
mod property;
mod sides;
mod stored;
mod turn;
