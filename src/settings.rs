//! What the person configured. A key never leaves through `Debug` or serialisation.

pub use crate::llm::Family;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A key or password. It can be read only by name, is never serialised and prints as dots.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() {
            "Secret(empty)"
        } else {
            "Secret(••••)"
        })
    }
}

/// What is kept between visits. The key is not in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    pub endpoint: String,
    pub model: String,
    /// `None` follows the address.
    pub family: Option<Family>,
    pub privacy: Privacy,
    /// Tokens after which a question stops and asks; 0 is no cap.
    pub turn_tokens_max: u64,
    /// The same for a whole chat.
    pub chat_tokens_max: u64,
    /// `None` follows the browser.
    pub language: Option<Language>,
    pub theme: Theme,
    /// Keys without Ctrl or Command do nothing.
    pub single_keys_off: bool,
}

/// What may leave the browser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Privacy {
    /// Names and types only.
    Schema,
    /// Also the rows of queries that the person approved.
    #[default]
    Results,
    /// Also a few sample values of the tables that the model asks for, without a card.
    Samples,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    #[default]
    English,
    Chinese,
}

impl Language {
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::English => Self::Chinese,
            Self::Chinese => Self::English,
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// What the theme button goes to.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_does_not_print() {
        assert!(!format!("{:?}", Secret::new("sk-123")).contains("123"));
    }
}
