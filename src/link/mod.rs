//! Schema linking: from the words of a question to tables, columns, stored values and join paths.
//! Pure and deterministic; used by the built-in translator, and fit for choosing what a prompt shows.
//! Knows the schema snapshot, never a database, a model or a statement.

pub mod fuzzy;
pub mod joins;
pub mod names;
pub mod rank;
pub mod sensitive;
pub mod synonyms;
pub mod values;
pub mod words;

pub use joins::{Edge, JoinGraph};
pub use names::{ColumnKind, ColumnName, Names, TableName};
pub use rank::{Ranked, rank};
pub use values::{ValueHit, ValueIndex};
pub use words::{Word, words};
