//! What only a Windows has to stumble over: drives, shares, devices, and files that others hold.

use std::{
    fs::{File, OpenOptions},
    os::windows::fs::OpenOptionsExt as _,
};

use serde_json::json;
use testkit::Project;

use super::{Told, told};

/// CL-10.
pub(super) fn told_cases() -> Vec<Told> {
    let write = |path: &str| ("write_file", json!({"path": path, "content": "x"}));
    vec![
        told(
            "absolute path outside",
            write(r"C:\nowhere\outside.txt"),
            "outside_workspace",
            "inside the workspace",
        ),
        told("another drive", write(r"Q:\a.txt"), "outside_workspace", "inside the workspace"),
        told(
            "a share",
            write(r"\\server\share\a.txt"),
            "outside_workspace",
            "inside the workspace",
        ),
        told("a device", ("read_file", json!({"path": "NUL"})), "bad_arguments", "src/main.rs"),
        told("a stream of a file", write("a.txt:stream"), "bad_arguments", "src/main.rs"),
        told(
            "a file that another program holds",
            ("read_file", json!({"path": "held.txt"})),
            "system",
            "again",
        ),
        told("an overwrite of such a file", write("held.txt"), "system", "again"),
    ]
}

/// Adds what the cases stumble over, and returns what another program keeps for itself meanwhile.
pub(super) fn add_to(project: &Project, _outside: &Project) -> Option<File> {
    project.write("held.txt", "theirs\n");
    let held = project.path().join("held.txt");
    Some(OpenOptions::new().read(true).share_mode(0).open(held).expect("it is free"))
}
