//! One table: its rows, its columns, its keys. A click on a name puts it into the question.

use super::Ui;
use super::dom;
use super::icon::Icon;
use super::live::{live, on_click, when};
use super::store::Panel;
use crate::view::cells::count_text;
use crate::view::{Column, RowCount, Table, TableKind};
use leptos::prelude::*;

#[component]
pub fn SchemaTable(ui: Ui, table: Table) -> impl IntoView {
    let t = ui.t;
    let open = RwSignal::new(false);
    let rows = match table.rows {
        RowCount::Exact(n) => count_text(n),
        RowCount::Estimated(n) => format!("≈ {}", count_text(n)),
        RowCount::Unknown => "?".to_owned(),
    };
    let rows_label = match table.rows {
        RowCount::Exact(n) => (t.rows)(n),
        RowCount::Estimated(n) => (t.rows_about)(n),
        RowCount::Unknown => t.rows_unknown.to_owned(),
    };
    let kind = match &table.kind {
        TableKind::Table => None,
        TableKind::View => Some(t.view.to_owned()),
        TableKind::Virtual { module } => Some(module.clone()),
        TableKind::Shadow => Some(t.shadow.to_owned()),
    };
    let name = table.name.clone();
    let inserted = name.clone();
    let label = (t.columns_of)(&name);
    let rows_title = rows_label.clone();
    let problem = table.problem.clone();
    let table = StoredValue::new(table);
    view! {
        <li class="schema-table">
            <div class="schema-row">
                <button class="icon-button schema-fold" aria-label=label
                    aria-expanded=live(move || open.get().to_string())
                    on:click=on_click(move |_| open.update(|o| *o = !*o))>
                    <Icon of=Icon::Chevron />
                </button>
                <button class="schema-name" translate="no" title=t.insert_name
                    on:click=on_click(move |_| insert(ui, &inserted))>
                    {name}
                </button>
                {kind.map(|k| view! { <span class="badge">{k}</span> }.into_any())}
                <span class="schema-count" title=rows_title>
                    <span aria-hidden="true">{rows}</span>
                    <span class="hidden-text">{rows_label}</span>
                </span>
            </div>
            {problem.map(|p| view! { <p class="schema-problem">{p}</p> }.into_any())}
            {when(move || open.get(), move || view! { {table.with_value(|table| columns(ui, table))} }.into_any())}
        </li>
    }
    .into_any()
}

fn columns(ui: Ui, table: &Table) -> AnyView {
    let list: Vec<_> = table
        .columns
        .iter()
        .map(|column| {
            let name = column.name.clone();
            let inserted = format!("{}.{name}", table.name);
            let refers = refers_to(table, column);
            view! {
                <li class="schema-column">
                    <button class="schema-name" translate="no" title=ui.t.insert_name
                        on:click=on_click(move |_| insert(ui, &inserted))>
                        {name}
                    </button>
                    {(column.primary_key > 0).then(|| view! {
                        <abbr class="schema-key" title=ui.t.primary_key>"PK"</abbr>
                    }.into_any())}
                    {refers.map(|to| view! {
                        <span class="schema-refers" translate="no" title=ui.t.foreign_key>{format!("→ {to}")}</span>
                    }.into_any())}
                    <span class="schema-type" translate="no">{column.declared_type.clone()}</span>
                </li>
            }.into_any()
        })
        .collect();
    let comment = table.comment.clone();
    view! {
        {comment.map(|c| view! { <p class="schema-comment">{c}</p> }.into_any())}
        <ul class="schema-columns">{list}</ul>
    }
    .into_any()
}

fn refers_to(table: &Table, column: &Column) -> Option<String> {
    let key = table.foreign_keys.iter().find(|k| {
        k.columns
            .iter()
            .any(|c| c.eq_ignore_ascii_case(&column.name))
    })?;
    Some(key.table.clone())
}

pub fn insert(ui: Ui, name: &str) {
    ui.store.draft.update(|draft| {
        if !draft.is_empty() && !draft.ends_with(char::is_whitespace) {
            draft.push(' ');
        }
        draft.push_str(name);
        draft.push(' ');
    });
    ui.store.panel.set(Panel::None);
    dom::focus("composer");
}
