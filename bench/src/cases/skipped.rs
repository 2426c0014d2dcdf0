//! Which cases are not played, and what is missing for them.

use std::{env, process::Command};

use super::{
    case::{Act, Case},
    reply::STREAMS,
};

/// Cases that need what their words do not show.
const BY_CASE: &[(&str, &str)] =
    &[("R078", "there is no queue yet: a message waits until the stopped turn has ended")];

/// Steps that cannot be taken.
const NO_REVERT: &str = "there is no safe revert yet";
const NO_MCP: &str = "there are no MCP servers yet";
const NO_COMPACTION: &str = "there is no compaction yet";
const NO_WINDOW: &str = "`evident serve` has no window to reload";
/// Settings that nothing stands behind.
const NO_RULES: &str = "there are no rules yet by which a command is allowed";

/// Returns why a case is not played, where it is not.
pub(super) fn reason(case: &Case) -> Option<String> {
    by_content(case).map(str::to_owned).or_else(|| by_machine(case))
}

fn by_content(case: &Case) -> Option<&'static str> {
    let named = BY_CASE.iter().find(|(id, _)| *id == case.id).map(|(_, why)| *why);
    let rules = (!case.settings.allow.is_empty()).then_some(NO_RULES);
    let servers = (!case.settings.mcp.is_empty()).then_some(NO_MCP);
    let steps = || case.steps.iter().find_map(|it| by_act(&it.act));
    named.or(rules).or(servers).or_else(steps)
}

fn by_act(act: &Act) -> Option<&'static str> {
    match act {
        Act::Undo(_) | Act::Redo(_) => Some(NO_REVERT),
        Act::Mcp(_) => Some(NO_MCP),
        Act::Compact(_) => Some(NO_COMPACTION),
        Act::ReloadWindow(_) => Some(NO_WINDOW),
        Act::Read { .. }
        | Act::Edit { .. }
        | Act::Write { .. }
        | Act::Shell { .. }
        | Act::Final { .. }
        | Act::ProviderRaw(_)
        | Act::ExternalChange(_)
        | Act::User { .. }
        | Act::Interrupt { .. }
        | Act::Restart { .. }
        | Act::CorruptSession { .. } => None,
    }
}

fn by_machine(case: &Case) -> Option<String> {
    let missing = case.requires.iter().find(|it| !is_here(it));
    if let Some(missing) = missing {
        return Some(format!("it requires {missing}, which is not here"));
    }
    let is_recorded = |act: &Act| matches!(act, Act::ProviderRaw(raw) if raw.stream.is_some());
    let wants_streams = case.steps.iter().any(|it| is_recorded(&it.act));
    let none = env::var_os(STREAMS).is_none_or(|it| it.is_empty());
    (wants_streams && none).then(|| format!("{STREAMS} names no folder of recorded streams"))
}

fn is_here(what: &str) -> bool {
    match what {
        "posix" | "symlink" => cfg!(unix),
        "windows" => cfg!(windows),
        "git" => Command::new("git").arg("--version").output().is_ok_and(|it| it.status.success()),
        // Not known here: not here.
        _ => false,
    }
}
