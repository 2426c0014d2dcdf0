//! What is set up: the provider and its key, and how the window looks.

use protocol::{
    About, CommandError, ErrorKind, KeyPlace, Preferences, ProviderSetting, ProviderTest,
    SettingsView,
};
use tauri::{AppHandle, Runtime, Url};

use crate::{
    error::{Answer, Asked, internal},
    settings,
};

forward! {
    /// Chooses a provider from the next prompt on, and keeps the choice.
    save_provider(setting: ProviderSetting) -> SettingsView;

    /// Chooses a model of the chosen provider from the next prompt on.
    set_model(model: String) -> SettingsView;

    /// Tries a provider out, with a key that is not kept yet or, without one, with its own.
    test_provider(setting: ProviderSetting, key: Option<String>) -> ProviderTest;
}

/// Returns what this program is.
#[tauri::command]
#[specta::specta]
pub(crate) fn about() -> About {
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        signed: option_env!("EVIDENT_SIGNED").is_some(),
    }
}

/// Opens an address in the user's browser. Only a page of the web is opened.
#[tauri::command]
#[specta::specta]
pub(crate) fn open_link(url: &str) -> Answer<()> {
    let is_page = Url::parse(url).is_ok_and(|it| matches!(it.scheme(), "http" | "https"));
    if !is_page {
        let message = format!("{url} is no address of a web page");
        return Err(CommandError { kind: ErrorKind::BadRequest, message });
    }
    tauri_plugin_opener::open_url(url, None::<&str>).map_err(internal)
}

/// Returns what is set up, and what can be.
#[tauri::command]
#[specta::specta]
pub(crate) async fn settings(host: Asked<'_>) -> Answer<SettingsView> {
    Ok(host.settings().await)
}

/// Keeps a key, and answers where it is now. A key is never read back.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_key(host: Asked<'_>, provider: String, key: String) -> Answer<KeyPlace> {
    Ok(host.save_key(&provider, key).await?)
}

/// Forgets a kept key.
#[tauri::command]
#[specta::specta]
pub(crate) async fn delete_key(host: Asked<'_>, provider: String) -> Answer<SettingsView> {
    Ok(host.delete_key(&provider).await?)
}

/// Returns how the window looks.
#[tauri::command]
#[specta::specta]
pub(crate) fn preferences<R: Runtime>(app: AppHandle<R>) -> Preferences {
    settings::preferences(&app)
}

/// Remembers how the window looks.
#[tauri::command]
#[specta::specta]
pub(crate) fn save_preferences<R: Runtime>(
    app: AppHandle<R>,
    preferences: Preferences,
) -> Answer<()> {
    settings::store_preferences(&app, &preferences)
}
