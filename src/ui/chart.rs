//! The chart of a result: `scripts/charts` draws it; until that is there, or where it does not load, we do. Chooses
//! neither kind nor columns.

use super::chart_svg::drawing;
use super::live::{live, on_click, when};
use super::part::{self, Part};
use super::result::HeldResult;
use super::{ColumnRequest, Ui};
use crate::settings::Language;
use crate::view::cells::count_text;
use crate::view::chart::points::{POINTS_FETCHED_MAX, date_text, extremes as extremes_of, pairs};
use crate::view::chart::{self, ChartChoice, ChartKind, extremes, short};
use js_sys::{Array, Float64Array};
use leptos::html;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// What the person sees.
#[derive(Debug, Clone, PartialEq)]
enum Shown {
    /// Our drawing, for now.
    Coming,
    /// The script's, with what it says in words; of this many rows.
    Drawn { summary: String, rows: u64 },
    /// Our drawing, since the script did not load.
    Ours,
}

#[derive(Clone, Copy)]
struct Desk {
    ui: Ui,
    result: HeldResult,
    kind: RwSignal<ChartKind>,
    shown: RwSignal<Shown>,
    /// What the script gave to act on its chart.
    drawn: StoredValue<Option<JsValue>, LocalStorage>,
}

/// The result as a picture with its numbers in words, or the reason why there is none.
#[component]
pub fn Chart(ui: Ui, result: HeldResult, to_table: impl Fn() + 'static) -> impl IntoView {
    let Some(chart) = result.with_value(|r| r.chart.clone()) else {
        return view! { <p class="answer-note">{ui.t.no_chart}</p> }.into_any();
    };
    if chart.kind == ChartKind::Number {
        return view! { <figure class="chart">{drawing(&chart)}</figure> }.into_any();
    }
    let desk = Desk {
        ui,
        result,
        kind: RwSignal::new(chart.kind),
        shown: RwSignal::new(Shown::Coming),
        drawn: StoredValue::new_local(None),
    };
    let title = (ui.t.chart_title)(&chart.y_label, &chart.x_label);
    let node = NodeRef::<html::Div>::new();
    let asked = chart.clone();
    node.on_load(move |host| desk.draw(host.into(), asked));
    on_cleanup(move || desk.tell("close", &JsValue::UNDEFINED));
    let kinds = chart::kinds(&chart);
    let is_drawn = move || desk.shown.with(|s| matches!(s, Shown::Drawn { .. }));
    view! {
        <figure class="chart">
            <div class="chart-head">
                <p class="chart-title">{title}</p>
                {when(is_drawn, move || switch(desk, &kinds))}
            </div>
            {when(move || !is_drawn(), move || drawing(&chart))}
            <div class="chart-canvas" node_ref=node hidden=live(move || !is_drawn()) role="img"
                aria-label=live(move || desk.words())></div>
            <figcaption>{live(move || desk.words())}</figcaption>
            {when(move || desk.shown.with(|s| *s == Shown::Ours), move || {
                view! { <p class="answer-note" data-tone="warning">{ui.t.parts.chart_missing}</p> }.into_any()
            })}
            <div class="result-foot">
                {when(is_drawn, move || saves(desk))}
                <button class="text-button" on:click=on_click(move |_| to_table())>{ui.t.parts.as_table}</button>
            </div>
        </figure>
    }
    .into_any()
}

/// One kind or another of the same numbers.
fn switch(desk: Desk, kinds: &[ChartKind]) -> AnyView {
    let t = desk.ui.t.parts;
    if kinds.len() < 2 {
        return ().into_any();
    }
    let buttons: Vec<_> = kinds
        .iter()
        .copied()
        .map(|kind| {
            let choose = move |_| {
                desk.kind.set(kind);
                desk.tell("show", &kind_name(kind).into());
            };
            view! {
                <button class="segment" aria-pressed=live(move || (desk.kind.get() == kind).to_string())
                    on:click=on_click(choose)>{(t.chart_kind)(kind)}</button>
            }
            .into_any()
        })
        .collect();
    view! { <div class="segments" role="group" aria-label=t.chart_kinds>{buttons}</div> }.into_any()
}

fn saves(desk: Desk) -> AnyView {
    let t = desk.ui.t.parts;
    view! {
        <button class="text-button" on:click=on_click(move |_| desk.tell("save", &"png".into()))>{t.save_png}</button>
        <button class="text-button" on:click=on_click(move |_| desk.tell("save", &"svg".into()))>{t.save_svg}</button>
    }
    .into_any()
}

impl Desk {
    fn tell(self, method: &str, argument: &JsValue) {
        if let Some(Some(drawn)) = self.drawn.try_get_value() {
            part::call(&drawn, method, argument);
        }
    }

    /// What the picture says, and how much of the result it shows.
    fn words(self) -> String {
        let t = self.ui.t;
        let (total, preview) = self.result.with_value(|r| (r.rows, r.preview.len() as u64));
        match self.shown.get() {
            Shown::Drawn { summary, rows } if rows < total => {
                let part = (t.parts.first_points)(&count_text(rows), &count_text(total));
                format!("{summary} {part}")
            }
            Shown::Drawn { summary, .. } => summary,
            Shown::Coming | Shown::Ours => {
                let summary = self.result.with_value(|r| {
                    let chart = r.chart.as_ref();
                    chart.map_or_else(String::new, |chart| summary(self.ui, chart))
                });
                let part = if preview < total { t.chart_partial } else { "" };
                format!("{summary} {part}")
            }
        }
    }

    fn draw(self, host: web_sys::HtmlElement, chart: ChartChoice) {
        part::load(Part::Charts, move |exports| {
            let Some(exports) = exports else {
                self.shown.try_set(Shown::Ours);
                return;
            };
            let Some(result) = self.result.try_get_value() else {
                return;
            };
            let preview = result.preview.len() as u64;
            let source = chart.source.clone();
            let source = source.filter(|_| result.live && result.rows > preview);
            let begin = Rc::new(move |columns: Option<Vec<Vec<f64>>>| {
                let marks = columns.and_then(|c| marks(&chart, &c));
                let (rows, spec, summary) = match marks {
                    Some((rows, series)) => {
                        let summary = summary_of(self.ui, &chart, &series);
                        (rows, self.spec(&chart, Some(&series)), summary)
                    }
                    None => (preview, self.spec(&chart, None), summary(self.ui, &chart)),
                };
                if self.shown.is_disposed() {
                    return;
                }
                host.set_hidden(false);
                let asked = part::object(&[("host", (&host).into()), ("spec", spec)]);
                match part::call(&exports, "draw", &asked) {
                    Some(drawn) => {
                        self.drawn.set_value(Some(drawn));
                        self.shown.try_set(Shown::Drawn { summary, rows });
                    }
                    None => {
                        self.shown.try_set(Shown::Ours);
                    }
                }
            });
            match source {
                Some(source) => {
                    let wanted = std::iter::once(source.x).chain(source.y).collect();
                    self.fetch(result.id, wanted, begin);
                }
                None => begin(None),
            }
        });
    }

    /// Asks for all columns and goes on with them, or with nothing where one is gone.
    fn fetch(
        self,
        result: crate::view::ResultId,
        wanted: Vec<u32>,
        then: Rc<impl Fn(Option<Vec<Vec<f64>>>) + 'static>,
    ) {
        let came = Rc::new(RefCell::new(vec![None::<Option<Vec<f64>>>; wanted.len()]));
        for (at, column) in wanted.into_iter().enumerate() {
            let (came, then) = (came.clone(), then.clone());
            let reply = move |numbers: Option<Vec<f64>>| {
                if let Some(slot) = came.borrow_mut().get_mut(at) {
                    *slot = Some(numbers);
                }
                let all = came.borrow().iter().all(Option::is_some);
                if all {
                    let columns = came.take().into_iter().flatten().collect();
                    then(columns);
                }
            };
            self.ui.act.column(ColumnRequest {
                result,
                column,
                rows_max: POINTS_FETCHED_MAX,
                reply: Box::new(reply),
            });
        }
    }

    /// What `draw` of scripts/charts/main.js is given.
    fn spec(self, chart: &ChartChoice, all: Option<&[Vec<f64>]>) -> JsValue {
        let t = self.ui.t;
        let series = Array::new();
        for (at, one) in chart.series.iter().enumerate() {
            let values: Vec<f64> = match all.and_then(|all| all.get(at)) {
                Some(pairs) => pairs.clone(),
                None => one.values.iter().map(|v| v.unwrap_or(f64::NAN)).collect(),
            };
            series.push(&part::object(&[
                ("name", one.name.as_str().into()),
                ("values", Float64Array::from(values.as_slice()).into()),
            ]));
        }
        let labels: Array = chart.labels.iter().map(|l| JsValue::from_str(l)).collect();
        let time = chart.source.as_ref().is_some_and(|s| s.time);
        let tag = match self.ui.store.language.get_untracked() {
            Language::English => "en",
            Language::Chinese => "zh-CN",
        };
        part::object(&[
            ("kind", kind_name(self.kind.get_untracked()).into()),
            (
                "title",
                (t.chart_title)(&chart.y_label, &chart.x_label).into(),
            ),
            ("x", chart.x_label.as_str().into()),
            ("y", chart.y_label.as_str().into()),
            ("labels", labels.unchecked_into()),
            ("series", series.into()),
            ("pairs", all.is_some().into()),
            ("time", time.into()),
            ("language", tag.into()),
            ("name", t.parts.chart_file.into()),
        ])
    }
}

fn kind_name(kind: ChartKind) -> &'static str {
    match kind {
        ChartKind::Number => "number",
        ChartKind::Bar => "bar",
        ChartKind::Line => "line",
        ChartKind::Pie => "pie",
        ChartKind::Scatter => "scatter",
    }
}

/// The marks of all series of whole columns, and how many rows they stand for; `None` where no x is a number.
fn marks(chart: &ChartChoice, columns: &[Vec<f64>]) -> Option<(u64, Vec<Vec<f64>>)> {
    let (x, ys) = columns.split_first()?;
    let series: Vec<Vec<f64>> = ys
        .iter()
        .map(|y| pairs(x, y, chart.kind == ChartKind::Line))
        .collect();
    let any = series.first().is_some_and(|s| !s.is_empty());
    any.then_some((x.len() as u64, series))
}

fn summary(ui: Ui, chart: &ChartChoice) -> String {
    match (chart.kind, chart.series.as_slice()) {
        (ChartKind::Scatter, [x, y]) => {
            let known = |v: &Vec<Option<f64>>| v.iter().map(|v| v.unwrap_or(f64::NAN)).collect();
            let (x, y): (Vec<f64>, Vec<f64>) = (known(&x.values), known(&y.values));
            summary_of(ui, chart, &[pairs(&x, &y, false)])
        }
        _ => extremes(chart).map_or_else(String::new, |[low, high]| {
            (ui.t.chart_summary)(&low.0, &short(low.1), &high.0, &short(high.1))
        }),
    }
}

/// The extremes of all marks.
fn summary_of(ui: Ui, chart: &ChartChoice, series: &[Vec<f64>]) -> String {
    let time = chart.source.as_ref().is_some_and(|s| s.time);
    let all = series
        .iter()
        .filter_map(|s| extremes_of(s))
        .reduce(|[low, high], [l, h]| {
            [
                if l.1 < low.1 { l } else { low },
                if h.1 > high.1 { h } else { high },
            ]
        });
    let label = |x: f64| match (time, chart.kind) {
        (true, _) => date_text(x),
        (false, ChartKind::Scatter) => format!("{} {}", chart.x_label, short(x)),
        (false, _) => x.to_string(),
    };
    all.map_or_else(String::new, |[low, high]| {
        (ui.t.chart_summary)(&label(low.0), &short(low.1), &label(high.0), &short(high.1))
    })
}
