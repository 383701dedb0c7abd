//! Pure view models: what the page shows, computed from runs and results. No DOM.

pub mod cells;
pub mod chart;
pub mod chats;
pub mod claims;
pub mod command;
pub mod driver_texts;
pub mod export;
pub mod grid;
pub mod highlight;
pub mod markdown;
pub mod model;
pub mod notices;
pub mod palette;
pub mod presets;
pub mod probe;
pub mod report;
pub mod sent;
pub mod suggest;
pub mod texts;
pub mod transcript;

pub use crate::engine::{Cap, Finding, Part, ResultId, SortOrder, WindowOf};
pub use crate::sql::{
    Column, Receipt, RowCount, Schema, SqlHash, Table, TableKind, TableRead, Value, Warning,
};
pub use command::{Command, Keeping, KeyChange, Patch, UnlockView};
