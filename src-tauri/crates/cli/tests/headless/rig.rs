//! The binary with a home, a project and a script.

use serde_json::Value;
use testkit::{
    Evident, Finished, Home, Project,
    script::{Script, ScriptServer},
};

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_evident");

/// A command that looks for a word in `notes.txt`, in whatever shell.
pub(crate) const LOOK_FOR_TWO: &str =
    if cfg!(windows) { "findstr TWO notes.txt" } else { "grep -c TWO notes.txt" };

/// Starts a script.
pub(crate) async fn scripted(script: Script) -> ScriptServer {
    ScriptServer::start(script).await.expect("a loopback port")
}

/// Runs `evident run` in a project against a script; `words` come before the prompt.
pub(crate) fn run(
    home: &Home,
    project: &Project,
    server: &ScriptServer,
    words: &[&str],
    prompt: &str,
) -> Finished {
    evident(home, project).run(&arguments(&server.base_url(), words, prompt))
}

/// Returns the binary, to be started in a project.
pub(crate) fn evident<'a>(home: &'a Home, project: &Project) -> Evident<'a> {
    Evident::new(BINARY, home).within(project.path())
}

/// Returns the words of a `run`.
pub(crate) fn arguments<'a>(base_url: &'a str, words: &[&'a str], prompt: &'a str) -> Vec<&'a str> {
    let provider = ["--base-url", base_url, "--model", "scripted"];
    ["run"].into_iter().chain(words.iter().copied()).chain(provider).chain([prompt]).collect()
}

/// Returns what kind of event a line holds; nothing for a delta.
pub(crate) fn kind(line: &Value) -> &str {
    line["event"]["kind"]["type"].as_str().unwrap_or_default()
}

/// Returns the events of printed frames, as they were printed.
pub(crate) fn events(lines: &[Value]) -> Vec<&Value> {
    lines.iter().map(|line| &line["event"]).filter(|it| !it.is_null()).collect()
}

/// Returns the one event of a kind.
pub(crate) fn only<'a>(lines: &'a [Value], of: &str) -> &'a Value {
    let mut found = lines.iter().filter(|line| kind(line) == of);
    let it = found.next().unwrap_or_else(|| panic!("no {of} in {lines:#?}"));
    assert!(found.next().is_none(), "more than one {of}");
    &it["event"]["kind"]
}
