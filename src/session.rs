//! The saved form of a chat, with its version. Old forms are brought up to date here; unknown ones are
//! refused by name and never overwritten.

pub mod record;

use crate::agent::run::Run;
use crate::llm::Ledger;
use crate::llm::budget::Meter;
use serde::{Deserialize, Serialize};

/// The form that this build writes.
pub const VERSION: u32 = 1;

/// Characters of a chat's title, taken from its first question.
const TITLE_CHARS_MAX: usize = 60;

/// A chat as it is kept between visits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedChat {
    pub version: u32,
    pub id: String,
    pub updated_ms: u64,
    pub run: Run,
    /// Bytes sent to the endpoint for this chat.
    #[serde(default)]
    pub sent_bytes: u64,
    /// The requests themselves.
    #[serde(default)]
    pub ledger: Ledger,
    /// Tokens of the whole chat.
    #[serde(default)]
    pub meter: Meter,
}

#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("the saved chat cannot be read: {0}")]
    Unreadable(String),
    #[error("the chat was saved by a newer version of Assent (form {0})")]
    Newer(u64),
}

impl SavedChat {
    #[must_use]
    pub fn new(id: String, now_ms: u64) -> Self {
        Self {
            version: VERSION,
            id,
            updated_ms: now_ms,
            run: Run::default(),
            sent_bytes: 0,
            ledger: Ledger::default(),
            meter: Meter::default(),
        }
    }

    /// The first question, shortened; empty for a chat without one.
    #[must_use]
    pub fn title(&self) -> String {
        self.run
            .turns()
            .first()
            .map(|t| {
                let line = t.question.split_whitespace().collect::<Vec<_>>().join(" ");
                crate::tools::shorten(&line, TITLE_CHARS_MAX)
            })
            .unwrap_or_default()
    }

    /// # Errors
    /// Only where serialisation itself fails.
    pub fn to_json(&self) -> Result<String, LoadError> {
        serde_json::to_string(self).map_err(|e| LoadError::Unreadable(e.to_string()))
    }

    /// Reads any form that was ever written.
    ///
    /// # Errors
    /// [`LoadError::Newer`] for a form from the future, [`LoadError::Unreadable`] for anything else.
    pub fn from_json(json: &str) -> Result<Self, LoadError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u64,
        }
        let unreadable = |e: serde_json::Error| LoadError::Unreadable(e.to_string());
        let Versioned { version } = serde_json::from_str(json).map_err(unreadable)?;
        if version > u64::from(VERSION) {
            return Err(LoadError::Newer(version));
        }
        serde_json::from_str(json).map_err(unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chat_from_the_future_is_refused_by_name() {
        let json = r#"{"version": 99, "anything": true}"#;
        assert!(matches!(
            SavedChat::from_json(json),
            Err(LoadError::Newer(99))
        ));
        assert!(SavedChat::from_json("{").is_err());
    }

    #[test]
    fn a_saved_chat_reads_back_the_same() {
        let chat = SavedChat::new("c1".into(), 5);
        let json = chat.to_json().unwrap();
        assert_eq!(SavedChat::from_json(&json).unwrap(), chat);
    }
}
