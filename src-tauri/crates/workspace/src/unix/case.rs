//! Names as a folder has them, where the system does not say.

use std::{
    cmp::Reverse,
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::fs::MetadataExt,
    path::Path,
};

/// Returns the name as the folder has it, where the folder does not tell cases apart.
pub(crate) fn settled_name(folder: &Path, name: &OsStr) -> io::Result<OsString> {
    let Some(other_case) = name.to_str().and_then(swap_case) else { return Ok(name.to_owned()) };
    let identity = |path: &Path| fs::symlink_metadata(path).map(|it| (it.dev(), it.ino()));
    let this = identity(&folder.join(name))?;
    if !identity(&folder.join(other_case)).is_ok_and(|other| other == this) {
        return Ok(name.to_owned());
    }
    let same = |it: &OsString| identity(&folder.join(it)).is_ok_and(|other| other == this);
    let lower = |it: &OsStr| it.to_string_lossy().to_lowercase();
    let names = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.file_name()));
    let settled = names
        .filter(|it| lower(it) == lower(name))
        .filter(same)
        .max_by_key(|it| (it == name, Reverse(it.clone())));
    Ok(settled.unwrap_or_else(|| name.to_owned()))
}

/// Returns the name with the case of its first letter swapped, if it has a letter with a case.
fn swap_case(name: &str) -> Option<String> {
    name.char_indices().find_map(|(at, letter)| {
        let swapped: String = if letter.is_lowercase() {
            letter.to_uppercase().collect()
        } else {
            letter.to_lowercase().collect()
        };
        let rest = &name[at + letter.len_utf8()..];
        (swapped != letter.to_string()).then(|| format!("{}{swapped}{rest}", &name[..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_case_of_the_first_letter_that_has_one_is_swapped() {
        let cases = [("readme", "Readme"), ("字Éa", "字éa"), ("3.X", "3.x"), ("ßa", "SSa")];
        for (name, other) in cases {
            assert_eq!(swap_case(name).as_deref(), Some(other));
        }
        assert_eq!(swap_case("字 3.1"), None);
    }

    /// Two names that differ in case may be two names of one file; each is as the folder has it.
    #[test]
    fn a_name_that_the_folder_has_is_settled() {
        let folder = tempfile::TempDir::new().unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        // Where cases are not told apart this name is there already.
        if !folder.path().join("A").exists() {
            fs::hard_link(folder.path().join("a"), folder.path().join("A")).unwrap();
            assert_eq!(settled_name(folder.path(), "A".as_ref()).unwrap(), "A");
        }
        assert_eq!(settled_name(folder.path(), "a".as_ref()).unwrap(), "a");
    }
}
