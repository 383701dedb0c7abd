//! A chart choice as marks with places, for whoever draws it: the page and the saved report. Chooses neither kind nor
//! columns, and knows no colours.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "pixels and counts of marks, far below 2^53"
)]
use super::{ChartChoice, ChartKind, Series, short, ticks};

const HEIGHT: f64 = 300.0;
const BAR: f64 = 26.0;
/// Room for the labels of the value axis.
const LEFT: f64 = 52.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 30.0;
const RIGHT: f64 = 14.0;
/// Series that a colour of their own is named for.
pub const COLOURS: usize = 6;

#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
}

/// Numbers are in pixels, as SVG writes them; `series` is the number of a colour.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    Bar {
        place: [String; 4],
        title: String,
    },
    Line {
        series: usize,
        path: String,
    },
    Dot {
        x: String,
        y: String,
        r: String,
        series: usize,
        title: String,
    },
    /// A line of the grid, across.
    Rule {
        x1: String,
        x2: String,
        y: String,
    },
    Words {
        x: String,
        y: String,
        /// As `text-anchor` names it.
        anchor: &'static str,
        words: String,
    },
}

/// The marks for a drawing of this width; `None` for a number, which needs none.
#[must_use]
pub fn picture(chart: &ChartChoice, width: f64) -> Option<Picture> {
    match chart.kind {
        ChartKind::Number => None,
        // Slices are the same numbers as bars.
        ChartKind::Bar | ChartKind::Pie => Some(bars(chart, width)),
        ChartKind::Line => Some(lines(chart, width)),
        ChartKind::Scatter => scatter(chart, width),
    }
}

/// A number with all its digits.
#[must_use]
pub fn exact(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        value.to_string()
    }
}

/// Whether the series need names beside the drawing.
#[must_use]
pub fn has_legend(chart: &ChartChoice) -> bool {
    chart.kind == ChartKind::Line && chart.series.len() > 1
}

/// Lying bars: category names stay readable at any width.
fn bars(chart: &ChartChoice, width: f64) -> Picture {
    let values = chart
        .series
        .first()
        .map(|s| s.values.clone())
        .unwrap_or_default();
    let longest = chart.labels.iter().map(|l| width_of(l)).fold(0.0, f64::max);
    let left = (longest + 12.0).clamp(40.0, width * 0.4);
    let low = values.iter().flatten().copied().fold(0.0, f64::min);
    let high = values.iter().flatten().copied().fold(0.0, f64::max);
    let room = width - left - 64.0;
    let scale = Scale::new(low, high, left, left + room);
    let mut marks = Vec::new();
    for (i, (label, value)) in chart.labels.iter().zip(&values).enumerate() {
        let y = i as f64 * BAR;
        let middle = y + BAR / 2.0;
        marks.push(words(left - 8.0, middle, "end", fit(label, left - 12.0)));
        let (from, to) = (scale.at(0.0), scale.at(value.unwrap_or(0.0)));
        if let Some(value) = value {
            let long = (to - from).abs().max(1.0);
            marks.push(Mark::Bar {
                place: [px(from.min(to)), px(y + 4.0), px(long), px(BAR - 8.0)],
                title: format!("{label}: {}", exact(*value)),
            });
        }
        let shown = value.map_or_else(|| "NULL".to_owned(), short);
        marks.push(words(from.max(to) + 6.0, middle, "start", shown));
    }
    Picture {
        width,
        height: values.len() as f64 * BAR,
        marks,
    }
}

fn lines(chart: &ChartChoice, width: f64) -> Picture {
    let all = || {
        chart
            .series
            .iter()
            .flat_map(|s| s.values.iter().flatten().copied())
    };
    // A line may float, but one that nearly touches zero should show it.
    let (low, high) = (
        all().fold(f64::INFINITY, f64::min),
        all().fold(f64::NEG_INFINITY, f64::max),
    );
    let low = if low > 0.0 && low < high * 0.6 {
        0.0
    } else {
        low
    };
    let values = ticks(low, high, 4);
    let y = Scale::new(
        values.first().copied().unwrap_or(low),
        values.last().copied().unwrap_or(high).max(high),
        HEIGHT - BOTTOM,
        TOP,
    );
    let count = chart.labels.len();
    let x = Scale::new(0.0, (count.max(2) - 1) as f64, LEFT, width - RIGHT);
    let mut marks = grid(&values, y, width);
    let most = ((width - LEFT) / 84.0).max(2.0) as usize;
    let step = count.div_ceil(most).max(1);
    for (i, label) in chart.labels.iter().enumerate().step_by(step) {
        let anchor = match i {
            0 => "start",
            i if i + 1 == count => "end",
            _ => "middle",
        };
        let at = x.at(i as f64);
        marks.push(words(at, HEIGHT - 10.0, anchor, fit(label, 84.0)));
    }
    for (i, series) in chart.series.iter().enumerate() {
        marks.push(Mark::Line {
            series: i % COLOURS,
            path: path(series, x, y),
        });
        if count <= 40 {
            marks.extend(series.values.iter().enumerate().filter_map(|(at, value)| {
                let value = (*value)?;
                let label = chart.labels.get(at).map_or("", String::as_str);
                let title = format!("{label} · {}: {}", series.name, exact(value));
                Some(dot(x.at(at as f64), y.at(value), 3.0, i, title))
            }));
        }
    }
    Picture {
        width,
        height: HEIGHT,
        marks,
    }
}

fn scatter(chart: &ChartChoice, width: f64) -> Option<Picture> {
    let [xs, ys] = chart.series.as_slice() else {
        return None;
    };
    let pairs: Vec<(f64, f64)> = xs
        .values
        .iter()
        .zip(&ys.values)
        .filter_map(|(x, y)| x.zip(*y))
        .collect();
    let range = |get: fn(&(f64, f64)) -> f64| {
        let low = pairs.iter().map(get).fold(f64::INFINITY, f64::min);
        let high = pairs.iter().map(get).fold(f64::NEG_INFINITY, f64::max);
        ticks(low, high, 4)
    };
    let (across, up) = (range(|p| p.0), range(|p| p.1));
    let ends = |values: &[f64]| {
        let low = values.first().copied().unwrap_or(0.0);
        (low, values.last().copied().unwrap_or(low))
    };
    let x = Scale::new(ends(&across).0, ends(&across).1, LEFT, width - RIGHT - 10.0);
    let y = Scale::new(ends(&up).0, ends(&up).1, HEIGHT - BOTTOM, TOP);
    let mut marks = grid(&up, y, width);
    for value in &across {
        marks.push(words(x.at(*value), HEIGHT - 10.0, "middle", short(*value)));
    }
    for (a, b) in pairs {
        let title = format!("{}, {}", exact(a), exact(b));
        marks.push(dot(x.at(a), y.at(b), 4.0, 0, title));
    }
    Some(Picture {
        width,
        height: HEIGHT,
        marks,
    })
}

#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(low: f64, high: f64, from: f64, to: f64) -> Self {
        Self {
            low,
            high,
            from,
            to,
        }
    }

    fn at(self, value: f64) -> f64 {
        let range = self.high - self.low;
        if range > 0.0 {
            self.from + (value - self.low) / range * (self.to - self.from)
        } else {
            f64::midpoint(self.from, self.to)
        }
    }
}

fn grid(values: &[f64], y: Scale, width: f64) -> Vec<Mark> {
    values
        .iter()
        .flat_map(|value| {
            let rule = Mark::Rule {
                x1: px(LEFT),
                x2: px(width - RIGHT),
                y: px(y.at(*value)),
            };
            [rule, words(LEFT - 8.0, y.at(*value), "end", short(*value))]
        })
        .collect()
}

fn path(series: &Series, x: Scale, y: Scale) -> String {
    let mut out = String::new();
    let mut pen = 'M';
    for (i, value) in series.values.iter().enumerate() {
        match value {
            Some(value) => {
                out.push(pen);
                out.push_str(&format!("{} {}", px(x.at(i as f64)), px(y.at(*value))));
                pen = 'L';
            }
            // A NULL is a gap, not a zero.
            None => pen = 'M',
        }
    }
    out
}

fn dot(x: f64, y: f64, r: f64, series: usize, title: String) -> Mark {
    Mark::Dot {
        x: px(x),
        y: px(y),
        r: px(r),
        series: series % COLOURS,
        title,
    }
}

fn words(x: f64, y: f64, anchor: &'static str, words: String) -> Mark {
    Mark::Words {
        x: px(x),
        y: px(y),
        anchor,
        words,
    }
}

/// A length as SVG writes it.
#[must_use]
pub fn px(value: f64) -> String {
    format!("{value:.1}")
}

/// A guess at a text's width in pixels: wide scripts take a full square.
fn width_of(text: &str) -> f64 {
    text.chars()
        .map(|c| if c.is_ascii() { 6.8 } else { 12.0 })
        .sum()
}

fn fit(text: &str, width: f64) -> String {
    if width_of(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 10.0;
    for c in text.chars() {
        used += width_of(c.encode_utf8(&mut [0; 4]));
        if used > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Value;
    use crate::view::chart::choose;

    #[test]
    fn bars_are_as_long_as_their_numbers_and_null_has_none() {
        let rows: Vec<Vec<Value>> = [("North", Some(10)), ("South", Some(5)), ("East", None)]
            .into_iter()
            .map(|(name, n)| {
                let number = n.map_or(Value::Null, Value::Integer);
                vec![Value::Text(name.into()), number]
            })
            .collect();
        let chart = choose(&["region".into(), "total".into()], &rows).unwrap();
        let drawn = picture(&chart, 500.0).unwrap();
        let long: Vec<f64> = drawn
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Bar { place, .. } => place[2].parse().ok(),
                _ => None,
            })
            .collect();
        let [north, south] = long.as_slice() else {
            panic!("{long:?}")
        };
        assert!((north - 2.0 * south).abs() < 0.2, "{north} {south}");
        assert!(
            drawn
                .marks
                .iter()
                .any(|m| matches!(m, Mark::Words { words, .. } if words == "NULL"))
        );
    }

    #[test]
    fn one_number_is_no_picture() {
        let chart = choose(&["n".into()], &[vec![Value::Integer(3)]]).unwrap();
        assert_eq!(picture(&chart, 500.0), None);
    }
}
