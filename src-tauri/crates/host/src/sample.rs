//! The demo's sample project, and what the scripted model says about it, turn by turn.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use protocol::{OpenedDemo, SessionId, TurnId};
use session::SessionReader;

use crate::{Host, HostError, SessionOptions, history::blocking};

/// Most copies that are kept side by side.
const COPIES: u32 = 10_000;

/// The project's name, and its folder's.
const NAME: &str = "tally";

/// Its files.
const FILES: [(&str, &str); 6] = [
    ("README.md", include_str!("sample/tally/README.md")),
    ("tally.sh", include_str!("sample/tally/tally.sh")),
    ("check.sh", include_str!("sample/tally/check.sh")),
    ("expenses.txt", include_str!("sample/tally/expenses.txt")),
    ("cases/two-lines.sh", include_str!("sample/tally/cases/two-lines.sh")),
    (".evident/config.toml", include_str!("sample/tally/.evident/config.toml")),
];

/// A prompt for each turn, and the replies that it gets. The second answer claims more than was
/// done; the result says what was.
const TURNS: [(&str, &str); 2] = [
    (
        "The total of expenses.txt should be 50, and tally.sh says 42. Find out why, fix it, add a case for it and run the check.",
        include_str!("sample/first.json"),
    ),
    (
        "Let tally.sh skip lines that start with #, with a case for it, and run the check.",
        include_str!("sample/second.json"),
    ),
];

/// What is replied after the last of them.
const AFTER: &str = include_str!("sample/after.json");

impl Host {
    /// Copies the sample project into the data folder, and opens a session for it. Its prompts go
    /// to the scripted model, whatever provider is chosen.
    ///
    /// # Errors
    ///
    /// [`HostError::Sample`] if it cannot be copied; otherwise as [`Host::new_session`].
    pub async fn start_demo(&self) -> Result<OpenedDemo, HostError> {
        let samples = self.options.home.samples_place();
        let copied = blocking(move || {
            copy(&samples).map_err(|source| HostError::Sample { folder: samples, source })
        });
        let folder = copied.await?;
        let opened = self.new_session(&folder, SessionOptions::default()).await?;
        Ok(OpenedDemo {
            session: opened.session,
            last: opened.last,
            workspace: crate::same_folder(&folder).unwrap_or_default(),
            prompts: demo_prompts(),
        })
    }

    /// Returns whether a session works on a copy of the sample project, and needs no provider.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if there is none; [`HostError::Unreadable`] if its start cannot be read.
    pub(crate) async fn is_scripted(&self, session: Option<&SessionId>) -> Result<bool, HostError> {
        let Some(id) = session.cloned() else { return Ok(false) };
        let samples = self.options.home.samples_place();
        self.read(id, move |reader, _| {
            Ok(is_sample(&samples, Path::new(&reader.opened()?.workspace)))
        })
        .await
    }

    /// Returns the replies to a session's next prompt, if it is one of the demo.
    ///
    /// # Errors
    ///
    /// [`HostError::Session`] if it cannot be read.
    pub(crate) async fn sample_script(
        &self,
        id: &SessionId,
    ) -> Result<Option<&'static str>, HostError> {
        if !self.sessions.lock().await.get(id).is_some_and(|it| it.is_sample) {
            return Ok(None);
        }
        let (folder, id) = (self.sessions_place(), id.clone());
        let last = blocking(move || SessionReader::open(&folder, &id)?.last_turn()).await?;
        let next = last.map_or(TurnId(0), TurnId::next);
        let turn = usize::try_from(next.0).ok().and_then(|it| TURNS.get(it));
        Ok(Some(turn.map_or(AFTER, |(_, script)| script)))
    }
}

/// Returns what to ask in each turn of a demo session, in their order.
pub fn demo_prompts() -> Vec<String> {
    TURNS.iter().map(|(prompt, _)| (*prompt).to_owned()).collect()
}

/// Returns whether a folder is a copy of the sample project, or below one.
pub(crate) fn is_sample(samples: &Path, folder: &Path) -> bool {
    copies_in(samples)(folder)
}

/// Returns what [`is_sample`] says of many folders. Where there is no copy, it looks at none.
pub(crate) fn copies_in(samples: &Path) -> impl Fn(&Path) -> bool + use<> {
    let samples = samples.canonicalize().ok();
    move |folder| {
        samples.as_ref().is_some_and(|samples| {
            folder.canonicalize().is_ok_and(|it| it != *samples && it.starts_with(samples))
        })
    }
}

/// Copies the project into a folder of its own, and returns that.
fn copy(samples: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(samples)?;
    let project = new_folder(samples)?.join(NAME);
    for (path, text) in FILES {
        let file = project.join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(file, text)?;
    }
    Ok(project)
}

fn new_folder(samples: &Path) -> io::Result<PathBuf> {
    for number in 1..=COPIES {
        let folder = samples.join(number.to_string());
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("there are too many copies already; delete some"))
}

#[cfg(test)]
mod tests {
    use script::Script;

    use super::*;

    #[test]
    fn every_script_of_the_demo_can_be_played() {
        for text in TURNS.iter().map(|(_, script)| *script).chain([AFTER, crate::demo::SCRIPT]) {
            let script = Script::parse(text).expect(text);
            assert!(!script.replies.is_empty());
        }
    }
}
