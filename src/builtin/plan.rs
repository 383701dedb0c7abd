//! The query plan: what a question was understood to ask, as types. Knows no text of a statement and no
//! words of a question.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Query {
    Select(Box<Select>),
    /// Both sides have the same number of items.
    Set {
        op: SetOp,
        left: Box<Query>,
        right: Box<Query>,
    },
}

impl Query {
    /// Whether the other one reads the same rows: the order of joins does not matter.
    #[must_use]
    pub fn reads_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Select(a), Self::Select(b)) => a.reads_as(b),
            (
                Self::Set { op, left, right },
                Self::Set {
                    op: other_op,
                    left: other_left,
                    right: other_right,
                },
            ) => op == other_op && left.reads_as(other_left) && right.reads_as(other_right),
            _ => false,
        }
    }
}

impl Select {
    fn reads_as(&self, other: &Self) -> bool {
        let joined = |select: &Self| {
            let mut tables: Vec<(String, Option<String>)> = Vec::new();
            let mut pairs: Vec<[Column; 2]> = Vec::new();
            for source in &select.from {
                tables.push((source.table.clone(), source.alias.clone()));
                if let Some((a, b)) = &source.on {
                    let mut pair = [a.clone(), b.clone()];
                    pair.sort();
                    pairs.push(pair);
                }
            }
            tables.sort();
            pairs.sort();
            (tables, pairs)
        };
        joined(self) == joined(other)
            && Self {
                from: Vec::new(),
                ..self.clone()
            } == Self {
                from: Vec::new(),
                ..other.clone()
            }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetOp {
    Intersect,
    Union,
    Except,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Select {
    pub distinct: bool,
    pub items: Vec<Expr>,
    pub from: Vec<Source>,
    pub filter: Vec<Condition>,
    pub group: Vec<Column>,
    pub having: Vec<Condition>,
    pub order: Vec<OrderBy>,
    pub limit: Option<u64>,
}

/// A table of FROM. `alias` is set where one table stands there twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    pub table: String,
    pub alias: Option<String>,
    /// The equality that joins it to the sources before it; `None` for the first.
    pub on: Option<(Column, Column)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Column {
    /// Table name or alias.
    pub source: String,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expr {
    Column(Column),
    /// Every column.
    All,
    CountRows,
    Aggregate {
        function: Aggregate,
        distinct: bool,
        column: Column,
    },
    /// The year of a date column, as a number.
    Year(Column),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aggregate {
    Count,
    Sum,
    Average,
    Minimum,
    Maximum,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    Compare {
        left: Expr,
        op: Comparison,
        right: Operand,
    },
    Between {
        left: Expr,
        low: Operand,
        high: Operand,
    },
    Like {
        column: Column,
        pattern: Pattern,
        text: String,
        negated: bool,
    },
    In {
        column: Column,
        list: Vec<Operand>,
        negated: bool,
    },
    InQuery {
        column: Column,
        query: Box<Query>,
        negated: bool,
    },
    IsNull {
        column: Column,
        negated: bool,
    },
    Any(Vec<Condition>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    Contains,
    StartsWith,
    EndsWith,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The comparison that holds exactly where this one does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operand {
    Text(String),
    Number(Number),
    Query(Box<Query>),
}

/// Digits that were checked to be a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Number(String);

impl Number {
    /// `None` where the text is no plain decimal number.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        crate::link::words::number(text).map(Self)
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderBy {
    pub by: Expr,
    pub descending: bool,
}
