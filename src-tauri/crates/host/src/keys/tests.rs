use std::{fs, path::Path};

use super::*;

const A: &str = "https://a.example";
const KEY: &str = "sk-secret-0123";

/// The keys of a home that the user named: none of them is in the machine's keychain.
fn keys(folder: &Path) -> Keys {
    let keys = Keys::of(&Home::choose(Some(folder.to_owned())).expect("a home"));
    assert!(!keys.keychain);
    keys
}

/// AN-7: without a keychain a file keeps it, for the user alone, and it says so.
#[test]
fn a_key_is_kept_in_a_file_of_the_users_alone_until_it_is_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = keys(folder.path());
    assert_eq!(keys.go_to(), KeyPlace::File);
    assert_eq!(keys.find(A).expect("readable"), None);
    assert_eq!(keys.keep(A, &format!(" {KEY}\n")).expect("kept"), KeyPlace::File);
    assert_eq!(keys.place(A).expect("readable"), Some(KeyPlace::File));
    assert_eq!(keys.find(A).expect("readable"), ApiKey::new(KEY));
    assert_eq!(keys.find("https://b.example").expect("readable"), None, "it is for nobody else");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |keys: &Keys| fs::metadata(&keys.file).expect("a file").permissions().mode();
        assert_eq!(mode(&keys) & 0o777, 0o600);
        fs::set_permissions(&keys.file, fs::Permissions::from_mode(0o644)).expect("a mode");
        keys.keep("https://b.example", "other").expect("kept");
        assert_eq!(mode(&keys) & 0o777, 0o600, "it is closed again");
    }
    keys.forget(A).expect("forgotten");
    assert_eq!(keys.find(A).expect("readable"), None);
    assert!(!fs::read_to_string(&keys.file).expect("a text").contains(KEY));
    keys.forget(A).expect("there is none to forget");
}

#[test]
fn a_blank_key_is_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = keys(folder.path());
    assert!(matches!(keys.keep(A, " \n"), Err(SettingsError::NoKeyGiven)));
    assert!(!keys.file.exists());
}

/// The key is in no error, whatever is wrong with the file that holds it.
#[test]
fn a_broken_file_of_keys_is_told_without_a_line_of_it_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = keys(folder.path());
    let broken = format!("\"{A}\" = \"{KEY}\"\n\"x\" = \"{KEY}\n");
    fs::write(&keys.file, &broken).expect("a file");
    for error in [
        keys.find(A).expect_err("broken"),
        keys.keep(A, "new").expect_err("broken"),
        keys.forget(A).expect_err("broken"),
    ] {
        let told = format!("{error} {error:?}");
        assert!(told.contains("line 2") && !told.contains("sk-"), "{told}");
    }
    assert_eq!(fs::read_to_string(&keys.file).expect("a text"), broken);
}

#[test]
fn the_keychains_words_are_passed_on_unless_they_may_hold_the_key() {
    let holds = |error: Error| format!("{:?}", refused(&error)).contains("sk-");
    assert!(!holds(Error::BadEncoding(KEY.into())));
    assert!(!holds(Error::BadDataFormat(KEY.into(), KEY.into())));
    assert!(refused(&Error::NoDefaultStore).to_string().contains("No default store"));
}
