//! The schema snapshot: what introspection found, object by object, as plain data.

use serde::{Deserialize, Serialize};

/// Everything a prompt, a panel or a search may know of the database's structure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    pub tables: Vec<Table>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    pub name: String,
    pub kind: TableKind,
    pub columns: Vec<Column>,
    #[serde(default)]
    pub foreign_keys: Vec<ForeignKey>,
    #[serde(default)]
    pub indexes: Vec<Index>,
    pub rows: RowCount,
    /// The CREATE text as stored, comments included. Empty for internal objects without one.
    #[serde(default)]
    pub create_sql: String,
    /// The table's own comment in the CREATE text, if there is one.
    #[serde(default)]
    pub comment: Option<String>,
    /// Why the object cannot be read (broken view, missing module), in SQLite's words.
    #[serde(default)]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableKind {
    Table,
    View,
    Virtual {
        module: String,
    },
    /// Backing store of a virtual table.
    Shadow,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    /// The declared type as written; empty where none is.
    pub declared_type: String,
    #[serde(default)]
    pub not_null: bool,
    /// Position in the primary key, from 1; 0 when not part of it.
    #[serde(default)]
    pub primary_key: u32,
    #[serde(default)]
    pub default: Option<String>,
    #[serde(default)]
    pub generated: Generated,
    /// The comment beside the column in the CREATE text.
    #[serde(default)]
    pub comment: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Generated {
    #[default]
    No,
    Virtual,
    Stored,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignKey {
    pub columns: Vec<String>,
    pub table: String,
    /// The columns referred to; the other table's primary key where the declaration leaves them out.
    pub references: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    pub name: String,
    pub unique: bool,
    /// `None` stands for an expression.
    pub columns: Vec<Option<String>>,
    pub partial: bool,
}

/// How many rows a table has. A number is never shown as exact when it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowCount {
    Exact(u64),
    Estimated(u64),
    Unknown,
}

impl Schema {
    /// The table of that name; SQLite's names are case-insensitive in ASCII.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables
            .iter()
            .find(|t| t.name.eq_ignore_ascii_case(name))
    }

    /// Tables and views a person would call theirs: no shadow tables.
    pub fn visible(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().filter(|t| t.kind != TableKind::Shadow)
    }
}

impl Table {
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns
            .iter()
            .find(|c| c.name.eq_ignore_ascii_case(name))
    }
}
