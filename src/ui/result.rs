//! A result behind its tabs: answer, table, chart, SQL.

use super::Ui;
use super::answer::AnswerText;
use super::chart::Chart;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, on_key};
use super::part::{self, Part};
use super::result_table::{Preview, ResultTable};
use super::sql_text::SqlText;
use super::store::ItemSignal;
use crate::view::grid::Active;
use crate::view::model::ResultView;
use leptos::prelude::*;
use std::rc::Rc;
use web_sys::KeyboardEvent;

pub type HeldResult = StoredValue<Rc<ResultView>, LocalStorage>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tab {
    Answer,
    Table,
    Chart,
    Sql,
}

/// A result behind tabs; with `answer`, the words come first.
#[component]
pub fn ResultPanel(
    ui: Ui,
    /// Unique on the page.
    id: String,
    result: Rc<ResultView>,
    #[prop(optional)] answer: Option<ItemSignal>,
) -> impl IntoView {
    let tabs: Vec<Tab> = match answer {
        Some(_) => vec![Tab::Answer, Tab::Table, Tab::Chart, Tab::Sql],
        None => vec![Tab::Table, Tab::Chart, Tab::Sql],
    };
    let now = RwSignal::new(if answer.is_some() {
        Tab::Answer
    } else {
        Tab::Table
    });
    if result.chart.is_some() {
        part::load_ahead(Part::Charts);
    }
    let result: HeldResult = StoredValue::new_local(result);
    let id = StoredValue::new(id);
    let order = StoredValue::new(tabs.clone());
    let key = move |event: KeyboardEvent| {
        let forward = match event.key().as_str() {
            "ArrowRight" => true,
            "ArrowLeft" => false,
            _ => return,
        };
        event.prevent_default();
        let next = order.with_value(|tabs| {
            let at = tabs
                .iter()
                .position(|t| *t == now.get_untracked())
                .unwrap_or(0);
            let step = if forward {
                1
            } else {
                tabs.len().saturating_sub(1)
            };
            tabs.iter().cycle().nth(at + step).copied()
        });
        if let Some(next) = next {
            now.set(next);
            dom::focus(&tab_id(&id.get_value(), next));
        }
    };
    let buttons: Vec<_> = tabs
        .into_iter()
        .map(|tab| {
            let selected = move || now.get() == tab;
            let controls = move || selected().then(|| format!("{}-panel", id.get_value()));
            view! {
                <button class="tab" role="tab" id=tab_id(&id.get_value(), tab) aria-controls=live(controls)
                    aria-selected=live(move || selected().to_string())
                    tabindex=live(move || if selected() { "0" } else { "-1" }) on:click=on_click(move |_| now.set(tab))>
                    {name(ui, tab)}
                </button>
            }.into_any()
        })
        .collect();
    // The cell that a number of the answer led to, until the table has shown it.
    let wanted = StoredValue::new(None);
    let panel = move || match now.get() {
        Tab::Answer => words(ui, result, answer, now, wanted),
        Tab::Table => view! { <ResultTable ui id=id.get_value() result wanted /> }.into_any(),
        Tab::Chart => view! { <Chart ui result to_table=to_table(id, now) /> }.into_any(),
        Tab::Sql => statement(ui, result),
    };
    view! {
        <div class="result">
            <div class="tabs" role="tablist" aria-label=ui.t.result on:keydown=on_key(key)>{buttons}</div>
            <div class="result-panel" role="tabpanel" id=format!("{}-panel", id.get_value())
                aria-labelledby=live(move || tab_id(&id.get_value(), now.get())) tabindex="-1">
                {live(panel)}
            </div>
        </div>
    }
    .into_any()
}

/// The numbers of the chart, with the focus where their tab is.
fn to_table(id: StoredValue<String>, now: RwSignal<Tab>) -> impl Fn() + 'static {
    move || {
        now.set(Tab::Table);
        dom::focus(&tab_id(&id.get_value(), Tab::Table));
    }
}

fn words(
    ui: Ui,
    result: HeldResult,
    answer: Option<ItemSignal>,
    now: RwSignal<Tab>,
    wanted: StoredValue<Option<Active>>,
) -> AnyView {
    let all = move || now.set(Tab::Table);
    let show = move |cell| {
        wanted.set_value(Some(cell));
        now.set(Tab::Table);
    };
    view! {
        {answer.map(|item| view! { <AnswerText ui item show=Box::new(show) /> }.into_any())}
        <Preview ui result all />
    }
    .into_any()
}

fn statement(ui: Ui, result: HeldResult) -> AnyView {
    let sql = result.with_value(|r| r.sql.clone());
    let copied = sql.clone();
    view! {
        <SqlText sql />
        <div class="result-foot">
            <span class="result-count">{(ui.t.took)(result.with_value(|r| r.ms))}</span>
            <button class="text-button" on:click=on_click(move |_| dom::copy(&copied))>
                <Icon of=Icon::Copy />
                {ui.t.copy_sql}
            </button>
        </div>
    }
    .into_any()
}

fn name(ui: Ui, tab: Tab) -> &'static str {
    match tab {
        Tab::Answer => ui.t.tab_answer,
        Tab::Table => ui.t.tab_table,
        Tab::Chart => ui.t.tab_chart,
        Tab::Sql => ui.t.tab_sql,
    }
}

fn tab_id(id: &str, tab: Tab) -> String {
    let name = match tab {
        Tab::Answer => "answer",
        Tab::Table => "table",
        Tab::Chart => "chart",
        Tab::Sql => "sql",
    };
    format!("{id}-{name}")
}
