//! The list of commands, and its TypeScript view: generated, checked in, compared here.

/// Collects the commands that TypeScript sees, for a runtime. A function that is generic over the
/// runtime does not compile.
macro_rules! typed_commands {
    ($runtime:ty) => {{
        use $crate::commands::{results, session, settings};
        tauri_specta::Builder::<$runtime>::new().disable_serde_phases().commands(
            tauri_specta::collect_commands![
                session::list_sessions,
                session::search,
                session::new_session,
                session::open_session,
                session::rename_session,
                session::archive_session,
                session::delete_session,
                session::copy_session,
                session::start_demo,
                session::demo_prompts,
                session::follow,
                session::unfollow,
                session::prompt,
                session::interrupt,
                session::stop_reading,
                session::answer,
                session::set_preset,
                session::choose_folder::<$runtime>,
                results::history,
                results::turn_result,
                results::turn_changes,
                results::pictures,
                results::message,
                results::tool_detail,
                settings::about,
                settings::open_link,
                settings::settings,
                settings::save_provider,
                settings::set_model,
                settings::save_key,
                settings::delete_key,
                settings::test_provider,
                settings::preferences::<$runtime>,
                settings::save_preferences::<$runtime>,
            ],
        )
    }};
}

/// Makes what answers every command: the typed ones, and those that answer in bytes.
macro_rules! handler {
    ($runtime:ty) => {{
        type Invoke = tauri::ipc::Invoke<$runtime>;
        let typed = $crate::bindings::typed_commands!($runtime).invoke_handler();
        let bytes: Box<dyn Fn(Invoke) -> bool + Send + Sync> = Box::new(tauri::generate_handler![
            $crate::commands::results::patch,
            $crate::commands::results::picture,
            $crate::commands::results::check_log,
        ]);
        move |invoke: Invoke| match invoke.message.command() {
            "patch" | "picture" | "check_log" => bytes(invoke),
            _ => typed(invoke),
        }
    }};
}

pub(crate) use {handler, typed_commands};

#[cfg(test)]
mod tests {
    use std::{env, error::Error, fs};

    use specta_typescript::Typescript;
    use tauri::Wry;

    const CHECKED_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../frontend/src/bindings.ts");
    const HEADER: &str =
        "// Generated from the crate `app`. `UPDATE_BINDINGS=1 cargo bindings` writes it.\n";

    /// `UPDATE_BINDINGS=1 cargo bindings` writes the file instead.
    #[test]
    fn bindings_are_current() -> Result<(), Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("bindings.ts");
        typed_commands!(Wry).export(Typescript::default().header(HEADER), &path)?;
        let fresh = fs::read_to_string(path)?;
        if env::var_os("UPDATE_BINDINGS").is_some() {
            fs::write(CHECKED_IN, &fresh)?;
        }
        let kept = fs::read_to_string(CHECKED_IN)?;
        assert!(fresh == kept, "bindings.ts is stale: UPDATE_BINDINGS=1 cargo bindings");
        Ok(())
    }
}
