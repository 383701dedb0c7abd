//! The loop, told as scripts on real SQLite: a person, a scripted model, and the real guard and engine.

mod answers;
mod approval;
mod attack;
mod branches;
mod correction;
pub mod desk;
mod fallback;
mod limits;
mod lookups;
mod privacy;
mod properties;
mod questions;
mod survival;
