//! One native test binary. Modules read as the promises that the product makes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a broken test should stop where it breaks"
)]

#[path = "../support/native.rs"]
mod native;

mod agent;
mod archive;
mod builtin;
mod endpoint;
mod engine;
mod filler;
mod guard;
mod guard_random;
mod lexer;
mod results;
mod tidy;
mod wal;
mod wire;
