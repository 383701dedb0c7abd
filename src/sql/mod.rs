//! SQL as text and as data: values, the schema snapshot, and the guard that judges a statement.
//! Knows nothing else of ours, and never touches a database: what SQLite said is handed in.

#[cfg(feature = "engine")]
pub mod analysis;
pub mod comments;
pub mod gate;
pub mod hint;
pub mod lex;
pub mod receipt;
pub mod schema;
pub mod value;
pub mod verdict;

pub use schema::{Column, ForeignKey, Generated, Index, RowCount, Schema, Table, TableKind};
pub use value::Value;
pub use verdict::{Denial, Receipt, Rule, SqlHash, TableRead, Verdict, Warning};
