//! Chooses a chart from a result's types, as data. Drawing is the page's business.

pub mod picture;
pub mod points;
mod roles;

use crate::sql::Value;
use roles::{Role, is_key, is_share, number, role};
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
    /// Where the numbers stand in the result, for a chart that may show all of its rows.
    pub source: Option<Source>,
}

/// Columns of the result, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    pub x: u32,
    /// One a series.
    pub y: Vec<u32>,
    /// The x are times, as the file writes them.
    pub time: bool,
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
    /// Few shares of a whole.
    Pie,
    Scatter,
}

/// More bars cannot be told apart or labelled.
const BARS_MAX: usize = 40;
/// More lines cannot be told apart by colour.
const SERIES_MAX: usize = 6;
/// More marks make the page slow and the picture no clearer.
const POINTS_MAX: usize = 2_000;
/// More slices cannot be compared; a chart that is chosen by itself has fewer still.
const SLICES_MAX: usize = 8;
const SLICES_CHOSEN_MAX: usize = 6;

/// The chart that fits, if one does: time → line, category + number → bar, few shares → pie,
/// two numbers → scatter, one number → the number itself.
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

/// The kinds that show the same numbers truthfully, the chosen one first.
#[must_use]
pub fn kinds(choice: &ChartChoice) -> Vec<ChartKind> {
    let fits = |kind: &ChartKind| match kind {
        ChartKind::Bar => choice.labels.len() <= BARS_MAX,
        ChartKind::Line => choice.labels.len() > 1,
        ChartKind::Pie => can_be_slices(choice, SLICES_MAX),
        ChartKind::Number | ChartKind::Scatter => false,
    };
    let mut kinds = vec![choice.kind];
    if matches!(
        choice.kind,
        ChartKind::Bar | ChartKind::Line | ChartKind::Pie
    ) {
        let others = [ChartKind::Bar, ChartKind::Line, ChartKind::Pie];
        kinds.extend(others.into_iter().filter(|k| *k != choice.kind && fits(k)));
    }
    kinds
}

/// One series of two and more parts, none of them negative or unknown, that add up to something.
fn can_be_slices(choice: &ChartChoice, most: usize) -> bool {
    let [series] = choice.series.as_slice() else {
        return false;
    };
    let count = series.values.len();
    (2..=most).contains(&count)
        && series.values.iter().all(|v| v.is_some_and(|v| v >= 0.0))
        && series.values.iter().flatten().sum::<f64>() > 0.0
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
            let mut choice = self.chart(ChartKind::Line, x, labels, series);
            choice.source = self.source(*time, &self.measures);
            return Some(choice);
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
        let mut choice = self.chart(ChartKind::Bar, &x.join(" · "), labels, series);
        let shares = choice
            .series
            .first()
            .is_some_and(|s| is_share(&s.name, &s.values));
        if shares && can_be_slices(&choice, SLICES_CHOSEN_MAX) {
            choice.kind = ChartKind::Pie;
        }
        Some(choice)
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
        choice.source = self.source(*x, &[*y]);
        Some(choice)
    }

    fn source(&self, x: usize, y: &[usize]) -> Option<Source> {
        let first = self
            .rows
            .iter()
            .find_map(|row| row.get(x).filter(|v| !v.is_null()));
        Some(Source {
            x: u32::try_from(x).ok()?,
            y: y.iter()
                .map(|y| u32::try_from(*y).ok())
                .collect::<Option<_>>()?,
            time: matches!(first, Some(Value::Text(_))),
        })
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
            source: None,
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
mod tests;
