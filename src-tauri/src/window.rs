//! The one window: how it opens, and what it remembers of its size.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use host::Home;
use serde::{Deserialize, Serialize};
use tauri::{
    AppHandle, Config, LogicalSize, Manager as _, Runtime, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder,
};

use crate::settings;

/// The label of the window, which the capabilities name.
const MAIN: &str = "main";
/// Where Vite puts the page.
const PAGE: &str = "frontend/index.html";
/// What is remembered of the window stands under this name.
const FRAME: &str = "window";

/// The window's size. Where it stands is the window manager's business.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Frame {
    width: f64,
    height: f64,
    maximized: bool,
}

const FIRST: Frame = Frame { width: 1280.0, height: 820.0, maximized: false };
const LEAST: (f64, f64) = (880.0, 560.0);

/// Gives the programs of a home that the user named a name of their own: a second one of the same
/// home finds the first, and no other (AN-8).
pub(crate) fn name_instance(config: &mut Config, home: &Home) {
    if home.is_named() {
        let mut hasher = DefaultHasher::new();
        home.window_place().hash(&mut hasher);
        config.identifier.push_str(&format!(".h{:016x}", hasher.finish()));
    }
}

/// Opens the window. Its page can neither leave nor open another.
///
/// # Errors
///
/// What the system says if it shows none.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let frame: Frame = settings::stored(app, FRAME).unwrap_or(FIRST);
    let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App(PAGE.into()))
        .title("Evident")
        .inner_size(frame.width.max(LEAST.0), frame.height.max(LEAST.1))
        .min_inner_size(LEAST.0, LEAST.1)
        .maximized(frame.maximized)
        .data_directory(app.state::<Home>().window_place().join("webview"))
        .on_navigation(|url| url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost"))
        .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny)
        .build()?;
    settings::show_as(&window, &settings::preferences(app))
}

/// Brings the window to the front.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN) {
        // A window manager that refuses leaves it where it is.
        drop((window.unminimize(), window.show(), window.set_focus()));
    }
}

/// Remembers the window's size, and hides it.
pub(crate) fn remember_and_hide<R: Runtime>(app: &AppHandle<R>) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    if let Ok(frame) = frame(app, &window)
        && settings::store(app, FRAME, &frame).is_err()
    {
        tracing::warn!("the window's size could not be kept");
    }
    drop(window.hide());
}

/// Returns the window's size; while it is maximized, the size that it had before.
fn frame<R: Runtime>(app: &AppHandle<R>, window: &WebviewWindow<R>) -> tauri::Result<Frame> {
    if window.is_maximized()? {
        let before = settings::stored(app, FRAME).unwrap_or(FIRST);
        return Ok(Frame { maximized: true, ..before });
    }
    let size: LogicalSize<f64> = window.inner_size()?.to_logical(window.scale_factor()?);
    Ok(Frame { width: size.width, height: size.height, maximized: false })
}
