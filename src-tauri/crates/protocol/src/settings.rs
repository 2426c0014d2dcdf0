//! The words of the settings page: what is set up, what can be, and how a trial went.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::TurnFailure;

/// Which provider is meant. What is `null` is left to the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProviderSetting {
    /// An entry of the catalogue, such as `deepseek`, or `custom`.
    pub provider: String,
    pub base_url: Option<String>,
    pub model: Option<String>,
}

/// What is set up, and what can be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SettingsView {
    /// What the next prompt goes to, with nothing left to the catalogue but a model that it does
    /// not know; `null` until a provider was chosen.
    pub provider: Option<ProviderSetting>,
    /// Where the key of that provider is; `null` if there is none.
    pub key: Option<KeyPlace>,
    /// Whether the settings file says the same, so that it is so after a restart too. Else the
    /// environment decides, or a choice that could not be kept.
    pub saved: bool,
    /// What is wrong with what is set up, in one sentence that says what to do.
    pub problem: Option<String>,
    pub catalog: Vec<CatalogView>,
    /// Where a key would go that is saved now.
    pub keys_go_to: KeyPlace,
    /// The settings file, for people.
    pub file: String,
}

/// One provider that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CatalogView {
    pub id: String,
    pub name: String,
    /// `null` where only the user knows.
    pub base_url: Option<String>,
    pub needs_key: bool,
    /// Where a key for its own address is; `null` if there is none.
    pub key: Option<KeyPlace>,
    /// The default first; empty where only the user knows. Others may be named.
    pub models: Vec<ModelView>,
}

/// One model of a provider. What is `null` is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ModelView {
    pub id: String,
    pub context_tokens: Option<u32>,
}

/// Where a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlace {
    /// In a variable of the environment.
    Environment,
    /// In the system's keychain.
    Keychain,
    /// In a file that only the user can read.
    File,
}

/// How a trial of a provider went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "is")]
pub enum ProviderTest {
    /// It answered, and took the key.
    Answered {
        model: Option<String>,
        duration_ms: u32,
        /// The models it has, at most 1,000; `null` where it does not tell.
        models: Option<Vec<String>>,
        /// Whether the model is one of them; `null` where that is not known.
        has_model: Option<bool>,
    },
    Failed {
        failure: TurnFailure,
    },
}
