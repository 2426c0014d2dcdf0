//! One run: a fresh workspace, a scripted model, and the time each side takes.

use std::{fs, path::PathBuf, process::Command, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::script::{Reply, Script};

use crate::{
    Result,
    turn::{self, Folders, Turn},
};

/// Each round reads a file, lists a folder, edits the file and writes a new one.
const ROUNDS: usize = 15;
const TRIPS: usize = 4 * ROUNDS;
/// The last reply ends the turn.
pub(super) const REQUESTS: usize = TRIPS + 1;
const FILE_LINES: usize = 40;

/// What one run took.
pub(super) struct Run {
    /// From the start of the program to its first request.
    pub(super) start: Duration,
    /// From the end of a reply to the next request, on average.
    pub(super) trip: Duration,
    /// The body of the first request.
    pub(super) first_bytes: usize,
}

/// Fresh folders: the workspace, and the program's own.
pub(super) struct Fixture {
    folder: TempDir,
}

impl Fixture {
    pub(super) fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        for name in ["home", "work/src", "work/out"] {
            fs::create_dir_all(folder.path().join(name))?;
        }
        let fixture = Self { folder };
        for round in 0..ROUNDS {
            fs::write(fixture.work().join(source(round)), contents(round))?;
        }
        Ok(fixture)
    }

    /// Returns the folder that is `EVIDENT_HOME`, without links: as the system names it.
    pub(super) fn home(&self) -> Result<PathBuf> {
        Ok(self.folder.path().join("home").canonicalize()?)
    }

    /// Returns a place for a file that belongs to neither.
    pub(super) fn scratch(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Fails unless every call did what it was for: figures of failed calls would mean nothing.
    fn check(&self, last_request: &Value) -> Result<()> {
        for round in 0..ROUNDS {
            let edited = fs::read_to_string(self.work().join(source(round)))?;
            if !edited.contains(&edited_line(round)) || !self.work().join(output(round)).is_file() {
                return Err(format!("round {round} did not write its files").into());
            }
        }
        let messages = last_request["messages"].as_array().map_or(&[] as &[_], Vec::as_slice);
        let told: Vec<String> = messages
            .iter()
            .filter(|it| it["role"] == "tool")
            .map(|it| it["content"].to_string())
            .collect();
        if told.len() != TRIPS {
            return Err(format!("the model was told {} results, not {TRIPS}", told.len()).into());
        }
        for (round, told) in told.chunks(4).enumerate() {
            if !(told[0].contains(&line(round, 1)) && told[1].contains("part_0.txt")) {
                return Err(format!("round {round} did not read its files: {told:?}").into());
            }
        }
        Ok(())
    }
}

/// Runs `evident`, or what is to run it, through all trips.
pub(super) fn play(fixture: &Fixture, command: Command) -> Result<Run> {
    let folders =
        Folders { work: &fixture.work(), home: &fixture.home()?, said: &fixture.scratch("stderr") };
    let Turn { start, trips, server } = turn::play(command, &folders, script(), TRIPS)?;
    let requests = server.requests();
    let (Some(first), Some(last)) = (requests.first(), requests.last()) else {
        return Err("no request came".into());
    };
    fixture.check(&last.json()?)?;
    let trip = trips.iter().sum::<Duration>() / u32::try_from(TRIPS)?;
    Ok(Run { start, trip, first_bytes: first.body.len() })
}

fn script() -> Script {
    let calls = (0..ROUNDS).flat_map(|round| {
        let (path, old, new) = (source(round), line(round, FILE_LINES / 2), edited_line(round));
        [
            Reply::call("read_file", json!({ "path": path })),
            Reply::call("bash", json!({ "command": "ls src" })),
            Reply::call("edit_file", json!({ "path": path, "old_string": old, "new_string": new })),
            Reply::call("write_file", json!({ "path": output(round), "content": contents(round) })),
        ]
    });
    Script::new(calls).and(Reply::text("Done."))
}

fn source(round: usize) -> String {
    format!("src/part_{round}.txt")
}

fn output(round: usize) -> String {
    format!("out/part_{round}.txt")
}

fn contents(round: usize) -> String {
    (0..FILE_LINES).map(|number| line(round, number) + "\n").collect()
}

fn line(round: usize, number: usize) -> String {
    format!("part {round}: this is what stands in line {number} of it.")
}

fn edited_line(round: usize) -> String {
    format!("part {round}: this line was changed.")
}
