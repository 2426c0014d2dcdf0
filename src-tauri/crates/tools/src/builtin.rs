//! The built-ins, one file each.

mod bash;
mod bash_output;
mod edit_file;
mod glob;
mod grep;
mod kill_shell;
mod ls;
mod multi_edit;
mod read_file;
mod use_capability;
mod wait;
mod write_file;

pub(crate) use self::use_capability::{called_capability, capability_call};

use crate::tool::Builtin;

/// Returns what is sent with every request, and what `use_capability` reaches; each by name.
pub(crate) fn all() -> (Vec<Builtin>, Vec<Builtin>) {
    let boot = vec![
        Builtin::of::<bash::Bash>(),
        Builtin::of::<bash_output::BashOutput>(),
        Builtin::of::<edit_file::EditFile>(),
        Builtin::of::<kill_shell::KillShell>(),
        Builtin::of::<read_file::ReadFile>(),
        Builtin::of::<use_capability::UseCapability>(),
        Builtin::of::<wait::Wait>(),
        Builtin::of::<write_file::WriteFile>(),
    ];
    let capabilities = vec![
        Builtin::of::<glob::Glob>(),
        Builtin::of::<grep::Grep>(),
        Builtin::of::<ls::Ls>(),
        Builtin::of::<multi_edit::MultiEdit>(),
    ];
    (boot, capabilities)
}
