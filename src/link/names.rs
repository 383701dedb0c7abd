//! The names of a schema as words: what each table and column is called, and how well words fit them.
//! Knows the schema snapshot, no question.

use super::synonyms::likeness;
use super::words::{split_name, stem};
use crate::sql::{Schema, Table, TableKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Number,
    Text,
    Date,
    /// Nothing is declared.
    Unknown,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ColumnName {
    pub name: String,
    pub stems: Vec<String>,
    pub comment: Vec<String>,
    pub kind: ColumnKind,
    pub primary: bool,
    /// Part of a foreign key.
    pub foreign: bool,
    pub is_bool: bool,
    /// Holds keys of another table under that table's name: it names nothing by itself.
    pub pointer: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct TableName {
    pub name: String,
    pub stems: Vec<String>,
    pub comment: Vec<String>,
    pub columns: Vec<ColumnName>,
    /// Columns of the primary key, in order.
    pub key: Vec<usize>,
    pub rows: u64,
}

/// Readable tables and views of a schema, with split and stemmed names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    pub tables: Vec<TableName>,
}

/// Words in front of or behind a table's name that say nothing about what it holds.
const HOLLOW: &[&str] = &[
    "tbl", "table", "tb", "ref", "list", "data", "dim", "fact", "info", "mst",
];

/// Words of a column name that alone do not tell what it is.
const WEAK: &[&str] = &["of", "the", "in", "a", "at", "by", "for", "to", "is"];

impl Names {
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let tables = schema
            .visible()
            .filter(|t| t.problem.is_none() && !t.name.starts_with("sqlite_"))
            .map(table_name)
            .collect();
        Self { tables }
    }

    #[must_use]
    pub fn column(&self, table: usize, column: usize) -> Option<&ColumnName> {
        self.tables.get(table)?.columns.get(column)
    }

    /// The column points at another table, declared or likely; `key` is the name of the column it meets.
    pub fn mark_foreign(&mut self, table: usize, column: usize, key: &str) {
        let found = self
            .tables
            .get_mut(table)
            .and_then(|t| t.columns.get_mut(column));
        if let Some(column) = found {
            column.foreign = true;
            let says_key = ["id", "code", "number", "key"]
                .iter()
                .any(|w| super::words::holds(&column.stems, w));
            column.pointer = !says_key && !column.name.eq_ignore_ascii_case(key);
        }
    }

    #[must_use]
    pub fn table_index(&self, name: &str) -> Option<usize> {
        self.tables
            .iter()
            .position(|t| t.name.eq_ignore_ascii_case(name))
    }

    #[must_use]
    pub fn column_index(&self, table: usize, name: &str) -> Option<usize> {
        self.tables
            .get(table)?
            .columns
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(name))
    }
}

fn table_name(table: &Table) -> TableName {
    let foreign = |name: &str| {
        table
            .foreign_keys
            .iter()
            .any(|k| k.columns.iter().any(|c| c.eq_ignore_ascii_case(name)))
    };
    let columns: Vec<ColumnName> = table
        .columns
        .iter()
        .map(|c| ColumnName {
            stems: stems(&c.name),
            comment: c.comment.as_deref().map_or_else(Vec::new, comment_stems),
            kind: kind(&c.declared_type, &c.name),
            primary: c.primary_key > 0,
            foreign: foreign(&c.name),
            is_bool: c.declared_type.to_ascii_uppercase().contains("BOOL"),
            pointer: false,
            name: c.name.clone(),
        })
        .collect();
    let mut key: Vec<(u32, usize)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(_, c)| c.primary_key > 0)
        .map(|(i, c)| (c.primary_key, i))
        .collect();
    key.sort_unstable();
    TableName {
        stems: stems(&table.name),
        comment: table
            .comment
            .as_deref()
            .map_or_else(Vec::new, comment_stems),
        columns,
        key: key.into_iter().map(|(_, i)| i).collect(),
        rows: match table.rows {
            crate::sql::RowCount::Exact(n) | crate::sql::RowCount::Estimated(n) => n,
            crate::sql::RowCount::Unknown => 0,
        },
        name: table.name.clone(),
    }
}

/// True for tables that a person would not ask about.
#[must_use]
pub fn is_internal(kind: &TableKind) -> bool {
    *kind == TableKind::Shadow
}

fn stems(name: &str) -> Vec<String> {
    split_name(name)
        .iter()
        .map(|w| stem(w))
        .filter(|w| !WEAK.contains(&w.as_str()))
        .collect()
}

fn comment_stems(comment: &str) -> Vec<String> {
    split_name(comment)
        .iter()
        .map(|w| stem(w))
        .filter(|w| !WEAK.contains(&w.as_str()))
        .take(40)
        .collect()
}

fn kind(declared: &str, name: &str) -> ColumnKind {
    let declared = declared.to_ascii_uppercase();
    let has = |list: &[&str]| list.iter().any(|t| declared.contains(t));
    if has(&["DATE", "TIME"]) {
        ColumnKind::Date
    } else if has(&["CHAR", "TEXT", "CLOB", "STRING"]) {
        let words = split_name(name);
        if words.iter().any(|w| w == "date" || w == "datetime") {
            ColumnKind::Date
        } else {
            ColumnKind::Text
        }
    } else if has(&["INT", "REAL", "NUM", "DEC", "FLOA", "DOUB", "MONEY", "BOOL"]) {
        ColumnKind::Number
    } else {
        ColumnKind::Unknown
    }
}

impl TableName {
    /// How well the words name this table, 0 to 1. Every word must fit.
    #[must_use]
    pub fn fit(&self, words: &[String]) -> f32 {
        let solid = |w: &&String| !HOLLOW.contains(&w.as_str());
        let own: Vec<&String> = self.stems.iter().filter(solid).collect();
        let own: Vec<&String> = if own.is_empty() {
            self.stems.iter().collect()
        } else {
            own
        };
        let mut direct = coverage(words, &own, &[]);
        // The last word is what the rows are; the words before it only narrow it down.
        if let ([word], Some(head)) = (words, own.last()) {
            let head = likeness(word, head);
            if head > 0.8 {
                direct = direct.max(0.76 * head);
            }
        }
        let comment: Vec<&String> = self.comment.iter().take(6).collect();
        direct.max(coverage(words, &comment, &[]) * 0.85)
    }
}

impl ColumnName {
    /// How well the words name this column of that table, 0 to 1. Every word must fit; words of the
    /// table's own name inside the column's name count little when they are left out.
    #[must_use]
    pub fn fit(&self, table: &TableName, words: &[String]) -> f32 {
        let own: Vec<&String> = self.stems.iter().collect();
        let direct = coverage(words, &own, &table.stems);
        let comment: Vec<&String> = self.comment.iter().take(8).collect();
        direct.max(coverage(words, &comment, &[]) * 0.85)
    }
}

/// Weight of a name's word that repeats the table's name.
const REPEATED: f32 = 0.25;

fn coverage(words: &[String], name: &[&String], free: &[String]) -> f32 {
    if words.is_empty() || name.is_empty() {
        return 0.0;
    }
    let mut used = vec![false; name.len()];
    let mut quality = 1.0_f32;
    for word in words {
        let best = name
            .iter()
            .enumerate()
            .filter(|(i, _)| !used.get(*i).copied().unwrap_or(true))
            .map(|(i, n)| (likeness(word, n), i))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        match best {
            Some((score, i)) if score > 0.0 => {
                if let Some(slot) = used.get_mut(i) {
                    *slot = true;
                }
                quality *= score;
            }
            _ => return 0.0,
        }
    }
    let (mut all, mut met) = (0.0_f32, 0.0_f32);
    for (n, used) in name.iter().zip(&used) {
        let weight = if free.contains(n) && !*used {
            REPEATED
        } else {
            1.0
        };
        all += weight;
        if *used {
            met += weight;
        }
    }
    quality * met / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(stem).collect()
    }

    #[test]
    fn a_name_fits_its_words_in_any_order() {
        let column = ColumnName {
            name: "Level_of_access".into(),
            stems: stems("Level_of_access"),
            comment: Vec::new(),
            kind: ColumnKind::Number,
            primary: false,
            foreign: false,
            is_bool: false,
            pointer: false,
        };
        let table = TableName {
            name: "badge".into(),
            stems: stems("badge"),
            comment: Vec::new(),
            columns: Vec::new(),
            key: Vec::new(),
            rows: 0,
        };
        assert!(column.fit(&table, &words("access level")) > 0.99);
        assert!(column.fit(&table, &words("level")) < 0.6);
        assert!(column.fit(&table, &words("badge level")) < 0.1);
        assert!(table.fit(&words("badges")) > 0.99);
    }
}
