//! The words of `cargo xtask`.

use std::process::{Command, Output};

fn xtask(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(words).output().expect("it starts")
}

#[test]
fn an_unknown_word_ends_with_2_and_the_list() {
    for words in [
        &["polish"] as &[&str],
        &["bench"],
        &["bench", "square"],
        &["test", "now"],
        &["streams"],
        &["cases"],
        &["soak"],
        &["soak", "writing"],
        &["replay", "."],
        &["app", "now"],
        &["e2e", "one", "two"],
    ] {
        let out = xtask(words);
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.starts_with(&format!("no such task: {}\n", words.join(" "))), "{said}");
        assert!(said.contains("cargo xtask test"), "{said}");
    }
}

#[test]
fn help_is_printed_on_stdout() {
    for words in [&[] as &[&str], &["help"], &["--help"]] {
        let out = xtask(words);
        assert_eq!(out.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&out.stdout).starts_with("cargo xtask app"));
    }
}
