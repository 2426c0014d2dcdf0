//! Which provider flags, environment and settings mean together, and with which key (HL-2).

use std::{env, path::Path};

use protocol::{KeyPlace, ProviderSetting};
use provider::{ApiKey, CatalogEntry, Endpoint, catalog};

use crate::{
    ProviderChoice, SettingsError,
    keys::Keys,
    settings::{self, KEY_VARIABLE},
};

/// Where variables are looked up.
pub(crate) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Looks a variable up in the environment.
pub(crate) fn environment(name: &str) -> Option<String> {
    env::var(name).ok().filter(|it| !it.is_empty())
}

/// Which provider flags, environment and settings mean together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) entry: &'static CatalogEntry,
    pub(crate) base_url: String,
    /// Missing where nothing names one and the catalogue knows none.
    pub(crate) model: Option<String>,
    key_variable: Option<Named>,
}

/// A variable that was named to hold the key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Named {
    /// By a flag: then it must hold one.
    Demanded(String),
    /// By the settings: then a kept key stands in for it.
    Expected(String),
}

/// Says which provider is meant.
///
/// Reads the user's settings only where flags and environment leave something open.
///
/// # Errors
///
/// [`SettingsError`] says what is missing, and the words that add it.
pub(crate) fn target(
    choice: &ProviderChoice,
    file: &Path,
    variable: Variables<'_>,
) -> Result<Target, SettingsError> {
    let or = |given: &Option<String>, name: &str| given.clone().or_else(|| variable(name));
    let mut name = or(&choice.provider, "EVIDENT_PROVIDER");
    let mut base_url = or(&choice.base_url, "EVIDENT_BASE_URL");
    let mut model = or(&choice.model, "EVIDENT_MODEL");
    let mut key_variable = choice.api_key_env.clone().map(Named::Demanded);
    // Settings belong together: those of one provider are not mixed with the address of another.
    if name.is_none() && base_url.is_none() {
        let settings = settings::user(file)?.provider;
        (name, base_url) = (settings.name, settings.base_url);
        model = model.or(settings.model);
        key_variable = key_variable.or(settings.api_key_env.map(Named::Expected));
    }
    let entry = match (&name, &base_url) {
        (Some(name), _) => known(name)?,
        (None, Some(url)) => catalog::for_base_url(url),
        (None, None) => {
            let (known, file) = (known_providers(), file.to_owned());
            return Err(SettingsError::NoProvider { known, file });
        }
    };
    let base_url = address(entry, base_url)?;
    Ok(Target { entry, base_url, model: model.or_else(|| usual_model(entry)), key_variable })
}

/// Says which provider a setting means.
///
/// # Errors
///
/// [`SettingsError::UnknownProvider`], [`SettingsError::NoBaseUrl`].
pub(crate) fn target_of(setting: &ProviderSetting) -> Result<Target, SettingsError> {
    let entry = known(&setting.provider)?;
    let base_url = address(entry, setting.base_url.clone())?;
    let model = setting.model.clone().or_else(|| usual_model(entry));
    Ok(Target { entry, base_url, model, key_variable: None })
}

impl Target {
    /// Returns the same as a setting, with nothing left open that is known.
    pub(crate) fn setting(&self) -> ProviderSetting {
        ProviderSetting {
            provider: self.entry.id.to_owned(),
            base_url: Some(self.base_url.clone()),
            model: self.model.clone(),
        }
    }

    /// Returns the endpoint, with its key.
    ///
    /// # Errors
    ///
    /// [`SettingsError::NoModel`], [`SettingsError::NoKey`], [`SettingsError::KeyMissing`];
    /// [`SettingsError`] if a kept key cannot be had.
    pub(crate) fn endpoint(
        &self,
        keys: &Keys,
        variable: Variables<'_>,
    ) -> Result<Endpoint, SettingsError> {
        let no_model = || SettingsError::NoModel { example: "NAME".to_owned() };
        let model = self.model.clone().ok_or_else(no_model)?;
        let key = self.key(keys, variable)?;
        if let (None, Some(name)) = (&key, self.key_demanded()) {
            return Err(SettingsError::KeyMissing {
                provider: self.entry.name.to_owned(),
                variable: name.to_owned(),
            });
        }
        Ok(Endpoint { entry: self.entry, base_url: self.base_url.clone(), model, key })
    }

    /// Returns the variable of a provider that takes nothing without a key. What somebody puts at
    /// another address may take anything.
    fn key_demanded(&self) -> Option<&'static str> {
        self.entry.key_variable.filter(|_| self.entry.base_url == Some(self.base_url.as_str()))
    }

    /// Returns the key: from the variable that was named, from ours, from the provider's usual one,
    /// or the one that was kept.
    pub(crate) fn key(
        &self,
        keys: &Keys,
        variable: Variables<'_>,
    ) -> Result<Option<ApiKey>, SettingsError> {
        if let Some(key) = self.key_in(variable) {
            return Ok(ApiKey::new(&key));
        }
        let no_key = |name: &String| Err(SettingsError::NoKey { variable: name.clone() });
        let kept = match (&self.key_variable, self.account()) {
            (Some(Named::Demanded(name)), _) => return no_key(name),
            (Some(Named::Expected(_)) | None, Some(account)) => keys.find(&account)?,
            (Some(Named::Expected(_)) | None, None) => None,
        };
        match &self.key_variable {
            Some(Named::Expected(name)) if kept.is_none() => no_key(name),
            Some(Named::Expected(_) | Named::Demanded(_)) | None => Ok(kept),
        }
    }

    /// Returns where the key is, without looking at a kept one.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if the file of the keys cannot be read.
    pub(crate) fn key_place(
        &self,
        keys: &Keys,
        variable: Variables<'_>,
    ) -> Result<Option<KeyPlace>, SettingsError> {
        if self.key_in(variable).is_some() {
            return Ok(Some(KeyPlace::Environment));
        }
        match (&self.key_variable, self.account()) {
            (Some(Named::Demanded(_)), _) | (_, None) => Ok(None),
            (Some(Named::Expected(_)) | None, Some(account)) => keys.place(&account),
        }
    }

    /// Returns the key that stands in a variable.
    fn key_in(&self, variable: Variables<'_>) -> Option<String> {
        let held = |name: &str| variable(name).filter(|it| !it.trim().is_empty());
        match &self.key_variable {
            Some(Named::Demanded(name) | Named::Expected(name)) => held(name),
            None => held(KEY_VARIABLE).or_else(|| self.entry.key_variable.and_then(held)),
        }
    }

    /// Returns whom a kept key is for; `None` if the address cannot be used.
    pub(crate) fn account(&self) -> Option<String> {
        provider::origin(&self.base_url).ok()
    }
}

pub(crate) fn known(name: &str) -> Result<&'static CatalogEntry, SettingsError> {
    let unknown =
        || SettingsError::UnknownProvider { name: name.to_owned(), known: known_providers() };
    catalog::entry(name).ok_or_else(unknown)
}

fn usual_model(entry: &CatalogEntry) -> Option<String> {
    entry.models.first().map(|it| it.name.to_owned())
}

fn address(entry: &CatalogEntry, given: Option<String>) -> Result<String, SettingsError> {
    let base_url = given.or_else(|| entry.base_url.map(str::to_owned));
    base_url.ok_or_else(|| SettingsError::NoBaseUrl { name: entry.id.to_owned() })
}

fn known_providers() -> String {
    catalog::entries().iter().map(|it| it.id).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
