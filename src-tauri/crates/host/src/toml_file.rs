//! TOML files: read whole, changed in place, and replaced whole.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use tempfile::NamedTempFile;
use toml_edit::DocumentMut;

use crate::SettingsError;

/// What a file holds, as far as it matters for who may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Settings,
    /// Then only the user may read it, and no error repeats a line of it.
    Secrets,
}

/// Returns a file's text; `None` if there is none.
///
/// # Errors
///
/// [`SettingsError::Unreadable`]; [`SettingsError::Invalid`] if it is not UTF-8.
pub(crate) fn text(file: &Path) -> Result<Option<String>, SettingsError> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(SettingsError::Unreadable { file: file.to_owned(), source }),
    };
    let text = String::from_utf8(bytes).map_err(|_| invalid(file, "it is not UTF-8".to_owned()))?;
    Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
}

/// Returns a file as a document; an empty one if there is none.
///
/// # Errors
///
/// As [`text`]; [`SettingsError::Invalid`] names the line if it is not TOML.
pub(crate) fn document(file: &Path, holds: Holds) -> Result<DocumentMut, SettingsError> {
    let text = text(file)?.unwrap_or_default();
    text.parse().map_err(|error: toml_edit::TomlError| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        invalid(
            file,
            match holds {
                Holds::Settings => error.to_string().trim_end().to_owned(),
                Holds::Secrets => format!("line {line} is not TOML"),
            },
        )
    })
}

/// Changes a file and keeps whatever else stands in it. It is replaced whole, or not at all.
///
/// # Errors
///
/// As [`document`]: a broken file is left as it is. [`SettingsError::Unwritable`].
pub(crate) fn edit(
    file: &Path,
    holds: Holds,
    change: impl FnOnce(&mut DocumentMut),
) -> Result<(), SettingsError> {
    let mut document = document(file, holds)?;
    change(&mut document);
    replace(file, holds, document.to_string().as_bytes())
        .map_err(|source| SettingsError::Unwritable { file: file.to_owned(), source })
}

/// Replaces a file; where it is a link, what it leads to.
fn replace(file: &Path, holds: Holds, contents: &[u8]) -> io::Result<()> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Made for the user alone.
    let mut fresh = NamedTempFile::new_in(folder)?;
    fresh.write_all(contents)?;
    if let (Holds::Settings, Ok(old)) = (holds, fs::metadata(&file)) {
        fresh.as_file().set_permissions(old.permissions())?;
    }
    fresh.as_file().sync_all()?;
    fresh.persist(&file)?;
    #[cfg(unix)]
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

fn invalid(file: &Path, message: String) -> SettingsError {
    SettingsError::Invalid { file: file.to_owned(), message }
}
