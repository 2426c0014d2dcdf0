//! Where a test works: a home of its own, and the programs that were built.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;
use tempfile::TempDir;
use testkit::{Evident, Home};

use crate::model::Model;

/// What the browser was asked for.
const OPENED: &str = "opened.txt";

/// Folders of one test, and nothing of the user's.
pub(crate) struct Place {
    home: Home,
    /// What belongs to the desktop and not to the program.
    desktop: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        let desktop = tempfile::tempdir().expect("a folder");
        for name in ["runtime", "cache", "bin"] {
            fs::create_dir(desktop.path().join(name)).expect("a folder");
        }
        make_browser(desktop.path());
        Self { home: Home::new(), desktop }
    }

    /// Returns a command that knows nothing of the user who runs the test.
    pub(crate) fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = self.home.command(program);
        command.env("LANG", "C.UTF-8").env("TZ", "UTC");
        command.env("XDG_RUNTIME_DIR", self.desktop.path().join("runtime"));
        command.env("XDG_CACHE_HOME", self.desktop.path().join("cache"));
        let path = env::var_os("PATH").unwrap_or_default();
        let programs = [self.desktop.path().join("bin")].into_iter().chain(env::split_paths(&path));
        command.env("PATH", env::join_paths(programs).expect("a list of folders"));
        // No bus: else one would be started, and stay.
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent").env("NO_AT_BRIDGE", "1");
        command
    }

    /// Makes a place whose provider is a scripted model.
    pub(crate) fn with_model(model: &Model) -> Self {
        let place = Self::new();
        let settings = format!(
            "[provider]\nname = \"custom\"\nbase_url = \"{}\"\nmodel = \"scripted\"\n",
            model.base_url()
        );
        fs::write(place.data().join("config.toml"), settings).expect("a file");
        place
    }

    /// The same, with a model whose context window the catalogue knows.
    pub(crate) fn with_known_model(model: &Model) -> Self {
        let place = Self::new();
        let settings = format!(
            "[provider]\nname = \"deepseek\"\nbase_url = \"{}\"\nmodel = \"deepseek-v4-flash\"\n",
            model.base_url()
        );
        fs::write(place.data().join("config.toml"), settings).expect("a file");
        place
    }

    /// Creates a session for a folder, from outside the window.
    pub(crate) fn new_session(&self, folder: &Path) {
        let mut evident = self.evident().start(&["serve", "--stdio"]);
        evident.send(&json!({"id": 1, "type": "new_session", "workspace": folder}));
        let reply = evident.reply(1);
        assert!(reply["ok"]["session"].is_string(), "{reply}");
        evident.send(&json!({"id": 2, "type": "shutdown"}));
        assert_eq!(evident.finish().code, Some(0));
    }

    /// Creates a session of so many turns, whose prompts are numbered from 0.
    pub(crate) fn long_session(&self, folder: &Path, turns: usize) {
        let mut evident = self.evident().start(&["serve", "--stdio"]);
        evident.send(&json!({"id": 0, "type": "new_session", "workspace": folder}));
        let session = evident.reply(0)["ok"]["session"].clone();
        for turn in 0..turns {
            let prompt = format!("Prompt {turn}.");
            let id = 1 + turn;
            evident.send(&json!({"id": id, "type": "prompt", "session": session, "text": prompt}));
            evident.until(|line| line["event"]["kind"]["type"] == "turn_done");
        }
        evident.send(&json!({"id": 1 + turns, "type": "shutdown"}));
        assert_eq!(evident.finish().code, Some(0));
    }

    /// Returns the data folder: `EVIDENT_HOME`.
    pub(crate) fn data(&self) -> PathBuf {
        self.home.path()
    }

    /// Returns what the file of the keys holds.
    pub(crate) fn keys(&self) -> String {
        fs::read_to_string(self.data().join("keys.toml")).unwrap_or_default()
    }

    /// Returns the window's program.
    pub(crate) fn program(&self) -> PathBuf {
        built("evident-desktop")
    }

    /// Returns the headless program, on the same home.
    pub(crate) fn evident(&self) -> Evident<'_> {
        Evident::new(built("evident"), &self.home)
    }

    /// Returns the page that the user's browser was asked for, if it was.
    pub(crate) fn opened(&self) -> Option<String> {
        fs::read_to_string(self.desktop.path().join(OPENED)).ok()
    }

    /// Returns where the driver and the program write what they have to say.
    pub(crate) fn log(&self) -> PathBuf {
        self.desktop.path().join("said.log")
    }

    /// Returns what they said.
    pub(crate) fn said(&self) -> String {
        fs::read_to_string(self.log()).unwrap_or_default()
    }
}

/// Puts a program where a desktop has the one that shows pages; it only writes down which.
fn make_browser(desktop: &Path) {
    let [program, opened] = ["bin/xdg-open", OPENED].map(|it| desktop.join(it));
    let part = opened.with_extension("part");
    let script = format!(
        "#!/bin/sh\nprintf %s \"$1\" > '{part}' && mv '{part}' '{opened}'\n",
        part = part.display(),
        opened = opened.display(),
    );
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
}

/// Returns a program that `cargo xtask e2e` builds before it runs this.
fn built(name: &str) -> PathBuf {
    let path = profile().join(name);
    assert!(path.is_file(), "{} is not built: use `cargo xtask e2e`", path.display());
    path
}

/// Returns the folder that pictures go to.
pub(crate) fn screenshots() -> PathBuf {
    let folder = profile().with_file_name("screenshots");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns the folder of the profile, `target/debug` or `target/release`: this runs from its `deps`.
fn profile() -> PathBuf {
    let this = env::current_exe().expect("its own path");
    this.ancestors().nth(2).expect("it is in the `deps` of a profile").to_owned()
}
