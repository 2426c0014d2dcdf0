//! Where requests go, and the key they carry.

use std::fmt;

use crate::CatalogEntry;

/// A model behind an address.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// How the vendor behind the address behaves.
    pub entry: &'static CatalogEntry,
    /// What `/chat/completions` is put behind, as the user gave it.
    pub base_url: String,
    /// The model's name, as the vendor spells it.
    pub model: String,
    /// The key. Without one no `Authorization` header is sent.
    pub key: Option<ApiKey>,
}

/// A key, which nothing here ever prints.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key without the white space around it; `None` if nothing is left.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    /// The key itself, for the one header it goes into.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(..)")
    }
}
