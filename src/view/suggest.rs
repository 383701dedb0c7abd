//! Questions worth asking, made from the names and types of a schema alone.

use super::texts::Texts;
use crate::sql::{Column, RowCount, Schema, Table, TableKind};

/// At most three, of different tables where there are enough.
#[must_use]
pub fn questions(schema: &Schema, texts: &Texts) -> Vec<String> {
    let mut tables: Vec<&Table> = schema
        .visible()
        .filter(|t| t.problem.is_none() && !matches!(t.kind, TableKind::Virtual { .. }))
        .collect();
    tables.sort_by_key(|t| std::cmp::Reverse(size(t.rows)));
    let mut out: Vec<String> = Vec::new();
    let mut used: Vec<&str> = Vec::new();
    for make in [over_time, ranking, count] {
        let found = tables
            .iter()
            .filter(|t| !used.contains(&t.name.as_str()))
            .chain(tables.iter())
            .find_map(|t| make(t, texts).map(|q| (t.name.as_str(), q)));
        if let Some((table, question)) = found {
            used.push(table);
            out.push(question);
        }
    }
    out
}

fn size(rows: RowCount) -> u64 {
    match rows {
        RowCount::Exact(n) | RowCount::Estimated(n) => n,
        RowCount::Unknown => 0,
    }
}

fn over_time(table: &Table, texts: &Texts) -> Option<String> {
    table.columns.iter().find(|c| is_time(c))?;
    Some((texts.suggest_over_time)(&table.name))
}

fn ranking(table: &Table, texts: &Texts) -> Option<String> {
    let label = table.columns.iter().find(|c| is_label(c))?;
    let measure = table.columns.iter().find(|c| is_measure(c))?;
    Some((texts.suggest_ranking)(
        &table.name,
        &label.name,
        &measure.name,
    ))
}

fn count(table: &Table, texts: &Texts) -> Option<String> {
    Some((texts.suggest_count)(&table.name))
}

fn is_time(column: &Column) -> bool {
    let name = column.name.to_ascii_lowercase();
    let declared = column.declared_type.to_ascii_uppercase();
    declared.contains("DATE")
        || declared.contains("TIME")
        || name.ends_with("_at")
        || name.ends_with("_on")
        || name.contains("date")
}

fn is_label(column: &Column) -> bool {
    let declared = column.declared_type.to_ascii_uppercase();
    (declared.contains("CHAR") || declared.contains("TEXT")) && !is_time(column)
}

fn is_measure(column: &Column) -> bool {
    let name = column.name.to_ascii_lowercase();
    let declared = column.declared_type.to_ascii_uppercase();
    let numeric = ["INT", "REAL", "NUM", "DEC", "FLOA", "DOUB"]
        .iter()
        .any(|t| declared.contains(t));
    numeric && column.primary_key == 0 && !name.ends_with("id") && !is_time(column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Generated;
    use crate::view::texts::{EN, ZH};

    fn column(name: &str, declared_type: &str) -> Column {
        Column {
            name: name.into(),
            declared_type: declared_type.into(),
            not_null: false,
            primary_key: 0,
            default: None,
            generated: Generated::No,
            comment: None,
        }
    }

    fn table(name: &str, rows: u64, columns: Vec<Column>) -> Table {
        Table {
            name: name.into(),
            kind: TableKind::Table,
            columns,
            foreign_keys: Vec::new(),
            indexes: Vec::new(),
            rows: RowCount::Exact(rows),
            create_sql: String::new(),
            comment: None,
            problem: None,
        }
    }

    #[test]
    fn three_questions_of_three_tables() {
        let schema = Schema {
            tables: vec![
                table("orders", 900, vec![column("ordered_at", "TEXT")]),
                table(
                    "products",
                    50,
                    vec![column("name", "TEXT"), column("price", "REAL")],
                ),
                table("customers", 300, vec![column("email", "TEXT")]),
            ],
        };
        for texts in [&EN, &ZH] {
            let found = questions(&schema, texts);
            assert_eq!(found.len(), 3);
            for (question, name) in found.iter().zip(["orders", "products", "customers"]) {
                assert!(question.contains(name), "{question}");
            }
        }
        assert!(questions(&Schema::default(), &EN).is_empty());
    }
}
