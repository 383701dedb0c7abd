//! A chat as a file to take away and to bring back. What comes back may have been written by anybody; settings, keys and
//! endpoints are never taken from it.

use super::{LoadError, SavedChat};
use crate::agent::branches::OtherBranch;
use crate::agent::limits::IMPORT_BYTES_MAX;
use crate::agent::record::TurnRecord;
use crate::agent::restore::RecordFault;
use crate::agent::run::Run;
use crate::engine::Fingerprint;
use crate::llm::ledger::Sent;
use crate::tools::shorten;
use serde::{Deserialize, Serialize};

const FORMAT: &str = "assent-chat-record";
const VERSION: u64 = 1;
/// Characters of a parser's message, which may repeat what the file says.
const DETAIL_CHARS_MAX: usize = 160;

#[derive(Serialize)]
struct Written<'a> {
    format: &'static str,
    version: u64,
    file: Option<&'a Fingerprint>,
    turns: &'a [TurnRecord],
    /// What followed other wordings of a question.
    branches: Vec<OtherBranch>,
    /// The exact requests, and how many before them are no longer kept.
    sent: Vec<Sent<'a>>,
    sent_dropped: u64,
}

/// What is taken back. The requests are not: this browser did not send them.
#[derive(Deserialize)]
struct Read {
    file: Option<Fingerprint>,
    turns: Vec<TurnRecord>,
    #[serde(default)]
    branches: Vec<OtherBranch>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    #[error("the file has {0} bytes")]
    TooLarge(u64),
    #[error("the file is no exported chat ({0})")]
    NotARecord(String),
    #[error("the chat was exported by a newer version of Assent (form {0})")]
    Newer(u64),
    #[error(transparent)]
    Refused(#[from] RecordFault),
}

/// The record of a chat: questions, proposals, decisions, results, requests. No key is in it.
///
/// # Errors
/// Only where serialisation itself fails.
pub fn write(chat: &SavedChat) -> Result<String, LoadError> {
    let record = Written {
        format: FORMAT,
        version: VERSION,
        file: chat.run.file(),
        turns: chat.run.turns(),
        branches: chat.run.other_branches(),
        sent: chat.ledger.sent(),
        sent_dropped: chat.ledger.dropped,
    };
    serde_json::to_string_pretty(&record).map_err(|e| LoadError::Unreadable(e.to_string()))
}

/// Whether a file of this size is read at all.
///
/// # Errors
/// [`ImportError::TooLarge`].
pub fn size_fits(bytes: u64) -> Result<(), ImportError> {
    if bytes > IMPORT_BYTES_MAX as u64 {
        Err(ImportError::TooLarge(bytes))
    } else {
        Ok(())
    }
}

/// Makes a chat of a record. How deep values may lie in each other is bounded by the parser.
///
/// # Errors
/// Where the text is no record, or none that a chat could have written.
pub fn read(json: &str, id: String, now_ms: u64) -> Result<SavedChat, ImportError> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(default)]
        format: String,
        #[serde(default)]
        version: u64,
    }
    size_fits(json.len() as u64)?;
    let json = json.trim_start_matches('\u{feff}');
    let no_record =
        |e: serde_json::Error| ImportError::NotARecord(shorten(&e.to_string(), DETAIL_CHARS_MAX));
    let head: Head = serde_json::from_str(json).map_err(no_record)?;
    if head.format != FORMAT {
        let found = format!("format “{}”", shorten(&head.format, 40));
        return Err(ImportError::NotARecord(found));
    }
    if head.version > VERSION {
        return Err(ImportError::Newer(head.version));
    }
    let record: Read = serde_json::from_str(json).map_err(no_record)?;
    let run = Run::of_record(record.file, record.turns, record.branches)?;
    Ok(SavedChat {
        run,
        ..SavedChat::new(id, now_ms)
    })
}
