//! What is known of each vendor, as data (AN-40, PV-8). The data itself is in `vendors`.

mod vendors;

use reqwest::Url;

use self::vendors::ENTRIES;

/// The wire format a vendor speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `POST {base URL}/chat/completions`, streamed.
    OpenaiChat,
}

/// Where a vendor tells what its cache held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheFields {
    /// `prompt_cache_hit_tokens` and `prompt_cache_miss_tokens` (PV-1).
    HitAndMiss,
    /// `cached_tokens`, in `prompt_tokens_details` or beside the other counts; the miss is what is
    /// left of the input.
    CachedTokens,
    /// Not known: whichever of them comes.
    Either,
}

/// When a vendor wants the model's reasoning sent back (PV-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasoningEcho {
    /// With every message of the model, even where none came.
    Always,
    /// With every message of the model, in the field it came in, if it came.
    IfItCame,
    /// Never.
    Never,
}

/// Where something is written, and the day it was read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The page.
    pub url: &'static str,
    /// The day, as `YYYY-MM-DD`.
    pub read_on: &'static str,
}

/// What a model costs, in millionths of a US dollar for a million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Of a request's tokens that the cache did not hold.
    pub input_usd_micros: u32,
    /// Of those that it held; `None` is unknown.
    pub cached_input_usd_micros: Option<u32>,
    /// Of an answer's tokens, reasoning included.
    pub output_usd_micros: u32,
}

/// What is known of one model. `None` is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CatalogModel {
    /// The vendor's name for it.
    pub name: &'static str,
    /// Tokens of request and answer together.
    pub context_window_tokens: Option<u32>,
    /// Tokens of one answer.
    pub output_limit_tokens: Option<u32>,
    /// Whether it can be shown pictures.
    pub vision: Option<bool>,
    /// What it costs at the vendor's `base_url`. Unknown too where it depends on the hour, on the
    /// size of the request or on an offer that ends: no one number would be true.
    pub price: Option<Price>,
    /// The `reasoning_effort` without which it takes no tools; `None` where none is needed.
    pub effort_with_tools: Option<&'static str>,
    /// Where this is written.
    pub source: Source,
}

/// What is known of one vendor.
#[derive(Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// Its name in settings.
    pub id: &'static str,
    /// Its name on the screen.
    pub name: &'static str,
    /// The wire format it speaks.
    pub protocol: Protocol,
    /// Its address; `None` where only the user knows.
    pub base_url: Option<&'static str>,
    /// Hosts at which it lives besides; with a dot before it, all below that one.
    pub other_hosts: &'static [&'static str],
    /// The environment variable its key stands in; `None` where it wants no key.
    pub key_variable: Option<&'static str>,
    /// Its models, the default first; empty where only the user knows. Others may be named.
    pub models: &'static [CatalogModel],
    /// Where it tells what its cache held.
    pub cache_fields: CacheFields,
    /// When it wants reasoning sent back.
    pub reasoning_echo: ReasoningEcho,
    /// Whether it tells what a request cost only if asked by `stream_options`, and takes that.
    pub is_asked_for_usage: bool,
    /// Whether it refuses calls that come back without the signature it gave them (PV-5).
    pub wants_signatures: bool,
    /// Where the rules are written.
    pub source: Source,
}

impl CatalogEntry {
    /// What is known of the model of that name.
    pub fn model(&self, name: &str) -> Option<&'static CatalogModel> {
        self.models.iter().find(|it| it.name == name)
    }

    fn lives_at(&self, place: &Place) -> bool {
        let at_home = self.base_url.and_then(place_of).as_ref() == Some(place);
        let is_other = |it: &&str| match it.strip_prefix('.') {
            Some(_) => place.host.ends_with(*it),
            None => place.host == **it,
        };
        at_home || (place.port == HTTPS && self.other_hosts.iter().any(is_other))
    }
}

/// All vendors, `custom` last.
pub fn entries() -> &'static [CatalogEntry] {
    &ENTRIES
}

/// The entry of that id.
pub fn entry(id: &str) -> Option<&'static CatalogEntry> {
    ENTRIES.iter().find(|it| it.id == id)
}

/// The entry that lives at that address, whatever the path; `custom` if none does.
pub fn for_base_url(url: &str) -> &'static CatalogEntry {
    let [known @ .., custom] = &ENTRIES;
    let Some(place) = place_of(url) else { return custom };
    known.iter().find(|it| it.lives_at(&place)).unwrap_or(custom)
}

/// The environment variables that hold keys. No child process may see them (AN-13).
pub fn key_variables() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter_map(|it| it.key_variable)
}

const HTTPS: u16 = 443;

#[derive(PartialEq, Eq)]
struct Place {
    /// All names of this machine are one.
    host: String,
    port: u16,
}

fn place_of(url: &str) -> Option<Place> {
    let url = Url::parse(url).ok()?;
    let host = if crate::address::is_loopback(&url) { "localhost" } else { url.host_str()? };
    Some(Place { host: host.to_owned(), port: url.port_or_known_default()? })
}

#[cfg(test)]
mod tests;
