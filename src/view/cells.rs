//! Cells and numbers as people read them. Values keep SQLite's own words; only counts are grouped.

use crate::sql::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    Null,
    /// A text without a character, which must not look like NULL.
    Empty,
    Number,
    Text,
    Blob,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub kind: CellKind,
    pub text: String,
}

#[must_use]
pub fn cell(value: &Value) -> Cell {
    let kind = match value {
        Value::Null => CellKind::Null,
        Value::Integer(_) | Value::Real(_) => CellKind::Number,
        Value::Text(text) if text.is_empty() => CellKind::Empty,
        Value::Text(_) | Value::TextHead { .. } => CellKind::Text,
        Value::Blob { .. } => CellKind::Blob,
    };
    Cell {
        kind,
        text: match value {
            Value::Blob { head, bytes } => blob_text(head, *bytes),
            other => other.display(),
        },
    }
}

impl CellKind {
    /// The name that the style sheet knows.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Empty => "empty",
            Self::Number => "number",
            Self::Text => "text",
            Self::Blob => "blob",
        }
    }
}

fn blob_text(head: &[u8], bytes: u64) -> String {
    let shown: String = head.iter().take(8).map(|b| format!("{b:02x}")).collect();
    let more = if bytes > 8 { "…" } else { "" };
    format!("x'{shown}{more}' {}", bytes_text(bytes))
}

/// `12 431`, with narrow spaces that do not break.
#[must_use]
pub fn count_text(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// `3.1 KB`, in powers of 1 000.
#[must_use]
pub fn bytes_text(bytes: u64) -> String {
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let mut size = bytes as f64;
    let mut unit = "B";
    for next in ["KB", "MB", "GB", "TB"] {
        if size < 999.95 {
            break;
        }
        size /= 1_000.0;
        unit = next;
    }
    if size < 10.0 {
        format!("{size:.1} {unit}")
    } else {
        format!("{size:.0} {unit}")
    }
}

/// `8 ms`, `1.2 s`.
#[must_use]
pub fn time_text(ms: f64) -> String {
    if ms < 1.0 {
        "<1 ms".to_owned()
    } else if ms < 1_000.0 {
        format!("{ms:.0} ms")
    } else {
        format!("{:.1} s", ms / 1_000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_empty_and_the_word_null_differ() {
        let kinds: Vec<_> = [
            Value::Null,
            Value::Text(String::new()),
            Value::Text("NULL".into()),
        ]
        .iter()
        .map(|v| cell(v).kind)
        .collect();
        assert_eq!(kinds, [CellKind::Null, CellKind::Empty, CellKind::Text]);
    }

    #[test]
    fn numbers_keep_every_digit() {
        assert_eq!(
            cell(&Value::Integer(9_007_199_254_740_993)).text,
            "9007199254740993"
        );
        assert_eq!(cell(&Value::Real(12.0)).text, "12.0");
    }

    #[test]
    fn counts_sizes_and_times() {
        assert_eq!(count_text(0), "0");
        assert_eq!(count_text(999), "999");
        assert_eq!(count_text(12_431), "12\u{202f}431");
        assert_eq!(count_text(1_000_000), "1\u{202f}000\u{202f}000");
        assert_eq!(bytes_text(999), "999 B");
        assert_eq!(bytes_text(3_140), "3.1 KB");
        assert_eq!(bytes_text(48_210_000), "48 MB");
        assert_eq!(bytes_text(999_960), "1.0 MB");
        assert_eq!(time_text(0.2), "<1 ms");
        assert_eq!(time_text(1_234.0), "1.2 s");
    }

    #[test]
    fn a_blob_shows_its_head_and_size() {
        let blob = Value::Blob {
            head: (0..16).collect(),
            bytes: 2_048,
        };
        assert_eq!(cell(&blob).text, "x'0001020304050607…' 2.0 KB");
    }
}
