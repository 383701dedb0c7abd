//! Arguments of a tool call, as models really write them, to a JSON object. Must never make up content:
//! text that was cut stays malformed, because half a statement is not a statement.

use serde_json::Value;

/// The arguments as the text of a JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    /// JSON text of an object, or the raw text where `malformed` is set.
    pub json: String,
    pub malformed: bool,
}

/// Accepts an object as it is, mends what has one meaning only, and marks the rest.
#[must_use]
pub fn arguments(text: &str) -> Arguments {
    let good = |json: String| Arguments {
        json,
        malformed: false,
    };
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed == "null" {
        return good("{}".to_owned());
    }
    if is_object(trimmed) {
        return good(trimmed.to_owned());
    }
    if let Ok(Value::String(inner)) = serde_json::from_str(trimmed)
        && is_object(inner.trim())
    {
        return good(inner.trim().to_owned());
    }
    let mended = mend(without_fence(trimmed));
    if is_object(&mended) {
        return good(mended);
    }
    Arguments {
        json: text.to_owned(),
        malformed: true,
    }
}

/// Whether the text is one complete JSON object.
#[must_use]
pub fn is_object(text: &str) -> bool {
    text.starts_with('{') && serde_json::from_str::<serde_json::Map<String, Value>>(text).is_ok()
}

fn without_fence(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("```") else {
        return text;
    };
    let inner = inner.strip_suffix("```").unwrap_or(inner);
    inner
        .find('{')
        .map_or(text, |at| inner.get(at..).unwrap_or(text))
        .trim()
}

/// Escapes control characters inside strings, drops commas before a closing bracket, and doubles
/// backslashes that escape nothing.
fn mend(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut in_string = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '\\' if in_string => match chars.next() {
                Some('\'') => out.push('\''),
                Some(next) if "\"\\/bfnrtu".contains(next) => out.extend(['\\', next]),
                Some(next) => {
                    out.push_str("\\\\");
                    push_in_string(next, &mut out);
                }
                None => out.push('\\'),
            },
            _ if in_string => push_in_string(c, &mut out),
            '}' | ']' => {
                let kept = out.trim_end();
                if let Some(before) = kept.strip_suffix(',') {
                    out.truncate(before.len());
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

fn push_in_string(c: char, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if (c as u32) < 0x20 => {
            out.push_str("\\u00");
            for nibble in [c as u32 >> 4, c as u32 & 15] {
                out.push(char::from_digit(nibble, 16).unwrap_or('0'));
            }
        }
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let got = arguments(text);
        assert_eq!(
            (!got.malformed).then_some(got.json.as_str()),
            expected,
            "{text}"
        );
        if got.malformed {
            assert_eq!(got.json, text);
        }
    }

    #[test]
    fn mends_what_has_one_meaning_and_marks_the_rest() {
        check("", Some("{}"));
        check(" null ", Some("{}"));
        check(" {\"a\": 1} ", Some("{\"a\": 1}"));
        check("{\"sql\":\"a\nb\",}", Some("{\"sql\":\"a\\nb\"}"));
        check("{\"a\":[1,2, ],\n}", Some("{\"a\":[1,2]}"));
        check("{\"a\":\"it\\'s\"}", Some("{\"a\":\"it's\"}"));
        check("{\"a\":\"\\d\u{1}\"}", Some("{\"a\":\"\\\\d\\u0001\"}"));
        check("\"{\\\"a\\\":1}\"", Some("{\"a\":1}"));
        check("```json\n{\"a\":1}\n```", Some("{\"a\":1}"));
        check("{\"sql\":\"SELECT 1", None);
        check("{\"a\":1", None);
        check("[1]", None);
        check("7", None);
        check("{\"a\":1}{\"a\":1}", None);
        check("{\"a\":\"x\\", None);
        check("```", None);
    }
}
