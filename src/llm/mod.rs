//! Model servers: a provider-neutral request and turn, and one pure decoder per wire family behind them.
//! No IO: bytes come in, events go out. `web::http` carries the bytes.

pub mod types;

pub mod errors;
mod wording;

pub mod partial_json;
mod repair;
mod sse;

mod calls;
mod chunk;
mod content;
pub mod openai;

pub mod assemble;

pub use errors::retry_delay_ms;
pub use types::{
    FinishReason, ModelError, ModelErrorKind, ModelRequest, StreamEvent, ToolSpec, Turn, Usage,
};
