//! Whole turns: a real folder, a real session file, real processes, a scripted model over HTTP.
#![expect(clippy::wildcard_enum_match_arm, reason = "a test picks the variant it is about")]

mod calls;
mod failures;
mod interrupt;
#[cfg(unix)]
mod jobs;
mod licensed;
mod permissions;
mod reads;
// The logs hold what bash ran.
#[cfg(unix)]
mod recorded;
mod recover;
mod requests;
mod results;
mod rig;
