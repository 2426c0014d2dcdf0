//! Who may depend on whom, and on which packages of others.

use std::{env, error::Error, process::Command};

use serde_json::Value;

use crate::assert_none;

/// A crate of ours, the crates of ours that it may name, and the packages of others.
/// Dev-dependencies are free. A new arrow is a design decision: change it here, and write a page
/// in `docs/decisions`. A crate may stand here before it stands in the tree, never the other way
/// round.
pub(crate) const ARROWS: &[(&str, &str, &str)] = &[
    ("protocol", "", "schemars serde serde_json specta thiserror"),
    ("evidence", "protocol", "sha2 thiserror tracing"),
    (
        "workspace",
        "evidence protocol",
        "chardetng encoding_rs file-id ignore rustix sha2 tempfile thiserror tracing",
    ),
    ("session", "protocol", "rusqlite serde serde_json sha2 thiserror tracing zstd"),
    ("checkpoint", "protocol session workspace", "similar thiserror tracing"),
    (
        "provider",
        "protocol",
        "eventsource-stream futures-util reqwest rustls serde serde_json thiserror tokio tracing",
    ),
    (
        "script",
        "protocol",
        "http-body-util hyper hyper-util serde serde_json thiserror tokio tracing",
    ),
    (
        "tools",
        "evidence protocol workspace",
        "globset grep-regex grep-searcher schemars serde serde_json thiserror tracing tree-sitter \
         tree-sitter-bash",
    ),
    (
        "agent",
        "checkpoint evidence protocol provider session tools workspace",
        "landlock process-wrap rustix seccompiler serde_json thiserror tokio tokio-util tracing \
         windows",
    ),
    (
        "host",
        "agent checkpoint protocol provider script session workspace",
        "etcetera keyring serde serde_json tempfile thiserror tokio tokio-util toml toml_edit tracing",
    ),
    (
        "app",
        "host protocol",
        "serde serde_json specta specta-typescript tauri tauri-build tauri-plugin-dialog \
         tauri-plugin-notification tauri-plugin-opener tauri-plugin-single-instance \
         tauri-plugin-store tauri-plugin-updater tauri-plugin-window-state tauri-specta thiserror \
         tokio tracing",
    ),
    // The package of the folder `cli`.
    ("evident", "host protocol", "clap rustix serde serde_json thiserror tokio tracing"),
    ("testkit", "protocol script", "serde_json tempfile thiserror tokio tracing"),
    ("bench", "protocol testkit", "base64 nix serde serde_json tempfile thiserror tokio"),
    ("house", "protocol testkit", "serde_json"),
    ("e2e", "testkit", ""),
    ("xtask", "", ""),
];

#[test]
fn crates_depend_only_downwards_and_on_agreed_packages() -> Result<(), Box<dyn Error>> {
    let metadata = metadata(&["--no-deps"])?;
    assert_none(&forbidden(&metadata, ARROWS), "not in the table of tests/tidy/arrows.rs");
    Ok(())
}

/// Returns what cargo knows of the workspace.
pub(crate) fn metadata(options: &[&str]) -> Result<Value, Box<dyn Error>> {
    let cargo = env::var("CARGO")?;
    let common = ["metadata", "--format-version=1", "--locked"];
    let out = Command::new(cargo).args(common).args(options).output()?;
    if !out.status.success() {
        return Err(String::from_utf8_lossy(&out.stderr).into());
    }
    Ok(serde_json::from_slice(&out.stdout)?)
}

/// Returns the members of an array, in cargo's metadata; none where there is no array.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn forbidden(metadata: &Value, arrows: &[(&str, &str, &str)]) -> Vec<String> {
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let ours: Vec<String> = packages.iter().map(name).collect();
    let mut problems = Vec::new();
    for package in packages {
        let from = name(package);
        let Some((_, below, outside)) = arrows.iter().find(|row| row.0 == from) else {
            problems.push(from);
            continue;
        };
        for dependency in list(&package["dependencies"]).iter().filter(|it| it["kind"] != "dev") {
            let to = name(dependency);
            let allowed = if ours.contains(&to) { below } else { outside };
            if !allowed.split_whitespace().any(|it| it == to) {
                problems.push(format!("{from} -> {to}"));
            }
        }
    }
    problems
}

#[test]
fn an_arrow_that_is_not_in_the_table_is_found() {
    let arrows = &[("low", "", "serde"), ("high", "low", ""), ("not-there-yet", "high", "")];
    let tree = |low: &[(&str, Option<&str>)], more: &[&str]| {
        let dependencies: Vec<Value> = low
            .iter()
            .map(|(name, kind)| serde_json::json!({"name": name, "kind": kind}))
            .collect();
        let mut packages = vec![
            serde_json::json!({"name": "low", "dependencies": dependencies}),
            serde_json::json!({"name": "high", "dependencies": [{"name": "low", "kind": null}]}),
        ];
        packages.extend(more.iter().map(|name| serde_json::json!({"name": name})));
        serde_json::json!({ "packages": packages })
    };
    let found = |low: &[(&str, Option<&str>)]| forbidden(&tree(low, &[]), arrows);
    assert_eq!(
        found(&[("serde", None), ("high", Some("dev")), ("proptest", Some("dev"))]),
        [""; 0]
    );
    assert_eq!(found(&[("high", None)]), ["low -> high"]);
    assert_eq!(found(&[("high", Some("build"))]), ["low -> high"]);
    assert_eq!(found(&[("reqwest", None)]), ["low -> reqwest"]);
    assert_eq!(forbidden(&tree(&[], &["stray"]), arrows), ["stray"]);
}
