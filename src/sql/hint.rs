//! What may have been meant where SQLite knows no such name. Knows the schema, not the statement.

use super::schema::Schema;

/// A sentence that names the closest table or column, for messages like `no such column: nmae`.
#[must_use]
pub fn hint(message: &str, schema: &Schema) -> Option<String> {
    let lower = message.to_ascii_lowercase();
    if let Some(at) = lower.find("no such table: ") {
        let wanted = bare_name(message.get(at + 15..)?);
        let tables = schema.visible().map(|t| t.name.as_str());
        return closest(&wanted, tables).map(|name| format!("did you mean the table {name}?"));
    }
    let at = lower.find("no such column: ")?;
    let wanted = bare_name(message.get(at + 16..)?);
    let columns = schema
        .visible()
        .flat_map(|t| t.columns.iter().map(|c| c.name.as_str()));
    let name = closest(&wanted, columns)?;
    let homes: Vec<&str> = schema
        .visible()
        .filter(|t| t.column(name).is_some())
        .map(|t| t.name.as_str())
        .take(HOMES_MAX)
        .collect();
    Some(format!(
        "did you mean {name}? It is in {}.",
        homes.join(", ")
    ))
}

/// More tables than this would bury the name.
const HOMES_MAX: usize = 4;

/// `"C"` of `a.C - should this be …`.
fn bare_name(text: &str) -> String {
    let first = text.split(" - ").next().unwrap_or(text).trim();
    let last = first.rsplit('.').next().unwrap_or(first);
    last.trim_matches(['"', '`', '[', ']', '\'']).to_owned()
}

/// The nearest candidate, where it is near: at most half of the letters and three differ.
fn closest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(wanted);
    let far = (wanted.chars().count() / 2).clamp(1, 3);
    candidates
        .map(|name| (distance(&wanted, &fold(name)), name))
        .filter(|(distance, _)| *distance <= far)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// `Order_Date`, `orderDate` and `order date` are one name to a person.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .take(NAME_CHARS_MAX)
        .collect()
}

/// The distance is quadratic in the length.
const NAME_CHARS_MAX: usize = 64;

/// Edits between two names (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        let mut left = i + 1;
        for ((y, up), diagonal) in b.iter().zip(row.iter().skip(1)).zip(&row) {
            left = (diagonal + usize::from(x != *y)).min(up + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{Column, RowCount, Table, TableKind};

    #[test]
    fn near_names_are_offered_and_far_ones_are_not() {
        let column = |name: &str| Column {
            name: name.into(),
            declared_type: String::new(),
            not_null: false,
            primary_key: 0,
            default: None,
            generated: crate::sql::Generated::No,
            comment: None,
        };
        let schema = Schema {
            tables: vec![Table {
                name: "customers".into(),
                kind: TableKind::Table,
                columns: vec![column("last_name"), column("city")],
                foreign_keys: vec![],
                indexes: vec![],
                rows: RowCount::Unknown,
                create_sql: String::new(),
                comment: None,
                problem: None,
            }],
        };
        assert_eq!(
            hint("no such column: c.LastName", &schema).unwrap(),
            "did you mean last_name? It is in customers."
        );
        assert_eq!(
            hint("no such table: customer", &schema).unwrap(),
            "did you mean the table customers?"
        );
        assert_eq!(hint("no such column: zebra", &schema), None);
        assert_eq!(hint("near \"x\": syntax error", &schema), None);
    }
}
