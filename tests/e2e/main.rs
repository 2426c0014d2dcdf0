//! The real window: built, on a display of its own, driven over WebDriver. Nothing is replaced but the
//! model, which a script plays over loopback.

#![cfg(target_os = "linux")]

mod approval;
mod damaged;
mod demo;
mod driver;
mod figures;
mod follow;
mod integrity;
mod interrupt;
mod keyboard;
mod long_session;
mod looks;
mod model;
mod own_provider;
mod page;
mod place;
mod processes;
mod reads;
mod two_sessions;
mod wait;
mod window;
