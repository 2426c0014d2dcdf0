//! The words of commands and questions are those of their variants, no more and no fewer.

use std::collections::BTreeSet;

use protocol::{Query, SessionCommand};
use specta::{Type, Types};
use specta_typescript::Typescript;

/// Returns the words that a tagged union has in TypeScript.
fn words<T: Type>(name: &str) -> BTreeSet<String> {
    let types = Types::default().register::<T>();
    let text = Typescript::default().export(&types, specta_serde::Format).expect("it exports");
    let start = text.find(&format!("export type {name} =")).expect("it is there");
    let union = text[start..].split(";\n\n").next().expect("it has an end");
    let tags = union.split("type: \"").skip(1);
    tags.map(|it| it.split('"').next().unwrap_or_default().to_owned()).collect()
}

fn listed(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|it| (*it).to_owned()).collect()
}

/// AN-5: both enums are closed, and `serve` knows every word of them.
#[test]
fn every_variant_has_its_word_and_every_word_its_variant() {
    assert_eq!(words::<SessionCommand>("SessionCommand"), listed(&SessionCommand::WORDS));
    assert_eq!(words::<Query>("Query"), listed(&Query::WORDS));
}
