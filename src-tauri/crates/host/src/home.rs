//! Where data and settings live.

use std::{
    fs, io,
    path::{Path, PathBuf, is_separator},
};

use etcetera::{BaseStrategy as _, choose_base_strategy};
use thiserror::Error;

/// The folders for data and settings. Nothing is written outside them and the workspace (HL-1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    data: PathBuf,
    config: PathBuf,
    named: bool,
}

/// Why there is no home.
#[derive(Debug, Error)]
pub enum HomeError {
    /// The system names no folder for data.
    #[error("no home folder is known; set EVIDENT_HOME to a folder for Evident's data")]
    Unknown,
    /// The folder cannot be made.
    #[error("cannot use {} for Evident's data: {source}; set EVIDENT_HOME to another folder", folder.display())]
    Unusable { folder: PathBuf, source: io::Error },
}

impl Home {
    /// Returns `named` for both, or the platform's folders for `evident`. Touches nothing.
    ///
    /// # Errors
    ///
    /// [`HomeError::Unknown`] if the system names none.
    pub fn choose(named: Option<PathBuf>) -> Result<Self, HomeError> {
        if let Some(folder) = named.filter(|it| !it.as_os_str().is_empty()) {
            let folder = std::path::absolute(&folder)
                .map_err(|source| HomeError::Unusable { folder, source })?;
            return Ok(Self { data: folder.clone(), config: folder, named: true });
        }
        let base = choose_base_strategy().map_err(|_| HomeError::Unknown)?;
        Ok(Self {
            data: base.data_dir().join("evident"),
            config: base.config_dir().join("evident"),
            named: false,
        })
    }

    /// Returns the folder of the session files, made if it was missing.
    ///
    /// # Errors
    ///
    /// [`HomeError::Unusable`] if it cannot be made.
    pub fn sessions(&self) -> Result<PathBuf, HomeError> {
        let folder = self.sessions_place();
        match fs::create_dir_all(&folder) {
            Ok(()) => Ok(folder),
            Err(source) => Err(HomeError::Unusable { folder, source }),
        }
    }

    /// Returns where the session files are, whether or not there are any.
    pub fn sessions_place(&self) -> PathBuf {
        self.data.join("sessions")
    }

    /// Returns where the index over the sessions is, whether or not there is one.
    pub(crate) fn index_file(&self) -> PathBuf {
        self.data.join("index.sqlite")
    }

    /// Returns where deleted sessions are, whether or not there are any.
    pub(crate) fn trash_place(&self) -> PathBuf {
        self.data.join("trash")
    }

    /// Returns where the user's settings are, whether or not there are any.
    pub fn settings_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// Returns where the window keeps what it remembers of itself.
    pub fn window_place(&self) -> PathBuf {
        self.data.join("window")
    }

    /// Returns whether the user named the folder. All there is to keep is kept in it then (HL-1).
    pub fn is_named(&self) -> bool {
        self.named
    }

    /// Returns where the user's keys are, whether or not there are any.
    pub(crate) fn keys_file(&self) -> PathBuf {
        self.config.join("keys.toml")
    }

    /// Returns where the copies of the sample project are.
    pub(crate) fn samples_place(&self) -> PathBuf {
        self.data.join("demo")
    }

    /// Returns the folders that no tool may be given (PM-2).
    pub(crate) fn own_folders(&self) -> [&Path; 2] {
        [&self.data, &self.config]
    }
}

/// Returns the folder that a person means by what they typed: a `~` before it is their own folder.
pub fn typed_folder(text: &str) -> PathBuf {
    let own =
        text.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with(is_separator));
    match (own, etcetera::home_dir()) {
        (Some(rest), Ok(home)) => home.join(rest.trim_start_matches(is_separator)),
        (Some(_), Err(_)) | (None, _) => PathBuf::from(text),
    }
}

/// Returns a folder as a session names it, so that two spellings of one folder are one (SM-1).
pub fn same_folder(folder: &Path) -> Option<String> {
    Some(workspace::real_path(folder).ok()?.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::typed_folder;

    #[test]
    fn a_tilde_is_the_users_own_folder_only_where_a_path_begins_with_it() {
        let home = etcetera::home_dir().expect("the system names one");
        assert_eq!(typed_folder("~"), home);
        assert_eq!(typed_folder("~/src"), home.join("src"));
        for plain in ["/srv/~", "~you/src", "a~", ""] {
            assert_eq!(typed_folder(plain), PathBuf::from(plain));
        }
        assert!(typed_folder("~//etc").starts_with(Path::new(&home)));
    }
}
