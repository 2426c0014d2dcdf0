//! What a test sees: the card, the diff, the keys.

use serde_json::Value;

use crate::driver::Element;

/// The card below an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) files: Vec<CardFile>,
    pub(crate) is_below_the_answer: bool,
}

/// One file of a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CardFile {
    pub(crate) path: String,
    pub(crate) added: u32,
    pub(crate) removed: u32,
}

/// The lines of the diff that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diff {
    pub(crate) label: String,
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
}

/// What has the focus, as an assistive program is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Focus {
    pub(crate) element: Option<Element>,
    pub(crate) role: String,
    pub(crate) name: String,
}

/// The row that the keys act on, of the list that has the focus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ActiveRow {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) text: String,
}

impl Focus {
    /// Returns whether it has that role, and a name that begins so.
    pub(crate) fn is(&self, role: &str, name: &str) -> bool {
        self.role == role && self.name.starts_with(name)
    }
}

impl ActiveRow {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        Some(Self { number: value["number"].as_u64()?, text: text(&value["text"])? })
    }
}

impl Card {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        Some(Self {
            id: text(&value["id"])?,
            text: text(&value["text"])?,
            files: value["files"].as_array()?.iter().filter_map(CardFile::read).collect(),
            is_below_the_answer: value["isBelowTheAnswer"].as_bool()?,
        })
    }
}

impl CardFile {
    fn read(value: &Value) -> Option<Self> {
        let heard = text(&value["text"])?;
        let number = |word: &str| {
            let words: Vec<&str> = heard.split([' ', ',']).filter(|it| !it.is_empty()).collect();
            let at = words.windows(3).find(|it| it[1].starts_with("line") && it[2] == word)?;
            at[0].parse().ok()
        };
        let (added, removed) = (number("added")?, number("removed")?);
        Some(Self { path: text(&value["path"])?, added, removed })
    }
}

impl Diff {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let lines = |name: &str| {
            value[name].as_array().map(|all| all.iter().filter_map(text).collect::<Vec<_>>())
        };
        Some(Self {
            label: text(&value["label"])?,
            added: lines("added")?,
            removed: lines("removed")?,
        })
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// A key of WebDriver's that is no character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Tab,
    Enter,
    Escape,
    Backspace,
    Control,
    Shift,
    PageUp,
    PageDown,
    End,
    Home,
    Left,
    Up,
    Right,
    Down,
    Char(char),
}

impl Key {
    pub(crate) fn code(self) -> char {
        match self {
            Self::Backspace => '\u{E003}',
            Self::Tab => '\u{E004}',
            Self::Enter => '\u{E007}',
            Self::Shift => '\u{E008}',
            Self::Control => '\u{E009}',
            Self::Escape => '\u{E00C}',
            Self::PageUp => '\u{E00E}',
            Self::PageDown => '\u{E00F}',
            Self::End => '\u{E010}',
            Self::Home => '\u{E011}',
            Self::Left => '\u{E012}',
            Self::Up => '\u{E013}',
            Self::Right => '\u{E014}',
            Self::Down => '\u{E015}',
            Self::Char(it) => it,
        }
    }
}
