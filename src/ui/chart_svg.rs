//! A chart choice of `view` as SVG. Chooses neither kind nor columns.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_truncation,
    reason = "pixels and counts of marks, far below 2^53"
)]
use super::dom;
use crate::view::chart::{ChartChoice, ChartKind, Series, short, ticks};
use leptos::prelude::*;

const HEIGHT: f64 = 300.0;
const BAR: f64 = 26.0;
/// Room for the labels of the value axis.
const LEFT: f64 = 52.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 30.0;
const RIGHT: f64 = 14.0;
/// Widest and narrowest drawing, in pixels.
const WIDTH: (f64, f64) = (760.0, 260.0);

/// The chart as our own drawing, until and where the script that draws it is not there.
pub fn drawing(chart: &ChartChoice) -> AnyView {
    let width = dom::by_id("transcript-column")
        .map_or(640.0, |e| f64::from(e.client_width()) - 34.0)
        .clamp(WIDTH.1, WIDTH.0);
    let legend = (chart.kind == ChartKind::Line && chart.series.len() > 1).then(|| legend(chart));
    let picture = match chart.kind {
        ChartKind::Number => number(chart),
        // Slices are the same numbers as bars.
        ChartKind::Bar | ChartKind::Pie => bars(chart, width),
        ChartKind::Line => lines(chart, width),
        ChartKind::Scatter => scatter(chart, width),
    };
    view! {
        {legend}
        {picture}
    }
    .into_any()
}

fn number(chart: &ChartChoice) -> AnyView {
    let value = chart
        .series
        .first()
        .and_then(|s| s.values.first().copied().flatten());
    view! {
        <p class="chart-number">
            <strong>{value.map_or_else(|| "NULL".to_owned(), exact)}</strong>
            <span>{chart.title.clone()}</span>
            <span>{chart.labels.first().cloned()}</span>
        </p>
    }
    .into_any()
}

fn exact(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        format!("{value:.0}")
    } else {
        value.to_string()
    }
}

fn legend(chart: &ChartChoice) -> AnyView {
    let names: Vec<_> = chart
        .series
        .iter()
        .enumerate()
        .map(|(i, s)| {
            view! {
                <li>
                    <svg class="chart-key" viewBox="0 0 12 12" aria-hidden="true">
                        <rect data-series=(i % 6).to_string() width="12" height="12" rx="3" />
                    </svg>
                    {s.name.clone()}
                </li>
            }
            .into_any()
        })
        .collect();
    view! { <ul class="chart-legend">{names}</ul> }.into_any()
}

fn frame(chart: &ChartChoice, width: f64, height: f64, inside: Vec<AnyView>) -> AnyView {
    view! {
        <svg class="chart-picture" role="img" aria-label=chart.summary.clone() width=px(width) height=px(height)
            viewBox=format!("0 0 {} {}", px(width), px(height))>
            {inside}
        </svg>
    }
    .into_any()
}

/// Lying bars: category names stay readable at any width.
fn bars(chart: &ChartChoice, width: f64) -> AnyView {
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
    let mut inside = Vec::new();
    for (i, (label, value)) in chart.labels.iter().zip(&values).enumerate() {
        let y = i as f64 * BAR;
        let middle = y + BAR / 2.0;
        let fitted = fit(label, left - 12.0);
        inside.push(text(left - 8.0, middle, "end", fitted));
        let (from, to) = (scale.at(0.0), scale.at(value.unwrap_or(0.0)));
        if let Some(value) = value {
            let start = from.min(to);
            let long = (to - from).abs().max(1.0);
            inside.push(
                view! {
                    <rect data-series="0" x=px(start) y=px(y + 4.0) width=px(long) height=px(BAR - 8.0) rx="3">
                        <title>{format!("{label}: {}", exact(*value))}</title>
                    </rect>
                }
                .into_any(),
            );
        }
        let shown = value.map_or_else(|| "NULL".to_owned(), short);
        inside.push(text(from.max(to) + 6.0, middle, "start", shown));
    }
    let height = values.len() as f64 * BAR;
    frame(chart, width, height, inside)
}

fn lines(chart: &ChartChoice, width: f64) -> AnyView {
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
    let marks = ticks(low, high, 4);
    let y = Scale::new(
        marks.first().copied().unwrap_or(low),
        marks.last().copied().unwrap_or(high).max(high),
        HEIGHT - BOTTOM,
        TOP,
    );
    let count = chart.labels.len();
    let x = Scale::new(0.0, (count.max(2) - 1) as f64, LEFT, width - RIGHT);
    let mut inside = grid(&marks, y, width);
    let most = ((width - LEFT) / 84.0).max(2.0) as usize;
    let step = count.div_ceil(most).max(1);
    for (i, label) in chart.labels.iter().enumerate().step_by(step) {
        let anchor = match i {
            0 => "start",
            i if i + 1 == count => "end",
            _ => "middle",
        };
        inside.push(text(
            x.at(i as f64),
            HEIGHT - 10.0,
            anchor,
            fit(label, 84.0),
        ));
    }
    for (i, series) in chart.series.iter().enumerate() {
        inside.push(
            view! { <path class="chart-line" data-series=(i % 6).to_string() d=path(series, x, y) /> }.into_any(),
        );
        if count <= 40 {
            inside.extend(series.values.iter().enumerate().filter_map(|(at, value)| {
                let value = (*value)?;
                let label = chart.labels.get(at).map_or("", String::as_str);
                let title = format!("{label} · {}: {}", series.name, exact(value));
                Some(dot(x.at(at as f64), y.at(value), 3.0, i, title))
            }));
        }
    }
    frame(chart, width, HEIGHT, inside)
}

fn scatter(chart: &ChartChoice, width: f64) -> AnyView {
    let [xs, ys] = chart.series.as_slice() else {
        return ().into_any();
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
    let ends = |marks: &[f64]| {
        let low = marks.first().copied().unwrap_or(0.0);
        (low, marks.last().copied().unwrap_or(low))
    };
    let x = Scale::new(ends(&across).0, ends(&across).1, LEFT, width - RIGHT - 10.0);
    let y = Scale::new(ends(&up).0, ends(&up).1, HEIGHT - BOTTOM, TOP);
    let mut inside = grid(&up, y, width);
    for mark in &across {
        inside.push(text(x.at(*mark), HEIGHT - 10.0, "middle", short(*mark)));
    }
    for (a, b) in pairs {
        let title = format!("{}, {}", exact(a), exact(b));
        inside.push(dot(x.at(a), y.at(b), 4.0, 0, title));
    }
    frame(chart, width, HEIGHT, inside)
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

fn grid(marks: &[f64], y: Scale, width: f64) -> Vec<AnyView> {
    marks
        .iter()
        .flat_map(|mark| {
            let at = px(y.at(*mark));
            let line = view! {
                <line class="chart-grid" x1=px(LEFT) x2=px(width - RIGHT) y1=at.clone() y2=at />
            }
            .into_any();
            [
                line.into_any(),
                text(LEFT - 8.0, y.at(*mark), "end", short(*mark)),
            ]
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

fn dot(x: f64, y: f64, r: f64, series: usize, title: String) -> AnyView {
    view! {
        <circle class="chart-dot" data-series=(series % 6).to_string() cx=px(x) cy=px(y) r=px(r)>
            <title>{title}</title>
        </circle>
    }
    .into_any()
}

fn text(x: f64, y: f64, anchor: &'static str, words: String) -> AnyView {
    view! {
        <text class="chart-text" x=px(x) y=px(y) text-anchor=anchor dominant-baseline="middle">{words}</text>
    }
    .into_any()
}

fn px(value: f64) -> String {
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
