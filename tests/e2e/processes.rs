//! The processes of a test: which are whose, what they cost, and their end.

use std::{
    collections::BTreeMap,
    fs,
    process::{Child, Command},
};

/// One running process.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) id: u32,
    pub(crate) name: String,
    parent: u32,
    /// Time on a processor so far, in ticks of 10 ms.
    pub(crate) cpu_ticks: u64,
    /// Memory that is its own and not shared, in bytes.
    pub(crate) private_bytes: u64,
}

/// A child that is killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Killed(pub(crate) Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Returns all that descend from a process, without itself.
pub(crate) fn below(ancestor: u32) -> Vec<Process> {
    let all = running();
    let mut found = Vec::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        for process in all.values().filter(|it| it.parent == parent) {
            parents.push(process.id);
            found.push(process.clone());
        }
    }
    found
}

/// Returns one process, if it runs.
pub(crate) fn one(id: u32) -> Option<Process> {
    process(id)
}

/// Returns whether a process runs; one that only waits to be reaped does not.
pub(crate) fn runs(id: u32) -> bool {
    process(id).is_some()
}

/// Sends a signal by its name. A process that is gone needs none.
pub(crate) fn signal(name: &str, id: u32) {
    let sent = Command::new("kill").args(["-s", name, &id.to_string()]).output();
    sent.expect("`kill` starts");
}

fn running() -> BTreeMap<u32, Process> {
    let entries = fs::read_dir("/proc").expect("Linux has /proc");
    let names = entries.filter_map(|it| it.ok()?.file_name().into_string().ok());
    let ids = names.filter_map(|it| it.parse().ok());
    ids.filter_map(|id| Some((id, process(id)?))).collect()
}

/// Reads `/proc/ID/stat`: `ID (NAME) STATE PARENT …`, the times at places 14 to 17.
fn process(id: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let (head, rest) = stat.rsplit_once(") ")?;
    let name = head.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = rest.split(' ').collect();
    let field = |place: usize| fields.get(place - 3)?.parse::<u64>().ok();
    if fields.first() == Some(&"Z") {
        return None;
    }
    let parent = field(4)?.try_into().ok()?;
    let cpu_ticks = field(14)? + field(15)?;
    Some(Process { id, name, parent, cpu_ticks, private_bytes: private_bytes(id) })
}

/// Reads `/proc/ID/statm`: what is resident, less what is shared, in pages of 4 KiB.
fn private_bytes(id: u32) -> u64 {
    let pages = fs::read_to_string(format!("/proc/{id}/statm")).unwrap_or_default();
    let pages: Vec<u64> = pages.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    match pages[..] {
        [_, resident, shared, ..] => resident.saturating_sub(shared) << 12,
        _ => 0,
    }
}
