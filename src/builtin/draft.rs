//! What was understood so far: a plan in numbers of tables and columns, before joins are found.
//! Knows no words of a question.

use super::plan::{Aggregate, Comparison, Pattern};
use std::collections::BTreeSet;

/// A column as (table, column), numbered as in `Names`.
pub type Col = (usize, usize);

#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    Column(Col),
    CountRows(usize),
    CountDistinct(Col),
    Aggregate(Aggregate, Col),
    /// The column that names a row of the table.
    Label(usize),
    Everything(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Column(Col),
    Table(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    Column(Col),
    CountOf(usize),
    Aggregate(Aggregate, Col),
    /// The first column returned.
    FirstItem,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sort {
    pub by: Measure,
    pub descending: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Having {
    pub by: Measure,
    pub op: Comparison,
    pub number: String,
    /// Upper end where it is a range.
    pub to: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// One of these texts.
    Is(Vec<String>),
    Number(Comparison, String),
    /// Compared as text, dates included.
    Text(Comparison, String),
    Year(Comparison, String),
    Between(String, String),
    YearBetween(String, String),
    Like(Pattern, String),
    /// Compared with an aggregate of a column, over the rows that pass the inner filters.
    Nested(Comparison, Aggregate, Col, Vec<Filter>),
    Null,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// Number of the token it came from.
    pub at: usize,
    pub column: Col,
    pub test: Test,
    pub negated: bool,
    /// Joined to the one before it by "or".
    pub or: bool,
}

/// No row of `table` belongs to the focus (with these filters).
#[derive(Debug, Clone, PartialEq)]
pub struct Absent {
    pub at: usize,
    pub tables: Vec<usize>,
    pub filters: Vec<Filter>,
}

/// A mention that fits two columns equally well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Doubt {
    /// Number of the token.
    pub at: usize,
    pub columns: [Col; 2],
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    pub focus: Option<usize>,
    pub items: Vec<Item>,
    pub distinct: bool,
    pub filters: Vec<Filter>,
    pub absent: Vec<Absent>,
    pub groups: Vec<Key>,
    pub having: Vec<Having>,
    pub order: Vec<Sort>,
    pub limit: Option<u64>,
    /// Tables that must be joined although no column of them is used.
    pub involved: BTreeSet<usize>,
    /// Each of these filters must hold for some row: the sides of an intersection.
    pub both: Vec<Filter>,
    pub score: f32,
    pub doubts: Vec<Doubt>,
    /// Pieces of the question that were left over.
    pub left_over: Vec<String>,
}

impl Draft {
    /// Tables whose columns are used outside sub-queries.
    #[must_use]
    pub fn tables(&self) -> BTreeSet<usize> {
        let mut out = self.involved.clone();
        for item in &self.items {
            out.insert(match item {
                Item::Column((t, _)) | Item::CountDistinct((t, _)) | Item::Aggregate(_, (t, _)) => {
                    *t
                }
                Item::CountRows(t) | Item::Label(t) | Item::Everything(t) => *t,
            });
        }
        out.extend(self.filters.iter().chain(&self.both).map(|f| f.column.0));
        out.extend(self.groups.iter().map(|k| match k {
            Key::Column((t, _)) | Key::Table(t) => *t,
        }));
        let measures = self
            .having
            .iter()
            .map(|h| h.by)
            .chain(self.order.iter().map(|s| s.by));
        out.extend(measures.filter_map(|m| match m {
            Measure::Column((t, _)) | Measure::Aggregate(_, (t, _)) | Measure::CountOf(t) => {
                Some(t)
            }
            Measure::FirstItem => None,
        }));
        out
    }

    #[must_use]
    pub fn uses(&self, column: Col) -> bool {
        let in_items = self.items.iter().any(|i| match i {
            Item::Column(c) | Item::CountDistinct(c) | Item::Aggregate(_, c) => *c == column,
            _ => false,
        });
        let in_filters = self
            .filters
            .iter()
            .chain(&self.both)
            .any(|f| f.column == column);
        let in_groups = self.groups.contains(&Key::Column(column));
        let in_order = self.order.iter().any(|s| match s.by {
            Measure::Column(c) | Measure::Aggregate(_, c) => c == column,
            Measure::CountOf(_) | Measure::FirstItem => false,
        });
        in_items || in_filters || in_groups || in_order
    }
}
