//! The licences of everything that is built in, and packages that must not be.

use std::error::Error;

use serde_json::Value;

use crate::{
    arrows::{list, metadata},
    assert_none,
};

/// Licences that ask for no more than being named.
const ALLOWED: &[&str] =
    &["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "Unicode-3.0", "Zlib"];

/// Further licences, each for the packages that were looked at.
const ALLOWED_BY_NAME: &[(&str, &[&str])] = &[
    ("CDLA-Permissive-2.0", &["webpki-root-certs"]),
    // Tauri's own, used as they are.
    ("MPL-2.0", &["cssparser", "cssparser-macros", "dtoa-short", "option-ext", "selectors"]),
];

/// Native packages that would bring a second TLS stack and a C toolchain of its own.
const ABSENT: &[&str] = &["aws-lc-sys", "openssl-sys"];

#[test]
fn every_dependency_has_a_licence_we_may_ship_and_none_is_unwanted() -> Result<(), Box<dyn Error>> {
    assert_none(&problems(&metadata(&[])?), "not allowed by tests/tidy/licences.rs");
    Ok(())
}

fn problems(metadata: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    for package in list(&metadata["packages"]) {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if ABSENT.contains(&name) {
            problems.push(format!("{name} is in the tree"));
        }
        if !is_allowed(licence, name) {
            problems.push(format!("{name}: {licence:?}"));
        }
    }
    problems
}

/// Reads an SPDX expression: `AND` binds closer than `OR`; an old `/` means `OR`. An exception
/// (`WITH …`) only ever adds rights.
fn is_allowed(expression: &str, package: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
    let allowed = any(&mut words, package);
    allowed && words.is_empty()
}

/// Reads one expression; `words` stand in reverse, so that the next one is the last.
fn any(words: &mut Vec<&str>, package: &str) -> bool {
    let mut allowed = all(words, package);
    while words.pop_if(|it| *it == "OR").is_some() {
        allowed |= all(words, package);
    }
    allowed
}

fn all(words: &mut Vec<&str>, package: &str) -> bool {
    let mut allowed = one(words, package);
    while words.pop_if(|it| *it == "AND").is_some() {
        allowed &= one(words, package);
    }
    allowed
}

fn one(words: &mut Vec<&str>, package: &str) -> bool {
    let Some(word) = words.pop() else { return false };
    if word == "(" {
        let allowed = any(words, package);
        return words.pop() == Some(")") && allowed;
    }
    if words.pop_if(|it| *it == "WITH").is_some() {
        words.pop();
    }
    let by_name =
        |(licence, packages): &(&str, &[&str])| *licence == word && packages.contains(&package);
    ALLOWED.contains(&word) || ALLOWED_BY_NAME.iter().any(by_name)
}

#[test]
fn licence_expressions_are_read_as_spdx_means_them() {
    for allowed in [
        "MIT",
        "MIT/Apache-2.0",
        "MIT OR GPL-3.0",
        "GPL-3.0 OR ISC AND MIT",
        "(GPL-3.0 OR MIT) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR GPL-3.0",
    ] {
        assert!(is_allowed(allowed, "a"), "{allowed}");
    }
    for refused in [
        "",
        "GPL-3.0",
        "MPL-2.0",
        "MIT AND GPL-3.0",
        "(MIT OR ISC) AND GPL-3.0",
        "GPL-3.0 WITH Classpath-exception-2.0",
        "(MIT",
        "MIT ISC",
        "CDLA-Permissive-2.0",
    ] {
        assert!(!is_allowed(refused, "a"), "{refused}");
    }
    assert!(is_allowed("CDLA-Permissive-2.0", "webpki-root-certs"));
}

#[test]
fn a_package_without_a_licence_or_with_a_second_tls_stack_is_found() {
    let metadata = serde_json::json!({"packages": [
        {"name": "a", "license": "MIT"},
        {"name": "b", "license": null},
        {"name": "openssl-sys", "license": "MIT"},
    ]});
    assert_eq!(problems(&metadata), ["b: \"\"", "openssl-sys is in the tree"]);
}
