//! Folders that a test works in, and nothing of the user's.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use tempfile::TempDir;

/// A data folder for the product, and a user's home folder that has to stay empty.
#[derive(Debug)]
pub struct Home {
    folder: TempDir,
}

impl Home {
    /// Makes both, empty.
    #[expect(clippy::new_without_default, reason = "it makes folders")]
    pub fn new() -> Self {
        let home = Self { folder: temp_folder() };
        for folder in [home.path(), home.user(), home.temp()] {
            must(&folder, fs::create_dir(&folder));
        }
        home
    }

    /// Returns the data folder: `EVIDENT_HOME`.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("evident")
    }

    /// Returns the user's home folder: `HOME`.
    pub fn user(&self) -> PathBuf {
        self.folder.path().join("user")
    }

    fn temp(&self) -> PathBuf {
        self.folder.path().join("temp")
    }

    /// Returns a command that knows nothing of the user who runs the test.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = command(program.as_ref(), &self.user());
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, self.temp());
        }
        command.env("EVIDENT_HOME", self.path());
        command
    }

    /// Returns what stands in the user's home folder; a test that leaves something there fails.
    pub fn left_behind(&self) -> Vec<String> {
        files_below(&self.user()).into_keys().collect()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let left = self.left_behind();
        if !left.is_empty() && !thread::panicking() {
            panic!("written into the user's home folder: {left:?}");
        }
    }
}

/// A workspace with files in it. Its folder is always named `project`.
#[derive(Debug)]
pub struct Project {
    folder: TempDir,
}

impl Project {
    /// Makes a folder with these files: paths below it, and their contents.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let project = Self { folder: temp_folder() };
        must(&project.path(), fs::create_dir(project.path()));
        for (path, contents) in files {
            project.write(path, contents);
        }
        project
    }

    /// Makes it a Git repository with all its files committed.
    #[must_use]
    pub fn with_git(self) -> Self {
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.git(&["config", "core.autocrlf", "false"]);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message=start"]);
        self
    }

    /// Runs `git` in it and returns what it printed.
    ///
    /// # Panics
    ///
    /// If it does not succeed.
    pub fn git(&self, args: &[&str]) -> String {
        let mut git = command(Path::new("git"), self.folder.path());
        git.args(args).current_dir(self.path());
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "A Person");
            git.env(format!("GIT_{who}_EMAIL"), "person@example.org");
            git.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
        }
        let output = must(Path::new("git"), git.output());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Returns its folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Writes a file, and makes the folders above it.
    pub fn write(&self, path: &str, contents: impl AsRef<[u8]>) {
        let file = self.path().join(path);
        if let Some(above) = file.parent() {
            must(above, fs::create_dir_all(above));
        }
        must(&file, fs::write(&file, contents));
    }

    /// Returns a file's text.
    pub fn read(&self, path: &str) -> String {
        let file = self.path().join(path);
        must(&file, fs::read_to_string(&file))
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        let file = self.path().join(path);
        must(&file, fs::remove_file(&file));
    }

    /// Returns whether something stands at a path.
    pub fn has(&self, path: &str) -> bool {
        self.path().join(path).symlink_metadata().is_ok()
    }

    /// Returns all files by their `/`-separated paths, without `.git`. Links are not followed:
    /// theirs is the path they lead to.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        files_below(&self.path())
    }
}

/// A command with nothing of this process's surroundings but where programs are.
fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("GIT_CONFIG_NOSYSTEM", "1");
    // Windows starts nothing without the system's folder.
    for name in ["PATH", "SystemRoot", "PATHEXT", "COMSPEC"] {
        if let Some(value) = env::var_os(name) {
            command.env(name, value);
        }
    }
    for name in ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"] {
        command.env(name, home);
    }
    command
}

/// Folders without a file in them are listed too, with a `/` at the end.
fn files_below(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in must(folder, fs::read_dir(folder)) {
        let path = must(folder, entry).path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_symlink() {
            let target = must(&path, fs::read_link(&path));
            found.insert(name, target.to_string_lossy().as_bytes().to_vec());
        } else if path.is_dir() && name != ".git" {
            let below = files_below(&path);
            if below.is_empty() {
                found.insert(format!("{name}/"), Vec::new());
            }
            found.extend(below.into_iter().map(|(it, bytes)| (format!("{name}/{it}"), bytes)));
        } else if path.is_file() {
            found.insert(name, must(&path, fs::read(&path)));
        }
    }
    found
}

fn temp_folder() -> TempDir {
    must(&env::temp_dir(), tempfile::tempdir())
}

#[track_caller]
fn must<T>(path: &Path, result: std::io::Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
