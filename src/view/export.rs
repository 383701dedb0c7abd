//! Rows as text to take away: TSV and Markdown for the clipboard, CSV for a file.

use crate::sql::Value;

/// Tab-separated, as spreadsheets paste it. Tabs and line breaks inside a cell become spaces.
#[must_use]
pub fn tsv(columns: &[String], rows: &[Vec<Value>]) -> String {
    let clean = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    lines(columns, rows, "\t", "\n", clean)
}

/// RFC 4180, with the byte-order mark that spreadsheets need to read UTF-8.
#[must_use]
pub fn csv(columns: &[String], rows: &[Vec<Value>]) -> String {
    let quote = |text: &str| {
        if text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    format!("\u{feff}{}", lines(columns, rows, ",", "\r\n", quote))
}

#[must_use]
pub fn markdown(columns: &[String], rows: &[Vec<Value>]) -> String {
    let clean = |text: &str| text.replace('|', "\\|").replace(['\n', '\r'], " ");
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut out = row(columns.iter().map(|c| clean(c)).collect());
    out.push_str(&row(columns.iter().map(|_| "---".to_owned()).collect()));
    for cells in rows {
        out.push_str(&row(cells.iter().map(|v| clean(&text_of(v))).collect()));
    }
    out
}

/// One cell alone: a blob as SQLite writes it, and the word NULL.
#[must_use]
pub fn whole(value: &Value) -> String {
    match value {
        Value::Blob { head, bytes } => {
            let digits: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
            let more = if head.len() as u64 == *bytes {
                "'"
            } else {
                "…"
            };
            format!("x'{digits}{more}")
        }
        other => other.display(),
    }
}

fn lines(
    columns: &[String],
    rows: &[Vec<Value>],
    separator: &str,
    end: &str,
    form: impl Fn(&str) -> String,
) -> String {
    let head: Vec<String> = columns.iter().map(|c| form(c)).collect();
    let mut out = head.join(separator);
    out.push_str(end);
    for row in rows {
        let cells: Vec<String> = row.iter().map(|v| form(&text_of(v))).collect();
        out.push_str(&cells.join(separator));
        out.push_str(end);
    }
    out
}

/// NULL is an empty field, as in SQLite's own CSV mode.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        other => other.display(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> (Vec<String>, Vec<Vec<Value>>) {
        (
            vec!["a".into(), "b|c".into()],
            vec![
                vec![Value::Text("x,\"y\"\n".into()), Value::Null],
                vec![Value::Integer(1), Value::Text("t\tz".into())],
            ],
        )
    }

    #[test]
    fn each_form_escapes_what_it_must() {
        let (columns, rows) = rows();
        assert_eq!(tsv(&columns, &rows), "a\tb|c\nx,\"y\" \t\n1\tt z\n");
        assert_eq!(
            csv(&columns, &rows),
            "\u{feff}a,b|c\r\n\"x,\"\"y\"\"\n\",\r\n1,t\tz\r\n"
        );
        assert_eq!(
            markdown(&columns, &rows),
            "| a | b\\|c |\n| --- | --- |\n| x,\"y\"  |  |\n| 1 | t\tz |\n"
        );
    }
}
