//! Messages between page and worker. Every request has an id; every reply names the id it answers.
//!
//! A request travels as `{ body: <JSON of Request>, file?: File, wal?: File, journal?: File }`, a reply as
//! `{ body: <JSON of Reply>, buffer?: ArrayBuffer }`. `Reply::Window` carries its cells in the buffer
//! (see [`super::window`]). A worker says `Ready` once before it hears anything.

use crate::llm::Turn;
use crate::sql::{Schema, SqlHash, Value, Verdict};
use crate::transcript::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct RequestId(pub u64);

/// A result that lives in the worker until released or the worker ends.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct ResultId(pub u64);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The file travels beside the message, and so do its `-wal` and `-journal`.
    Open {
        id: RequestId,
    },
    Check {
        id: RequestId,
        sql: String,
    },
    /// Runs exactly `sql`, if its hash is `approved` and the guard allows it.
    Run {
        id: RequestId,
        sql: String,
        approved: SqlHash,
        result: ResultId,
        budget: Budget,
    },
    Window {
        id: RequestId,
        of: WindowOf,
    },
    /// The numbers of one column of a result, at most `rows_max` of them, as [`Reply::Column`].
    Column {
        id: RequestId,
        result: ResultId,
        column: u32,
        rows_max: u32,
    },
    /// Of a result that is still being filled, this stops the run: it then fails as cancelled.
    Release {
        result: ResultId,
    },
    /// The built-in translator's next turn for a conversation, from the person's last question on.
    Translate {
        id: RequestId,
        messages: Vec<Message>,
    },
    Close,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    Ready,
    Opened {
        id: RequestId,
        schema: Schema,
        findings: Vec<Finding>,
        fingerprint: Fingerprint,
        ms: f64,
    },
    /// Follows `Opened`: questions that the built-in translator answers, in two languages.
    Suggested {
        english: Vec<String>,
        chinese: Vec<String>,
    },
    /// The file could not be opened at all.
    NotOpened {
        id: RequestId,
        finding: Finding,
    },
    Checked {
        id: RequestId,
        verdict: Verdict,
    },
    /// No verdict, because there is no readable file.
    CheckFailed {
        id: RequestId,
        error: QueryError,
    },
    Translated {
        id: RequestId,
        turn: Turn,
    },
    Progress {
        id: RequestId,
        rows: u64,
        ms: f64,
    },
    Ran {
        id: RequestId,
        meta: ResultMeta,
        /// The first rows, at most [`Budget::preview_rows`], long cells cut.
        preview: Vec<Vec<Value>>,
    },
    RunFailed {
        id: RequestId,
        error: QueryError,
    },
    Window {
        id: RequestId,
        result: ResultId,
    },
    /// Carries the column in the buffer (see [`super::column`]).
    Column {
        id: RequestId,
    },
    /// The window or column asked for is gone (result released) or out of range.
    NoWindow {
        id: RequestId,
    },
    /// The worker cannot go on: it must be ended and started again. Answers nothing in particular.
    Died {
        message: String,
    },
}

/// Which part of a result crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowOf {
    pub result: ResultId,
    /// The first row, counted in `order`.
    pub first: u64,
    pub count: u32,
    /// None: as the rows came. Only a finished result can be sorted.
    pub order: Option<SortOrder>,
    pub part: Part,
}

/// How much of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// Long cells cut, for the screen.
    Glance,
    /// As whole as [`super::window::WHOLE_BYTES_MAX`] allows, for files and the clipboard.
    Whole,
    /// Of the first row this one cell alone, as whole.
    Cell(u32),
}

/// Rows sorted by one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SortOrder {
    pub column: u32,
    pub descending: bool,
}

/// What one run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub rows_max: u64,
    pub bytes_max: u64,
    pub time_ms: u64,
    pub preview_rows: u32,
    /// Characters of one cell in the preview.
    pub cell_chars: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultMeta {
    pub result: ResultId,
    /// Column names as SQLite gives them; duplicates are kept.
    pub columns: Vec<String>,
    /// Rows kept in the worker.
    pub rows: u64,
    /// True when a cap ended the run before the statement did.
    pub truncated: bool,
    /// Which cap it was; unknown in chats that an older version saved.
    pub cap: Option<Cap>,
    pub ms: f64,
}

/// What ended a run before its statement did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cap {
    Rows,
    Bytes,
    Time,
}

/// Why a run gave no rows. `Display` speaks to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum QueryError {
    #[error("the guard refused this statement")]
    Refused(Verdict),
    #[error("this is not the text that was approved")]
    NotApproved,
    #[error("{message}")]
    Database { message: String },
    #[error("stopped after {ms} ms: the time limit was reached")]
    TimedOut { ms: u64 },
    #[error("stopped")]
    Cancelled,
    #[error("the file changed on disk while it was read")]
    FileChanged,
    #[error("no file is open")]
    NoFile,
    #[error("the engine ended unexpectedly")]
    EngineLost,
}

/// What identifies a file across visits: never its content as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    pub name: String,
    pub bytes: u64,
    /// SHA-256 over the first 64 KiB and the last 64 KiB, in hex.
    pub ends: String,
}

/// Bytes at each end of the file that the fingerprint covers.
pub const FINGERPRINT_END_BYTES: usize = 64 * 1024;

impl Fingerprint {
    /// `head` and `tail` are the first and last [`FINGERPRINT_END_BYTES`]; of a shorter file, all of it.
    /// A write-ahead log is left out: a chat goes on when its file comes back with the `-wal` beside it.
    #[must_use]
    pub fn of(name: String, bytes: u64, head: &[u8], tail: &[u8]) -> Self {
        let digest = Sha256::new()
            .chain_update(head)
            .chain_update(tail)
            .finalize();
        Self {
            name,
            bytes,
            ends: digest.iter().map(|b| format!("{b:02x}")).collect(),
        }
    }

    /// Same content as far as the fingerprint tells; the name may differ.
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.ends == other.ends
    }
}

/// What the file doctor found. The texts for people live in `view::texts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Finding {
    Empty,
    NotSqlite {
        head: String,
    },
    Encrypted,
    Truncated {
        expected_bytes: u64,
        actual_bytes: u64,
    },
    Corrupt {
        message: String,
    },
    WalMissing,
    WalMerged {
        frames: u64,
    },
    HotJournal,
    Utf16,
    MissingModule {
        module: String,
        tables: Vec<String>,
    },
    BrokenView {
        view: String,
        message: String,
    },
    /// The file cannot be read (permission, changed, removed).
    Unreadable {
        message: String,
    },
    EngineFailed {
        message: String,
    },
}

impl Finding {
    /// True where nothing of the file can be used.
    #[must_use]
    pub fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Empty
                | Self::NotSqlite { .. }
                | Self::Encrypted
                | Self::Unreadable { .. }
                | Self::EngineFailed { .. }
        )
    }
}
