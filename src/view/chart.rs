//! Chooses a chart from a result's types, as data. Drawing is the page's business.

use crate::sql::Value;
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq)]
pub struct ChartChoice {
    pub kind: ChartKind,
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// Category or time labels, in the order drawn. Empty for a scatter.
    pub labels: Vec<String>,
    /// One series per measure; `None` where the cell is NULL. A scatter has two: all x, all y.
    pub series: Vec<Series>,
    /// The extremes in few words, for those who do not see the chart.
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

/// More bars cannot be told apart or labelled.
const BARS_MAX: usize = 40;
/// More lines cannot be told apart by colour.
const SERIES_MAX: usize = 6;
/// More marks make the page slow and the picture no clearer.
const POINTS_MAX: usize = 2_000;

/// The chart that fits, if one does: time → line, category + number → bar, two numbers → scatter,
/// one number → the number itself.
#[must_use]
pub fn choose(columns: &[String], rows: &[Vec<Value>]) -> Option<ChartChoice> {
    if rows.is_empty() || rows.iter().any(|row| row.len() != columns.len()) {
        return None;
    }
    let roles: Vec<(usize, Role)> = columns
        .iter()
        .enumerate()
        .map(|(i, name)| (i, role(name, i, rows)))
        .collect();
    let of = |wanted: Role| -> Vec<usize> {
        roles
            .iter()
            .filter(|(_, r)| *r == wanted)
            .map(|(i, _)| *i)
            .collect()
    };
    let data = Data {
        columns,
        rows,
        times: of(Role::Time),
        measures: of(Role::Measure),
        categories: of(Role::Category),
    };
    let mut choice = if rows.len() == 1 {
        data.number()
    } else if !data.times.is_empty() {
        data.line()
    } else if data.categories.is_empty() {
        data.scatter()
    } else {
        data.bar()
    }?;
    choice.summary = summary(&choice);
    Some(choice)
}

/// Lowest and highest mark of all series, with their labels.
#[must_use]
pub fn extremes(choice: &ChartChoice) -> Option<[(String, f64); 2]> {
    let mut marks = choice.series.iter().flat_map(|series| {
        let marks = series.values.iter().enumerate();
        marks.filter_map(move |(i, value)| value.map(|v| (i, series, v)))
    });
    let first = marks.next()?;
    let (mut low, mut high) = (first, first);
    for mark in marks {
        if mark.2 < low.2 {
            low = mark;
        }
        if mark.2 > high.2 {
            high = mark;
        }
    }
    let named = |(i, series, value): (usize, &Series, f64)| {
        let label = choice.labels.get(i).cloned().unwrap_or_default();
        let label = if choice.series.len() > 1 {
            format!("{label} · {}", series.name)
        } else {
            label
        };
        (label, value)
    };
    Some([named(low), named(high)])
}

/// Round steps that cover a range: at most `count + 1` ticks.
#[must_use]
pub fn ticks(low: f64, high: f64, count: u32) -> Vec<f64> {
    let range = high - low;
    if !range.is_finite() || range <= 0.0 {
        return vec![low];
    }
    let rough = range / f64::from(count.max(1));
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .iter()
        .map(|m| m * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(power * 10.0);
    let mut out = Vec::new();
    let mut i = (low / step).floor();
    // The bound only guards against a step lost to rounding.
    while out.len() < 64 {
        out.push(i * step);
        if i * step >= high {
            break;
        }
        i += 1.0;
    }
    out
}

/// A number for an axis or a headline: short, with k, M and G where it is long.
#[must_use]
pub fn short(value: f64) -> String {
    let size = value.abs();
    let (scaled, unit) = match size {
        s if s >= 1e9 => (value / 1e9, "G"),
        s if s >= 1e6 => (value / 1e6, "M"),
        s if s >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = if scaled == scaled.trunc() {
        format!("{scaled:.0}")
    } else if scaled.abs() >= 100.0 {
        format!("{scaled:.1}")
    } else if scaled.abs() >= 0.01 {
        format!("{scaled:.2}")
    } else {
        format!("{scaled}")
    };
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    format!("{text}{unit}")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Time,
    Measure,
    Category,
    /// Row numbers, blobs, empty columns.
    Nothing,
}

fn role(name: &str, column: usize, rows: &[Vec<Value>]) -> Role {
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

fn number(value: &Value) -> Option<f64> {
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

fn is_key(name: &str) -> bool {
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

struct Data<'a> {
    columns: &'a [String],
    rows: &'a [Vec<Value>],
    times: Vec<usize>,
    measures: Vec<usize>,
    categories: Vec<usize>,
}

impl Data<'_> {
    fn number(&self) -> Option<ChartChoice> {
        let [measure] = self.measures.as_slice() else {
            return None;
        };
        let label = self.label(
            self.rows.first()?,
            &[&self.times[..], &self.categories].concat(),
        );
        Some(self.chart(
            ChartKind::Number,
            "",
            vec![label],
            vec![self.series(*measure)],
        ))
    }

    fn line(&self) -> Option<ChartChoice> {
        let [time] = self.times.as_slice() else {
            return None;
        };
        let x = self.columns.get(*time)?;
        if self.rows.len() > POINTS_MAX || self.measures.is_empty() {
            return None;
        }
        let labels: BTreeSet<String> = self.rows.iter().map(|r| self.label(r, &[*time])).collect();
        let labels: Vec<String> = labels.into_iter().collect();
        if labels.len() == self.rows.len() && self.measures.len() <= SERIES_MAX {
            let series = self
                .measures
                .iter()
                .map(|m| self.along(&labels, *time, *m, None))
                .collect();
            return Some(self.chart(ChartKind::Line, x, labels, series));
        }
        let ([category], [measure]) = (self.categories.as_slice(), self.measures.as_slice()) else {
            return None;
        };
        let groups: BTreeSet<String> = self
            .rows
            .iter()
            .map(|r| self.label(r, &[*category]))
            .collect();
        let once: BTreeSet<String> = self
            .rows
            .iter()
            .map(|r| self.label(r, &[*time, *category]))
            .collect();
        if groups.len() > SERIES_MAX || once.len() != self.rows.len() {
            return None;
        }
        let series = groups
            .iter()
            .map(|group| self.along(&labels, *time, *measure, Some((*category, group))))
            .collect();
        let mut choice = self.chart(ChartKind::Line, x, labels, series);
        choice.y_label = self.columns.get(*measure)?.clone();
        choice.title = format!("{} · {}", choice.y_label, choice.x_label);
        Some(choice)
    }

    fn bar(&self) -> Option<ChartChoice> {
        if self.rows.len() > BARS_MAX
            || self.measures.is_empty()
            || self.measures.len() > SERIES_MAX
        {
            return None;
        }
        // A key beside a name says nothing more.
        let named: Vec<usize> = self
            .categories
            .iter()
            .copied()
            .filter(|c| {
                self.columns
                    .get(*c)
                    .is_some_and(|n| !is_key(&n.to_ascii_lowercase()))
            })
            .collect();
        let categories = if named.is_empty() {
            &self.categories
        } else {
            &named
        };
        let labels = self
            .rows
            .iter()
            .map(|r| self.label(r, categories))
            .collect();
        let x: Vec<&str> = categories
            .iter()
            .filter_map(|c| self.columns.get(*c))
            .map(String::as_str)
            .collect();
        // Measures of different size on one axis would hide the smaller one.
        let measures = self.measures.iter().take(1);
        let series = measures.map(|m| self.series(*m)).collect();
        Some(self.chart(ChartKind::Bar, &x.join(" · "), labels, series))
    }

    fn scatter(&self) -> Option<ChartChoice> {
        let [x, y] = self.measures.as_slice() else {
            return None;
        };
        if self.rows.len() < 3 || self.rows.len() > POINTS_MAX {
            return None;
        }
        let series = vec![self.series(*x), self.series(*y)];
        let mut choice = self.chart(
            ChartKind::Scatter,
            self.columns.get(*x)?,
            Vec::new(),
            series,
        );
        choice.y_label = self.columns.get(*y)?.clone();
        choice.title = format!("{} · {}", choice.y_label, choice.x_label);
        Some(choice)
    }

    fn label(&self, row: &[Value], columns: &[usize]) -> String {
        let parts: Vec<String> = columns
            .iter()
            .filter_map(|c| row.get(*c))
            .map(Value::display)
            .collect();
        parts.join(" · ")
    }

    fn series(&self, column: usize) -> Series {
        Series {
            name: self.columns.get(column).cloned().unwrap_or_default(),
            values: self
                .rows
                .iter()
                .map(|row| row.get(column).and_then(number))
                .collect(),
        }
    }

    /// A measure in the order of `labels`, of one group if given.
    fn along(
        &self,
        labels: &[String],
        time: usize,
        measure: usize,
        group: Option<(usize, &str)>,
    ) -> Series {
        let mut values = vec![None; labels.len()];
        for row in self.rows {
            if group.is_some_and(|(column, name)| self.label(row, &[column]) != name) {
                continue;
            }
            let place = labels.binary_search(&self.label(row, &[time])).ok();
            if let Some(slot) = place.and_then(|i| values.get_mut(i)) {
                *slot = row.get(measure).and_then(number);
            }
        }
        let name = match group {
            Some((_, name)) => name.to_owned(),
            None => self.columns.get(measure).cloned().unwrap_or_default(),
        };
        Series { name, values }
    }

    fn chart(
        &self,
        kind: ChartKind,
        x: &str,
        labels: Vec<String>,
        series: Vec<Series>,
    ) -> ChartChoice {
        let names: Vec<&str> = series.iter().map(|s| s.name.as_str()).collect();
        let y_label = names.join(", ");
        ChartChoice {
            kind,
            title: if x.is_empty() {
                y_label.clone()
            } else {
                format!("{y_label} · {x}")
            },
            x_label: x.to_owned(),
            y_label,
            labels,
            series,
            summary: String::new(),
        }
    }
}

fn summary(choice: &ChartChoice) -> String {
    match extremes(choice) {
        Some([low, high]) => format!(
            "{}: min {} {}, max {} {}",
            choice.title,
            low.0,
            short(low.1),
            high.0,
            short(high.1)
        ),
        None => choice.title.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(text: &str) -> Value {
        Value::Text(text.into())
    }

    fn n(i: i64) -> Value {
        Value::Integer(i)
    }

    fn kind(columns: &[&str], rows: Vec<Vec<Value>>) -> Option<ChartKind> {
        let columns: Vec<String> = columns.iter().map(|c| (*c).to_owned()).collect();
        choose(&columns, &rows).map(|c| c.kind)
    }

    #[test]
    fn the_types_choose_the_chart() {
        use ChartKind::{Bar, Line, Number, Scatter};
        let many = |len: i64| (0..len).map(|i| vec![t(&format!("c{i}")), n(i)]).collect();
        for (columns, rows, expected) in [
            (vec!["n"], vec![vec![n(5)]], Some(Number)),
            (vec!["n"], vec![vec![t("x")]], None),
            (vec!["region", "n"], many(3), Some(Bar)),
            (vec!["region", "n"], many(40), Some(Bar)),
            (vec!["region", "n"], many(41), None),
            (
                vec!["month", "n"],
                vec![vec![t("2024-01"), n(1)], vec![t("2024-02"), n(2)]],
                Some(Line),
            ),
            (
                vec!["year", "n"],
                vec![vec![n(2023), n(1)], vec![n(2024), n(2)]],
                Some(Line),
            ),
            (
                vec!["price", "units"],
                vec![vec![n(5), n(9)], vec![n(7), n(2)], vec![n(1), n(4)]],
                Some(Scatter),
            ),
            (
                vec!["rank", "units"],
                vec![vec![n(1), n(9)], vec![n(2), n(2)], vec![n(3), n(4)]],
                None,
            ),
            (vec!["a"], vec![vec![t("x")], vec![t("y")]], None),
            (vec!["a"], vec![], None),
        ] {
            assert_eq!(kind(&columns, rows), expected, "{columns:?}");
        }
    }

    #[test]
    fn a_second_category_becomes_lines_over_time() {
        let columns: Vec<String> = ["month", "region", "n"].map(String::from).to_vec();
        let rows = vec![
            vec![t("2024-02"), t("N"), n(2)],
            vec![t("2024-01"), t("N"), n(1)],
            vec![t("2024-01"), t("S"), n(7)],
        ];
        let choice = choose(&columns, &rows).unwrap();
        assert_eq!(choice.labels, ["2024-01", "2024-02"]);
        assert_eq!(choice.series[0].values, [Some(1.0), Some(2.0)]);
        assert_eq!(choice.series[1].values, [Some(7.0), None]);
        assert_eq!(
            choice.summary,
            "n · month: min 2024-01 · N 1, max 2024-01 · S 7"
        );
    }

    #[test]
    fn ticks_are_round_and_cover() {
        assert_eq!(ticks(0.0, 97.0, 4), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(ticks(0.0, 0.0, 4), [0.0]);
        assert!(ticks(-1e308, 1e308, 4).len() < 10);
        assert!(ticks(f64::NAN, 1.0, 4).len() < 3);
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (12.5, "12.5"),
            (9_999.0, "9999"),
            (12_431.0, "12.43k"),
            (2_000_000.0, "2M"),
            (-0.25, "-0.25"),
            (100.0, "100"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
