//! Turns a prompt into a stream of model events, whatever the vendor.
//!
//! One request is one attempt: nothing here retries, and a failure says what the user can do.

mod address;
mod client;
mod endpoint;
mod event;
mod failure;
mod intake;
mod openai;
mod prompt;
mod sse;
mod stream;

pub mod catalog;

pub use address::origin;
pub use catalog::CatalogEntry;
pub use client::Provider;
pub use endpoint::{ApiKey, Endpoint};
pub use event::{BrokenArguments, ModelEvent, RawCall, StopReason};
pub use failure::{ProviderError, Words};
pub use prompt::{Prompt, ToolSpec};
pub use stream::ModelStream;
