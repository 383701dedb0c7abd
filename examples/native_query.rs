//! Prints what native SQLite returns for a query, as JSON: the reference for the end-to-end tests.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    use rusqlite::{Connection, OpenFlags};
    use serde_json::{Value, json};

    let args: Vec<String> = std::env::args().skip(1).collect();
    let [path, sql] = args.as_slice() else {
        return Err("usage: native_query FILE SQL".into());
    };
    let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut statement = database.prepare(sql)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut rows: Vec<Vec<Value>> = Vec::new();
    let mut cursor = statement.query([])?;
    while let Some(row) = cursor.next()? {
        let cells: Result<Vec<Value>, _> = (0..columns.len())
            .map(|column| row.get_ref(column).map(json_of))
            .collect();
        rows.push(cells?);
    }
    println!("{}", json!({ "columns": columns, "rows": rows }));
    Ok(())
}

#[cfg(not(target_arch = "wasm32"))]
fn json_of(value: rusqlite::types::ValueRef<'_>) -> serde_json::Value {
    use rusqlite::types::ValueRef;
    use serde_json::{Value, json};

    /// The largest whole number that a JavaScript number holds exactly.
    const EXACT_MAX: u64 = (1 << 53) - 1;

    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) if number.unsigned_abs() <= EXACT_MAX => json!(number),
        ValueRef::Integer(number) => json!({ "integer": number.to_string() }),
        ValueRef::Real(number) if number.is_finite() => json!(number),
        ValueRef::Real(number) => json!({ "real": if number > 0.0 { "Inf" } else { "-Inf" } }),
        ValueRef::Text(bytes) => json!(String::from_utf8_lossy(bytes)),
        ValueRef::Blob(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            json!({ "blob": hex })
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
