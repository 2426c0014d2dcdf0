//! Settings: the user's `config.toml`, the project's, and which provider is meant.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use provider::{ApiKey, CatalogEntry, Endpoint, catalog};
use serde::Deserialize;
use thiserror::Error;

/// The variable that holds the key, whatever the provider.
const KEY_VARIABLE: &str = "EVIDENT_API_KEY";

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
    /// A settings file is not what it must be.
    #[error("{} is not valid: {message}; correct it, or move it away", file.display())]
    Invalid { file: PathBuf, message: String },
    /// A settings file cannot be read.
    #[error("{} cannot be read: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
}

/// The user's settings, as far as there are any.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct UserSettings {
    #[serde(default)]
    provider: ProviderSettings,
}

/// The `[provider]` table of the user's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProviderSettings {
    name: Option<String>,
    base_url: Option<String>,
    model: Option<String>,
    api_key_env: Option<String>,
}

/// The project's settings, `.evident/config.toml`.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProjectSettings {
    /// Commands that are checks (AN-20).
    #[serde(default)]
    pub(crate) checks: Vec<String>,
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
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(T::default()),
        Err(source) => return Err(SettingsError::Unreadable { file: file.to_owned(), source }),
    };
    let invalid = |message: String| SettingsError::Invalid { file: file.to_owned(), message };
    let text = String::from_utf8(bytes).map_err(|_| invalid("it is not UTF-8".to_owned()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    toml::from_str(text).map_err(|error| invalid(error.to_string().trim_end().to_owned()))
}

/// Says which endpoint is meant, and with which key.
///
/// Reads the user's settings only where flags and environment leave something open.
///
/// # Errors
///
/// [`SettingsError`] says what is missing, and the words that add it.
pub(crate) fn endpoint(choice: &ProviderChoice, file: &Path) -> Result<Endpoint, SettingsError> {
    let variable = |name: &str| env::var(name).ok().filter(|it| !it.is_empty());
    let or = |given: &Option<String>, name: &str| given.clone().or_else(|| variable(name));
    let mut name = or(&choice.provider, "EVIDENT_PROVIDER");
    let mut base_url = or(&choice.base_url, "EVIDENT_BASE_URL");
    let mut model = or(&choice.model, "EVIDENT_MODEL");
    let mut key_variable = choice.api_key_env.clone();
    // Settings belong together: those of one provider are not mixed with the address of another.
    if name.is_none() && base_url.is_none() {
        let settings = read::<UserSettings>(file)?.provider;
        (name, base_url) = (settings.name, settings.base_url);
        model = model.or(settings.model);
        key_variable = key_variable.or(settings.api_key_env);
    }
    let entry = match (&name, &base_url) {
        (Some(name), _) => catalog::entry(name).ok_or_else(|| SettingsError::UnknownProvider {
            name: name.clone(),
            known: known_providers(),
        })?,
        (None, Some(url)) => catalog::for_base_url(url),
        (None, None) => {
            let (known, file) = (known_providers(), file.to_owned());
            return Err(SettingsError::NoProvider { known, file });
        }
    };
    let base_url = base_url.or_else(|| entry.base_url.map(str::to_owned));
    let base_url =
        base_url.ok_or_else(|| SettingsError::NoBaseUrl { name: entry.id.to_owned() })?;
    let model = model.or_else(|| entry.models.first().map(|it| it.name.to_owned()));
    let model = model.ok_or_else(|| SettingsError::NoModel { example: "NAME".to_owned() })?;
    let key = key(entry, key_variable.as_deref(), variable)?;
    Ok(Endpoint { entry, base_url, model, key })
}

/// Returns the key: from the variable that was named, from ours, or from the provider's usual one.
fn key(
    entry: &CatalogEntry,
    named: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<ApiKey>, SettingsError> {
    if let Some(name) = named {
        let missing = || SettingsError::NoKey { variable: name.to_owned() };
        let key = variable(name).and_then(|key| ApiKey::new(&key));
        return key.map(Some).ok_or_else(missing);
    }
    let usual = || entry.key_variable.and_then(&variable);
    Ok(variable(KEY_VARIABLE).or_else(usual).and_then(|key| ApiKey::new(&key)))
}

fn known_providers() -> String {
    catalog::entries().iter().map(|it| it.id).collect::<Vec<_>>().join(", ")
}

/// Returns the variables that no command of the model may see (AN-13, PM-10).
pub(crate) fn hidden_variables(choice: &ProviderChoice) -> Vec<String> {
    let catalogue = catalog::key_variables().map(str::to_owned);
    let named = choice.api_key_env.iter().cloned();
    [KEY_VARIABLE.to_owned()].into_iter().chain(named).chain(catalogue).collect()
}
