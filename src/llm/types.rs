//! The neutral types: what the loop hands to a model and what it gets back, whatever the server.

use crate::transcript::{Message, Opaque, Part};
use serde::{Deserialize, Serialize};

/// One request to a model, not yet in any server's words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    pub system: String,
    pub messages: Vec<Message>,
    pub tools: Vec<ToolSpec>,
    /// Tokens that the answer may have; `None` leaves it to the server.
    pub max_output_tokens: Option<u32>,
}

/// A tool as a model sees it. `parameters` is a JSON Schema object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    pub parameters: serde_json::Value,
}

/// What a decoder yields. `slot` numbers the calls of one turn from 0, in order of appearance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StreamEvent {
    Text(String),
    Reasoning(String),
    /// All text of this turn so far was reasoning: a closing tag came without an opening one.
    TextWasReasoning,
    Opaque(Opaque),
    ToolStart {
        slot: usize,
        id: String,
        name: String,
    },
    ToolArguments {
        slot: usize,
        text: String,
    },
    /// The call is complete. `json` is valid JSON, or the raw text with `malformed` set.
    ToolEnd {
        slot: usize,
        json: String,
        malformed: bool,
    },
    Usage(Usage),
    Finish(FinishReason),
    Error(ModelError),
    /// The stream ended without a finish.
    Truncated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FinishReason {
    Stop,
    Length,
    Tools,
    Filter,
    Other,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cached: u64,
    pub reasoning: u64,
    /// True where the server sent none and we counted characters.
    #[serde(default)]
    pub estimated: bool,
}

/// One assembled model turn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Text and reasoning merged into runs, opaque data, and complete calls, in order.
    pub parts: Vec<Part>,
    pub finish: Option<FinishReason>,
    pub usage: Option<Usage>,
    /// True where the stream ended without a finish.
    pub truncated: bool,
}

/// Why a model request failed. Never holds a key or a whole body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind:?}: {message}")]
pub struct ModelError {
    pub kind: ModelErrorKind,
    /// The server's own words, shortened.
    pub message: String,
    pub status: Option<u16>,
    /// Milliseconds that the server asked to wait, where it could be read.
    pub retry_after_ms: Option<u64>,
    /// Models that the server offers, filled in for [`ModelErrorKind::ModelNotFound`] where known.
    pub models: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ModelErrorKind {
    /// No answer at all: network, DNS, refused connection, CORS. Browsers do not tell which.
    Unreachable,
    /// An https page may not call this http address.
    MixedContent,
    Unauthorised,
    Forbidden,
    ModelNotFound,
    /// The address answers, but not as a chat endpoint.
    WrongAddress,
    RateLimited,
    QuotaExceeded,
    ContextTooLong,
    ContentFiltered,
    /// The server is still loading the model.
    Loading,
    Overloaded,
    Server,
    /// HTML instead of JSON: `message` holds its first 200 characters.
    NotJson,
    /// The stream was cut or stalled.
    Cut,
    /// The server's stream made no sense.
    Malformed,
    /// The server refuses a parameter by name.
    BadParameter,
    /// The server or model does not take tools.
    NoTools,
    Redirected,
    BadRequest,
    /// No endpoint is configured.
    NotConfigured,
    /// The key is kept under a passphrase, which the person did not enter.
    KeyLocked,
    /// The person's own cap on tokens is reached.
    BudgetSpent,
}

impl ModelError {
    #[must_use]
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            status: None,
            retry_after_ms: None,
            models: Vec::new(),
        }
    }

    /// Whether the same request may be sent again without the person.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self.kind,
            ModelErrorKind::Unreachable
                | ModelErrorKind::RateLimited
                | ModelErrorKind::Loading
                | ModelErrorKind::Overloaded
                | ModelErrorKind::Server
                | ModelErrorKind::Cut
        )
    }
}
