//! What is known of each vendor, as data (AN-40, PV-8).

use reqwest::Url;

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
    /// `prompt_tokens_details.cached_tokens`; the miss is what is left of the input.
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
    /// The `reasoning_effort` without which it takes no tools; `None` where none is needed.
    pub effort_with_tools: Option<&'static str>,
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
    /// The environment variable its key stands in; `None` where it wants no key.
    pub key_variable: Option<&'static str>,
    /// Its models, the default first; empty where only the user knows. Others may be named.
    pub models: &'static [CatalogModel],
    /// Where it tells what its cache held.
    pub cache_fields: CacheFields,
    /// When it wants reasoning sent back.
    pub reasoning_echo: ReasoningEcho,
    /// Where all this is written.
    pub source: &'static str,
    /// The day it was read there, as `YYYY-MM-DD`.
    pub checked_on: &'static str,
}

impl CatalogEntry {
    /// What is known of the model of that name.
    pub fn model(&self, name: &str) -> Option<&'static CatalogModel> {
        self.models.iter().find(|it| it.name == name)
    }
}

const CUSTOM: CatalogEntry = CatalogEntry {
    id: "custom",
    name: "Custom",
    protocol: Protocol::OpenaiChat,
    base_url: None,
    key_variable: None,
    models: &[],
    cache_fields: CacheFields::Either,
    reasoning_echo: ReasoningEcho::IfItCame,
    source: "nothing is known of it",
    checked_on: "2026-11-30",
};

static ENTRIES: [CatalogEntry; 5] = [
    CatalogEntry {
        id: "deepseek",
        name: "DeepSeek",
        base_url: Some("https://api.deepseek.com"),
        key_variable: Some("DEEPSEEK_API_KEY"),
        models: &[
            deepseek("deepseek-v4-flash", true),
            deepseek("deepseek-v4-pro", false),
            deepseek("deepseek-flash", true),
        ],
        cache_fields: CacheFields::HitAndMiss,
        // Since V4, wherever a request carries tools, which ours do.
        reasoning_echo: ReasoningEcho::Always,
        source: "https://api-docs.deepseek.com/quick_start/pricing, /guides/thinking_mode, /guides/kv_cache",
        ..CUSTOM
    },
    CatalogEntry {
        id: "openai",
        name: "OpenAI",
        base_url: Some("https://api.openai.com/v1"),
        key_variable: Some("OPENAI_API_KEY"),
        models: &[
            CatalogModel {
                context_window_tokens: Some(1_050_000),
                output_limit_tokens: Some(128_000),
                ..openai("gpt-5.6-sol")
            },
            openai("gpt-5.6-terra"),
            openai("gpt-5.6-luna"),
        ],
        cache_fields: CacheFields::CachedTokens,
        reasoning_echo: ReasoningEcho::Never,
        source: "https://runware.ai/docs/models/openai-gpt-5-6-sol, https://community.openai.com/t/1386454",
        ..CUSTOM
    },
    CatalogEntry {
        id: "ollama",
        name: "Ollama",
        base_url: Some("http://localhost:11434/v1"),
        source: "https://docs.ollama.com/api/openai-compatibility",
        ..CUSTOM
    },
    CatalogEntry {
        id: "lmstudio",
        name: "LM Studio",
        base_url: Some("http://localhost:1234/v1"),
        source: "https://lmstudio.ai/docs/developer/openai-compat",
        ..CUSTOM
    },
    CUSTOM,
];

const fn deepseek(name: &'static str, vision: bool) -> CatalogModel {
    CatalogModel {
        name,
        context_window_tokens: Some(1_000_000),
        output_limit_tokens: Some(384_000),
        vision: Some(vision),
        effort_with_tools: None,
    }
}

const fn openai(name: &'static str) -> CatalogModel {
    CatalogModel {
        name,
        context_window_tokens: None,
        output_limit_tokens: None,
        vision: Some(true),
        effort_with_tools: Some("none"),
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
    let Some(place) = place(url) else { return custom };
    known
        .iter()
        .find(|it| it.base_url.and_then(self::place).as_ref() == Some(&place))
        .unwrap_or(custom)
}

/// The environment variables that hold keys. No child process may see them (AN-13).
pub fn key_variables() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().filter_map(|it| it.key_variable)
}

/// Host and port; all names of this machine are one.
fn place(url: &str) -> Option<(String, u16)> {
    let url = Url::parse(url).ok()?;
    let host = if crate::address::is_loopback(&url) { "localhost" } else { url.host_str()? };
    Some((host.to_owned(), url.port_or_known_default()?))
}

#[cfg(test)]
mod tests;
