//! What `bench` plays to the built `evident`.
//!
//! That is the one that was built beside it, as every run of the whole workspace does.

mod case_words;
mod cases;
mod replay;
mod streams;

use std::path::{Path, PathBuf};

/// Names the folder of the recorded streams, from the top of the repository.
const STREAMS: &str = "EVIDENT_STREAMS";

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
