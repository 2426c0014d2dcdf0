//! What the page can ask for. Each command names a call of the host, does nothing else, and fails as
//! that does.

/// Makes commands of calls of the host that have the same name and take the same.
macro_rules! forward {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)*) => {$(
        $(#[$doc])*
        #[tauri::command]
        #[specta::specta]
        pub(crate) async fn $name(
            host: $crate::error::Asked<'_>,
            $($argument: $of),*
        ) -> $crate::error::Answer<$answer> {
            Ok(host.$name($($argument),*).await?)
        }
    )*};
}

pub(crate) mod results;
pub(crate) mod session;
pub(crate) mod settings;
