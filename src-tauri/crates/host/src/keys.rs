//! Keys that the user gave us to keep: in the system's keychain, or in a file of the user's alone
//! (AN-7).

use std::path::PathBuf;

use keyring::{Entry, Error};
use protocol::KeyPlace;
use provider::ApiKey;
use toml_edit::DocumentMut;

use crate::{
    Home, SettingsError,
    toml_file::{self, Holds},
};

/// The name under which the keychain lists our entries.
const SERVICE: &str = "evident";
/// What stands in the file in place of a key that the keychain has.
const IN_KEYCHAIN: bool = true;

/// The kept keys. An account is the address that a key is for, so that none is sent elsewhere.
///
/// The file says of each account where its key is, so that the keychain, which may ask the user to
/// unlock it, is only asked for a key that it was given. Every method blocks.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    file: PathBuf,
    keychain: bool,
}

impl Keys {
    /// Returns the keys of a home. A home that was named has all of them in itself (HL-1).
    pub(crate) fn of(home: &Home) -> Self {
        Self { file: home.keys_file(), keychain: !home.is_named() }
    }

    /// Returns where a key would go now.
    pub(crate) fn go_to(&self) -> KeyPlace {
        if self.keychain && Entry::store_status().is_ok() {
            KeyPlace::Keychain
        } else {
            KeyPlace::File
        }
    }

    /// Returns where an account's key is, without looking at it.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if the file cannot be read.
    pub(crate) fn place(&self, account: &str) -> Result<Option<KeyPlace>, SettingsError> {
        let document = self.document()?;
        Ok(document.get(account).map(|it| match it.as_str() {
            Some(_) => KeyPlace::File,
            None => KeyPlace::Keychain,
        }))
    }

    /// Returns an account's key.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if the file cannot be read, or the keychain has the key and does not give
    /// it.
    pub(crate) fn find(&self, account: &str) -> Result<Option<ApiKey>, SettingsError> {
        let document = self.document()?;
        let Some(item) = document.get(account) else { return Ok(None) };
        if let Some(key) = item.as_str() {
            return Ok(ApiKey::new(key));
        }
        match Entry::new(SERVICE, account).and_then(|entry| entry.get_password()) {
            Ok(key) => Ok(ApiKey::new(&key)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Keeps an account's key, in place of the one it had, and says where.
    ///
    /// # Errors
    ///
    /// [`SettingsError::NoKeyGiven`] if it is blank; [`SettingsError::Keychain`] if the keychain is
    /// locked; [`SettingsError`] if the file cannot be written.
    pub(crate) fn keep(&self, account: &str, key: &str) -> Result<KeyPlace, SettingsError> {
        let key = key.trim();
        if key.is_empty() {
            return Err(SettingsError::NoKeyGiven);
        }
        // A file that cannot be used is no reason to leave a key in the keychain that nobody finds.
        self.document()?;
        if self.go_to() == KeyPlace::Keychain {
            match Entry::new(SERVICE, account).and_then(|entry| entry.set_password(key)) {
                Ok(()) => {
                    self.edit(|file| drop(file.insert(account, toml_edit::value(IN_KEYCHAIN))))?;
                    return Ok(KeyPlace::Keychain);
                }
                // The user said no to it, and did not say yes to a file.
                Err(error @ Error::NoStorageAccess(_)) => return Err(refused(&error)),
                // It runs and keeps nothing.
                Err(_) => {}
            }
        }
        self.edit(|file| drop(file.insert(account, toml_edit::value(key))))?;
        Ok(KeyPlace::File)
    }

    /// Forgets an account's key, if there is one.
    ///
    /// # Errors
    ///
    /// [`SettingsError::Keychain`] if the keychain does not delete it; [`SettingsError`] if the
    /// file cannot be written.
    pub(crate) fn forget(&self, account: &str) -> Result<(), SettingsError> {
        match self.place(account)? {
            None => return Ok(()),
            Some(KeyPlace::Keychain) => {
                let deleted = Entry::new(SERVICE, account).and_then(|it| it.delete_credential());
                match deleted {
                    Ok(()) | Err(Error::NoEntry) => {}
                    Err(error) => return Err(refused(&error)),
                }
            }
            Some(KeyPlace::File | KeyPlace::Environment) => {}
        }
        self.edit(|file| drop(file.remove(account)))
    }

    fn document(&self) -> Result<DocumentMut, SettingsError> {
        toml_file::document(&self.file, Holds::Secrets)
    }

    fn edit(&self, change: impl FnOnce(&mut toml_edit::Table)) -> Result<(), SettingsError> {
        toml_file::edit(&self.file, Holds::Secrets, |document| change(document.as_table_mut()))
    }
}

/// Takes the words of an error, unless they may hold the key; its parts never.
fn refused(error: &Error) -> SettingsError {
    let holds_it = matches!(error, Error::BadEncoding(_) | Error::BadDataFormat(..));
    let why = if holds_it { "what it holds is no key".to_owned() } else { error.to_string() };
    SettingsError::Keychain { why }
}

#[cfg(test)]
mod tests;
