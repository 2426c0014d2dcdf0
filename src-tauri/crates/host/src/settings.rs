//! Settings: the user's `config.toml`, and the project's.

use std::{
    io,
    path::{Path, PathBuf},
};

use protocol::ProviderSetting;
use provider::catalog;
use serde::Deserialize;
use thiserror::Error;

use crate::{
    target,
    toml_file::{self, Holds},
};

/// The variable that holds the key, whatever the provider.
pub(crate) const KEY_VARIABLE: &str = "EVIDENT_API_KEY";

/// Which provider a caller asks for. What is `None` comes from the environment, then from the
/// user's settings, then from the catalogue (HL-2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderChoice {
    /// A catalogue entry, such as `deepseek`.
    pub provider: Option<String>,
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// The name of the variable that holds the key. Never the key.
    pub api_key_env: Option<String>,
}

/// What is wrong with the settings.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// Nothing names a provider.
    #[error("no provider is set up: give --base-url and --model, or --provider with one of {known}, or write [provider] into {}", file.display())]
    NoProvider { known: String, file: PathBuf },
    /// The name is not in the catalogue.
    #[error("there is no provider {name:?}; known are {known}, and --base-url takes any other")]
    UnknownProvider { name: String, known: String },
    /// The catalogue entry has no address of its own.
    #[error("--provider {name} needs --base-url as well")]
    NoBaseUrl { name: String },
    /// Nothing names a model.
    #[error("no model is named: give --model, for example --model {example}")]
    NoModel { example: String },
    /// The variable that was named holds nothing.
    #[error("the variable {variable} that should hold the key is not set")]
    NoKey { variable: String },
    /// A provider of the catalogue takes nothing without a key, and there is none.
    #[error(
        "{provider} wants a key and there is none: set {variable}, or keep a key in the window's settings"
    )]
    KeyMissing { provider: String, variable: String },
    /// A settings file is not what it must be.
    #[error("{} is not valid: {message}; correct it, or move it away", file.display())]
    Invalid { file: PathBuf, message: String },
    /// A settings file cannot be read.
    #[error("{} cannot be read: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    /// A settings file cannot be written.
    #[error("{} cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: io::Error },
    /// The keychain does not do what it was asked to.
    #[error("the keychain cannot be used: {why}; unlock it and try again, or set {KEY_VARIABLE}")]
    Keychain { why: String },
    /// There is no key in what was given as one.
    #[error("there is no key to keep; paste one")]
    NoKeyGiven,
}

/// The user's settings, as far as there are any.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UserSettings {
    #[serde(default)]
    pub(crate) provider: ProviderSettings,
}

/// The `[provider]` table of the user's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderSettings {
    pub(crate) name: Option<String>,
    pub(crate) base_url: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) api_key_env: Option<String>,
}

/// The project's settings, `.evident/config.toml`.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProjectSettings {
    /// Commands that are checks (AN-20).
    #[serde(default)]
    pub(crate) checks: Vec<String>,
}

/// Reads the user's settings; a missing file is no setting.
///
/// # Errors
///
/// [`SettingsError`] if there is a file and it cannot be used.
pub(crate) fn user(file: &Path) -> Result<UserSettings, SettingsError> {
    read(file)
}

/// Reads the project's settings; a missing file is no setting.
///
/// # Errors
///
/// [`SettingsError`] if there is a file and it cannot be used.
pub(crate) fn project(workspace: &Path) -> Result<ProjectSettings, SettingsError> {
    read(&workspace.join(".evident").join("config.toml"))
}

fn read<T: Default + for<'de> Deserialize<'de>>(file: &Path) -> Result<T, SettingsError> {
    let Some(text) = toml_file::text(file)? else { return Ok(T::default()) };
    toml::from_str(&text).map_err(|error| SettingsError::Invalid {
        file: file.to_owned(),
        message: error.to_string().trim_end().to_owned(),
    })
}

/// Returns the variables that no command of the model may see (AN-13, PM-10): also the one that
/// the settings name, as far as they can be read.
pub(crate) fn hidden_variables(choice: &ProviderChoice, file: &Path) -> Vec<String> {
    let catalogue = catalog::key_variables().map(str::to_owned);
    let settings = user(file).unwrap_or_default().provider.api_key_env;
    let named = choice.api_key_env.iter().cloned().chain(settings);
    [KEY_VARIABLE.to_owned()].into_iter().chain(named).chain(catalogue).collect()
}

/// Writes a provider into the user's settings, and keeps what else stands there.
///
/// # Errors
///
/// [`SettingsError::Invalid`] if the file is broken: it is left as it is.
/// [`SettingsError::Unreadable`], [`SettingsError::Unwritable`].
pub(crate) fn save(file: &Path, setting: &ProviderSetting) -> Result<(), SettingsError> {
    let old = user(file)?.provider;
    let entry = target::known(&setting.provider)?;
    // An address that the catalogue knows is left to it.
    let base_url = setting.base_url.as_deref().filter(|it| Some(*it) != entry.base_url);
    let same = old.name.as_deref() == Some(entry.id) && old.base_url.as_deref() == base_url;
    toml_file::edit(file, Holds::Settings, |document| {
        let table = document.entry("provider").or_insert(toml_edit::table());
        let Some(table) = table.as_table_like_mut() else { return };
        put(table, "name", Some(entry.id));
        put(table, "base_url", base_url);
        put(table, "model", setting.model.as_deref());
        if !same {
            // It held the key of another provider.
            table.remove("api_key_env");
        }
    })
}

/// Sets a text, or removes it; a comment behind it stays.
fn put(table: &mut dyn toml_edit::TableLike, name: &str, text: Option<&str>) {
    let old = table.get_mut(name).and_then(toml_edit::Item::as_value_mut);
    match (text, old) {
        (Some(text), Some(old)) => {
            let decor = old.decor().clone();
            *old = text.into();
            *old.decor_mut() = decor;
        }
        (Some(text), None) => {
            table.insert(name, toml_edit::value(text));
        }
        (None, _) => {
            table.remove(name);
        }
    }
}

#[cfg(test)]
mod tests;
