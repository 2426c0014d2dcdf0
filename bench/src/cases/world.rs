//! The folders that a case is played in, and what somebody else does to them.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File, FileTimes},
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use testkit::{Home, Project};

use super::{
    case::{Change, Git, Layout},
    expect::Files,
};
use crate::Result;

/// How much later than it was a touched file is.
const TOUCH: Duration = Duration::from_secs(5);

/// What stands below a folder, by `/`-separated paths; what Git keeps of the folder itself apart.
pub(super) type Snapshot = BTreeMap<String, Node>;

/// What stands at one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    File { bytes: Vec<u8>, mode: u32 },
    Link(PathBuf),
    Folder,
}

/// A workspace, what is next to it, and a home for the program.
#[derive(Debug)]
pub(super) struct Folders {
    pub(super) home: Home,
    project: Project,
    /// As all was before the first turn.
    pub(super) start: Snapshot,
    pub(super) outside_start: Snapshot,
}

impl Folders {
    /// Makes fresh ones, as a case wants them.
    pub(super) fn new(layout: &Layout) -> Result<Self> {
        let (home, mut project) = (Home::new(), Project::new([]));
        let (inside, outside) = (project.path(), outside(&project));
        fs::create_dir(&outside)?;
        put_all(&inside, &layout.files)?;
        put_all(&outside, &layout.outside)?;
        for folder in &layout.dirs {
            fs::create_dir_all(inside.join(folder))?;
        }
        for (path, target) in &layout.symlinks {
            link(target, &made(&inside, path)?)?;
        }
        match layout.git {
            Git::None => {}
            Git::Init => drop(project.git(&["init", "--quiet", "--initial-branch=main"])),
            Git::Commit => project = project.with_git(),
        }
        put_all(&inside, &layout.dirty)?;
        let (start, outside_start) = (snapshot(&inside)?, snapshot(&outside)?);
        Ok(Self { home, project, start, outside_start })
    }

    /// Returns the workspace.
    pub(super) fn workspace(&self) -> PathBuf {
        self.project.path()
    }

    /// Returns the folder next to it.
    pub(super) fn outside(&self) -> PathBuf {
        outside(&self.project)
    }

    /// Returns what stands in the workspace now.
    pub(super) fn now(&self) -> Result<Snapshot> {
        snapshot(&self.workspace())
    }

    /// Does what somebody else does.
    pub(super) async fn change(&self, change: &Change) -> Result<()> {
        if let Some(line) = &change.run {
            return self.run(line).await;
        }
        let path = self.workspace().join(change.path.as_ref().ok_or("a change has path or run")?);
        if let Some(bytes) = change.bytes()? {
            fs::write(&path, bytes)?;
        } else if change.delete {
            fs::remove_file(&path)?;
        } else if let Some(mode) = &change.chmod {
            set_mode(&path, mode)?;
        } else if change.touch {
            let file = File::options().write(true).open(&path)?;
            file.set_modified(file.metadata()?.modified()? + TOUCH)?;
        } else if let Some(to) = &change.rename_to {
            fs::rename(&path, self.workspace().join(to))?;
        } else if let Some(text) = &change.append {
            File::options().append(true).open(&path)?.write_all(text.as_bytes())?;
        } else if let Some([old, new]) = &change.swap {
            swap(&path, old, new)?;
        } else {
            return Err("a change says nothing".into());
        }
        Ok(())
    }

    async fn run(&self, line: &str) -> Result<()> {
        let mut shell = tokio::process::Command::from(self.home.command("bash"));
        shell.args(["-c", line]).current_dir(self.workspace()).stdin(Stdio::null());
        let out = shell.output().await?;
        if !out.status.success() {
            let said = String::from_utf8_lossy(&out.stderr);
            return Err(format!("somebody else's command failed: {}", said.trim()).into());
        }
        Ok(())
    }
}

/// Changes a file of which neither the size nor the times show it.
fn swap(path: &Path, old: &str, new: &str) -> Result<()> {
    let before = fs::metadata(path)?;
    let text = fs::read_to_string(path)?;
    if !text.contains(old) || old.len() != new.len() {
        return Err(format!("{old:?} and {new:?} cannot be swapped").into());
    }
    fs::write(path, text.replace(old, new))?;
    let times = FileTimes::new().set_accessed(before.accessed()?).set_modified(before.modified()?);
    Ok(File::options().write(true).open(path)?.set_times(times)?)
}

fn outside(project: &Project) -> PathBuf {
    project.path().with_file_name("outside")
}

fn put_all(folder: &Path, files: &Files) -> Result<()> {
    for (path, entry) in files {
        let bytes = entry.bytes()?.ok_or_else(|| format!("{path} is a file without contents"))?;
        let path = made(folder, path)?;
        fs::write(&path, bytes)?;
        if let Some(mode) = &entry.mode {
            set_mode(&path, mode)?;
        }
    }
    Ok(())
}

/// Returns a path whose folders are there.
fn made(folder: &Path, path: &str) -> Result<PathBuf> {
    let path = folder.join(path);
    if let Some(above) = path.parent() {
        fs::create_dir_all(above)?;
    }
    Ok(path)
}

/// Returns all that stands below a folder. Links are not followed.
pub(super) fn snapshot(folder: &Path) -> Result<Snapshot> {
    let mut found = Snapshot::new();
    collect(folder, "", &mut found)?;
    found.retain(|path, _| path != ".git" && !path.starts_with(".git/"));
    Ok(found)
}

fn collect(folder: &Path, prefix: &str, found: &mut Snapshot) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        let name = format!("{prefix}{name}");
        if let Some(node) = node(&path)? {
            if node == Node::Folder {
                collect(&path, &format!("{name}/"), found)?;
            }
            found.insert(name, node);
        }
    }
    Ok(())
}

/// Returns what stands at a path; nothing where it is gone.
pub(super) fn node(path: &Path) -> Result<Option<Node>> {
    let gone = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    let seen = match fs::symlink_metadata(path) {
        Err(error) if gone(&error) => return Ok(None),
        seen => seen?,
    };
    if seen.is_symlink() {
        return Ok(Some(Node::Link(fs::read_link(path)?)));
    }
    if seen.is_dir() {
        return Ok(Some(Node::Folder));
    }
    if !seen.is_file() {
        return Ok(None);
    }
    match fs::read(path) {
        Err(error) if gone(&error) => Ok(None),
        bytes => Ok(Some(Node::File { bytes: bytes?, mode: mode(&seen) })),
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(target, path)?)
}

#[cfg(unix)]
fn set_mode(path: &Path, octal: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(path, fs::Permissions::from_mode(u32::from_str_radix(octal, 8)?))?)
}

#[cfg(unix)]
fn mode(of: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    of.permissions().mode() & 0o7777
}

#[cfg(windows)]
fn link(target: &str, path: &Path) -> Result<()> {
    Ok(std::os::windows::fs::symlink_file(target, path)?)
}

/// There are no such bits here; a case that goes by them requires posix.
#[cfg(windows)]
fn set_mode(_: &Path, _: &str) -> Result<()> {
    Ok(())
}

#[cfg(windows)]
fn mode(of: &fs::Metadata) -> u32 {
    u32::from(of.permissions().readonly())
}
