//! Assent answers questions about a SQLite file in the browser. Nothing runs until the person approves it.
//!
//! Modules in reading order. Everything above `web` is pure: no IO, tested natively.

pub mod transcript;

pub mod sql;

pub mod engine;

pub mod llm;

#[cfg(feature = "engine")]
pub mod link;

#[cfg(feature = "engine")]
pub mod builtin;

pub mod settings;

pub mod tools;

pub mod prompt;

pub mod agent;

pub mod session;

pub mod view;

#[cfg(target_arch = "wasm32")]
pub mod web;

#[cfg(target_arch = "wasm32")]
pub mod ui;
