//! What every request begins with: the system text, and the session context.

use protocol::{Limits, head};
use workspace::Workspace;

use crate::shell::Shell;

/// The system text. The same bytes for everybody: no date, no path, nothing of this machine (CA-3).
pub(crate) const SYSTEM: &str = include_str!("system.txt");

/// Instruction files of a workspace's root, in the order they are read (IN-1).
const INSTRUCTION_FILES: [&str; 3] = ["AGENTS.md", "CLAUDE.md", "REASONIX.md"];

/// Returns the session context: what the model must know of where it works (AN-32, CA-41).
///
/// Blocks: reads the instruction files of the workspace's root. One that cannot be read is named,
/// so that its absence is no riddle.
pub(crate) fn session_context(workspace: &Workspace, shell: &Shell, limits: &Limits) -> String {
    let mut text = format!(
        "[Session context, written by the host, not by the user]\n\
         System: {}\nShell: {}\nWorkspace: {}\n",
        std::env::consts::OS,
        shell.name,
        workspace.name(),
    );
    // The first is the workspace itself. Files there are addressed absolutely (AN-11).
    for folder in workspace.roots().skip(1) {
        text.push_str(&format!("Added folder: {}\n", folder.display()));
    }
    let mut room = limits.instruction_bytes as usize;
    let mut seen: Vec<String> = Vec::new();
    for name in INSTRUCTION_FILES {
        let Some(body) = read_instructions(workspace, name, limits) else { continue };
        let body = match body {
            Ok(body) if seen.contains(&body) => continue,
            Ok(body) => body,
            Err(why) => {
                text.push_str(&format!("\n{name} could not be read: {why}\n"));
                continue;
            }
        };
        let kept = head(&body, room);
        room -= kept.len();
        text.push_str(&format!("\nInstructions of this workspace, from {name}:\n{kept}"));
        if !kept.ends_with('\n') {
            text.push('\n');
        }
        if kept.len() < body.len() {
            text.push_str(&format!("[{name} goes on; read_file shows the rest]\n"));
        }
        seen.push(body);
    }
    text
}

/// Returns an instruction file's text, why it cannot be had, or nothing if there is none.
fn read_instructions(
    workspace: &Workspace,
    name: &str,
    limits: &Limits,
) -> Option<Result<String, String>> {
    let place = match workspace.resolve(name) {
        Ok(place) => place,
        Err(error) => return Some(Err(error.to_string())),
    };
    match workspace.read(&place) {
        Ok(image) => Some(match workspace::decode(image.bytes(), limits) {
            Ok(text) => Ok(workspace::plain(text.text()).into_owned()),
            Err(error) => Err(error.to_string()),
        }),
        Err(workspace::FileError::Missing { .. }) => None,
        Err(error) => Some(Err(error.to_string())),
    }
}
