//! TOML files: read whole in whatever encoding they are, changed in place, and replaced whole
//! (EN-8).

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::Path,
};

use protocol::Limits;
use tempfile::NamedTempFile;
use toml_edit::DocumentMut;
use workspace::DecodedText;

use crate::SettingsError;

/// What a file holds, as far as it matters for who may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Settings,
    /// Then only the user may read it, and no error repeats a line of it.
    Secrets,
}

/// Most bytes of a file that is settings.
const MOST_BYTES: u64 = 1 << 20;

/// Returns a file's text, as LF lines; `None` if there is none.
///
/// # Errors
///
/// [`SettingsError::Unreadable`]; [`SettingsError::Invalid`] if it is no text, or over 1 MiB.
pub(crate) fn text(file: &Path) -> Result<Option<String>, SettingsError> {
    Ok(decoded(file)?.map(|it| workspace::plain(it.text()).into_owned()))
}

fn decoded(file: &Path) -> Result<Option<DecodedText>, SettingsError> {
    let bytes = match read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(SettingsError::Unreadable { file: file.to_owned(), source }),
    };
    if MOST_BYTES < bytes.len() as u64 {
        return Err(invalid(file, "it is larger than 1 MiB".to_owned()));
    }
    let decoded = workspace::decode(&bytes, &Limits::default());
    decoded.map(Some).map_err(|not_text| invalid(file, not_text.to_string()))
}

/// Reads a file, and at most one byte more than is taken.
fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(file)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns a file as a document; an empty one if there is none.
///
/// # Errors
///
/// As [`text`]; [`SettingsError::Invalid`] names the line if it is not TOML.
pub(crate) fn document(file: &Path, holds: Holds) -> Result<DocumentMut, SettingsError> {
    parsed(file, &text(file)?.unwrap_or_default(), holds)
}

fn parsed(file: &Path, text: &str, holds: Holds) -> Result<DocumentMut, SettingsError> {
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
/// As [`document`], or [`SettingsError::Invalid`] if the file's encoding cannot hold the change: it
/// is left as it is. [`SettingsError::Unwritable`].
pub(crate) fn edit(
    file: &Path,
    holds: Holds,
    change: impl FnOnce(&mut DocumentMut),
) -> Result<(), SettingsError> {
    let old = decoded(file)?;
    let text = old.as_ref().map(|it| workspace::plain(it.text())).unwrap_or_default();
    let mut document = parsed(file, &text, holds)?;
    change(&mut document);
    let text = document.to_string();
    let bytes = match &old {
        Some(old) => in_the_form_of(old, text).map_err(|error| invalid(file, error.to_string()))?,
        None => text.into_bytes(),
    };
    replace(file, holds, &bytes)
        .map_err(|source| SettingsError::Unwritable { file: file.to_owned(), source })
}

/// Says a text as the file says its own: in its encoding, with its line ends.
fn in_the_form_of(old: &DecodedText, text: String) -> Result<Vec<u8>, workspace::NotEncoded> {
    let ends = old.text().matches('\n').count();
    let crlf = old.text().matches("\r\n").count();
    old.encode(&if 0 < crlf && crlf == ends { text.replace('\n', "\r\n") } else { text })
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
