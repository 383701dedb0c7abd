//! Rows as a table, fetched in windows while the person reads; the whole result is never here.

use super::icon::Icon;
use super::live::{live, on_click, on_event, when};
use super::result::HeldResult;
use super::{Rows, Ui, WindowRequest, dom};
use crate::view::Value;
use crate::view::cells::{cell, count_text};
use crate::view::export;
use crate::view::model::ResultView;
use leptos::prelude::*;
use std::rc::Rc;

/// Rows fetched at a time while reading.
const WINDOW_ROWS: u32 = 200;
/// Rows fetched at a time for an export.
const EXPORT_ROWS: u32 = 2_000;
/// Rows under the words of an answer.
const PREVIEW_ROWS: usize = 10;

/// The first rows under an answer, and the way to all of them.
#[component]
pub fn Preview(ui: Ui, result: HeldResult, all: impl Fn() + 'static) -> impl IntoView {
    let result = result.get_value();
    let rows: Rows = result.preview.iter().take(PREVIEW_ROWS).cloned().collect();
    let shown = rows.len() as u64;
    let body = chunk(1, &rows);
    let label = (ui.t.show_rows)(result.rows);
    view! {
        <div class="table-frame" tabindex="0" role="group" aria-label=ui.t.first_rows>
            <table class="table" aria-rowcount=(result.rows + 1).to_string()>
                {head(&result)}
                {body}
            </table>
        </div>
        <div class="result-foot">
            <span class="result-count">{count(ui, &result, shown)}</span>
            {(result.rows > shown).then(|| view! {
                <button class="text-button" on:click=on_click(move |_| all())>{label}</button>
            }.into_any())}
        </div>
    }
    .into_any()
}

#[derive(Clone)]
struct Chunk {
    first: u64,
    rows: Rows,
}

/// All rows, fetched as the person reads on.
#[component]
pub fn ResultTable(ui: Ui, result: HeldResult) -> impl IntoView {
    let t = ui.t;
    let held = result.get_value();
    let total = held.rows;
    let chunks = RwSignal::new(vec![Chunk {
        first: 0,
        rows: held.preview.clone(),
    }]);
    let loaded = move || chunks.with(|c| c.iter().map(|c| c.rows.len() as u64).sum::<u64>());
    let loading = RwSignal::new(false);
    let gone = RwSignal::new(!held.live);
    let more = move || {
        let first = untrack(loaded);
        if first >= total || loading.get_untracked() || gone.get_untracked() {
            return;
        }
        loading.set(true);
        ui.act.window(WindowRequest {
            result: result.with_value(|r| r.id),
            first,
            count: WINDOW_ROWS,
            reply: Box::new(move |rows| {
                loading.try_set(false);
                match rows.filter(|r| !r.is_empty()) {
                    Some(rows) => {
                        chunks.try_update(|c| c.push(Chunk { first, rows }));
                    }
                    None => {
                        gone.try_set(true);
                    }
                }
            }),
        });
    };
    let scrolled = move |event: web_sys::Event| {
        let frame: web_sys::Element = event_target(&event);
        if frame.scroll_height() - frame.scroll_top() - frame.client_height() < 400 {
            more();
        }
    };
    let head = head(&held);
    let note = StoredValue::new_local(held.clone());
    view! {
        <div class="table-frame" data-tall="true" tabindex="0" role="group" aria-label=t.result_rows
            on:scroll=on_event(scrolled)>
            <table class="table" aria-rowcount=(total + 1).to_string()>
                {head}
                <For each=move || chunks.get() key=|c| c.first let:c>{chunk(c.first + 1, &c.rows)}</For>
            </table>
        </div>
        <div class="result-foot">
            <span class="result-count">{live(move || note.with_value(|r| count(ui, r, loaded())))}</span>
            {when(move || loaded() < total && !gone.get(), move || {
                view! {
                    <button class="text-button" on:click=on_click(move |_| more())>
                        {live(move || if loading.get() { t.loading } else { t.more_rows })}
                    </button>
                }
                .into_any()
            })}
            <Exports ui result gone />
        </div>
        {live(move || (gone.get() && loaded() < total).then(|| {
            view! { <p class="answer-note">{t.rows_gone}</p> }
            .into_any()
        }))}
        {held.truncated.then(|| view! {
            <p class="answer-note" data-tone="warning">{(t.truncated)(&count_text(total))}</p>
        }.into_any())}
    }
    .into_any()
}

#[component]
fn Exports(ui: Ui, result: HeldResult, gone: RwSignal<bool>) -> impl IntoView {
    let t = ui.t;
    let take = move |form: fn(&ResultView, &Rows)| {
        let held = result.get_value();
        if !held.live || held.preview.len() as u64 >= held.rows {
            form(&held, &held.preview);
            return;
        }
        let done = move |rows: Option<Rows>| match rows {
            Some(rows) => form(&held, &rows),
            // Half a result under the name of a whole one would be a lie: nothing is exported, and a note says why.
            None => {
                gone.try_set(true);
            }
        };
        fetch(ui, result.get_value(), Vec::new(), Box::new(done));
    };
    view! {
        <span class="result-exports">
            <button class="text-button"
                on:click=on_click(move |_| take(|r, rows| dom::copy(&export::tsv(&r.columns, rows))))>
                <Icon of=Icon::Copy />
                {t.copy_tsv}
            </button>
            <button class="text-button"
                on:click=on_click(move |_| take(|r, rows| dom::copy(&export::markdown(&r.columns, rows))))>
                <Icon of=Icon::Copy />
                {t.copy_markdown}
            </button>
            <button class="text-button" on:click=on_click(move |_| {
                take(|r, rows| dom::save(&file_name(r, rows), "text/csv", &export::csv(&r.columns, rows)));
            })>
                <Icon of=Icon::Save />
                {t.save_csv}
            </button>
        </span>
    }
    .into_any()
}

/// Fetches a whole result, window by window; `None` where the engine lost it on the way.
fn fetch(ui: Ui, result: Rc<ResultView>, mut rows: Rows, then: Box<dyn FnOnce(Option<Rows>)>) {
    if rows.len() as u64 >= result.rows {
        then(Some(rows));
        return;
    }
    ui.act.window(WindowRequest {
        result: result.id,
        first: rows.len() as u64,
        count: EXPORT_ROWS,
        reply: Box::new(move |window| match window.filter(|w| !w.is_empty()) {
            Some(window) => {
                rows.extend(window);
                fetch(ui, result, rows, then);
            }
            None => then(None),
        }),
    });
}

fn file_name(result: &ResultView, rows: &Rows) -> String {
    if (rows.len() as u64) < result.rows {
        format!("result-first-{}-of-{}.csv", rows.len(), result.rows)
    } else {
        "result.csv".to_owned()
    }
}

fn count(ui: Ui, result: &ResultView, shown: u64) -> String {
    (ui.t.rows_of)(&count_text(shown), &count_text(result.rows))
}

fn head(result: &ResultView) -> AnyView {
    let cells: Vec<_> = result
        .columns
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let first = result
                .preview
                .iter()
                .filter_map(|r| r.get(i))
                .find(|v| !v.is_null());
            let kind = first.map_or("text", |v| cell(v).kind.name());
            view! { <th scope="col" data-kind=kind>{name.clone()}</th> }.into_any()
        })
        .collect();
    view! { <thead><tr aria-rowindex="1">{cells}</tr></thead> }.into_any()
}

/// `first` is the number of the chunk's first row; the head is row 1.
fn chunk(first: u64, rows: &[Vec<Value>]) -> AnyView {
    let rows: Vec<_> = rows
        .iter()
        .zip(first + 1..)
        .map(|(row, index)| {
            let cells: Vec<_> = row
                .iter()
                .map(|value| {
                    let cell = cell(value);
                    view! { <td data-kind=cell.kind.name()>{cell.text}</td> }.into_any()
                })
                .collect();
            view! { <tr aria-rowindex=index.to_string()>{cells}</tr> }.into_any()
        })
        .collect();
    view! { <tbody>{rows}</tbody> }.into_any()
}
