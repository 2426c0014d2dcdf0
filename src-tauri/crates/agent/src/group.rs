//! Process groups: whether somebody alive is in one.

use rustix::process::{Pid, test_kill_process_group};

/// Returns whether a process of the group that `leader` led is alive.
///
/// Where the first process of a system does not collect what ended, a group of the dead is still
/// there; Linux tells them apart.
pub(crate) fn lives(leader: u32) -> bool {
    let group = i32::try_from(leader).ok().and_then(Pid::from_raw);
    let Some(group) = group.filter(|it| test_kill_process_group(*it).is_ok()) else { return false };
    #[cfg(target_os = "linux")]
    return any_alive(group.as_raw_nonzero().get())
        // Either it ended meanwhile, or it is not for us to be seen.
        .unwrap_or_else(|| test_kill_process_group(group).is_ok());
    #[cfg(not(target_os = "linux"))]
    return true;
}

/// Looks through all processes; `None` if they cannot be seen.
#[cfg(target_os = "linux")]
fn any_alive(group: i32) -> Option<bool> {
    let processes = std::fs::read_dir("/proc").ok()?;
    let stats = processes.flatten().filter_map(|it| std::fs::read(it.path().join("stat")).ok());
    let mut seen = false;
    for stat in stats {
        let Some((is_dead, its_group)) = state_and_group(&stat) else { continue };
        seen |= its_group == group;
        if its_group == group && !is_dead {
            return Some(true);
        }
    }
    seen.then_some(false)
}

/// Reads whether a process is dead, and its group: `1 (name) S 0 1 ...`; a name may hold anything.
#[cfg(target_os = "linux")]
fn state_and_group(stat: &[u8]) -> Option<(bool, i32)> {
    let after = stat.iter().rposition(|it| *it == b')')?;
    let fields = str::from_utf8(&stat[after + 1..]).ok()?;
    let mut fields = fields.split_ascii_whitespace();
    let is_dead = matches!(fields.next()?, "Z" | "X");
    Some((is_dead, fields.nth(1)?.parse().ok()?))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_anything_in_it_is_no_obstacle() {
        assert_eq!(state_and_group(b"7 (a) Z 1) S 1 42 42 0"), Some((false, 42)));
        assert_eq!(state_and_group(b"7 (sleep) Z 1 42 42 0"), Some((true, 42)));
        for broken in ["", "7", "7 (a", "7 (a)", "7 (a) S", "7 (a) S 1 x"] {
            assert_eq!(state_and_group(broken.as_bytes()), None, "{broken}");
        }
    }

    #[test]
    fn our_own_group_lives_and_one_that_cannot_be_does_not() {
        let ours = rustix::process::getpgrp().as_raw_nonzero().get();
        assert!(lives(u32::try_from(ours).expect("positive")));
        assert!(!lives(u32::MAX));
    }
}
