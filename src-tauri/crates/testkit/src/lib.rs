//! The outside world for tests: folders, processes, and checks of what a scripted model was sent.
//!
//! Only ever a dev-dependency. What goes wrong here is a failed test, so functions panic.

mod checks;
mod fixture;
mod guard;
mod here;
mod scenario;

pub use crate::{
    checks::{Broken, Fault, Scope, check_requests},
    fixture::{Home, Project},
    guard::Guard,
    here::{has_git, is_wine},
    scenario::{Evident, Finished, Running},
};
pub use script;
