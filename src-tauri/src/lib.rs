//! The window: commands in, one feed out. It decides nothing; the host does.

mod bindings;
mod close;
mod commands;
mod error;
mod feed;
mod settings;
mod window;

use std::{error::Error, process::ExitCode};

use host::{Approvals, Home, Host, HostOptions, ProviderChoice, random_ids, system_clock};
use protocol::Limits;
use tauri::{Manager as _, RunEvent, WindowEvent, Wry};

use crate::{bindings::handler, close::Closing, feed::Feeds};

/// Runs until the window is closed.
pub fn run() -> ExitCode {
    let Err(error) = try_run() else { return ExitCode::SUCCESS };
    eprintln!("evident-desktop: {error}");
    ExitCode::FAILURE
}

fn try_run() -> Result<(), Box<dyn Error>> {
    let home = Home::choose(std::env::var_os("EVIDENT_HOME").map(Into::into))?;
    let mut context = tauri::generate_context!();
    window::name_instance(context.config_mut(), &home);
    let builder = tauri::Builder::<Wry>::new()
        // First, so that a second program ends before it does anything.
        .plugin(tauri_plugin_single_instance::init(|app, _, _| window::show(app)))
        .plugin(tauri_plugin_store::Builder::new().build())
        .plugin(tauri_plugin_dialog::init())
        .manage(host(home.clone()))
        .manage(home)
        .manage(Feeds::default())
        .manage(Closing::default())
        .invoke_handler(handler!(Wry))
        .on_page_load(|webview, page| {
            if page.event() == tauri::webview::PageLoadEvent::Started {
                webview.state::<Feeds>().stop_all();
            }
        })
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event {
                api.prevent_close();
                close::close(window.app_handle());
            }
        })
        .setup(|app| {
            #[cfg(unix)]
            close::close_on_signal(app.handle());
            Ok(window::open(app.handle())?)
        });
    builder.build(context)?.run(|app, event| {
        if let RunEvent::ExitRequested { api, code: None, .. } = event {
            api.prevent_exit();
            close::close(app);
        }
    });
    Ok(())
}

fn host(home: Home) -> Host {
    Host::new(HostOptions {
        home,
        clock: system_clock(),
        ids: random_ids(),
        limits: Limits::default(),
        provider: ProviderChoice::default(),
        approvals: Approvals::Ask,
    })
}

#[cfg(test)]
mod tests;
