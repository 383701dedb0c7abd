//! The browser's edges. Thin: whatever can be decided without the browser is decided in the core.

pub mod http;
