//! The chart of a result as SVG in the document, once for a wide page and once for a narrow one.

use super::Writer;
use super::html::Html;
use crate::sql::Value;
use crate::view::chart::picture::{COLOURS, Mark, Picture, exact, has_legend, picture, px};
use crate::view::chart::{ChartChoice, ChartKind, choose, extremes, short};

/// Pixels of the two drawings; the style sheet shows one of them.
const WIDE: (&str, f64) = ("wide", 680.0);
const NARROW: (&str, f64) = ("narrow", 300.0);

impl Writer {
    pub(super) fn figure(&mut self, columns: &[String], rows: &[Vec<Value>], partial: bool) {
        let Some(chart) = choose(columns, rows) else {
            return;
        };
        if chart.kind == ChartKind::Number {
            return self.number(&chart);
        }
        let title = (self.t.chart_title)(&chart.y_label, &chart.x_label);
        let summary = extremes(&chart).map(|[low, high]| {
            (self.t.chart_summary)(&low.0, &short(low.1), &high.0, &short(high.1))
        });
        self.class("figure", "chart", |r| {
            r.leaf("p", "chart-title", &title);
            if has_legend(&chart) {
                legend(&mut r.html, &chart);
            }
            for (class, width) in [WIDE, NARROW] {
                if let Some(picture) = picture(&chart, width) {
                    svg(&mut r.html, class, &title, picture);
                }
            }
            r.within("figcaption", &[], |r| {
                r.html.text(summary.as_deref().unwrap_or_default());
                if partial {
                    r.html.text(" ");
                    r.html.text(r.t.chart_partial);
                }
            });
        });
    }

    fn number(&mut self, chart: &ChartChoice) {
        let value = chart
            .series
            .first()
            .and_then(|s| s.values.first().copied().flatten());
        let Some(value) = value else { return };
        let label = chart.labels.first().map_or("", String::as_str);
        self.class("p", "big-number", |r| {
            r.html.leaf("strong", &[], &exact(value));
            r.html
                .leaf("span", &[], format!("{} {label}", chart.title).trim());
        });
    }
}

fn legend(html: &mut Html, chart: &ChartChoice) {
    html.within("ul", &[("class", "legend")], |h| {
        for (i, series) in chart.series.iter().enumerate() {
            h.within("li", &[], |h| {
                let key = [
                    ("class", "key"),
                    ("viewBox", "0 0 12 12"),
                    ("aria-hidden", "true"),
                ];
                h.within("svg", &key, |h| {
                    let number = (i % COLOURS).to_string();
                    let square = [
                        ("data-series", number.as_str()),
                        ("width", "12"),
                        ("height", "12"),
                        ("rx", "3"),
                    ];
                    h.within("rect", &square, |_| {});
                });
                h.text(&series.name);
            });
        }
    });
}

fn svg(html: &mut Html, class: &str, label: &str, picture: Picture) {
    let (width, height) = (px(picture.width), px(picture.height));
    let view = format!("0 0 {width} {height}");
    let attributes = [
        ("class", class),
        ("role", "img"),
        ("aria-label", label),
        ("width", &width),
        ("height", &height),
        ("viewBox", &view),
    ];
    html.within("svg", &attributes, |h| {
        for mark in picture.marks {
            draw(h, &mark);
        }
    });
}

fn draw(html: &mut Html, mark: &Mark) {
    match mark {
        Mark::Bar {
            place: [x, y, width, height],
            title,
        } => {
            let attributes = [
                ("data-series", "0"),
                ("x", x.as_str()),
                ("y", y),
                ("width", width),
                ("height", height),
                ("rx", "3"),
            ];
            html.within("rect", &attributes, |h| {
                h.within("title", &[], |h| h.plain(title))
            });
        }
        Mark::Line { series, path } => {
            let series = series.to_string();
            let attributes = [
                ("class", "line"),
                ("data-series", series.as_str()),
                ("d", path),
            ];
            html.within("path", &attributes, |_| {});
        }
        Mark::Dot {
            x,
            y,
            r,
            series,
            title,
        } => {
            let series = series.to_string();
            let attributes = [
                ("data-series", series.as_str()),
                ("cx", x),
                ("cy", y),
                ("r", r),
            ];
            html.within("circle", &attributes, |h| {
                h.within("title", &[], |h| h.plain(title))
            });
        }
        Mark::Rule { x1, x2, y } => {
            let attributes = [("x1", x1.as_str()), ("x2", x2), ("y1", y), ("y2", y)];
            html.within("line", &attributes, |_| {});
        }
        Mark::Words {
            x,
            y,
            anchor,
            words,
        } => {
            let attributes = [
                ("x", x.as_str()),
                ("y", y),
                ("text-anchor", anchor),
                ("dominant-baseline", "middle"),
            ];
            html.within("text", &attributes, |h| h.plain(words));
        }
    }
}
