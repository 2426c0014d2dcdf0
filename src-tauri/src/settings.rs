//! What the window remembers of itself. The host's settings are the host's.

use std::sync::Arc;

use host::Home;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use specta::Type;
use tauri::{AppHandle, Manager as _, Runtime};
use tauri_plugin_store::{Store, StoreBuilder};

use crate::error::{Answer, internal};

/// What is remembered of the page stands under this name.
const PAGE: &str = "preferences";

/// How the page is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Preferences {
    pub(crate) theme: Theme,
    /// `null` follows the system.
    pub(crate) language: Option<Language>,
    pub(crate) sidebar_open: bool,
    pub(crate) inspector_open: bool,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Theme {
    System,
    Light,
    Dark,
}

/// A language that the page speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh")]
    Chinese,
    #[serde(rename = "zh-TW")]
    TraditionalChinese,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { theme: Theme::System, language: None, sidebar_open: true, inspector_open: false }
    }
}

impl Theme {
    /// Returns the theme of what the system draws; `None` is the system's own.
    pub(crate) fn of_the_window(self) -> Option<tauri::Theme> {
        match self {
            Self::System => None,
            Self::Light => Some(tauri::Theme::Light),
            Self::Dark => Some(tauri::Theme::Dark),
        }
    }
}

/// Returns the preferences. What was stored by another version, or not at all, is the default.
pub(crate) fn preferences<R: Runtime>(app: &AppHandle<R>) -> Preferences {
    let known = serde_json::to_value(Preferences::default());
    let (Ok(Value::Object(mut all)), Some(Value::Object(old))) = (known, stored(app, PAGE)) else {
        return Preferences::default();
    };
    all.extend(old);
    serde_json::from_value(Value::Object(all)).unwrap_or_default()
}

/// Stores the preferences; kind `internal` if they cannot be written.
pub(crate) fn store_preferences<R: Runtime>(
    app: &AppHandle<R>,
    preferences: &Preferences,
) -> Answer<()> {
    for window in app.webview_windows().values() {
        window.set_theme(preferences.theme.of_the_window()).map_err(internal)?;
    }
    store(app, PAGE, preferences)
}

/// Returns what is stored under a name, if it is still what it was.
pub(crate) fn stored<R: Runtime, T: DeserializeOwned>(app: &AppHandle<R>, name: &str) -> Option<T> {
    serde_json::from_value(file(app).ok()?.get(name)?).ok()
}

/// Stores a value under a name; kind `internal` if it cannot be written.
pub(crate) fn store<R: Runtime>(
    app: &AppHandle<R>,
    name: &str,
    value: &impl Serialize,
) -> Answer<()> {
    let file = file(app)?;
    file.set(name, serde_json::to_value(value).map_err(internal)?);
    file.save().map_err(internal)
}

/// Returns the one file; below `EVIDENT_HOME` where that is set (AN-7).
fn file<R: Runtime>(app: &AppHandle<R>) -> Answer<Arc<Store<R>>> {
    let path = app.state::<Home>().window_place().join("preferences.json");
    StoreBuilder::new(app, path).disable_auto_save().build().map_err(internal)
}
