//! Does an answer speak only from what came back? Finds the numbers of a text and looks each up among
//! the numbers of the rows, the question and the queries. Rounding in the answer is allowed.

use crate::sql::Value;
use std::collections::BTreeSet;
use std::ops::Range;

/// A set of numbers that an answer may use.
#[derive(Debug, Default)]
pub struct Known {
    exact: BTreeSet<String>,
    values: Vec<f64>,
}

impl Known {
    pub fn add_text(&mut self, text: &str) {
        for token in numbers(text) {
            self.add_number(&token.plain);
        }
    }

    pub fn add_value(&mut self, value: &Value) {
        match value {
            Value::Integer(i) => self.add_number(&i.to_string()),
            Value::Real(r) if r.is_finite() => self.add_number(&r.to_string()),
            Value::Text(text) | Value::TextHead { text, .. } => self.add_text(text),
            Value::Null | Value::Real(_) | Value::Blob { .. } => {}
        }
    }

    fn add_number(&mut self, plain: &str) {
        if let Ok(value) = plain.parse::<f64>() {
            self.values.push(value.abs());
        }
        self.exact.insert(plain.trim_start_matches('-').to_owned());
    }

    fn holds(&self, number: &Number) -> bool {
        let plain = number.plain.trim_start_matches('-');
        if self.exact.contains(plain) {
            return true;
        }
        let Ok(wanted) = plain.parse::<f64>() else {
            return false;
        };
        let half_step = 0.5 * 10f64.powi(-i32::try_from(number.decimals).unwrap_or(0));
        // A share in the rows may be told as a percentage.
        let scales: &[f64] = if number.percent {
            &[1.0, 100.0]
        } else {
            &[1.0]
        };
        self.values.iter().any(|value| {
            scales
                .iter()
                .any(|scale| (value * scale - wanted).abs() <= half_step * (1.0 + 1e-9))
        })
    }
}

/// The numbers of `answer` that are not in `known`, as written, without repeats.
#[must_use]
pub fn unsupported(answer: &str, known: &Known) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for number in numbers(answer) {
        if !number.list_marker && !known.holds(&number) && !missing.contains(&number.written) {
            missing.push(number.written);
        }
    }
    missing
}

/// A number as a text writes it.
#[derive(Debug, PartialEq)]
pub struct Number {
    pub written: String,
    /// Where it stands, in characters of the text.
    pub place: Range<usize>,
    /// Without thousands separators.
    plain: String,
    decimals: usize,
    percent: bool,
    /// `1.` at the start of a line.
    list_marker: bool,
}

impl Number {
    /// How the number tells what is in a cell: exactly, or rounded.
    #[must_use]
    pub fn tells(&self, value: &Value) -> Option<Told> {
        let mut known = Known::default();
        known.add_value(value);
        let is_number = matches!(value, Value::Integer(_) | Value::Real(_));
        if known.exact.contains(&self.plain) {
            Some(Told::Exactly)
        } else {
            // A part of a text, such as the month of a date, is told as it is written or not at all.
            (is_number && known.holds(self)).then_some(Told::Rounded)
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Told {
    Exactly,
    Rounded,
}

/// The numbers of a text, from its start to its end.
#[must_use]
pub fn numbers(text: &str) -> Vec<Number> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or(' ');
    let mut found = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let inside_word = i > 0 && (at(i - 1).is_ascii_alphabetic() || at(i - 1) == '_');
        if !at(i).is_ascii_digit() || inside_word {
            i += 1;
            continue;
        }
        let start = i;
        let mut plain = String::new();
        let mut decimals = None;
        while i < chars.len() {
            let c = at(i);
            let digit_follows = at(i + 1).is_ascii_digit();
            if c.is_ascii_digit() {
                plain.push(c);
                decimals = decimals.map(|n: usize| n + 1);
            } else if c == '.' && digit_follows && decimals.is_none() {
                plain.push('.');
                decimals = Some(0);
            } else if !(matches!(c, ',' | '\u{a0}' | '\u{202f}' | '\'')
                && decimals.is_none()
                && is_thousands_group(&chars, i + 1))
            {
                break;
            }
            i += 1;
        }
        let line_start = chars
            .get(..start)
            .unwrap_or_default()
            .iter()
            .rev()
            .take_while(|c| **c != '\n')
            .all(|c| c.is_whitespace());
        found.push(Number {
            written: chars.get(start..i).unwrap_or_default().iter().collect(),
            place: start..i,
            plain,
            decimals: decimals.unwrap_or(0),
            percent: at(i) == '%' || (at(i) == ' ' && at(i + 1) == '%'),
            list_marker: line_start && decimals.is_none() && matches!(at(i), '.' | ')' | '、'),
        });
    }
    found
}

fn is_thousands_group(chars: &[char], from: usize) -> bool {
    let digits = chars
        .iter()
        .skip(from)
        .take_while(|c| c.is_ascii_digit())
        .count();
    digits == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(answer: &str, values: &[Value], expected: &[&str]) {
        let mut known = Known::default();
        for value in values {
            known.add_value(value);
        }
        assert_eq!(unsupported(answer, &known), expected, "{answer}");
    }

    #[test]
    fn numbers_of_the_rows_are_supported_as_written_or_rounded() {
        let rows = [
            Value::Integer(12431),
            Value::Real(2328.6),
            Value::Real(0.1234),
        ];
        check("There are 12,431 orders worth 2328.60.", &rows, &[]);
        check("About 2,329 in all, a share of 12.3 %.", &rows, &[]);
        check("共 12431 单。", &rows, &[]);
        check("There are 12,432 orders.", &rows, &["12,432"]);
    }

    #[test]
    fn list_markers_and_names_with_digits_are_no_claims() {
        check("1. Rock\n2. Jazz (see r1, col_2)", &[], &[]);
        check("It grew by 7 %.", &[], &["7"]);
    }

    #[test]
    fn numbers_inside_texts_count() {
        check(
            "Most sales were in 2024-05.",
            &[Value::Text("2024-05".into())],
            &[],
        );
    }
}
