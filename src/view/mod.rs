//! Pure view models: what the page shows, computed from runs and results. No DOM.

pub mod chart;
pub mod command;
pub mod driver_texts;
pub mod markdown;
pub mod model;
pub mod notices;
pub mod transcript;

pub use command::{Command, KeyChange, Patch};
