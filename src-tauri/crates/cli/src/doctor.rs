//! `evident doctor`: how the data folder is. It prints no content and no key (HL-6).

use host::{Checkup, Host, HostError};
use protocol::SettingsView;

use crate::{Exit, print, text::plain};

/// Looks through what is stored; with `reindex` the index over the sessions is made anew first.
///
/// # Errors
///
/// [`HostError`] if the data folder cannot be read, or the index cannot be made.
pub(crate) async fn doctor(host: &Host, reindex: bool) -> Result<Exit, HostError> {
    if reindex {
        let sessions = counted(host.reindex().await? as u64, "session");
        print::out(&format!("the index was made anew, of {sessions}\n"));
    }
    let checkup = host.check_up().await?;
    print::out(&as_text(&checkup, &host.settings().await));
    Ok(if checkup.damaged.is_empty() { Exit::Done } else { Exit::TurnFailed })
}

fn as_text(checkup: &Checkup, settings: &SettingsView) -> String {
    let Checkup { sessions, session_bytes, trash_bytes, index_bytes, records, .. } = checkup;
    let (of_sessions, of_records) =
        (counted(u64::from(*sessions), "session"), counted(*records, "record"));
    let mut text = format!(
        "sessions  {of_sessions}, {of_records}, {}\ntrash     {}\nindex     {}",
        size(*session_bytes),
        size(*trash_bytes),
        size(*index_bytes)
    );
    text.push_str(match &checkup.index_damage {
        Some(_) => ", damaged: `evident doctor --reindex` makes it anew, and loses nothing\n",
        None => "\n",
    });
    if checkup.damaged.is_empty() {
        text.push_str("damage    none\n");
    }
    for it in &checkup.damaged {
        let lost = match it.damaged_records {
            Some(records) => format!("{} cannot be read", counted(u64::from(records), "record")),
            None => "nothing of it can be read".to_owned(),
        };
        text.push_str(&format!("damage    {}: {lost}: {}\n", it.session, plain(&it.damage)));
    }
    if checkup.damaged.iter().any(|it| it.damaged_records.is_some()) {
        text.push_str(
            "          `evident run --session ID --copy` goes on with what can be read\n",
        );
    }
    text.push_str(&match (&settings.provider, &settings.problem) {
        (_, Some(problem)) => format!("provider  {}\n", plain(problem)),
        (Some(it), None) => format!("provider  {} is set up\n", plain(&it.provider)),
        (None, None) => "provider  none is set up\n".to_owned(),
    });
    text
}

fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// Says a size as people do, in units of 1024.
fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut at = 0;
    while 10_240 <= tenths && at + 1 < units.len() {
        (tenths, at) = (tenths / 1024, at + 1);
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, units[at])
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_said_in_their_unit() {
        let said = [0, 1023, 1024, 1_600, 5 << 20, 3 << 40].map(size);
        assert_eq!(said, ["0 bytes", "1023 bytes", "1.0 KiB", "1.5 KiB", "5.0 MiB", "3.0 TiB"]);
    }
}
