//! `evident sessions`: the list.

use host::{Host, HostError};

use crate::{Exit, print, text::plain};

/// Lists the sessions, the one that changed last first.
///
/// # Errors
///
/// [`HostError`] if the folder cannot be read.
pub(crate) async fn list(host: &Host, json: bool) -> Result<Exit, HostError> {
    for it in host.list_sessions().await? {
        if json {
            print::json_line(&it);
            continue;
        }
        let turns = if it.turns == 1 { "1 turn" } else { &*format!("{} turns", it.turns) };
        print::out(&match &it.unreadable {
            Some(why) => format!("{}  cannot be read: {}\n", it.session, plain(why)),
            None => {
                format!("{}  {turns}  {}  {}\n", it.session, plain(&it.workspace), plain(&it.title))
            }
        });
    }
    Ok(Exit::Done)
}
