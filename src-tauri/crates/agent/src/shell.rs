//! The shell that commands are given to: which one it is, and how it takes a command.

#[cfg(any(windows, test))]
use std::ffi::OsStr;
use std::{
    io,
    path::{Path, PathBuf},
};

use tokio::process::Command;

/// The shell that commands are given to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shell {
    /// As the model is told.
    pub name: &'static str,
    language: tools::Shell,
    program: PathBuf,
    arguments: &'static [&'static str],
    /// What stands before each command.
    before: &'static str,
}

/// Makes PowerShell print UTF-8, and read it from the programs it runs (EN-9).
#[cfg(any(windows, test))]
const POWERSHELL_IN_UTF8: &str = "try { [Console]::OutputEncoding = $OutputEncoding = \
                                  [Text.UTF8Encoding]::new($false) } catch {}\n";

/// Makes the programs that `cmd` runs print UTF-8, where they ask which code page holds (EN-9).
#[cfg(any(windows, test))]
const CMD_IN_UTF8: &str = "chcp 65001 >nul 2>nul & ";

/// Where Windows has what a shell is looked for in.
#[cfg(any(windows, test))]
struct Places<'a> {
    /// The folders that programs are installed in.
    programs: &'a [PathBuf],
    /// `PATH`.
    path: &'a OsStr,
    /// Where the system's own programs are.
    system: &'a Path,
}

impl Shell {
    /// Returns this system's shell (AN-12).
    #[cfg(not(windows))]
    pub fn of_this_system() -> Self {
        let bash = ["/bin/bash", "/usr/bin/bash"].map(Path::new).into_iter().find(|it| it.exists());
        bash.map_or_else(
            || Self {
                name: "sh",
                language: tools::Shell::Bash,
                program: "sh".into(),
                arguments: &["-c"],
                before: "",
            },
            |program| Self::bash(program.to_owned()),
        )
    }

    /// Returns this system's shell (AN-12).
    #[cfg(windows)]
    pub fn of_this_system() -> Self {
        use std::env::var_os;

        let folder = |name: &str| var_os(name).map(PathBuf::from);
        let own = folder("LOCALAPPDATA").map(|it| it.join("Programs"));
        let programs: Vec<PathBuf> = ["ProgramFiles", "ProgramFiles(x86)"]
            .into_iter()
            .filter_map(folder)
            .chain(own)
            .collect();
        let path = var_os("PATH").unwrap_or_default();
        let system = system_folder();
        Self::of_windows(&Places { programs: &programs, path: &path, system: &system })
    }

    /// Returns the shell of a Windows: Git's bash, else PowerShell, and where even that was taken
    /// away, `cmd`. Never the `bash` of a path: it may be that of another system on this machine.
    #[cfg(any(windows, test))]
    fn of_windows(places: &Places<'_>) -> Self {
        if let Some(bash) = bash_of_git(places) {
            return Self::bash(bash);
        }
        let program = places.system.join("WindowsPowerShell").join("v1.0").join("powershell.exe");
        if program.is_file() {
            Self::powershell(program)
        } else {
            Self::cmd(places.system.join("cmd.exe"))
        }
    }

    fn bash(program: PathBuf) -> Self {
        let arguments = &["--noprofile", "--norc", "-c"];
        Self { name: "bash", language: tools::Shell::Bash, program, arguments, before: "" }
    }

    #[cfg(any(windows, test))]
    fn powershell(program: PathBuf) -> Self {
        Self {
            name: "PowerShell",
            language: tools::Shell::PowerShell,
            program,
            arguments: &["-NoProfile", "-NonInteractive", "-Command"],
            before: POWERSHELL_IN_UTF8,
        }
    }

    #[cfg(any(windows, test))]
    pub(crate) fn cmd(program: PathBuf) -> Self {
        Self {
            name: "cmd",
            language: tools::Shell::Cmd,
            program,
            arguments: &["/D", "/S", "/C"],
            before: CMD_IN_UTF8,
        }
    }

    /// Returns the language that its commands are written in.
    pub(crate) fn language(&self) -> tools::Shell {
        self.language
    }

    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Adds what makes the shell run a command.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::InvalidInput`] if it cannot run all of it.
    pub(crate) fn give(&self, process: &mut Command, command: &str) -> io::Result<()> {
        process.args(self.arguments);
        match self.language {
            tools::Shell::Bash | tools::Shell::PowerShell => {
                process.arg(format!("{}{command}", self.before));
            }
            tools::Shell::Cmd => {
                let Some(line) = one_line(command) else {
                    let why = "cmd runs one line and would leave out the rest: join them with &&";
                    return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
                };
                // It knows no escapes: of the whole it takes off the two quotes, and no other.
                #[cfg(windows)]
                process.raw_arg(format!("\"{}{line}\"", self.before));
                #[cfg(not(windows))]
                process.arg(format!("{}{line}", self.before));
            }
        }
        Ok(())
    }
}

/// Returns the folder of the system's own programs.
#[cfg(windows)]
pub(crate) fn system_folder() -> PathBuf {
    let root = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
    PathBuf::from(root).join("System32")
}

/// Returns a command without the ends of lines around it; nothing if there is one in it.
fn one_line(command: &str) -> Option<&str> {
    let line = command.trim_matches(['\r', '\n']);
    (!line.contains(['\r', '\n'])).then_some(line)
}

/// Returns the bash that came with Git: where Git is installed by itself, else beside the `git` of
/// the path.
#[cfg(any(windows, test))]
fn bash_of_git(places: &Places<'_>) -> Option<PathBuf> {
    let installed = places.programs.iter().map(|it| it.join("Git"));
    let on_the_path = std::env::split_paths(places.path)
        .filter(|folder| folder.is_absolute() && folder.join("git.exe").is_file())
        // Git's own are `cmd`, `bin` and `mingw64/bin`.
        .flat_map(|folder| {
            folder.ancestors().skip(1).take(2).map(Path::to_owned).collect::<Vec<_>>()
        });
    installed
        .chain(on_the_path)
        .map(|git| git.join("bin").join("bash.exe"))
        .find(|bash| bash.is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn put(folder: &Path, file: &str) -> PathBuf {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("it is below a folder")).expect("a folder");
        fs::write(&file, "").expect("a file");
        file
    }

    /// AN-12: Git's bash where it is found, else PowerShell; the bash of the system's folder is
    /// another system's.
    #[test]
    fn on_windows_it_is_gits_bash_else_powershell() {
        let top = tempfile::tempdir().expect("a folder");
        let (system, programs) = (top.path().join("System32"), [top.path().join("Programs")]);
        put(&system, "bash.exe");
        let paths = [top.path().join("tools/Git/cmd"), system.clone()];
        let path = std::env::join_paths(paths).expect("a path");
        let places = Places { programs: &programs, path: &path, system: &system };
        let found = || Shell::of_windows(&places);
        assert_eq!((found().name, found().language()), ("cmd", tools::Shell::Cmd));
        let power = put(&system, "WindowsPowerShell/v1.0/powershell.exe");
        assert_eq!(found(), Shell::powershell(power));
        let beside = put(top.path(), "tools/Git/bin/bash.exe");
        assert_eq!(found().name, "PowerShell", "no git stands there");
        put(top.path(), "tools/Git/cmd/git.exe");
        assert_eq!(found(), Shell::bash(beside));
        let installed = put(&programs[0], "Git/bin/bash.exe");
        assert_eq!(found(), Shell::bash(installed));
    }

    /// CL-6: what would not be run is not said to have run.
    #[test]
    fn cmd_takes_one_line() {
        let cmd = Shell::cmd("cmd.exe".into());
        let give = |line| cmd.give(&mut Command::new("cmd.exe"), line).map_err(|it| it.kind());
        assert_eq!(give("\necho one && echo two\r\n"), Ok(()));
        assert_eq!(give("echo one\necho two"), Err(io::ErrorKind::InvalidInput));
    }
}
