//! What the machine has that a test may need.

use std::{
    env,
    io::{self, Write as _},
    path::Path,
};

/// Returns whether there is a `git` to run; where there is none, says that `what` is not proved.
pub fn has_git(what: &str) -> bool {
    let name = format!("git{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).any(|folder| folder.join(&name).is_file());
    if !found {
        not_proved(what, "this machine has no git");
    }
    found
}

/// Returns whether this is no real Windows; if so, says that `what` is not proved.
pub fn is_wine(what: &str) -> bool {
    let is_wine = cfg!(windows) && Path::new(r"C:\windows\system32\winecfg.exe").exists();
    if is_wine {
        not_proved(what, "this is Wine");
    }
    is_wine
}

/// Says it past the test's own output, which nobody sees when the test passes.
fn not_proved(what: &str, why: &str) {
    drop(writeln!(io::stderr(), "NOT PROVED: {what}: {why}"));
}
