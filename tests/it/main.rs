//! One native test binary. Modules read as the promises that the product makes.

#[path = "../support/native.rs"]
mod native;

mod agent;
mod builtin;
mod engine;
mod guard;
mod lexer;
mod wire;
