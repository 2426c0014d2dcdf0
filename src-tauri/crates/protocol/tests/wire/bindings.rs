//! The TypeScript view of the words: generated, checked in, compared here.

use std::{env, error::Error, fs};

use protocol::{CommandError, Feed, Query, SessionCommand, query_answers};
use specta::Types;
use specta_typescript::Typescript;

const CHECKED_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../frontend/src/bindings.ts");

/// `UPDATE_BINDINGS=1 cargo bindings` writes the file instead.
#[test]
fn bindings_are_current() -> Result<(), Box<dyn Error>> {
    let types = query_answers(Types::default())
        .register::<SessionCommand>()
        .register::<Query>()
        .register::<Feed>()
        .register::<CommandError>();
    let fresh = Typescript::default()
        .header("// Generated from the crate `protocol`. `UPDATE_BINDINGS=1 cargo bindings` writes it.\n")
        .export(&types, specta_serde::Format)?;
    if env::var_os("UPDATE_BINDINGS").is_some() {
        fs::write(CHECKED_IN, &fresh)?;
    }
    let kept = fs::read_to_string(CHECKED_IN)?;
    assert!(fresh == kept, "bindings.ts is stale: UPDATE_BINDINGS=1 cargo bindings");
    Ok(())
}
