//! What a column of a result is to a chart: a time, a measure, a category, or nothing.

use crate::sql::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Time,
    Measure,
    Category,
    /// Row numbers, blobs, empty columns.
    Nothing,
}

pub fn role(name: &str, column: usize, rows: &[Vec<Value>]) -> Role {
    let cells: Vec<&Value> = rows
        .iter()
        .filter_map(|row| row.get(column))
        .filter(|v| !v.is_null())
        .collect();
    let name = name.to_ascii_lowercase();
    if cells.is_empty() {
        Role::Nothing
    } else if cells.iter().all(|v| is_time(v)) || is_year(&name, &cells) {
        Role::Time
    } else if cells.iter().all(|v| number(v).is_some()) {
        if is_row_number(&name, &cells) {
            Role::Nothing
        } else if is_key(&name) {
            Role::Category
        } else {
            Role::Measure
        }
    } else if cells
        .iter()
        .all(|v| matches!(v, Value::Text(_) | Value::Integer(_)))
    {
        Role::Category
    } else {
        Role::Nothing
    }
}

pub fn number(value: &Value) -> Option<f64> {
    match value {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a chart has fewer pixels than a double has digits"
        )]
        Value::Integer(i) => Some(*i as f64),
        Value::Real(r) if r.is_finite() => Some(*r),
        _ => None,
    }
}

pub fn is_key(name: &str) -> bool {
    name == "id" || name.ends_with("_id") || name.ends_with("code") || name == "zip"
}

fn is_row_number(name: &str, cells: &[&Value]) -> bool {
    let counts_up = cells.len() > 1
        && cells
            .iter()
            .zip(1i64..)
            .all(|(v, n)| matches!(v, Value::Integer(i) if *i == n));
    let named = [
        "rank",
        "row",
        "row_number",
        "rowid",
        "rn",
        "no",
        "nr",
        "#",
        "position",
        "pos",
        "index",
    ]
    .contains(&name);
    named && (counts_up || name.starts_with("row"))
}

fn is_year(name: &str, cells: &[&Value]) -> bool {
    name.contains("year")
        && cells
            .iter()
            .all(|v| matches!(v, Value::Integer(y) if (1000..3000).contains(y)))
}

/// `2024`, `2024-05`, `2024-05-17`, with or without a time, `2024-W07`, `2024-Q1`.
fn is_time(value: &Value) -> bool {
    let Value::Text(text) = value else {
        return false;
    };
    let mut parts = text.split('-');
    let year = parts.next().unwrap_or_default();
    if year.len() != 4 || !year.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    match parts.next() {
        None => true,
        Some(second) => {
            let digits = second.trim_start_matches(['W', 'Q']);
            !digits.is_empty()
                && digits.len() <= 2
                && digits.bytes().all(|b| b.is_ascii_digit())
                && parts.next().is_none_or(|day| {
                    day.get(..2)
                        .is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()))
                })
        }
    }
}

/// Whether a measure says how a whole is divided: by its name, or because fractions add up to one or a hundred.
pub fn is_share(name: &str, values: &[Option<f64>]) -> bool {
    const WORDS: [&str; 9] = [
        "share",
        "percent",
        "pct",
        "proportion",
        "ratio",
        "%",
        "占比",
        "比例",
        "份额",
    ];
    let name = name.to_ascii_lowercase();
    let sum: f64 = values.iter().flatten().sum();
    let broken = values.iter().flatten().any(|v| *v != v.trunc());
    let whole = [1.0, 100.0].iter().any(|w| (sum - w).abs() < w * 0.005);
    WORDS.iter().any(|word| name.contains(word)) || (broken && whole)
}
