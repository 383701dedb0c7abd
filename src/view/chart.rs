//! Chooses a chart from a result's types, as data. Drawing is the page's business.

use crate::sql::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct ChartChoice {
    pub kind: ChartKind,
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// Category or time labels, in the order of the rows.
    pub labels: Vec<String>,
    /// One series per numeric column; `None` where the cell is NULL.
    pub series: Vec<Series>,
    /// One sentence for those who do not see the chart.
    pub summary: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub values: Vec<Option<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartKind {
    /// One number.
    Number,
    Bar,
    Line,
    Scatter,
}

/// The chart that fits, if one does: time → line, category + number → bar, two numbers → scatter,
/// one number → the number itself.
#[must_use]
pub fn choose(_columns: &[String], _rows: &[Vec<Value>]) -> Option<ChartChoice> {
    None
}
