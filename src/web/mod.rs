//! The browser's edges: everything that does IO. Thin on purpose; decisions live in the core.

pub mod clock;
pub mod driver;
pub mod engine;
mod engine_parts;
pub mod file;
pub mod http;
pub mod locks;
pub mod policy;
pub mod recent;
pub mod storage;
pub mod vault;
pub mod wake;
