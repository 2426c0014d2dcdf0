//! Plans of real calls on real files, carried out through the gate where they are writes.

mod any_edit;
mod any_read;
mod bench;
mod capabilities;
mod commands;
mod editing;
mod encodings;
mod figures;
mod finding;
mod reading;
mod writing;
