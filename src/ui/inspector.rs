//! The file at hand and its schema.

use super::Ui;
use super::live::{either, live, on_click};
use super::schema_table::SchemaTable;
use super::sent::{SentPanel, SentTabs, Tab};
use crate::view::Command;
use crate::view::cells::bytes_text;
use crate::view::model::FileView;
use leptos::prelude::*;

#[component]
pub fn Inspector(ui: Ui) -> impl IntoView {
    let t = ui.t;
    let tab = RwSignal::new(Tab::Schema);
    view! {
        <aside class="inspector" id="inspector" tabindex="-1" aria-label=t.schema>
            <SentTabs ui tab />
            {either(move || tab.get() == Tab::Sent, move || view! { <SentPanel ui /> }.into_any(), move || schema(ui))}
        </aside>
    }
    .into_any()
}

fn schema(ui: Ui) -> AnyView {
    let t = ui.t;
    view! {
        <div role="tabpanel" id="inspector-schema" aria-labelledby="inspector-tab-schema">
            {live(move || {
                ui.store.file.with(|file| match file {
                    FileView::Open { .. } => opened(ui, file),
                    _ => view! { <p class="inspector-empty">{t.schema_empty}</p> }.into_any(),
                })
            })}
        </div>
    }
    .into_any()
}

fn opened(ui: Ui, file: &FileView) -> AnyView {
    let FileView::Open {
        name,
        bytes,
        schema,
        findings,
        ..
    } = file
    else {
        return ().into_any();
    };
    let t = ui.t;
    let findings: Vec<_> = findings
        .iter()
        .map(|finding| {
            let (cause, next) = (t.finding)(finding);
            view! {
                <li>
                    <strong>{cause}</strong>
                    <span>{next}</span>
                </li>
            }
            .into_any()
        })
        .collect();
    let has_findings = !findings.is_empty();
    let tables: Vec<_> = schema
        .visible()
        .map(|table| view! { <SchemaTable ui table=table.clone() /> }.into_any())
        .collect();
    view! {
        <div class="inspector-file">
            <h2 class="inspector-name">{name.clone()}</h2>
            <p class="inspector-about">{bytes_text(*bytes)} " · " {(t.tables)(tables.len() as u64)}</p>
            <div class="inspector-buttons">
                <button class="text-button"
                    on:click=on_click(move |_| super::pick::file(ui))>{t.open_another}</button>
                <button class="text-button"
                    on:click=on_click(move |_| ui.act.send(Command::CloseFile))>{t.close_file}</button>
            </div>
            {has_findings.then(|| view! { <ul class="findings">{findings}</ul> }.into_any())}
        </div>
        <h2 class="inspector-title">{t.schema}</h2>
        <p class="inspector-hint">{t.schema_hint}</p>
        <ul class="schema">{tables}</ul>
    }
    .into_any()
}
