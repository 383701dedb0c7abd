//! Rows as a table, fetched in windows while the person reads; the whole result is never here.

use super::grid::Grid;
use super::icon::Icon;
use super::live::{Handler, live, on_click, on_event, on_key};
use super::result::HeldResult;
use super::{Rows, Ui, WindowRequest, dom};
use crate::view::cells::{cell, count_text};
use crate::view::export;
use crate::view::grid::Active;
use crate::view::model::ResultView;
use crate::view::{Part, SortOrder, Value, WindowOf};
use leptos::ev;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, MouseEvent, PointerEvent};

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

/// A cell that is shown whole below the grid.
#[derive(Clone, PartialEq)]
struct Whole {
    title: String,
    text: String,
}

type HeldGrid = StoredValue<Option<Rc<RefCell<Grid>>>, LocalStorage>;

/// All rows, fetched as the person reads on. It begins at the `wanted` cell, where there is one.
#[component]
pub fn ResultTable(
    ui: Ui,
    id: String,
    result: HeldResult,
    wanted: StoredValue<Option<Active>>,
) -> impl IntoView {
    let t = ui.t;
    let held = result.get_value();
    let gone = RwSignal::new(!held.live);
    let whole = RwSignal::new(None);
    let grid: HeldGrid = StoredValue::new_local(None);
    let total = held.rows;
    let partial = (held.preview.len() as u64) < total;
    view! {
        {frame(ui, id, grid, result, gone, whole, wanted)}
        {live(move || whole.get().map(|cell| pane(ui, whole, cell)))}
        <div class="result-foot">
            <span class="result-count">{(t.rows)(total)}</span>
            <Exports ui result gone grid />
        </div>
        {live(move || (gone.get() && partial).then(|| {
            view! { <p class="answer-note">{t.rows_gone}</p> }
            .into_any()
        }))}
        {held.truncated.then(|| view! {
            <p class="answer-note" data-tone="warning">{(t.truncated)(held.cap, &count_text(total))}</p>
        }.into_any())}
    }
    .into_any()
}

fn frame(
    ui: Ui,
    id: String,
    grid: HeldGrid,
    result: HeldResult,
    gone: RwSignal<bool>,
    whole: RwSignal<Option<Whole>>,
    wanted: StoredValue<Option<Active>>,
) -> AnyView {
    let node = NodeRef::<leptos::html::Div>::new();
    let grid_id = format!("{id}-grid");
    node.on_load(move |frame| {
        let lost: Rc<dyn Fn()> = Rc::new(move || {
            gone.try_set(true);
        });
        grid.set_value(Grid::new(
            ui,
            &grid_id,
            frame.clone().into(),
            result.get_value(),
            lost,
        ));
        if let Some(cell) = wanted.try_update_value(Option::take).flatten() {
            with_grid(grid, &|grid| grid.activate(cell));
            let _ = frame.focus();
        }
    });
    let with = move |act: &dyn Fn(&mut Grid)| with_grid(grid, act);
    let resized = window_event_listener(ev::resize, move |_| with(&Grid::measure));
    on_cleanup(move || resized.remove());
    let open = move |grid: &Grid, cell: Active| {
        let title = result.with_value(|r| r.columns.get(cell.column).cloned());
        let title = (ui.t.cell_title)(&title.unwrap_or_default(), &count_text(cell.row));
        grid.whole(cell, move |value| {
            let text = value.map(|value| export::whole(&value)).unwrap_or_default();
            whole.try_set(Some(Whole { title, text }));
        });
    };
    let key = move |event: KeyboardEvent| {
        with(&|grid| {
            let asked = Cell::new(None);
            if grid.key(&event, &|cell| asked.set(Some(cell))) {
                event.prevent_default();
            }
            if let Some(cell) = asked.get() {
                open(grid, cell);
            }
        })
    };
    let on = Pointing::new(grid, open);
    let (rows, columns) = result.with_value(|r| (r.rows + 1, r.columns.len()));
    view! {
        <div class="grid" role="grid" tabindex="0" node_ref=node aria-label=ui.t.result_rows
            aria-description=ui.t.grid_keys aria-rowcount=rows.to_string() aria-colcount=columns.to_string()
            on:scroll=on_event(move |_| with(&Grid::scrolled)) on:keydown=on_key(key) on:click=on.click
            on:dblclick=on.double on:pointerdown=on.press on:pointermove=on.drag
            on:pointerup=on.release></div>
    }
    .into_any()
}

fn with_grid(grid: HeldGrid, act: &dyn Fn(&mut Grid)) {
    grid.with_value(|grid| {
        if let Some(mut grid) = grid.as_ref().and_then(|g| g.try_borrow_mut().ok()) {
            act(&mut grid);
        }
    });
}

/// What pointers do on the grid.
struct Pointing {
    click: Handler<MouseEvent>,
    double: Handler<MouseEvent>,
    press: Handler<PointerEvent>,
    drag: Handler<PointerEvent>,
    release: Handler<PointerEvent>,
}

impl Pointing {
    fn new(grid: HeldGrid, open: impl Fn(&Grid, Active) + 'static) -> Self {
        let target = |event: &web_sys::Event| event.target()?.dyn_into::<Element>().ok();
        let with = move |act: &dyn Fn(&mut Grid)| with_grid(grid, act);
        Self {
            click: Box::new(move |event| {
                with(&|grid| {
                    if let Some(target) = target(&event) {
                        grid.clicked(&target);
                    }
                });
            }),
            double: Box::new(move |event| {
                with(&|grid| {
                    if let Some(cell) = target(&event).and_then(|t| grid.cell_of(&t)) {
                        open(grid, cell);
                    }
                });
            }),
            press: Box::new(move |event| {
                with(&|grid| {
                    if let Some(target) = target(&event) {
                        grid.pressed(&event, &target);
                    }
                });
            }),
            drag: Box::new(move |event| with(&|grid| grid.dragged(&event))),
            release: Box::new(move |_| with(&Grid::released)),
        }
    }
}

/// One cell in full, below the grid.
fn pane(ui: Ui, whole: RwSignal<Option<Whole>>, cell: Whole) -> AnyView {
    let (copied, label) = (cell.text.clone(), cell.title.clone());
    view! {
        <section class="cell-pane" aria-label=label>
            <header>
                <h4>{cell.title}</h4>
                <button class="text-button" on:click=on_click(move |_| dom::copy(&copied))>
                    <Icon of=Icon::Copy />
                    {ui.t.copy_cell}
                </button>
                <button class="text-button" on:click=on_click(move |_| whole.set(None))>{ui.t.close}</button>
            </header>
            <pre tabindex="0">{cell.text}</pre>
        </section>
    }
    .into_any()
}

#[component]
fn Exports(ui: Ui, result: HeldResult, gone: RwSignal<bool>, grid: HeldGrid) -> impl IntoView {
    let t = ui.t;
    let take = move |form: fn(&ResultView, &Rows)| {
        let held = result.get_value();
        if !held.live {
            form(&held, &held.preview);
            return;
        }
        let order = grid.with_value(|grid| grid.as_ref().and_then(|grid| grid.borrow().order()));
        let done = move |rows: Option<Rows>| match rows {
            Some(rows) => form(&held, &rows),
            // Half a result under the name of a whole one would be a lie: nothing is exported, and a note says why.
            None => {
                gone.try_set(true);
            }
        };
        fetch(ui, result.get_value(), order, Vec::new(), Box::new(done));
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

/// Fetches a whole result, window by window, as it is sorted; `None` where the engine lost it on the way.
fn fetch(
    ui: Ui,
    result: Rc<ResultView>,
    order: Option<SortOrder>,
    mut rows: Rows,
    then: Box<dyn FnOnce(Option<Rows>)>,
) {
    if rows.len() as u64 >= result.rows {
        then(Some(rows));
        return;
    }
    let of = WindowOf {
        result: result.id,
        first: rows.len() as u64,
        count: EXPORT_ROWS,
        order,
        part: Part::Whole,
    };
    let reply = Box::new(
        move |window: Option<Rows>| match window.filter(|w| !w.is_empty()) {
            Some(window) => {
                rows.extend(window);
                fetch(ui, result, order, rows, then);
            }
            None => then(None),
        },
    );
    ui.act.window(WindowRequest { of, reply });
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
