//! `evident sessions`: the list, and the search.

use host::{Host, HostError};
use protocol::{SearchHit, SearchPlace, SessionSummary};

use crate::{Exit, arguments::SessionsArguments, print, text::plain};

/// Lists the sessions, or those in which something is found; the one that changed last first.
///
/// # Errors
///
/// [`HostError`] if the folder cannot be read, or the index cannot be used.
pub(crate) async fn list(host: &Host, arguments: SessionsArguments) -> Result<Exit, HostError> {
    let json = arguments.json;
    if let Some(text) = arguments.search {
        return search(host, text, json).await;
    }
    for it in host.list_sessions().await? {
        if json {
            print::json_line(&it);
        } else {
            print::out(&line(&it));
        }
    }
    Ok(Exit::Done)
}

async fn search(host: &Host, text: String, json: bool) -> Result<Exit, HostError> {
    let page = host.search(text).await?;
    if json {
        print::json_line(&page);
        return Ok(Exit::Done);
    }
    for it in &page.hits {
        print::out(&line(&it.session));
        print::out(&format!("    {}: {}\n", place(it), plain(&it.excerpt)));
    }
    let more = u64::from(page.total).saturating_sub(page.hits.len() as u64);
    if 0 < more {
        print::diagnostic(&format!(
            "found in {} sessions, of which {more} are not shown; give more words",
            page.total
        ));
    }
    if page.is_partial {
        print::diagnostic("only the newest texts were looked through; give a word of 3 letters");
    }
    if page.hits.is_empty() {
        print::diagnostic("found in no session");
    }
    Ok(Exit::Done)
}

fn line(it: &SessionSummary) -> String {
    let turns = if it.turns == 1 { "1 turn" } else { &*format!("{} turns", it.turns) };
    let archived = if it.archived { "  (archived)" } else { "" };
    match &it.unreadable {
        Some(why) => format!("{}  cannot be read: {}\n", it.session, plain(why)),
        None => {
            let (workspace, title) = (plain(&it.workspace), plain(&it.title));
            format!("{}  {turns}  {workspace}  {title}{archived}\n", it.session)
        }
    }
}

fn place(it: &SearchHit) -> String {
    let place = match it.place {
        SearchPlace::Title => "title",
        SearchPlace::Prompt => "prompt",
        SearchPlace::Answer => "answer",
        SearchPlace::Path => "changed",
        SearchPlace::Check => "check",
        SearchPlace::Status => "status",
    };
    match it.turn {
        Some(turn) => format!("turn {}, {place}", turn.0.saturating_add(1)),
        None => place.to_owned(),
    }
}
