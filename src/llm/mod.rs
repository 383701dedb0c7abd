//! Model servers: a provider-neutral request and turn, and one pure decoder per wire family behind them.
//! No IO: bytes come in, events go out. `web::http` carries the bytes.

pub mod types;

pub mod family;

pub mod address;
pub mod budget;
pub mod errors;
pub mod invariants;
pub mod ledger;
pub mod models;
pub mod probe;
pub mod quirks;
pub mod request;
pub mod request_anthropic;
pub mod request_ollama;
mod wording;

pub mod assemble;
pub mod partial_json;
mod repair;
pub mod sse;

pub mod fallback;
pub mod text_calls;
mod text_decoder;

mod calls;
mod chunk;
mod content;
mod json;
mod tail;

pub mod anthropic;
pub mod ollama;
pub mod openai;

pub use address::origin;
pub use assemble::Assembler;
pub use errors::retry_delay_ms;
pub use fallback::Protocol;
pub use family::{Decoder, Family, WireRequest};
pub use ledger::Ledger;
pub use quirks::Quirks;
pub use types::{
    FinishReason, ModelError, ModelErrorKind, ModelRequest, StreamEvent, ToolSpec, Turn, Usage,
};
