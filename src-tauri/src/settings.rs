//! What the window remembers of itself. The host's settings are the host's.

use std::{ops::RangeInclusive, sync::Arc};

use host::Home;
use protocol::{Preferences, Theme};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use tauri::{AppHandle, Manager as _, Runtime, WebviewWindow};
use tauri_plugin_store::{Store, StoreBuilder};

use crate::error::{Answer, internal};

/// What is remembered of the page stands under this name.
const PAGE: &str = "preferences";

/// Smaller or larger than this nothing could be read, or reached.
const ZOOM_PERCENT: RangeInclusive<u32> = 50..=200;

/// Shows the window as it is to be: its frame by the theme, its page by the zoom.
///
/// # Errors
///
/// What the system says.
pub(crate) fn show_as<R: Runtime>(
    window: &WebviewWindow<R>,
    preferences: &Preferences,
) -> tauri::Result<()> {
    let theme = match preferences.theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    };
    window.set_theme(theme)?;
    let (least, most) = ZOOM_PERCENT.into_inner();
    window.set_zoom(f64::from(preferences.zoom_percent.clamp(least, most)) / 100.0)
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
        show_as(window, preferences).map_err(internal)?;
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
