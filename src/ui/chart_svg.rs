//! The marks of `view` as SVG elements. Places nothing itself.

use super::dom;
use crate::view::chart::picture::{COLOURS, Mark, exact, has_legend, picture, px};
use crate::view::chart::{ChartChoice, ChartKind};
use leptos::prelude::*;

/// Widest and narrowest drawing, in pixels.
const WIDTH: (f64, f64) = (760.0, 260.0);

/// The chart as our own drawing, until and where the script that draws it is not there.
pub fn drawing(chart: &ChartChoice) -> AnyView {
    if chart.kind == ChartKind::Number {
        return number(chart);
    }
    let width = dom::by_id("transcript-column")
        .map_or(640.0, |e| f64::from(e.client_width()) - 34.0)
        .clamp(WIDTH.1, WIDTH.0);
    let drawn = picture(chart, width).map(|picture| {
        let (width, height) = (px(picture.width), px(picture.height));
        let marks: Vec<_> = picture.marks.into_iter().map(mark).collect();
        view! {
            <svg class="chart-picture" role="img" aria-label=chart.summary.clone() width=width.clone()
                height=height.clone() viewBox=format!("0 0 {width} {height}")>
                {marks}
            </svg>
        }
        .into_any()
    });
    view! {
        {has_legend(chart).then(|| legend(chart))}
        {drawn}
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

fn legend(chart: &ChartChoice) -> AnyView {
    let names: Vec<_> = chart
        .series
        .iter()
        .enumerate()
        .map(|(i, s)| {
            view! {
                <li>
                    <svg class="chart-key" viewBox="0 0 12 12" aria-hidden="true">
                        <rect data-series=(i % COLOURS).to_string() width="12" height="12" rx="3" />
                    </svg>
                    {s.name.clone()}
                </li>
            }
            .into_any()
        })
        .collect();
    view! { <ul class="chart-legend">{names}</ul> }.into_any()
}

fn mark(mark: Mark) -> AnyView {
    match mark {
        Mark::Bar {
            place: [x, y, width, height],
            title,
        } => view! {
            <rect data-series="0" x=x y=y width=width height=height rx="3">
                <title>{title}</title>
            </rect>
        }
        .into_any(),
        Mark::Line { series, path } => {
            view! { <path class="chart-line" data-series=series.to_string() d=path /> }.into_any()
        }
        Mark::Dot {
            x,
            y,
            r,
            series,
            title,
        } => view! {
            <circle class="chart-dot" data-series=series.to_string() cx=x cy=y r=r>
                <title>{title}</title>
            </circle>
        }
        .into_any(),
        Mark::Rule { x1, x2, y } => {
            view! { <line class="chart-grid" x1=x1 x2=x2 y1=y.clone() y2=y /> }.into_any()
        }
        Mark::Words {
            x,
            y,
            anchor,
            words,
        } => view! {
            <text class="chart-text" x=x y=y text-anchor=anchor dominant-baseline="middle">{words}</text>
        }
        .into_any(),
    }
}
