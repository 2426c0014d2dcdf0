//! A session whose file is harmed: what is shown of it then, and the copy that is gone on in.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{Heard, Player};
use crate::{Result, app::How, cases::case::Harm};

/// Where the size of a page stands in the file of a session, as SQLite writes it.
const PAGE_SIZE_AT: usize = 16;

/// A session whose file was harmed.
pub(in crate::cases) struct Damaged {
    /// How many requests it had made.
    pub(in crate::cases) requests: usize,
    /// What had been heard of it.
    pub(in crate::cases) before: Heard,
    /// What its history shows of that, by number.
    pub(in crate::cases) shown: BTreeMap<u64, Value>,
    /// What is told of the damage.
    pub(in crate::cases) told: Option<String>,
    file: PathBuf,
    bytes: Vec<u8>,
}

impl Damaged {
    /// Says that the file was changed after it had been harmed, if it was.
    pub(super) fn change(&self) -> Option<String> {
        let is_same = fs::read(&self.file).is_ok_and(|it| it == self.bytes);
        (!is_same).then(|| "the damaged file is not as it was".to_owned())
    }

    /// Whether the file still holds these words.
    pub(in crate::cases) fn holds(&self, words: &str) -> bool {
        self.bytes.windows(words.len()).any(|it| it == words.as_bytes())
    }
}

impl Player<'_> {
    /// Ends the program, harms the file of the session, starts it again, looks at what is shown and
    /// goes on in a copy.
    pub(super) async fn damage(&mut self, how: How, harm: Harm) -> Result<()> {
        // What a killed program had committed may stand beside the file until somebody opens it.
        self.restart(how).await?;
        self.end(How::Quit).await?;
        let id = self.session.as_str().ok_or("a session without a name")?;
        let file = self.record.folders.home.path().join("sessions").join(format!("{id}.sqlite"));
        let bytes = do_harm(&file, harm)?;
        self.start()?;
        match self.open().await {
            Ok(()) => return Err("a damaged session is opened to be written".into()),
            Err(error) if error.to_string().contains("\"session_damaged\"") => {}
            Err(error) => return Err(error),
        }
        let history = self.history().await?;
        let mut before = std::mem::take(&mut self.record.heard);
        let mut shown = BTreeMap::new();
        for event in history.events {
            shown.extend(event["seq"].as_u64().map(|seq| (seq, event.clone())));
            before.event(event);
        }
        let requests = self.server.requests().len();
        let told = history.damage;
        let copy = json!({ "type": "copy_session", "session": self.session });
        self.session = self.app.ask(copy).await?["session"].take();
        self.open().await?;
        let copied = self.history().await?;
        if let Some(damage) = copied.damage {
            self.record.faults.push(format!("the copy is damaged: {damage}"));
        }
        self.record.heard = before.afresh(turns(&copied.events));
        self.record.heard.contradictions.append(&mut before.contradictions);
        for event in copied.events {
            self.keep(event);
        }
        self.record.damaged = Some(Damaged { requests, before, shown, told, file, bytes });
        Ok(())
    }
}

/// Returns how many turns have events.
fn turns(events: &[Value]) -> usize {
    let last = events.iter().filter_map(|it| it["turn"].as_u64()).max();
    last.map_or(0, |it| usize::try_from(it).unwrap_or(usize::MAX).saturating_add(1))
}

/// Harms a file, and returns what is left: it ends in the middle of its last page, or a page in its
/// middle or at its end is NULs.
fn do_harm(file: &Path, harm: Harm) -> Result<Vec<u8>> {
    let mut bytes = fs::read(file)?;
    let size = bytes.get(PAGE_SIZE_AT..PAGE_SIZE_AT + 2).ok_or("a session without a head")?;
    let page = usize::from(u16::from_be_bytes([size[0], size[1]]));
    let pages = bytes.len().checked_div(page).filter(|it| 2 < *it).ok_or("a session of no size")?;
    match harm {
        Harm::CutLast => bytes.truncate(bytes.len() - page / 2),
        Harm::NulMiddle => bytes[pages / 2 * page..][..page].fill(0),
        Harm::NulTail => bytes[(pages - 1) * page..].fill(0),
    }
    fs::write(file, &bytes)?;
    Ok(bytes)
}
