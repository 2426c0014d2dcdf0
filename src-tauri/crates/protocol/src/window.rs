//! What the window says of itself, and what it remembers.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What this program is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct About {
    pub version: String,
    /// Whether whoever built it signed it (PK-2).
    pub signed: bool,
}

/// How the page is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    pub theme: Theme,
    /// `null` follows the system.
    pub language: Option<Language>,
    pub sidebar_open: bool,
    pub inspector_open: bool,
    pub inspector_width_px: u32,
    /// The size of all there is to see, of its first size.
    pub zoom_percent: u32,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    System,
    Light,
    Dark,
}

/// A language that the page speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub enum Language {
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh")]
    Chinese,
    #[serde(rename = "zh-TW")]
    TraditionalChinese,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: None,
            sidebar_open: true,
            inspector_open: false,
            inspector_width_px: 520,
            zoom_percent: 100,
        }
    }
}
